/** Disguises of whole messages: how their parts are put together, encoded and named. Each is read by our parser, as incoming mail is. */
import { escaped, letters, padding, words } from './written.js'

/** Gets a text of one or more lines, and returns a message. */
export type MessageEvasion = (text: string) => Buffer

const HEAD = 'From: Ana <ana@a.example>\r\nTo: ben@b.example\r\nDate: Mon, 2 Mar 2026 10:00:00 +0000\r\nMessage-ID: <1@a.example>\r\nMIME-Version: 1.0\r\n' // prettier-ignore
const LINK = 'https://owa-migrate.example/login'

const bytes = (text: string): Buffer => Buffer.from(text)
const message = (fields: string, body: string | Buffer = '', subject = 'Figures'): Buffer =>
  Buffer.concat([bytes(`${HEAD}Subject: ${subject}\r\n${fields}\r\n\r\n`), Buffer.from(body)])
const withLink = (text: string): string => `${text}\n\n${LINK}\n`
const html = (text: string): string =>
  `<html><body>${text.split('\n').map((line) => `<p>${escaped(line)}</p>`).join('')}<a href="${LINK}">Verify</a></body></html>` // prettier-ignore
const base64 = (content: string | Buffer): string => Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n')

/** A multipart of parts, each with its fields. */
const multipart = (kind: string, parts: readonly (readonly [fields: string, body: string])[], boundary = 'b1'): string =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${parts.map(([fields, body]) => `--${boundary}\r\n${fields}\r\n\r\n${body}\r\n`).join('')}--${boundary}--\r\n` // prettier-ignore
const ofParts = (kind: string, parts: readonly (readonly [string, string])[]): Buffer =>
  bytes(HEAD + `Subject: Figures\r\n${multipart(kind, parts)}`)
const inside = (whole: string): [string, string] => {
  const end = whole.indexOf('\r\n\r\n')
  return [whole.slice(0, end), whole.slice(end + 4)]
}
const PLAIN = 'Content-Type: text/plain; charset=utf-8'
const HTML = 'Content-Type: text/html; charset=utf-8'
const HARMLESS: readonly [string, string] = [PLAIN, padding(400)]

/** UTF-16, most significant octet first. */
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
/** RFC 2152: any character may be written so. */
const utf7 = (text: string): string =>
  words(text, (word) => `+${Buffer.from(word, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`)
const quotedPrintable = (text: string): string =>
  words(text, (word) => letters(word).map((sign, at) => (at % 2 ? `=${sign.charCodeAt(0).toString(16)}` : `${sign}=\r\n`)).join('')).replaceAll('\n\n', '\r\n\r\n') // prettier-ignore
const uuencoded = (text: string): string => {
  const rows: string[] = []
  for (let at = 0; at < text.length; at += 45) {
    const piece = Buffer.from(text).subarray(at, at + 45)
    const six: number[] = []
    for (let i = 0; i < piece.length; i += 3) {
      const [a = 0, b = 0, c = 0] = piece.subarray(i, i + 3)
      six.push(a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63)
    }
    rows.push(String.fromCharCode(32 + piece.length) + six.map((value) => String.fromCharCode(value === 0 ? 96 : 32 + value)).join('')) // prettier-ignore
  }
  return `begin 644 text\r\n${rows.join('\r\n')}\r\n\`\r\nend\r\n`
}

/** RFC 5545 §3.1: a line goes on behind a break and a space. */
const folded = (line: string): string => line.replace(/[^]{11}(?!$)/g, '$&\r\n ')

export const MESSAGES: Readonly<Record<string, MessageEvasion>> = {
  // Encodings
  'base64 with other signs in it': (text) =>
    message(`${PLAIN}\r\nContent-Transfer-Encoding: base64`, base64(withLink(text)).replace(/.{7}/g, '$&!\u0001*')),
  'base64 in several padded pieces': (text) =>
    message(`${PLAIN}\r\nContent-Transfer-Encoding: base64`, (withLink(text).match(/[^]{1,10}/g) ?? []).map((piece) => base64(piece)).join('\r\n')), // prettier-ignore
  'soft line breaks in words': (text) =>
    message(`${PLAIN}\r\nContent-Transfer-Encoding: quoted-printable`, quotedPrintable(withLink(text).replace(LINK, '')).concat(LINK)), // prettier-ignore
  'the encoding named unusually': (text) =>
    message('content-TYPE : TEXT/Html (a comment) ;\r\n\tCHARSET="Utf-8"\r\nContent-Transfer-Encoding:\r\n (x) BASE64 (y)', base64(html(text))), // prettier-ignore
  'an encoding of old programs': (text) =>
    message(`${PLAIN}\r\nContent-Transfer-Encoding: x-uuencode`, uuencoded(withLink(text))),
  'a flowed text with words in pieces': (text) =>
    message(`${PLAIN}; format=flowed; delsp=yes`, words(text, (word) => `${word.slice(0, 2)} \r\n${word.slice(2)}`).concat(`\r\n\r\n${LINK}`)), // prettier-ignore
  // Charsets
  'UTF-7': (text) => message('Content-Type: text/plain; charset=utf-7', withLink(utf7(text))),
  'UTF-16': (text) =>
    message('Content-Type: text/html; charset=utf-16\r\nContent-Transfer-Encoding: base64', base64(utf16(html(text)))),
  'UTF-16 under another name': (text) =>
    message(`${HTML}\r\nContent-Transfer-Encoding: base64`, base64(utf16(html(text)))),
  'escapes of ISO-2022-JP in words': (text) =>
    message('Content-Type: text/plain; charset=iso-2022-jp', withLink(words(text, (word) => letters(word).join('\u001b(B\u001b(J')))), // prettier-ignore
  'UTF-8 under another name': (text) =>
    message('Content-Type: text/plain; charset=iso-8859-1', withLink(words(text, (word) => letters(word).join('\u200b')))), // prettier-ignore
  'an unknown charset': (text) => message('Content-Type: text/html; charset="x-none; such"', html(text)),
  // Parts
  'three alternatives': (text) =>
    ofParts('alternative', [HARMLESS, [HTML, `<p>${padding(300)}</p>`], [HTML, html(text)]]),
  'an empty HTML part': (text) => ofParts('alternative', [[PLAIN, withLink(text)], [HTML, '<html><body></body></html>']]), // prettier-ignore
  'an alternative within another': (text) =>
    ofParts('alternative', [HARMLESS, inside(multipart('related', [inside(multipart('alternative', [HARMLESS, [HTML, html(text)]], 'b3')), ['Content-Type: image/png', 'x']], 'b2'))]), // prettier-ignore
  'lines in several parts': (text) =>
    ofParts('mixed', withLink(text).split('\n').filter((line) => line !== '').map((line): [string, string] => [PLAIN, line])), // prettier-ignore
  'lines in parts of both kinds': (text) =>
    ofParts('mixed', text.split('\n').map((line, at): [string, string] => (at % 2 ? [PLAIN, line] : [HTML, html(line)]))), // prettier-ignore
  'a root that is named': (text) =>
    bytes(`${HEAD}Subject: Figures\r\n${multipart('related; start="<root>"', [[HTML, `<p>${padding(300)}</p>`], [`${HTML}\r\nContent-ID: <root>`, html(text)]])}`), // prettier-ignore
  'a text as an attachment': (text) =>
    ofParts('mixed', [HARMLESS, [`${PLAIN}\r\nContent-Disposition: attachment`, withLink(text)]]),
  'a text with a name': (text) =>
    ofParts('mixed', [HARMLESS, [`${PLAIN}; name="note"\r\nContent-Disposition: inline; filename="note"`, withLink(text)]]), // prettier-ignore
  'the whole message as an attachment': (text) =>
    message(`${HTML}\r\nContent-Disposition: attachment; filename="page.html"`, html(text)),
  'enriched text': (text) =>
    message('Content-Type: text/enriched', withLink(words(text, (word) => `${word.slice(0, 2)}<bold></bold>${word.slice(2)}`).replaceAll('\n', '\n\n'))), // prettier-ignore
  'a calendar': (text) =>
    ofParts('alternative', [HARMLESS, ['Content-Type: text/calendar; method=REQUEST', `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Figures\r\nDESCRIPTION:${folded(`${text}\n${LINK}`.replaceAll('\n', '\\n'))}\r\nEND:VEVENT\r\nEND:VCALENDAR`]]), // prettier-ignore
  'a forwarded message': (text) =>
    ofParts('mixed', [HARMLESS, ['Content-Type: message/rfc822', `Subject: Account\r\n${HTML}\r\n\r\n${html(text)}`]]),
  'text after a part that never ends': (text) =>
    bytes(`${HEAD}Subject: Figures\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n${padding(300)}\r\n--b1\r\n${PLAIN}\r\n\r\n${withLink(text)}`), // prettier-ignore
  'a boundary that is never used': (text) => message('Content-Type: multipart/mixed; boundary="other"', withLink(text)),
  'a boundary in pieces': (text) =>
    bytes(`${HEAD}Subject: Figures\r\nContent-Type: multipart/mixed;\r\n boundary*0="b";\r\n boundary*1="1"\r\n\r\n--b1  \r\n${HTML}\r\n\r\n${html(text)}\r\n--b1--\r\n`), // prettier-ignore
  'a type that comes twice': (text) => message(`${HTML}\r\nContent-Type: application/octet-stream`, html(text)),
  'carriage returns alone': (text) => bytes(`${HEAD}Subject: Figures\r\n${PLAIN}\r\n\r\n${withLink(text)}`.replace(/\r?\n/g, '\r')), // prettier-ignore
  'null characters in words': (text) => message(HTML, woven(html(text))),
  // Header
  'the subject alone': (text) =>
    message(PLAIN, LINK, `${text.split('\n').flatMap((line) => line.match(/.{1,30}/g) ?? []).map((piece, at) => (at % 2 ? `=?utf-8?Q?${piece.replaceAll(' ', '_')}?=` : `=?utf-8?B?${base64(piece)}?=`)).join('\r\n ')}`), // prettier-ignore
}

function woven(markup: string): string {
  return markup.replace(/(?<=>[^<]{0,200}\w)(?=\w)/g, '\0')
}
