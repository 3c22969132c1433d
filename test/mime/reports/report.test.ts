import t from 'tap'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import type { Report } from '../../../src/mime/types.js'
import { limits, lines } from '../support.js'

const parse = async (...text: string[]) => parseMessage(lines(...text), limits)
const delivery = (...fields: string[]): string[] => [
  'From: MAILER-DAEMON@mx.example',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  '',
  '--b',
  '',
  'Your message could not be delivered.',
  '--b',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example',
  '',
  ...fields,
  '--b',
  'Content-Type: text/rfc822-headers',
  '',
  'Message-ID: <sent@agents.example>',
  'To: ada@example.org',
  '--b--',
]

t.test('a bounce says for each recipient what became of the message', async (t) => {
  const { report, automation } = await parse(
    ...delivery(
      'Original-Recipient: rfc822; team@example.org',
      'Final-Recipient: rfc822; <ada@mail.example.org>',
      'Action: failed',
      'Status: 5.0.0',
      'Remote-MTA: dns; in.example.org',
      'Diagnostic-Code: smtp; 550 5.1.1 no such',
      '  user here',
      '',
      'Final-Recipient: rfc822; bob@example.org',
      'Action: delayed',
      'Status: 4.4.1',
    ),
  )
  t.equal(automation, 'bounce')
  t.strictSame(report, {
    kind: 'delivery',
    recipients: [
      {
        address: 'team@example.org',
        finalAddress: 'ada@mail.example.org',
        action: 'failed',
        permanent: true,
        status: '5.1.1',
        diagnostic: '550 5.1.1 no such user here',
        remoteMta: 'in.example.org',
      },
      {
        address: 'bob@example.org',
        finalAddress: null,
        action: 'delayed',
        permanent: false,
        status: '4.4.1',
        diagnostic: '',
        remoteMta: null,
      },
    ],
    originalMessageId: 'sent@agents.example',
    reportedBy: 'mx.example',
    feedbackType: null,
    returnPath: null,
  } satisfies Report)
})

t.test('a notice that all went well is no bounce', async (t) => {
  const sent = await parse(
    ...delivery('Final-Recipient: rfc822; ada@example.org', 'Action: delivered', 'Status: 2.0.0'),
  )
  t.equal(sent.automation, 'auto-reply')
  t.match(sent.report, { recipients: [{ action: 'delivered', permanent: false, status: '2.0.0' }] })
})

t.test('an address beyond ASCII is read from a notice in ASCII', async (t) => {
  const { report } = await parse(
    ...delivery('Final-Recipient: utf-8; j\\x{FC}rgen@example.org', 'Action: failed', 'Status: 5.1.1'),
  )
  t.equal(report?.recipients[0]?.address, 'jürgen@example.org')
})

t.test('a read receipt is an answer that nobody typed', async (t) => {
  const { report, automation } = await parse(
    'From: ada@example.org',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
    '',
    '--b',
    '',
    'Your message was displayed.',
    '--b',
    'Content-Type: message/disposition-notification',
    '',
    'Reporting-UA: laptop.example; Mail 1.0',
    'Final-Recipient: rfc822; ada@example.org',
    'Original-Message-ID: <sent@agents.example>',
    'Disposition: manual-action/MDN-sent-manually; displayed',
    '--b--',
  )
  t.equal(automation, 'auto-reply')
  t.match(report, {
    kind: 'disposition',
    originalMessageId: 'sent@agents.example',
    recipients: [{ address: 'ada@example.org', action: 'displayed', permanent: false }],
  })
})

const complaint = (type: string): string[] => [
  'From: fbl@provider.example',
  'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
  '',
  '--b',
  'Content-Type: message/feedback-report',
  '',
  `Feedback-Type: ${type}`,
  'User-Agent: Loop/1.0',
  'Version: 1',
  'Original-Rcpt-To: <ada@provider.example>',
  'Original-Rcpt-To: <bob@provider.example>',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'Message-ID: <sent@agents.example>',
  '',
  'x',
  '--b--',
]

t.test('a complaint names the message and those who complain', async (t) => {
  const { report, automation } = await parse(...complaint('abuse'))
  t.equal(automation, 'complaint')
  t.match(report, {
    kind: 'feedback',
    feedbackType: 'abuse',
    originalMessageId: 'sent@agents.example',
    recipients: [{ address: 'ada@provider.example', action: 'complained' }, { address: 'bob@provider.example' }],
  })
  t.equal(
    (await parse(...complaint('auth-failure'))).automation,
    'bulk',
    'a failed authentication is nobody’s complaint',
  )
})

t.test('a bounce in prose is read, with the code and the id of what it returns', async (t) => {
  const { report, automation } = await parse(
    'From: MAILER-DAEMON@mx.example',
    'Subject: failure notice',
    '',
    'Hi. This is the mail program at mx.example.',
    "I wasn't able to deliver your message to the following addresses. Please write to",
    '<postmaster@mx.example>',
    'for help.',
    '',
    '<ada@example.org>:',
    '192.0.2.1 does not like recipient.',
    'Remote host said: 552 5.2.2 mailbox full',
    '<bob@example.org>:',
    'Connection timed out. (#4.4.1)',
    '',
    '--- Below this line is a copy of the message.',
    '',
    'Return-Path: <agent@agents.example>',
    'Message-ID: <sent@agents.example>',
    'To: carol@example.org',
  )
  t.equal(automation, 'bounce')
  t.equal(report?.originalMessageId, 'sent@agents.example')
  t.match(report?.recipients, [
    { address: 'ada@example.org', action: 'failed', permanent: true, status: '5.2.2' },
    { address: 'bob@example.org', action: 'failed', permanent: false, status: '4.4.1' },
  ])
  t.equal(report?.recipients.length, 2)
})

t.test('people who write of bounces, forward them or are called Postmaster send no bounces', async (t) => {
  const quoted = ['', 'See below: user unknown. It could not be delivered to ada@example.org.', '550 5.1.1 no']
  t.equal((await parse('From: Bob <bob@example.org>', 'Subject: Fwd: Undelivered Mail', ...quoted)).report, null)
  t.equal((await parse('From: Bob <bob@example.org>', 'Subject: Re: failure notice', ...quoted)).report, null)
  t.equal((await parse('From: Bob <bob@example.org>', 'Subject: Lunch', ...quoted)).report, null)
  t.equal(
    (await parse('From: postmaster@example.org', 'Subject: Your question', '', 'The new filter is on.')).report,
    null,
  )
})

t.test('a report of thousands of recipients is cut off', async (t) => {
  const many = Array.from({ length: 3000 }, (_, i) => [
    `Final-Recipient: rfc822; u${i}@example.org`,
    'Action: failed',
    '',
  ])
  t.equal((await parse(...delivery(...many.flat()))).report?.recipients.length, 100)
})
