/** Messages in several charsets and encodings, some malformed, and what a naive reader knows of them. */
import { below, pick, type Random } from '../../support/random.js'

const WORDS = [
  ...[
    'invoice',
    'Invoices',
    'report',
    'port',
    'reporting',
    'Straße',
    'STRASSE',
    'café',
    'cafe\u0301',
    'naïve',
    'Ångström',
  ],
  ...[
    'ΟΔΟΣ',
    'οδος',
    'οδοσήμανση',
    'ﬁnance',
    'finance',
    'ＦＵＬＬ',
    'full',
    '請求書',
    '請求',
    '書類',
    '日本語のメール',
    'ご請求書',
  ],
  ...[
    'Привет',
    'привет',
    'İstanbul',
    'istanbul',
    'x-ray',
    "don't",
    'a.b@c.example',
    '2026-01-02',
    '12',
    '123',
    '1234',
    'ไทย',
    'ภาษาไทย',
  ],
  ...['e', 'E', 'é', '🙂', 'a🙂b', '한국어', '한국', 'naïveté', 'and', 'the', 'of', `l${'o'.repeat(63)}`],
]
const SEPARATORS = [' ', ' ', ' ', ', ', '. ', '\n', '-', ' - ', '/', '\u00a0', '  ']
const PEOPLE = [
  ['Ada Lovelace', 'ada@example.org'],
  ['Émile Zola', 'emile.zola@exemple.example'],
  ['', 'bob@example.net'],
  ['Иван', 'ivan@example.org'],
  ['佐藤 花子', 'hanako@example.jp'],
  ['O"Brien, Pat', 'pat@example.org'],
  ['A', 'a+tag@sub.example.org'],
] as const
const DATES = [
  'Thu, 01 Jan 2026 00:00:00 +0000',
  'Thu, 01 Jan 2026 23:30:00 -0800',
  'Fri, 2 Jan 2026 05:00:00 +0900',
  '3 Jan 26 10:00 GMT',
  'Sat, 03 Jan 2026 10:00:00 EST',
  'garbage',
  '',
]

export function text(random: Random, words: number): string {
  let all = ''
  for (let i = below(random, words + 1); i > 0; i--) all += `${pick(random, WORDS)}${pick(random, SEPARATORS)}`
  return all
}

/** A part of a text, maybe in another case. */
export function needle(random: Random, texts: readonly string[]): string {
  const whole = [...(random() < 0.2 ? text(random, 3) : pick(random, texts))]
  const start = below(random, whole.length + 1)
  const part = whole.slice(start, start + 1 + below(random, pick(random, [2, 6, 20]))).join('')
  return pick(random, [part, part.toUpperCase(), part.toLowerCase(), part.trim(), part.normalize('NFD')])
}

type Encode = (text: string) => { charset: string; encoding: string; bytes: Buffer } | undefined

const quoted = (bytes: Buffer): Buffer =>
  Buffer.from(
    [...bytes]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('')
      .replace(/.{72}/g, '$&=\r\n'),
  )
const base64 = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('base64').replace(/.{76}/g, '$&\r\n'))
const cyrillic = (text: string): Buffer | undefined => {
  const codes = [...text].map((char) => {
    const code = char.codePointAt(0) ?? 0
    return code < 0x80 ? code : code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : -1
  })
  return codes.includes(-1) ? undefined : Buffer.from(codes)
}
const ENCODERS: Encode[] = [
  (text) => ({ charset: 'utf-8', encoding: '8bit', bytes: Buffer.from(text) }),
  (text) => ({ charset: 'utf-8', encoding: 'quoted-printable', bytes: quoted(Buffer.from(text)) }),
  (text) => ({ charset: 'utf-8', encoding: 'base64', bytes: base64(Buffer.from(text)) }),
  (text) => ({ charset: 'utf-16be', encoding: 'base64', bytes: base64(Buffer.from(text, 'utf16le').swap16()) }),
  (text) =>
    /^[\x00-\x7f\xa0-\xff]*$/.test(text)
      ? { charset: 'iso-8859-1', encoding: 'quoted-printable', bytes: quoted(Buffer.from(text, 'latin1')) }
      : undefined,
  (text) => {
    const bytes = cyrillic(text)
    return bytes && { charset: 'windows-1251', encoding: 'base64', bytes: base64(bytes) }
  },
]

const inHeader = (random: Random, text: string): string => {
  const line = text.replaceAll('\n', ' ')
  return pick(random, [
    line,
    `=?utf-8?B?${Buffer.from(line).toString('base64')}?=`,
    `=?utf-8?Q?${quoted(Buffer.from(line)).toString().replaceAll('=\r\n', '')}?=`,
  ])
}

function people(random: Random, max: number): string {
  return Array.from({ length: below(random, max + 1) }, () => {
    const [name, address] = pick(random, PEOPLE)
    if (name === '') return random() < 0.5 ? address : `<${address}>`
    return `=?utf-8?B?${Buffer.from(name).toString('base64')}?= <${address}>`
  }).join(', ')
}

/** A message and its id; earlier ids may be in its References. */
export function message(random: Random, number: number): Buffer {
  const subject = pick(random, ['', 'Re: ', 'Fwd: ', '[list] ', 'Re: [list] ']) + text(random, 4).slice(0, 120)
  const body = text(random, 40) + (random() < 0.02 ? `word${'s'.repeat(80)}` : '')
  const lines = [
    `From: ${people(random, 1) || 'nobody'}`,
    `To: ${people(random, 3)}`,
    ...(random() < 0.4 ? [`Cc: ${people(random, 2)}`] : []),
    `Subject: ${inHeader(random, subject)}`,
    `Message-ID: <${number}@example.org>`,
    ...(number > 0 && random() < 0.5 ? [`References: <${below(random, number)}@example.org>`] : []),
    ...(random() < 0.3 ? [`X-Note: ${inHeader(random, text(random, 3))}`] : []),
    ...(random() < 0.1 ? ['X-Empty:'] : []),
  ]
  const date = pick(random, DATES)
  if (date !== '') lines.push(`Date: ${date}`)
  const encoded = pick(random, ENCODERS)(body) ?? { charset: 'utf-8', encoding: '8bit', bytes: Buffer.from(body) }
  const { charset, encoding, bytes } = encoded
  const part = (type: string, more: string[], content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([...more, `Content-Type: ${type}`, '', ''].join('\r\n')), content, Buffer.from('\r\n')])
  const textPart = part(`text/plain; charset=${charset}`, [`Content-Transfer-Encoding: ${encoding}`], bytes)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n`)
  switch (below(random, 6)) {
    case 0: {
      const html = `<p>${body.replaceAll('\n', '<br>')}</p>`
      return Buffer.concat([head, part('text/html; charset=utf-8', [], Buffer.from(html))])
    }
    case 1: {
      const filename = `${pick(random, ['invoice', 'report', '請求書'])}.pdf`
      const named = `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(filename)}`
      return Buffer.concat([
        head,
        Buffer.from('Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n'),
        textPart,
        Buffer.from('--b\r\n'),
        part('application/pdf', [named], Buffer.from('%PDF')),
        Buffer.from('--b--\r\n'),
      ])
    }
    default:
      return Buffer.concat([head, textPart])
  }
}
