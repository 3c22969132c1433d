import t from 'tap'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { readPart } from '../../src/mime/part.js'
import { limits, lines } from './support.js'

const parse = (...text: string[]) => parseMessage(lines(...text), limits)
const parseBytes = (text: string) => parseMessage(Buffer.from(text, 'latin1'), limits)

t.test('a message is readable without a header, without a body, and with any line ends', async (t) => {
  t.equal((await parseBytes('Hello there.\r\n\r\nBye.\r\n')).text, 'Hello there.\n\nBye.\n')
  const headerOnly = await parseBytes('Subject: s')
  t.strictSame([headerOnly.subject, headerOnly.text], ['s', ''])
  t.equal((await parseBytes('Subject: s\r\n\r\n')).text, '')
  t.equal((await parseBytes('\r\nbody')).text, 'body')
  t.equal((await parseBytes('')).text, '')
  for (const lineEnd of ['\r\n', '\n', '\r']) {
    const message = await parseBytes(
      ['Subject: s', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'one', '--b--', ''].join(lineEnd),
    )
    t.strictSame([message.subject, message.text], ['s', 'one'])
  }
  const mbox = await parseBytes('From a@x.example Mon Jan  5 00:00:00 2026\nSubject: s\n\nbody')
  t.strictSame([mbox.subject, mbox.text], ['s', 'body'])
})

t.test('8-bit header fields and broken encoded words are read as far as they can be', async (t) => {
  const subject = async (value: string) => (await parseBytes(`Subject: ${value}\r\n\r\n`)).subject
  t.equal(await subject('Gr\xc3\xbc\xc3\x9fe'), 'Grüße')
  t.equal(await subject('Gr\xfc\xdfe'), 'Grüße')
  t.equal(await subject('=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?='), 'Grüße')
  t.equal(await subject('=?UTF-8?B?R3LD?=\r\n =?utf-8?B?vMOfZQ==?='), 'Grüße')
  t.equal(await subject('=?utf-8?Q?Gr=C3=BC=C3=9Fe'), 'Grüße')
  t.equal(await subject('=?utf-8?Q?Gr=C3=BC =?utf-8?Q?=C3=9Fe?='), 'Grü ße')
  t.equal(await subject('=?utf-8?Q?a b?c?='), 'a b?c')
  t.equal(await subject('x=?utf-8?q?=C3=A9?=y'), 'xéy')
  t.equal(await subject('=?x-nothing?Q?Gr=FC=DFe?='), 'Grüße')
  t.equal(await subject('=?utf-8*de?Q?=C3=BC?='), 'ü')
  t.equal(await subject('=?utf-8?X?abc?='), '=?utf-8?X?abc?=')
  t.equal(await subject('1 =? 2 ?= 3'), '1 =? 2 ?= 3')
  t.equal(await subject('=?gb2312?B?sbG+qQ==?='), '北京')
})

t.test('names of files come from any parameter, in any encoding, and without harm', async (t) => {
  const name = async (...header: string[]) => (await parse(...header, '', 'x')).attachments[0]?.filename
  const attached = (parameter: string) => name(`Content-Disposition: attachment; ${parameter}`)
  t.equal(await attached("filename*=utf-8''r%C3%A9sum%C3%A9.pdf"), 'résumé.pdf')
  t.equal(await attached("filename*0*=utf-8''r%C3; filename*1*=%A9sum; filename*2=e.pdf"), 'résume.pdf')
  t.equal(await attached("filename=old.pdf; filename*=iso-8859-1'en'n%E9w.pdf"), 'néw.pdf')
  t.equal(await attached('filename="=?utf-8?B?csOpc3Vtw6kucGRm?="'), 'résumé.pdf')
  t.equal(await attached('filename="C:\\dir\\a.pdf"'), 'a.pdf')
  t.equal(await attached('filename=report (final).pdf'), 'report (final).pdf')
  t.equal(await attached('filename="unclosed.pdf'), 'unclosed.pdf')
  t.equal(await name('Content-Type: application/pdf; name="a.pdf"'), 'a.pdf')
  t.equal(await name('Content-Type: application/pdf name="x"'), 'part-0.pdf')
  t.equal(
    (await parse('Content-Disposition: attachment; filename=a.png', '', 'x')).attachments[0]?.contentType,
    'image/png',
  )
})

