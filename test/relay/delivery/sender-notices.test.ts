/** The one table of waits: what `next_attempt_at` says, what notices say, and what docs/sending.md says is what src/relay/schedule.ts has. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { HOUR, MINUTE, timestamp, ManualClock } from '../../../src/lib/clock.js'
import type { Notice } from '../../../src/mailbox/delivery/notice.js'
import type { RecipientResult } from '../../../src/mailbox/sending/outbound-mail.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { DsnRequest, Notify } from '../../../src/mime/dsn-request.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { mailDate } from '../../../src/mime/date.js'
import { createSenderNotices, type SenderNotices } from '../../../src/relay/delivery/sender-notices.js'
import * as schedule from '../../../src/relay/schedule.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { startWorld } from '../world.js'

const PARSE_LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }
const RAW = Buffer.from('From: agent@agents.test\r\nSubject: Grüße\r\nMessage-ID: <m1@agents.test>\r\n\r\nSecret.\r\n')
const START = Date.UTC(2026, 0, 1, 12)

const message = {
  id: 'msg_1',
  from: { address: 'agent@agents.test', name: '' },
  message_id: 'm1@agents.test',
  created_at: timestamp(START),
  recipients: [{ address: 'bob@peer.test', at: timestamp(START) }],
} as Message

const result = (address: string, status: RecipientResult['status'], detail: string): RecipientResult => ({
  address,
  status,
  smtpCode: Number(detail.slice(0, 3)) || null,
  detail,
  nextAttemptAt: null,
})
const GONE = result('ada@peer.test', 'bounced', '550 5.1.1 <ada@peer.test>: no such user')
const LATER = result('bob@peer.test', 'deferred', '451 4.3.0 try later')

/** From the first attempt to this one, without jitter. */
const sinceFirst = (attempt: number): number =>
  schedule.RETRY_WAITS_MS.slice(0, Math.max(0, attempt - 1)).reduce((all, wait) => all + wait, 0)

function notices(mode: 'failures' | 'all' | 'off', clock = new ManualClock(START)): SenderNotices {
  return createSenderNotices({ mode, hostname: 'mx.agents.test', parseLimits: PARSE_LIMITS, clock })
}
const textOf = (notice: Notice | undefined): string => notice?.raw.toString().replaceAll('\r\n', '\n') ?? ''

t.test('a notice of failure is a report that this server reads itself, and threads with its message', async (t) => {
  const tried = { message, raw: RAW, results: [GONE, LATER], attempts: 1, since: START }
  const notice = await notices('failures')(tried)
  const text = textOf(notice)
  t.match(text, /^Return-Path: <>\n/)
  t.match(text, 'From: Mail Delivery System <postmaster@agents.test>\nTo: <agent@agents.test>\n')
  t.match(text, 'Auto-Submitted: auto-replied\n')
  t.match(text, '    <ada@peer.test>\n    550 5.1.1 <ada@peer.test>: no such user\n')
  t.notMatch(text, /bob@peer|Secret/)
  t.notMatch(text, /[^\n]{999}/)
  const parsed = await parseMessage(notice?.raw ?? Buffer.alloc(0), PARSE_LIMITS)
  t.match(parsed, {
    automation: 'bounce',
    inReplyTo: 'm1@agents.test',
    references: ['m1@agents.test'],
    report: {
      originalMessageId: 'm1@agents.test',
      recipients: [{ address: 'ada@peer.test', action: 'failed', permanent: true, status: '5.1.1' }],
    },
  })
  t.same(notice?.parsed.report, parsed.report)
})

