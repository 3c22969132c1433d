/** Each reader of strangers' text: it never throws, its result is bounded, and its work does not grow faster than what it reads. */
import fc from 'fast-check'
import t from 'tap'
import { readAddresses, readMessageId, readReferences } from '../../src/mime/addresses.js'
import { recipientsInProse } from '../../src/mime/reports/bounce-recipients.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { readDeliveryRecipients, readGroups } from '../../src/mime/reports/report-fields.js'
import { extractReply } from '../../src/mime/reply/reply.js'
import { baseSubject, replySubject } from '../../src/mime/subject.js'
import { limits } from './support.js'

const fixed = { seed: 20260102, numRuns: 400 }
const piece = fc.oneof(
  fc.constantFrom(
    ...['\n', '\n\n', ' ', '\t', ':', ';', '<', '>', '@', '"', "'", '(', ')', '[', ']', '\\', ',', '.', '\0', '\ud800'],
    ...['a@b.example', '<a@b.example>:', 'rfc822;', '550 5.1.1 ', '421-', '4.4.7', 'user unknown', 'RCPT TO:', 'To: '],
    ...[
      'Final-Recipient: ',
      'Original-Recipient: ',
      'Action: failed',
      'Status: ',
      'Diagnostic-Code: smtp; ',
      'Message-ID: ',
    ],
    ...['could not be delivered', 'following address(es) failed:', '--- Below this line is a copy', 'Received: from x'],
    ...[
      'Re: ',
      'RE[2]: ',
      'Fwd: ',
      '[list] ',
      'AW：',
      '回复：',
      'On 1 Jan 2026 x@y.example wrote:',
      '> ',
      '-- ',
      'From: ',
      'Sent: ',
    ],
  ),
  fc.string({ maxLength: 12 }),
)
const text = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''))

t.test('whatever a notice says, its recipients are addresses and few', (t) => {
  fc.assert(
    fc.property(text, fc.boolean(), (notice, delayed) => {
      const found = [
        ...recipientsInProse(notice, ['a@b.example'], delayed),
        ...readDeliveryRecipients(readGroups(notice)),
      ]
      for (const { address, diagnostic, status, permanent, action } of found) {
        if (!/^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u.test(address) || address.length > 400) throw new Error(`address ${address}`)
        if (diagnostic.length > 500 || /[\p{Cc}]/u.test(diagnostic)) throw new Error('diagnostic')
        if (status !== null && !/^[245]\.\d{1,3}\.\d{1,3}$/.test(status)) throw new Error('status')
        if (permanent && action !== 'failed') throw new Error('permanent, and not failed')
      }
    }),
    fixed,
  )
  t.end()
})

t.test('whatever a report is made of, the message is read', async (t) => {
  const type = fc.constantFrom('delivery-status', 'disposition-notification', 'feedback-report')
  await fc.assert(
    fc.asyncProperty(type, text, text, async (kind, notice, fields) => {
      const raw = [
        'From: MAILER-DAEMON@x.example',
        'Subject: failure notice',
        `Content-Type: multipart/report; report-type=${kind}; boundary=b`,
        '',
        `--b\n\n${notice}\n--b\nContent-Type: message/${kind}\n\n${fields}\n--b\nContent-Type: message/rfc822\n\n${notice}\n--b--`,
      ]
      const { report } = await parseMessage(Buffer.from(raw.join('\n')), limits)
      if ((report?.recipients.length ?? 0) > 100) throw new Error('too many recipients')
      structuredClone(report)
    }),
    { ...fixed, numRuns: 200 },
  )
  t.pass()
})

t.test('whatever the header, addresses, ids and subjects come out on one line', (t) => {
  fc.assert(
    fc.property(text, (value) => {
      const { addresses } = readAddresses([value])
      const ids = [readMessageId(value) ?? '', ...readReferences([value])]
      const lines = [...addresses.map(({ address }) => address), ...ids, baseSubject(value), replySubject(value)]
      if (lines.some((line) => /[\r\n]/.test(line))) throw new Error('two lines')
      if (baseSubject(`Re: ${value}`) !== baseSubject(value)) throw new Error('a reply mark changes the base subject')
    }),
    fixed,
  )
  t.end()
})

t.test('an address alone is the same as one of a list', (t) => {
  const word = fc.constantFrom(
    'Ada',
    'B2',
    'ada',
    '-',
    '"',
    "'",
    '.',
    ',',
    ':',
    ';',
    '@',
    '<',
    '>',
    ' ',
    '  ',
    '(',
    ')',
    '\\',
    '=?',
    '_',
  )
  const mailbox = fc.constantFrom(
    'ada@x.example',
    '<ada@x.example>',
    'a.b+c_d-e@X.EXAMPLE',
    '<.a.@x>',
    'Ada Brook <a@b.example>',
  )
  const value = fc.array(fc.oneof(word, mailbox), { maxLength: 6 }).map((words) => words.join(''))
  const plain = fc.stringMatching(/^"?[A-Za-z\d]{0,4}( [A-Za-z\d]{0,4}){0,5}"? ?<?[\w.+-]{0,8}@[\w.-]{0,8}>?$/)
  fc.assert(
    // A comma in front of it makes it a list.
    fc.property(fc.oneof(value, plain), (one) => void t.same(readAddresses([one]), readAddresses([`,${one}`]), one)),
    { numRuns: 2000, seed: 20_261_125 },
  )
  t.end()
})

t.test('whatever the text, a reply is made of its words', (t) => {
  fc.assert(
    fc.property(text, (value) => {
      const lines = new Set(['', ...value.split('\n').map((line) => line.trim())])
      for (const line of extractReply(value).split('\n'))
        if (!lines.has(line.trim())) throw new Error(`new line ${line}`)
    }),
    fixed,
  )
  t.end()
})

/** CPU of one call, the least of a few: what else the machine does can only add to it. */
function cpuMs(work: () => void): number {
  const times = [0, 1, 2].map(() => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

t.test('a megabyte of anything costs each reader no more than a moment', (t) => {
  const units = [
    '>',
    ' ',
    '\n',
    '\t',
    '>\n',
    '<',
    '(',
    '"',
    '@',
    'a@',
    'a.',
    'a@b.',
    ',',
    '[',
    'Re:',
    '-',
    '--\n',
    '_',
    ':',
    '1 ',
  ]
  units.push(
    'On 1 ',
    'From: x\n',
    'to ',
    'deliver ',
    'could not ',
    'a@b.example ',
    '\\x{41}',
    'x: y\n',
    'Final-Recipient: a@b\n',
    '550 ',
  )
  const readers: Record<string, (value: string) => unknown> = {
    reply: extractReply,
    subject: baseSubject,
    references: (value) => readReferences([value]),
    prose: (value) => recipientsInProse(value.slice(0, 32 * 1024), [], false),
    fields: (value) => readDeliveryRecipients(readGroups(value.slice(0, 64 * 1024))),
  }
  for (const unit of units) {
    const megabyte = unit.repeat(Math.ceil(1_000_000 / unit.length))
    for (const [name, read] of Object.entries(readers)) {
      const spent = cpuMs(() => void read(megabyte))
      // Quadratic work on so much takes minutes.
      if (spent > 1000) t.fail(`${name} of ${JSON.stringify(unit)}: ${Math.round(spent)} ms of CPU`)
    }
  }
  t.pass()
  t.end()
})
