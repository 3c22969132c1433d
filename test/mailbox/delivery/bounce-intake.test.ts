import { randomBytes } from 'node:crypto'
import t from 'tap'
import { DAY } from '../../../src/lib/clock.js'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import type { ReportSource } from '../../../src/mailbox/delivery/bounce-proof.js'
import { checkNameForm } from '../../../src/lifecycle/claims/names.js'
import { createReturns, type Returns } from '../../../src/mailbox/delivery/bounce-intake.js'
import { createReturnPaths, type ReturnPaths } from '../../../src/mailbox/delivery/return-path.js'
import { parseAddress } from '../../../src/mime/address.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import type { Report } from '../../../src/mime/types.js'
import { onEveryEngine, PARSE_LIMITS, present, type World } from '../world.js'

const RETRY_MS = 2 * DAY
const NOTHING: AuthenticationResults = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
}
/** A client that nothing is known of, with a DSN; and one with a complaint. */
const ANYBODY: ReportSource = { envelopeFrom: '', auth: NOTHING }
const FBL: ReportSource = { envelopeFrom: 'fbl@provider.example', auth: NOTHING }
/** The mail server of the recipients' domain. */
const OF_EXAMPLE: ReportSource = {
  envelopeFrom: '',
  auth: { ...NOTHING, spf: { result: 'pass', domain: 'mx.example.org' } },
}

interface Setting {
  returnPaths: ReturnPaths
  returns: Returns
}

function setting({ store, clock, mailboxes }: World): Setting {
  const returnPaths = createReturnPaths(randomBytes(32))
  const { recordReport } = mailboxes.outbound
  return { returnPaths, returns: createReturns({ store, clock, returnPaths, recordReport, retryMs: RETRY_MS }) }
}

async function sentTo({ mailboxes, id, send }: World, ...addresses: string[]) {
  const sent = await send({ to: addresses.map((address) => ({ address, name: '' })) })
  await mailboxes.outbound.runCheck(id, sent.id)
  await mailboxes.outbound.startSending(id, sent.id)
  const results = addresses.map((address) => ({ address, smtpCode: 250, detail: '2.0.0 taken', nextAttemptAt: null }))
  await mailboxes.outbound.recordAttempt(
    id,
    sent.id,
    results.map((result) => ({ ...result, status: 'delivered' as const })),
  )
  return mailboxes.reading.message(id, sent.id)
}