t.test('notices are sent as the operator sets it', async (t) => {
  const tried = { message, raw: RAW, results: [GONE], attempts: 1, since: START }
  t.equal(await notices('off')(tried), undefined)
  t.ok(await notices('all')(tried))
  const waiting = { ...tried, results: [LATER], attempts: 9 }
  const fourHours = new ManualClock(START + 4 * HOUR)
  t.equal(await notices('failures', fourHours)(waiting), undefined)
  t.match((await notices('all', fourHours)(waiting))?.parsed.report?.recipients, [
    { address: 'bob@peer.test', action: 'delayed' },
  ])
  t.equal(await notices('all', new ManualClock(START + 4 * HOUR - 1))(waiting), undefined, 'not before')
  const later = notices('all', new ManualClock(START + 5 * HOUR))
  t.equal(await later({ ...waiting, toldOfDelay: ['bob@peer.test'] }), undefined, 'once')
  t.same((await later({ ...waiting, toldOfDelay: ['ada@peer.test'] }))?.delayed, ['bob@peer.test'], 'to each')
  t.match(textOf(await notices('all', fourHours)({ ...waiting, attempts: 0 })), 'In about 4 hours no attempt could be')
  t.equal(await notices('all')({ ...tried, message: { ...message, from: null } }), undefined)
})

t.test('what a program asked for comes before the setting', async (t) => {
  const asked = (notify: Notify[], more: Partial<DsnRequest> = {}) => ({
    ...{ message, raw: RAW, results: [LATER], attempts: 9, since: START },
    dsn: { ...more, recipients: [{ place: 0, notify, isOwn: true as const }] },
  })
  const fourHours = new ManualClock(START + 4 * HOUR)
  const delay = await notices('off', fourHours)(asked(['DELAY'], { envelopeId: 'x1' }))
  t.same(delay?.delayed, ['bob@peer.test'])
  t.match(textOf(delay), 'Original-Envelope-Id: x1\nArrival-Date')
  t.match(
    textOf(delay),
    'Original-Recipient: rfc822;bob@peer.test\nFinal-Recipient: rfc822; bob@peer.test\nAction: delayed',
  )
  t.equal(await notices('off', new ManualClock(START + 4 * HOUR - 1))(asked(['DELAY'])), undefined, 'not before')
  t.equal(await notices('all', fourHours)(asked(['SUCCESS', 'FAILURE'])), undefined, 'nobody asked')
  t.equal(await notices('all', fourHours)({ ...asked(['DELAY']), hasNullSender: true }), undefined)

  const gone = { ...GONE, address: 'bob@peer.test' }
  t.equal(await notices('all')({ ...asked(['NEVER']), results: [gone] }), undefined)
  const whole = await notices('off')({ ...asked(['FAILURE'], { ret: 'FULL' }), results: [gone] })
  t.match(
    textOf(whole),
    /Content-Type: message\/global\nContent-Transfer-Encoding: 8bit\n\nFrom: agent[^]*\nSecret\.\n/,
  )
  const raw = Buffer.concat([RAW, Buffer.alloc(60 * 1024, 'x')])
  const large = await notices('off')({ ...asked(['FAILURE'], { ret: 'FULL' }), results: [gone], raw })
  t.match(textOf(large), 'Content-Type: text/rfc822-headers')
  t.ok((large?.raw.length ?? 0) < 4096, 'one that is too large comes without its text')
  const taken = { ...gone, status: 'delivered' as const, detail: '250 2.0.0 ok' }
  t.equal(await notices('all')({ ...asked(['SUCCESS']), results: [taken] }), undefined, 'the next server says it')
  const relayed = await notices('off')({ ...asked(['SUCCESS']), results: [{ ...taken, confirms: 'relayed' }] })
  t.match(relayed, { isConfirmation: true, parsed: { automation: 'auto-reply' } })
  t.match(textOf(relayed), 'Action: relayed\nStatus: 2.0.0\nLast-Attempt-Date')
})

t.test('words of a stranger’s server stay words, however they are written', async (t) => {
  const evil = '550 5.1.1 no\r\n\r\n--boundary\r\nFrom: you <b@c.d>'
  const notice = await notices('failures')({
    message,
    raw: RAW,
    results: [
      result('ada@peer.test', 'bounced', evil),
      ...Array.from({ length: 200 }, (_, i) => ({ ...GONE, address: `a${i}@peer.test` })),
    ],
    attempts: 1,
    since: START,
  })
  t.notMatch(textOf(notice), /^From: you/m)
  t.match(textOf(notice), 'And 151 more recipients')
  t.ok((notice?.raw.length ?? 0) < 64 * 1024)
  const long = result('ada@peer.test', 'bounced', `550 5.1.1 ${'no '.repeat(160)}`)
  const results = Array.from({ length: 200 }, (_, i) => ({ ...long, address: `a${i}@peer.test` }))
  const longer = await notices('failures')({ message, raw: RAW, results, attempts: 1, since: START })
  t.ok((longer?.raw.length ?? 0) < 64 * 1024, 'however long its replies are')
  t.match(textOf(longer), /And 1[67]\d more recipients/)
})

