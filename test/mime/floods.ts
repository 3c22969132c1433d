/** Messages that somebody made to cost as much as they can, each as large as one likes. */

export type Flood = (times: number) => Buffer

const text = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n') + '\r\n', 'latin1')
const repeat = (times: number, make: (i: number) => string): string[] =>
  Array.from({ length: times }, (_, i) => make(i))
const FROM = 'From: a@b.example'

/** About a hundred octets for each time. */
export const FLOODS: Record<string, Flood> = {
  'header fields': (n) => text(...repeat(n, (i) => `X-Field-${i}: ${'v'.repeat(80)}`), '', 'text'),
  'the same header field': (n) => text(...repeat(n, () => `Subject: ${'=?utf-8?Q?a?= '.repeat(6)}`), '', 'text'),
  'Received fields': (n) =>
    text(
      ...repeat(n, (i) => `Received: from h${i}.example ([192.0.2.1]) by mx (((a)b)c); Mon, 1 Jan 2024 00:00:00 +0000`),
      '',
      'text',
    ),
  'one folded field': (n) => text('Subject: a', ...repeat(n, () => ` ${'word '.repeat(18)}`), '', 'text'),
  'From fields': (n) =>
    text(...repeat(n, (i) => `From: "name ${i}" <user${i}@host${i}.example>, other <x@y.example>`), '', 'text'),
  addresses: (n) =>
    text(FROM, 'To: a@b.example', ...repeat(n, (i) => ` , "n${i}" <u${i}@h.example>, g${i}: a@b, c@d;`), '', 'text'),
  'open comments': (n) => text(`To: ${'('.repeat(99)}`, ...repeat(n, () => ` ${'(\\(a'.repeat(24)}`), '', 'text'),
  'open quotes': (n) => text('To: "', ...repeat(n, () => ` ${'\\"a<'.repeat(24)}`), '', 'text'),
  references: (n) =>
    text(FROM, 'References:', ...repeat(n, (i) => ` <${i}.${'r'.repeat(60)}@host.example>`), '', 'text'),
  'broken references': (n) => text(FROM, 'References:', ...repeat(n, () => ` ${'<'.repeat(90)}`), '', 'text'),
  'encoded words': (n) => text(FROM, 'Subject:', ...repeat(n, () => ` ${'=?utf-8?B?w7w=?= '.repeat(6)}`), '', 'text'),
  'encoded words without an end': (n) =>
    text(FROM, 'Subject:', ...repeat(n, () => ` ${'=?utf-8?Q?a_'.repeat(8)}`), '', 'text'),
  'encoded words in turns of charsets': (n) =>
    text(
      FROM,
      'Subject:',
      ...repeat(n, (i) => ` =?x-${i}?Q?=FC?= =?iso-2022-jp?B?GyRC?= =?utf-7?Q?+AGE-?=`),
      '',
      'text',
    ),
  'RFC 2231 continuations': (n) =>
    text(
      FROM,
      'Content-Type: text/plain;',
      ...repeat(n, (i) => ` name*${i}*=utf-8''${'%C3%BC'.repeat(12)};`),
      '',
      'text',
    ),
  'RFC 2231 continuations backwards': (n) =>
    text(
      FROM,
      'Content-Disposition: attachment;',
      ...repeat(n, (i) => ` filename*${n - i}="${'a'.repeat(60)}";`),
      '',
      'text',
    ),
  parameters: (n) =>
    text(FROM, 'Content-Type: multipart/mixed;', ...repeat(n, (i) => ` boundary${i}="${';'.repeat(60)}`), '', 'text'),
  parts: (n) =>
    text(
      FROM,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...repeat(n, () => `--b\r\nContent-Type: text/plain\r\n\r\n${'text '.repeat(10)}`),
      '--b--',
    ),
  'attached parts': (n) =>
    text(
      FROM,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...repeat(n, (i) => `--b\r\nContent-Disposition: attachment; filename=${i}.gz\r\n\r\n\x1f\x8b\x08\0\0\0`),
      '--b--',
    ),
  'parts in parts': (n) =>
    text(
      FROM,
      'Content-Type: multipart/mixed; boundary=b0',
      '',
      ...repeat(n, (i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`),
    ),
  'messages in messages': (n) =>
    text(FROM, ...repeat(n, () => 'Content-Type: message/rfc822\r\n\r\nFrom: a@b.example')),
  'delimiters that are none': (n) =>
    text(FROM, 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', ...repeat(n, () => `--${'b'.repeat(90)}`)),
  'long boundary': (n) =>
    text(FROM, `Content-Type: multipart/mixed; boundary="${'-'.repeat(70)}"`, '', ...repeat(n, () => '-'.repeat(95))),
  'headers of parts': (n) =>
    text(
      FROM,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...repeat(n >> 3, (i) => `--b\r\n${`X-${i}: ${'v'.repeat(85)}\r\n`.repeat(8)}`),
      '--b--',
    ),
  'flowed lines': (n) =>
    text(
      FROM,
      'Content-Type: text/plain; format=flowed; delsp=yes',
      '',
      ...repeat(n, () => `${'>'.repeat(40)} ${'word '.repeat(10)} `),
    ),
  'flowed lines of many depths': (n) =>
    text(FROM, 'Content-Type: text/plain; format=flowed', '', ...repeat(n, (i) => `${'>'.repeat(i % 97)} `)),
  'quoted lines': (n) => text(FROM, '', ...repeat(n, () => `${'> '.repeat(45)}On Mon, 1 Jan 2024, A wrote:`)),
  'words of replies': (n) =>
    text(
      FROM,
      '',
      ...repeat(
        n,
        () => 'On Mon, Jan 1, 2024 at 10:00 AM A <a@b.example> wrote\r\n-----Original Message-----\r\nFrom: a',
      ),
    ),
  'nested HTML': (n) => text(FROM, 'Content-Type: text/html', '', '<div><b><a href="http://x.example/">'.repeat(3 * n)),
  'HTML tags without an end': (n) =>
    text(
      FROM,
      'Content-Type: text/html',
      '',
      ...repeat(n, () => '<a <b <c <!-- <script <style <![CDATA[ <p style="display:none'.padEnd(95)),
    ),
  'nested tables': (n) =>
    text(FROM, 'Content-Type: text/html', '', '<table><tr><td><blockquote><ul><li>'.repeat(3 * n)),
  'HTML attributes': (n) => text(FROM, 'Content-Type: text/html', '', `<a ${'href="x" style="a:b;" '.repeat(4 * n)}>`),
  'HTML references': (n) => text(FROM, 'Content-Type: text/html', '', '&amp;&#x41;&#65;&lt&zwj;'.repeat(4 * n)),
  'style sheets': (n) =>
    text(
      FROM,
      'Content-Type: text/html',
      '',
      `<style>${'.a{display:none}'.repeat(3 * n)}</style>`,
      '<p class=a>x'.repeat(3 * n),
    ),
  'base64 with junk': (n) =>
    text(
      FROM,
      'Content-Type: text/html',
      'Content-Transfer-Encoding: base64',
      '',
      ...repeat(n, () => '=!A=?=\0 \t'.repeat(10)),
    ),
  'padding in base64': (n) =>
    text(FROM, 'Content-Disposition: attachment', 'Content-Transfer-Encoding: base64', '', '='.repeat(100 * n)),
  'quoted-printable without lines': (n) =>
    text(FROM, 'Content-Transfer-Encoding: quoted-printable', '', '= \t'.repeat(33 * n)),
  'uuencoded parts': (n) =>
    text(
      FROM,
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: x-uuencode',
      '',
      'begin 644 a',
      ...repeat(n, () => 'M'.padEnd(95, '_')),
      'end',
    ),
  'UTF-7': (n) => text(FROM, 'Content-Type: text/plain; charset=utf-7', '', ...repeat(n, () => '+AGEA'.repeat(19))),
  'ISO 2022': (n) =>
    text(
      FROM,
      'Content-Type: text/plain; charset=iso-2022-jp',
      '',
      ...repeat(n, () => '\x1b$B\x1b(B\x1b$@\x1b(J'.repeat(8)),
    ),
  'ISO 2022 CN': (n) =>
    text(FROM, 'Content-Type: text/plain; charset=iso-2022-cn', '', ...repeat(n, () => '\x1b$)A\x0e~~\x0f'.repeat(11))),
  HZ: (n) => text(FROM, 'Content-Type: text/plain; charset=hz-gb-2312', '', ...repeat(n, () => '~{~}~~'.repeat(16))),
  'UTF-16 of halves': (n) => text(FROM, 'Content-Type: text/plain; charset=utf-16', '', '\xd8\xd8'.repeat(50 * n)),
  'invisible characters': (n) =>
    text(
      FROM,
      'Content-Type: text/plain; charset=utf-8',
      '',
      'a\xe2\x80\x8d\xe2\x80\x8b\xc2\xa0 \xe2\x80\xaa'.repeat(8 * n),
    ),
  blanks: (n) => text(FROM, '', ' \t'.repeat(50 * n)),
  'empty lines': (n) => text(FROM, '', '\r\n'.repeat(50 * n)),
  'links in text': (n) =>
    text(
      FROM,
      '',
      ...repeat(n, (i) => `http://a${i}.example/${'(('.repeat(10)} www.b.example a@b.example http://`.padEnd(95, '.')),
    ),
  codes: (n) => text(FROM, '', ...repeat(n, (i) => `your code is 12${i} verification code: ABC-${i} `.repeat(2))),
  'delivery reports': (n) =>
    text(
      FROM,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      ...repeat(n, (i) => `\r\nFinal-Recipient: rfc822; a${i}@b.example\r\nAction: failed\r\nStatus: 5.1.1`),
      '--b--',
    ),
  'bounces in prose': (n) =>
    text(
      'From: MAILER-DAEMON@b.example',
      'Subject: Undelivered Mail Returned to Sender',
      '',
      ...repeat(n, (i) => `<a${i}@b.example>: host mx said: 550 5.1.1 <a${i}@b.example> user unknown`),
    ),
}
