/** The mail that stages are measured with: the bench's own, and that of public corpora where their folder is there. */
import { existsSync, readFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { createWriter, type SigningKey, SENDER_DOMAIN, signer } from '../support/messages.js'

/** Beside the checkout. */
const FOLDER = process.env['BENCH_CORPORA'] ?? '../shared/corpora'
const CORPORA = ['spamassassin', 'mailing-lists', 'nazario']
const BODY_BYTES = 4096
const SIGN_AT_ONCE = 8
export const TO = 'bench.agent@agents.test'

/** What an author wrote. */
export interface Letter {
  subject: string
  text: string
  /** Null for plain mail. */
  html: string | null
}

export interface Mail extends Letter {
  /** Signed, as it comes in. */
  raw: Buffer
  /** The same with text and HTML, whatever it was; not signed. */
  alternative: Buffer
}

export interface Source {
  name: string
  letters: Letter[]
}

const lineSchema = z.object({
  subject: z.string().nullable(),
  text: z.string().nullable(),
  links: z.array(z.tuple([z.string(), z.string()])).nullish(),
  has_html: z.boolean().nullish(),
})

/** @param most of each source */
export function sources(most: number): Source[] {
  return [{ name: 'bench', letters: benchLetters(most) }, ...(existsSync(FOLDER) ? CORPORA.map(corpus(most)) : [])]
}

function benchLetters(count: number): Letter[] {
  const writer = createWriter(1)
  return Array.from({ length: count }, (_, n) => {
    const [header = '', ...body] = writer.message(`${n}`, TO, BODY_BYTES).split('\r\n\r\n')
    return { subject: /^Subject: (.*)$/m.exec(header)?.[1]?.trim() ?? '', text: body.join('\r\n\r\n'), html: null }
  })
}

const corpus =
  (most: number) =>
  (name: string): Source => {
    const lines = gunzipSync(readFileSync(`${FOLDER}/${name}.jsonl.gz`))
      .toString()
      .split('\n')
    const all = lines.filter((line) => line !== '').map((line) => lineSchema.parse(JSON.parse(line)))
    // The API takes no empty text, and no control characters.
    const written = all.filter(({ text }) => text?.trim() && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text))
    // From all over the file, which is in the order of its parts.
    const chosen = written.filter(
      (_, n) => Math.floor((n * most) / written.length) !== Math.floor(((n + 1) * most) / written.length),
    )
    return {
      name,
      letters: (written.length <= most ? written : chosen).map(({ subject, text, links, has_html: hasHtml }) => ({
        subject: (subject ?? '').replace(/[\s\p{C}]+/gu, ' '),
        text: withCrlf(text ?? '').replace(/[^\P{C}\t\r\n]/gu, ' '),
        html: hasHtml ? withCrlf(htmlOf(text ?? '', links ?? [])) : null,
      })),
    }
  }

const withCrlf = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n')

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** The corpora have the text of HTML mail and its links. */
function htmlOf(text: string, links: [string, string][]): string {
  const paragraphs = escaped(text)
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) => `<p style="margin:0 0 12px">${paragraph.replace(/\r?\n/g, '<br>\r\n')}</p>`)
  const anchors = links.map(
    ([url, words]) => `<a href="${escaped(url).replace(/"/g, '&quot;')}">${escaped(words || url)}</a>`,
  )
  return `<html><body>\r\n${[...paragraphs, ...anchors].join('\r\n')}\r\n</body></html>`
}

const headerOf = (n: number, { subject }: Letter, type: string): string =>
  [
    `From: Ada Abel <ada.abel@${SENDER_DOMAIN}>`,
    `To: ${TO}`,
    `Subject: ${/^[\x20-\x7e]*$/.test(subject) ? subject : `=?utf-8?B?${Buffer.from(subject.slice(0, 30)).toString('base64')}?=`}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${n}.${type.length}@${SENDER_DOMAIN}>`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
  ].join('\r\n')

/** Long lines are folded as quoted-printable does (RFC 2045 §6.7), so that they stay below the limit of SMTP. */
function encodedPart(text: string, type: string): string {
  const isShort = /^[\t\r\n\x20-\x7e]*$/.test(text) && !/[^\n]{990}/.test(text)
  if (isShort) return `Content-Type: text/${type}; charset=utf-8\r\n\r\n${text}\r\n`
  return `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}\r\n`
}

function quotedPrintable(text: string): string {
  const lines = text.split('\r\n').map((line) => {
    const coded = [...Buffer.from(line)].map((byte) =>
      (byte > 32 && byte < 127 && byte !== 61) || byte === 32
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    const folded: string[] = ['']
    for (const piece of coded) {
      if ((folded.at(-1)?.length ?? 0) + piece.length > 75) folded.push('')
      folded[folded.length - 1] += piece
    }
    return folded.join('=\r\n')
  })
  return lines.join('\r\n')
}

function alternativeOf(n: number, letter: Letter): string {
  const html = letter.html ?? htmlOf(letter.text, [])
  return [
    headerOf(n, letter, 'multipart/alternative; boundary=b1'),
    '',
    `--b1\r\n${encodedPart(letter.text, 'plain')}`,
    `--b1\r\n${encodedPart(html, 'html')}--b1--\r\n`,
  ].join('\r\n')
}

function plainOf(n: number, letter: Letter): string {
  const part = encodedPart(letter.text, 'plain')
  const [type = '', ...rest] = part.split('\r\n')
  return [headerOf(n, letter, type.replace('Content-Type: ', '')), ...rest].join('\r\n')
}

/** Writes and signs the mail of a source. */
export async function mailOf({ letters }: Source, key: SigningKey): Promise<Mail[]> {
  const sign = signer(key.pem)
  const all: Mail[] = []
  for (let from = 0; from < letters.length; from += SIGN_AT_ONCE) {
    const some = letters.slice(from, from + SIGN_AT_ONCE).map(async (letter, i): Promise<Mail> => {
      const n = from + i
      const alternative = alternativeOf(n, letter)
      const raw = await sign(letter.html === null ? plainOf(n, letter) : alternative)
      return { ...letter, raw, alternative: Buffer.from(alternative) }
    })
    all.push(...(await Promise.all(some)))
  }
  return all
}

export interface MailFile {
  mails: Mail[]
  /** The DNS record of the key that signed them. */
  record: string
}

export const packMail = (file: MailFile): Buffer => serialize(file)

export function readMail(path: string): MailFile {
  const { mails, record } = deserialize(readFileSync(path)) as MailFile
  return {
    mails: mails.map((mail) => ({ ...mail, raw: Buffer.from(mail.raw), alternative: Buffer.from(mail.alternative) })),
    record,
  }
}