t.test('a recipient who is never reached: every attempt, word and date is the table’s', async (t) => {
  const peer = await startPeer({ rcpt: () => '451 4.3.0 not now' })
  const told: { attempts: number; text: string }[] = []
  const world = await startWorld(peer.port, { jitter: () => 0 })
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  const make = notices('all', world.clock)
  await world.restart({
    async senderNotices(tried) {
      const complete = {
        ...tried,
        message: { ...message, ...tried.message, message_id: 'm1', created_at: timestamp(begin) },
      }
      const notice = await make(complete)
      if (notice) told.push({ attempts: tried.attempts, text: textOf(notice) })
      return notice
    },
  })
  const begin = world.clock.now()
  await world.send('msg_1', ['ada@peer.test'])
  let recipient = await world.settled('msg_1', 'ada@peer.test', 1)
  const waits: number[] = []
  let delayAt: number | undefined
  while (recipient.next_attempt_at !== null) {
    const next = Date.parse(recipient.next_attempt_at)
    waits.push(next - world.clock.now())
    if (told.length === 1) delayAt ??= world.clock.now()
    world.advance(next - world.clock.now())
    recipient = await world.settled('msg_1', 'ada@peer.test', recipient.attempts + 1)
  }
  const end = world.clock.now()

  t.same(waits, schedule.RETRY_WAITS_MS, 'next_attempt_at')
  t.equal(end - begin, schedule.RETRY_SPAN_MS)
  t.equal(recipient.status, 'bounced')
  t.equal(recipient.attempts, waits.length + 1)
  t.match(recipient.detail, schedule.gaveUpAfter(waits.length + 1, schedule.RETRY_SPAN_MS))

  t.equal(told.length, 2, 'one notice of delay and one of the failure')
  const [delay, failure] = told
  const waited = sinceFirst(delay?.attempts ?? 0)
  t.ok(sinceFirst((delay?.attempts ?? 0) - 1) < 4 * HOUR && waited >= 4 * HOUR)
  t.equal(delayAt, begin + waited)
  t.match(delay?.text, `Will-Retry-Until: ${mailDate(end)}\n`)
  t.match(
    delay?.text,
    `${schedule.notYetAfter(delay?.attempts ?? 0, waited)}. Attempts continue until about\n${mailDate(end)}; `,
  )
  t.match(failure?.text, `(${schedule.gaveUpAfter(waits.length + 1, schedule.RETRY_SPAN_MS)})`)
  t.match(failure?.text, 'Action: failed\nStatus: 4.3.0\n')
  t.notMatch(failure?.text, 'Will-Retry-Until')
})

t.test('docs/sending.md has the table as it is, and its words', async (t) => {
  const docs = readFileSync('docs/sending.md', 'utf8')
  const time = (ms: number) => (ms < HOUR ? `${ms / MINUTE} min` : `${Math.round(ms / (HOUR / 10)) / 10} h`)
  const rows = schedule.RETRY_WAITS_MS.map((wait, i) => `| ${i + 1} | ${time(wait)} | ${time(sinceFirst(i + 2))} |`)
  const table = [...rows, `| ${rows.length + 1} | none: bounced | |`].join('\n')
  t.ok(docs.includes(`\n${table}\n`), `the rows are\n${table}`)
  t.match(docs, `"${schedule.gaveUpAfter(rows.length + 1, schedule.RETRY_SPAN_MS)}"`)
  const delay = rows.findIndex((_, i) => schedule.isLongDelay(0, sinceFirst(i + 1))) + 1
  t.match(docs, `attempt ${delay}, ${time(sinceFirst(delay))} after the first`)
  t.notMatch(docs, /two days|48 hours/)
})
