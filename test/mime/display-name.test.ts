/** A name before an address can't be somebody else's address, however it is written. */
import t from 'tap'
import { displayNameProblem } from '../../src/mime/display-name.js'

const ADDRESSES = [
  'service@paypal.com',
  'PayPal <service@paypal.com>',
  '"PayPal" service@paypal.com',
  'SERVICE@PayPal.COM',
  'service @ paypal.com',
  'service@paypal . com',
  'service＠paypal.com',
  'service﹫paypal．com',
  'service@paypal。com',
  'service (at) paypal.com',
  'service [at] paypal.com',
  'servicé@paypàl.com',
  's\u0332ervice@paypal.com',
  'сервис@пример.рф',
  'Support for agent@agents.example and service@paypal.com',
]
const ENCODED = ['=?utf-8?Q?PayPal?=', 'PayPal =?UTF-8?b?UGF5UGFs?=']
const UNSEEN = [
  'ser\u200bvice@paypal.com',
  'Pay\u200bPal',
  'Pay\u00adPal',
  'Pay\u2060Pal',
  'moc.lapyap\u202e',
  'Pay\u3164Pal',
  'Pay\u034fPal',
  'Pay\u2800Pal',
  'Pay\ufe0fPal',
  'Pay\u200dPal',
  'Pay\u{e0061}Pal',
]
const CONTROL = ['two\nlines', 'two\r\nBcc: x@example.org', 'a\u0000b', 'a\u2028b']
const FIT = [
  '',
  'Ada',
  'Weather helper',
  'ACME @ night',
  '@ada',
  'R2-D2 (v1.5)',
  'Ada, of Lovelace & Co. <3',
  'at work.now',
  'Zoë Müller',
  'नमस्ते क्\u200dष',
  'می\u200cخواهم',
  '天気',
  'Agent 👩‍💻',
  'I ❤️ mail',
  'Family 👨‍👩‍👧',
  'v1.2@home',
  'agent@agents.example',
  'Ada (Agent@Agents.Example)',
]

t.test('what passes for an address is refused, with the reason', (t) => {
  for (const name of ADDRESSES)
    t.match(displayNameProblem(name, ['agent@agents.example']), /^contains a mail address/, encodeURI(name))
  for (const name of ENCODED) t.match(displayNameProblem(name), /^contains an encoded word/, name)
  for (const name of UNSEEN)
    t.match(displayNameProblem(name), /^contains characters that are invisible/, encodeURI(name))
  for (const name of CONTROL) t.match(displayNameProblem(name), /^contains control characters/, encodeURI(name))
  t.match(displayNameProblem('a'.repeat(101)), /^has more than 100 characters/)
  t.match(displayNameProblem('agent@agents.example', ['other@agents.example']), /^contains a mail address/)
  t.end()
})

t.test("names as people write them are taken, the mailbox's own address among them", (t) => {
  for (const name of FIT) t.equal(displayNameProblem(name, ['agent@agents.example']), undefined, encodeURI(name))
  t.equal(displayNameProblem('😀'.repeat(100)), undefined, 'characters are counted, not halves of them')
  t.end()
})