async function reportOf(type: string, fields: string[], original: string[] = []): Promise<Report> {
  const lines = [
    'From: MAILER-DAEMON@mx.example.org',
    'To: b@agents.example',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary=x`,
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'This is a report.',
    '--x',
    `Content-Type: message/${type}`,
    '',
    ...fields,
    '',
    '--x',
    'Content-Type: text/rfc822-headers',
    '',
    ...original,
    'Message-ID: <somebody-elses@example.net>',
    '',
    '--x--',
    '',
  ]
  return present((await parseMessage(Buffer.from(lines.join('\r\n')), PARSE_LIMITS)).report)
}

const failed = (address: string, status = '5.1.1', action = 'failed'): string[] => [
  '',
  `Final-Recipient: rfc822; ${address}`,
  `Action: ${action}`,
  `Status: ${status}`,
  `Diagnostic-Code: smtp; ${status.startsWith('5') ? 550 : 451} ${status} <${address}>: not here`,
]
const bounce = (...fields: string[]) => reportOf('delivery-status', ['Reporting-MTA: dns; mx.example.org', ...fields])

onEveryEngine(
  'a return path is an address, leads to its message in any case of letters, and to nobody’s mailbox',
  async (t, world) => {
    const { returnPaths, returns } = setting(world)
    const message = await sentTo(world, 'ada@example.org', 'bob@example.org', 'eve@example.net')
    const address = returnPaths.addressFor(message, ['eve@example.net'])
    t.equal(parseAddress(address)?.address, address)
    t.equal(address.indexOf('@'), 64)
    t.match(address, /@agents\.example$/)
    const wanted = { mailboxId: world.id, messageId: message.id, index: 2, single: true }
    t.same(returnPaths.read(address), wanted)
    t.same(returnPaths.read(address.toUpperCase()), wanted)
    t.match(returnPaths.read(returnPaths.addressFor(message, ['ada@example.org', 'bob@example.org'])), {
      index: 0,
      single: false,
    })
    t.match(await returns.find(address), { address: wanted, mailbox: { id: world.id } })
    t.equal(await world.mailboxes.directory.resolve(address), undefined)
    t.throws(() => checkNameForm('b'), { code: 'invalid_request' })
  },
)

onEveryEngine(
  'no other address leads there: not one changed letter, domain, key, nor one past its time',
  async (t, world) => {
    const { returnPaths, returns } = setting(world)
    const message = await sentTo(world, 'ada@example.org')
    const address = returnPaths.addressFor(message, ['ada@example.org'])
    for (let i = 2; i < 64; i++) {
      const letter = address[i] === 'z' ? 'y' : 'z'
      t.equal(returnPaths.read(address.slice(0, i) + letter + address.slice(i + 1)), undefined)
    }
    t.equal(returnPaths.read(address.replace('agents.example', 'other.example')), undefined)
    t.equal(createReturnPaths(randomBytes(32)).read(address), undefined)
    for (const odd of ['', 'b+@agents.example', 'b@agents.example', `${address.slice(0, 63)}@agents.example`]) {
      t.equal(returnPaths.read(odd), undefined)
    }
    world.clock.advance(RETRY_MS + 14 * DAY)
    t.ok(await returns.find(address))
    world.clock.advance(1)
    t.equal(await returns.find(address), undefined)
  },
)

onEveryEngine(
  'a bounce to the return path ends its recipient, whichever message it claims to be about',
  async (t, world) => {
    const { returnPaths, returns } = setting(world)
    const message = await sentTo(world, 'ada@example.org', 'bob@example.org')
    const returned = present(
      await returns.find(returnPaths.addressFor(message, ['ada@example.org', 'bob@example.org'])),
    )
    t.equal(
      await returns.take(
        returned,
        await bounce(...failed('Bob@example.org'), ...failed('eve@example.org')),
        OF_EXAMPLE,
      ),
      true,
    )
    t.match(await world.mailboxes.reading.message(world.id, message.id), {
      status: 'partially_delivered',
      recipients: [
        { status: 'delivered' },
        { status: 'bounced', smtp_code: 550, detail: '550 5.1.1 <Bob@example.org>: not here' },
      ],
    })
    t.match(world.suppressed, [{ address: 'bob@example.org', reason: 'bounce', messageId: message.id }])
  },
)

onEveryEngine('who had the message can only speak of the recipients it came with', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const message = await sentTo(world, 'ada@example.org', 'bob@example.org', 'eve@example.net')
  const { seq } = await world.record()
  const ofEve = present(await returns.find(returnPaths.addressFor(message, ['eve@example.net'])))
  const ofOthers = present(await returns.find(returnPaths.addressFor(message, ['ada@example.org', 'bob@example.org'])))
  t.equal(await returns.take(ofOthers, await bounce(...failed('eve@example.net')), OF_EXAMPLE), false, 'it is mail')
  t.equal((await world.record()).seq, seq, 'nothing happened')
  t.equal(await returns.take(ofEve, await bounce(...failed('ada@example.org')), ANYBODY), true)
  t.match(await world.mailboxes.reading.message(world.id, message.id), {
    recipients: [{ status: 'delivered' }, { status: 'delivered' }, { address: 'eve@example.net', status: 'bounced' }],
  })
})

onEveryEngine('a DSN is believed from the null sender alone', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const message = await sentTo(world, 'ada@example.org', 'bob@example.org')
  const { seq } = await world.record()
  for (const to of [['ada@example.org'], ['ada@example.org', 'bob@example.org']]) {
    const returned = present(await returns.find(returnPaths.addressFor(message, to)))
    for (const action of ['failed', 'delayed', 'delivered', 'relayed', 'expanded']) {
      const report = await bounce(...failed('ada@example.org', '5.1.1', action))
      const source = { ...OF_EXAMPLE, envelopeFrom: 'postmaster@example.org' }
      t.equal(await returns.take(returned, report, source), false, `${action} is mail`)
    }
  }
  t.equal((await world.record()).seq, seq, 'nothing happened')
  t.same(world.suppressed, [])
})

onEveryEngine('nobody ends, delays or confirms the copy of another recipient of the domain', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const message = await sentTo(world, 'ada@example.org', 'eve@example.org')
  const recipients = async () => (await world.mailboxes.reading.message(world.id, message.id)).recipients
  const ofEve = present(await returns.find(returnPaths.addressFor(message, ['eve@example.org'])))
  const others = failed('ada@example.org')
  t.equal(await returns.take(ofEve, await bounce(...others), ANYBODY), true, 'it is about whose path it came to')
  t.match(await recipients(), [{ status: 'delivered', detail: '2.0.0 taken' }, { status: 'bounced' }])
  t.match(world.suppressed, [{ address: 'eve@example.org' }])
  const complaint = await reportOf('feedback-report', [
    'Feedback-Type: abuse',
    'User-Agent: FBL/1',
    'Version: 1',
    'Original-Rcpt-To: <ada@example.org>',
  ])
  t.equal(await returns.take(ofEve, complaint, FBL), true)
  t.match(await recipients(), [{ status: 'delivered', detail: '2.0.0 taken' }, { status: 'bounced' }])
  t.equal(world.suppressed.length, 1)
})

onEveryEngine('on a path that several share only the domain itself is believed', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const both = ['ada@example.org', 'eve@example.org']
  const pass = (domain: string) => ({ result: 'pass' as const, domain })
  const believed: [string, ReportSource['auth']][] = [
    ['SPF of its HELO name', { ...NOTHING, spf: pass('mx1.example.org') }],
    ['DKIM of the domain', { ...NOTHING, dkim: { ...pass('Example.org'), selector: 's' } }],
    ['DMARC of the domain', { ...NOTHING, dmarc: { ...pass('example.org'), policy: null } }],
  ]
  const doubted: [string, ReportSource['auth']][] = [
    ['nothing', NOTHING],
    ['another name', { ...NOTHING, spf: pass('mx.example.net'), dkim: { ...pass('example.net'), selector: 's' } }],
    ['a name that ends alike', { ...NOTHING, spf: pass('notexample.org') }],
    ['no pass', { ...NOTHING, spf: { result: 'softfail', domain: 'example.org' } }],
  ]
  const complaint = await reportOf('feedback-report', [
    'Feedback-Type: abuse',
    'User-Agent: FBL/1',
    'Version: 1',
    'Original-Rcpt-To: <ada@example.org>',
  ])
  for (const [name, auth] of doubted) {
    const message = await sentTo(world, ...both)
    const returned = present(await returns.find(returnPaths.addressFor(message, both)))
    t.equal(
      await returns.take(returned, await bounce(...failed('ada@example.org')), { envelopeFrom: '', auth }),
      false,
      name,
    )
    t.equal(await returns.take(returned, complaint, { envelopeFrom: 'eve@example.org', auth }), false, name)
    t.match((await world.mailboxes.reading.message(world.id, message.id)).recipients, [
      { status: 'delivered' },
      { status: 'delivered' },
    ])
  }
  t.same(world.suppressed, [])
  for (const [name, auth] of believed) {
    const message = await sentTo(world, ...both)
    const returned = present(await returns.find(returnPaths.addressFor(message, both)))
    t.equal(
      await returns.take(returned, await bounce(...failed('ada@example.org')), { envelopeFrom: '', auth }),
      true,
      name,
    )
    t.match((await world.mailboxes.reading.message(world.id, message.id)).recipients, [
      { status: 'bounced' },
      { status: 'delivered' },
    ])
  }
})

onEveryEngine('where a list stands behind an address, what is said of the address itself counts', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const message = await sentTo(world, 'team@example.org')
  const returned = present(await returns.find(returnPaths.addressFor(message, ['team@example.org'])))
  const expanded = await bounce(...failed('team@example.org', '2.0.0', 'expanded'), ...failed('gone@example.net'))
  t.equal(await returns.take(returned, expanded, ANYBODY), true)
  t.match(await world.mailboxes.reading.message(world.id, message.id), { status: 'delivered' })
  const forwarded = await bounce(...failed('moved@example.net'))
  t.equal(await returns.take(returned, forwarded, ANYBODY), true, 'a forwarder’s server names where it went')
  t.match(await world.mailboxes.reading.message(world.id, message.id), { status: 'bounced' })
})

onEveryEngine('who floods a return path takes nothing from those of others', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const message = await sentTo(world, 'ada@example.org', 'eve@example.org')
  const ofEve = returnPaths.addressFor(message, ['eve@example.org'])
  for (let i = 0; i < 20; i++) t.ok(await returns.find(ofEve))
  t.equal(await returns.find(ofEve), undefined)
  t.ok(await returns.find(returnPaths.addressFor(message, ['ada@example.org'])))
})

onEveryEngine('only what is wrong with the address suppresses it', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const endings: [string, boolean][] = [
    ['5.1.1', true],
    ['5.1.10', true],
    ['5.1.8', false],
    ['5.2.2', false],
    ['5.4.4', false],
    ['5.7.1', false],
    ['4.1.1', false],
  ]
  for (const [status, suppresses] of endings) {
    world.suppressed.length = 0
    const message = await sentTo(world, 'ada@example.org')
    const returned = present(await returns.find(returnPaths.addressFor(message, ['ada@example.org'])))
    await returns.take(returned, await bounce(...failed('ada@example.org', status)), ANYBODY)
    t.match(await world.mailboxes.reading.message(world.id, message.id), { status: 'bounced' }, status)
    t.equal(world.suppressed.length, suppresses ? 1 : 0, status)
  }
  const local = await sentTo(world, 'nobody@agents.example')
  world.suppressed.length = 0
  await world.mailboxes.outbound.recordReport(world.id, local.id, [
    { address: 'nobody@agents.example', kind: 'bounced', smtpCode: 550, detail: '5.1.1 no such mailbox here' },
  ])
  t.same(world.suppressed, [], 'a mailbox of this server can be claimed tomorrow')
})

onEveryEngine('delays and good news end nobody; read receipts, and bounces of nobody, are mail', async (t, world) => {
  const { returnPaths, returns } = setting(world)
  const message = await sentTo(world, 'ada@example.org')
  const returned = present(await returns.find(returnPaths.addressFor(message, ['ada@example.org'])))
  t.equal(await returns.take(returned, await bounce(...failed('ada@example.org', '4.4.1', 'delayed')), ANYBODY), true)
  t.equal(await returns.take(returned, await bounce(...failed('ada@example.org', '2.0.0', 'delivered')), ANYBODY), true)
  const receipt = await reportOf('disposition-notification', [
    'Final-Recipient: rfc822; ada@example.org',
    'Disposition: manual-action/MDN-sent-manually; displayed',
  ])
  t.equal(await returns.take(returned, receipt, ANYBODY), false)
  t.equal(await returns.take(returned, { ...(await bounce()), recipients: [] }, ANYBODY), false)
  t.match(await world.mailboxes.reading.message(world.id, message.id), {
    status: 'delivered',
    recipients: [{ status: 'delivered', detail: /^delayed on its way: 451 4\.4\.1/ }],
  })
})

onEveryEngine(
  'a complaint counts at the return path and, with one in it, at abuse@; else it does not',
  async (t, world) => {
    const { returnPaths, returns } = setting(world)
    const complaint = (from: string, type = 'abuse') =>
      reportOf(
        'feedback-report',
        [`Feedback-Type: ${type}`, 'User-Agent: FBL/1', 'Version: 1'],
        [`Return-Path: <${from}>`],
      )
    const complained = async (messageId: string) =>
      (await world.mailboxes.reading.message(world.id, messageId)).recipients

    const first = await sentTo(world, 'ada@example.org')
    const path = returnPaths.addressFor(first, ['ada@example.org'])
    t.equal(await returns.take(present(await returns.find(path)), await complaint('x@example.net'), FBL), true)
    t.match(await complained(first.id), [{ status: 'complained', detail: 'complaint (abuse), reported by FBL/1' }])
    t.match(world.suppressed, [{ address: 'ada@example.org', reason: 'complaint' }])

    const second = await sentTo(world, 'ada@example.org')
    const other = returnPaths.addressFor(second, ['ada@example.org'])
    t.equal(await returns.takeComplaint(await complaint('agent@agents.example'), FBL), false)
    t.equal(await returns.takeComplaint(await complaint(`b+${'0'.repeat(62)}@agents.example`), FBL), false)
    await returns.takeComplaint(await complaint(other, 'not-spam'), FBL)
    t.equal(await returns.takeComplaint(await bounce(...failed('ada@example.org')), FBL), false)
    t.match(await complained(second.id), [{ status: 'delivered' }])
    t.equal(await returns.takeComplaint(await complaint(other), FBL), true)
    t.match(await complained(second.id), [{ status: 'complained' }])
  },
)

t.test('a return path is of the author’s own domain', async (t) => {
  const paths = createReturnPaths(randomBytes(32))
  const message = {
    id: 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R2',
    mailbox_id: 'mbx_01J9Z6Y2V5C7Q3H8K4M0N1P2R0',
    from: { address: 'agent@Second.example', name: '' },
    recipients: [],
  }
  t.throws(() => paths.addressFor(message, ['ada@example.org']), /no return path/)
  const recipients = [{ address: 'Ada@example.org' }] as never
  t.match(paths.addressFor({ ...message, recipients }, ['ada@example.org']), /@second\.example$/)
})