t.test('of two types the first counts, and an inner multipart ends with the outer one', async (t) => {
  const twice = await parse('Content-Type: text/html', 'Content-Type: text/plain', '', '<b>x</b>')
  t.equal(twice.html, '<b>x</b>\n')
  const message = await parse(
    ...[
      'Content-Type: multipart/mixed; boundary=out',
      '',
      '--out',
      'Content-Type: multipart/alternative; boundary=in',
      '',
    ],
    ...['--in', '', 'words', '--out  and something', 'Content-Type: image/png', '', 'x', '--out--', 'nothing'],
  )
  t.equal(message.text, 'words')
  t.strictSame(
    message.attachments.map(({ contentType, sizeBytes }) => [contentType, sizeBytes]),
    [['image/png', 1]],
  )
})

t.test('signed, encrypted and wrapped mail stays whole, and signed text is readable', async (t) => {
  const signed = await parse(
    ...[
      'Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=s',
      '',
      '--s',
      '',
      'signed words',
    ],
    ...['--s', 'Content-Type: application/pgp-signature; name=s.asc', '', 'sig', '--s--'],
  )
  t.equal(signed.text, 'signed words')
  t.strictSame(
    signed.attachments.map(({ contentType }) => contentType),
    ['application/pgp-signature'],
  )
  for (const type of ['application/pkcs7-mime; smime-type=enveloped-data', 'application/ms-tnef; name=winmail.dat']) {
    const message = await parse(`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', 'AAAA')
    t.strictSame([message.text, message.attachments.length, message.attachments[0]?.sizeBytes], ['', 1, 3])
  }
  const begin = 'begin 644 a.txt\n#0V%T\n`\nend\n'
  t.equal((await parseBytes(`\n${begin}`)).text, begin)
})

t.test('a uuencoded part is decoded; uuencode and yEnc within a text stay text', async (t) => {
  const part = async (...body: string[]) => {
    const raw = lines(
      'Content-Type: application/octet-stream; name=cat.exe',
      'Content-Transfer-Encoding: X-UUencode',
      '',
      ...body,
    )
    const [file] = (await parseMessage(raw, limits)).attachments
    return `${file?.filename} ${(await readPart(raw, 0, limits)).toString('latin1')}`
  }
  const words = ['begin 644 cat.txt', '#0V%T', '`', 'end']
  t.equal(await part(...words), 'cat.exe Cat')
  t.equal(await part('', ...words, 'what follows is nothing'), 'cat.exe Cat')
  t.equal(await part('begin 644 a', '%0V%T0V$', ' ', 'end'), 'cat.exe CatCa')
  t.equal(await part('begin 644 a', '#0V%T'), 'cat.exe Cat', 'an end that is missing')
  t.equal(await part('no uuencode'), 'cat.exe no uuencode\r\n')
  for (const text of [
    'words\nbegin 644 evil.exe\n#0V%T\n`\nend\n',
    '=ybegin line=128 size=3 name=a.exe\nabc\n=yend size=3\n',
  ]) {
    const message = await parseBytes(`Subject: a\n\n${text}`)
    t.equal(message.text, text)
    t.equal(message.attachments.length, 0)
  }
})

t.test('a forwarded message is a file named by its subject', async (t) => {
  const forwarded = async (type: string, subject: string) =>
    (await parse(`Content-Type: ${type}`, '', `Subject: ${subject}`, '', 'x')).attachments[0]?.filename
  t.equal(await forwarded('message/rfc822', '=?utf-8?Q?Gr=C3=BC=C3=9Fe?='), 'Grüße.eml')
  t.equal(await forwarded('message/global', 'a/b: c'), 'a_b_ c.eml')
  t.equal(await forwarded('message/rfc822', ''), 'part-0.eml')
})

t.test('an image that the HTML shows is inline, whatever its part says', async (t) => {
  const message = await parse(
    ...[
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html',
      '',
      '<img src="cid:a%40x">',
    ],
    ...[
      '--r',
      'Content-Type: image/png',
      'Content-ID: <a@x>',
      'Content-Disposition: attachment; filename=a.png',
      '',
      'x',
    ],
    ...[
      '--r',
      'Content-Type: image/png',
      'Content-ID: <b@x>',
      'Content-Disposition: attachment; filename=b.png',
      '',
      '',
    ],
    '--r--',
  )
  t.strictSame(
    message.attachments.map(({ disposition, contentId, sizeBytes }) => [disposition, contentId, sizeBytes]),
    [
      ['inline', 'a@x', 1],
      ['attachment', 'b@x', 0],
    ],
  )
})

t.test('text is read in the charset it is in', async (t) => {
  const text = async (charset: string, bytes: string) =>
    (await parseBytes(`Content-Type: text/plain; charset=${charset}\r\n\r\n${bytes}`)).text
  t.equal(await text('ks_c_5601-1987', '\xc7\xd1'), '한')
  for (const name of ['x-sjis', 'windows-31j', 'cp932']) t.equal(await text(name, '\x93\xfa\x96{'), '日本', name)
  t.equal(await text('iso-8859-8-i', '\xf9\xec\xe5\xed'), 'שלום')
  t.equal(await text('utf-7', 'caf+AOk-'), 'café')
  for (const name of ['iso-2022-jp', 'iso-2022-jp-2', 'cp50221'])
    t.equal(await text(name, '\x1b$BF|K\\\x1b(B'), '日本', name)
  t.equal(await text('gb2312', '\xb1\xb1\xbe\xa9'), '北京')
  for (const name of ['unknown-8bit', 'us-ascii', 'x-nothing', '""', 'utf-8'])
    t.equal(await text(name, 'caf\xe9 au lait'), 'café au lait', name)
  t.equal(await text('iso-8859-1', 'gr\xc3\xbc\xc3\x9fe, ja, sch\xc3\xb6n'), 'grüße, ja, schön')
  t.equal(await text('utf-8', 'sch\xc3\xb6n, sch\xc3\xb6n\xc3'), 'schön, schön\ufffd')
})

t.test('text and preview hold nothing that nobody sees', async (t) => {
  const text = async (value: string) => (await parse('', value)).text.trimEnd()
  t.equal(await text('ver\u200bi\u00adfy\u202e your\u2066 account\u{e0041}\u{e0042}'), 'verify your account')
  t.equal(await text('a\u200c\u00a0\u200c\u00a0\u200c\u00a0\u200c\u00a0b'), 'a b')
  t.equal(await text('می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f'), 'می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f')
  t.equal(await text('x\ufe01\ufe02y\u{e0101}'), 'xy')
  t.equal(await text('bell\x07 escape\x1b[31m'), 'bell escape[31m')
  t.equal((await parse('', 'ver\u200bify ac\u200bcount')).hiddenWords, 2)
  const hidden = async (attribute: string) =>
    (await parse('Content-Type: text/html', '', `<div ${attribute}>not shown</div><p>shown</p>`)).text
  for (const attribute of [
    'style="display:none"',
    'hidden',
    'style="font-size:0"',
    'style="font-size:1px;line-height:1px"',
    'style="color:#ffffff;background-color:#fff"',
    'style="position:absolute;left:-9999px"',
    'style="opacity:0"',
  ])
    t.equal(await hidden(attribute), 'shown', attribute)
  t.match(await hidden('style="color:#fff"'), /not shown/)
})

t.test('links are told with the host they lead to, and only those of the web', async (t) => {
  const message = await parse(
    'Content-Type: text/html',
    '',
    '<a href="https://xn--pypal-4ve.example/?utm_source=x">paypal.example</a> <a href="javascript:alert(1)">x</a>',
    '<a href=" JAVA&#x09;SCRIPT:alert(1)">y</a> <a href="data:text/html,x">z</a> <a href="https://раypal.example/">w</a>',
  )
  t.strictSame(message.extracted.links, [
    'https://xn--pypal-4ve.example/?utm_source=x',
    'https://xn--ypal-43d9g.example/',
  ])
})

t.test('a thousand parts are a thousand files', async (t) => {
  const part = ['--b', 'Content-Type: image/png', 'Content-Transfer-Encoding: base64', '', 'AAAA']
  const message = await parse(
    ...['Content-Type: multipart/mixed; boundary=b', ''],
    ...Array.from({ length: 999 }, () => part).flat(),
    '--b--',
  )
  t.equal(message.attachments.length, 999)
  t.equal(new Set(message.attachments.map(({ sha256 }) => sha256)).size, 1)
})
