import t from 'tap'
import { decodeWords } from '../../src/mime/fields.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { limits } from './support.js'

const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
/** @param octets one octet a character */
const parse = (octets: string) => parseMessage(Buffer.from(octets, 'latin1'), limits)

t.test('octets in an encoded word are in the charset of the word', async (t) => {
  const cases: [string, string][] = [
    ['=?iso-8859-1?Q?Fr\xf6sche?=', 'Frösche'],
    [`=?utf-8?Q?${utf8('Frösche')}?=`, 'Frösche'],
    [`=?iso-8859-1?Q?${utf8('Frösche')}?=`, 'Frösche'],
    ['=?utf-8?Q?Fr\xf6sche?=', 'Frösche'],
    ['=?koi8-r?Q?\xf0\xd2\xc9\xd7\xc5\xd4?=', 'Привет'],
    ['=?shift_jis?Q?\x93\xfa\x96\x7b?=', '日本'],
    ['=?gb2312?Q?\xc4\xe3\xba\xc3?=', '你好'],
    [`=?iso-8859-1?Q?Fr\xf6sche?= ${utf8('Äpfel')}`, 'Frösche Äpfel'],
    ['Fr\xf6sche', 'Frösche'],
  ]
  for (const [subject, wanted] of cases) t.equal((await parse(`Subject: ${subject}\r\n\r\nx`)).subject, wanted, wanted)
  const { from, to } = await parse(
    'From: a@b.example (=?iso-8859-1?Q?J\xf6rg?=)\r\nTo: =?iso-8859-1?Q?Gr\xfcne?=: =?iso-8859-1?Q?J\xf6rg?= <c@d.example>;\r\n\r\nx',
  )
  t.strictSame(from, { address: 'a@b.example', name: 'Jörg' })
  t.strictSame(to, [{ address: 'c@d.example', name: 'Jörg' }])
})

t.test('octets in the parameters of a part', async (t) => {
  const named = async (disposition: string, type = 'application/pdf') => {
    const part = `--b\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--b--\r\n`
    const message = await parse(`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n${part}`)
    return message.attachments.map(({ filename }) => filename)
  }
  const wanted = ['Frösche.pdf']
  t.strictSame(await named('attachment; filename="=?iso-8859-1?Q?Fr\xf6sche=2Epdf?="'), wanted)
  t.strictSame(await named('attachment', 'application/pdf; name="=?iso-8859-1?Q?Fr\xf6sche=2Epdf?="'), wanted)
  t.strictSame(await named('attachment; filename="Fr\xf6sche.pdf"'), wanted)
  t.strictSame(await named(`attachment; filename="${utf8('Frösche.pdf')}"`), wanted)
  t.strictSame(await named("attachment; filename*=iso-8859-1''Fr\xf6sche.pdf"), wanted)
  t.strictSame(await named(`attachment; filename*=utf-8''${utf8('Frösche.pdf')}`), wanted)
})

t.test('characters that are split over two words', async (t) => {
  const cut = (text: string, at: number) => [Buffer.from(text).subarray(0, at), Buffer.from(text).subarray(at)] as const
  const [first, second] = cut('Grüße', 3)
  t.equal(decodeWords(`=?utf-8?B?${first.toString('base64')}?= =?utf-8?B?${second.toString('base64')}?=`), 'Grüße')
  t.equal(decodeWords(`=?utf-8?Q?Gr=C3?= =?utf-8?B?${second.toString('base64')}?=`), 'Grüße')
  t.equal(decodeWords('=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= =?ISO-2022-JP?B?GyRCOGwbKEI=?='), '日本語')
})

t.test('what follows the padding of base64 is no part of it, unless it is base64', async (t) => {
  t.equal(decodeWords(`=?utf-8?B?${base64('Grüße')}xyz?=`), 'Grüße')
  t.equal(decodeWords(`=?utf-8?B?${base64('Grüße')}${base64('Grüße')}?=`), 'GrüßeGrüße')
  const body = async (text: string) =>
    (
      await parse(`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${text}`)
    ).text.trim()
  const [whole, padded, long] = [base64('Grüße!!'), base64('Grüße'), base64('Grüße aus Köln und Düsseldorf')]
  const footer = '-- \r\nThis list is hosted by example. Visit us at http://list.example/info\r\n'
  t.equal(await body(`${padded}\r\n_______________\r\nMailing list\r\n`), 'Grüße')
  t.equal(await body(`${long}\r\n\r\n${footer}`), 'Grüße aus Köln und Düsseldorf')
  t.equal(await body(`${whole}\r\n\r\n${footer}`), 'Grüße!!')
  t.equal(await body(`${padded}${padded}\r\n${long}\r\n`), 'GrüßeGrüßeGrüße aus Köln und Düsseldorf')
  t.equal(await body(padded.replace(/=+$/, '')), 'Grüße')
  t.equal(await body(`${long.slice(0, 5)}*!${long.slice(5)}`), 'Grüße aus Köln und Düsseldorf')
  t.equal(
    await body(`${long.slice(0, 20)}\r\n\r\n${long.slice(20)}\r\n`),
    'Grüße aus Köln und Düsseldorf',
    'double spaced',
  )
  const words = 'abc'.repeat(1000)
  t.equal(
    await body((base64(words).match(/.{1,76}/g) ?? []).join('=\r\n')),
    words,
    'padded at the end of each line, in vain',
  )
})

t.test('what is nearly base64 costs no time', async (t) => {
  const started = process.cpuUsage()
  const line = `${'A'.repeat(900)}!\r\n`
  await parse(`Content-Transfer-Encoding: base64\r\n\r\nQUJD=\r\n${line.repeat(1000)}`)
  t.ok(process.cpuUsage(started).user < 2_000_000)
})

t.test('an address beyond ASCII is no part of an encoded word without an end', async (t) => {
  for (const name of ['=?8?Q?', '=?utf-8?Q?x', 'a =?iso-8859-1?Q?b']) {
    const { from, to } = await parse(
      utf8(`From: "${name}" <josé@example.org>\r\nTo: "${name}" <ü@example.org>, b@example.org\r\n\r\n`),
    )
    t.equal(from?.address, 'josé@example.org', name)
    t.strictSame(
      to.map(({ address }) => address),
      ['ü@example.org', 'b@example.org'],
    )
  }
})

const bounce = (text: string) =>
  parse(`From: MAILER-DAEMON@mx.example\r\nTo: bounce+a1@relay.example\r\nSubject: Undelivered mail\r\n\r\n${text}`)

t.test('a notice does not name the one whom it is written to', async (t) => {
  const names = async (text: string) => (await bounce(text)).report?.recipients.map(({ address }) => address)
  t.strictSame(await names('<bounce+a1@relay.example>: 550 5.1.1 user unknown\r\n'), [])
  t.strictSame(await names('<bounce+a1@relay.example>: 550 5.1.1 no\r\n<a@x.example>: 550 5.1.1 no\r\n'), [
    'a@x.example',
  ])
  const listed =
    'Delivery failed for the following recipients: a@x.example, b@x.example and c@y.example\r\n\r\n550 no such user\r\n'
  t.strictSame(await names(listed), ['a@x.example', 'b@x.example', 'c@y.example'])
})
