/**
 * Letters of the service to humans, as bytes: the same content in plain text and in simple HTML (RFC 2046 §5.1.4). All text is escaped; text by
 * others is separate, under their name, and never a link.
 */
import { escapeHtml, oneLine, plainLines } from '../../lib/text.js'
import { composeMessage } from './compose.js'
import { prependFields } from '../headers.js'
import type { Address } from '../types.js'

export type LetterPart =
  | { kind: 'text'; text: string }
  /** Another person's words, attributed to them. */
  | { kind: 'quote'; by: string; text: string }
  | { kind: 'facts'; rows: (readonly [name: string, value: string])[] }
  | { kind: 'link'; label: string; url: string }

export interface LetterContent {
  from: Address
  to: string
  subject: string
  parts: LetterPart[]
  /** Without angle brackets. */
  messageId: string
  date: number
  /** URL of the one-click unsubscription. */
  unsubscribeUrl: string | undefined
  /** Sender and reason, at the bottom. */
  footer: string
}

/** Longer lines of text/plain are wrapped for narrow windows. Links are never broken. */
const WRAP_AT = 76
const MAX_SUBJECT_CHARS = 200

export async function composeLetter(letter: LetterContent): Promise<Buffer> {
  const raw = await composeMessage({
    messageId: letter.messageId,
    date: letter.date,
    from: letter.from,
    to: [{ address: letter.to, name: '' }],
    cc: [],
    replyTo: [],
    subject: oneLine(letter.subject).slice(0, MAX_SUBJECT_CHARS),
    text: textOf(letter),
    html: htmlOf(letter),
    inReplyTo: null,
    references: [],
    attachments: [],
  })
  return prependFields(raw, [
    // RFC 3834 §5.1: suppresses automatic replies.
    'Auto-Submitted: auto-generated',
    // RFC 8058 §3.1; the DKIM signature covers both fields.
    ...(letter.unsubscribeUrl === undefined
      ? []
      : [`List-Unsubscribe: <${letter.unsubscribeUrl}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click']),
  ])
}

function textOf({ parts, footer }: LetterContent): string {
  return `${[...parts.map(partAsText), `-- \n${wrap(oneLine(footer), '')}`].join('\n\n')}\n`
}

function partAsText(part: LetterPart): string {
  switch (part.kind) {
    case 'text':
      return paragraphs(part.text)
        .map((paragraph) => wrap(paragraph, ''))
        .join('\n\n')
    case 'quote':
      return `${wrap(`${oneLine(part.by)}:`, '')}\n\n${plainLines(part.text)
        .trim()
        .split('\n')
        .map((line) => wrap(line, '> '))
        .join('\n')}`
    case 'facts':
      return part.rows.map(([name, value]) => wrap(`${oneLine(name)}: ${oneLine(value)}`, '')).join('\n')
    case 'link':
      return `${wrap(`${oneLine(part.label)}:`, '')}\n\n${part.url}`
  }
}

/** Breaks at spaces; a longer word gets its own line. */
function wrap(line: string, mark: string): string {
  const lines: string[] = []
  let now = ''
  for (const word of line.split(' ')) {
    if (now !== '' && mark.length + now.length + 1 + word.length > WRAP_AT) {
      lines.push(now)
      now = word
    } else now = now === '' ? word : `${now} ${word}`
  }
  return [...lines, now].map((one) => `${mark}${one}`.trimEnd()).join('\n')
}

function paragraphs(text: string): string[] {
  return plainLines(text)
    .split(/\n{2,}/)
    .map((paragraph) => oneLine(paragraph))
}

// Mail programs support styles in attributes only, and many of them none of the newer ones.
const STYLE = {
  body: 'margin:0;padding:24px 16px;font:16px/1.5 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif',
  page: 'max-width:560px;margin:0 auto',
  text: 'margin:0 0 16px',
  by: 'margin:0 0 4px;font-size:14px',
  quote:
    'margin:0 0 16px;padding:8px 12px;border-left:4px solid #8a857a;white-space:pre-wrap;word-wrap:break-word;overflow-wrap:anywhere',
  facts: 'margin:0 0 16px;border-collapse:collapse',
  name: 'padding:2px 16px 2px 0;text-align:left;vertical-align:top;font-weight:normal;font-size:14px',
  value: 'padding:2px 0;vertical-align:top;font-weight:bold;word-break:break-word;overflow-wrap:anywhere',
  url: 'word-break:break-all',
  footer: 'margin:24px 0 0;padding-top:12px;border-top:1px solid #8a857a;font-size:13px',
}

const styled = (name: keyof typeof STYLE): string => `style="${escapeHtml(STYLE[name])}"`

function htmlOf({ subject, parts, footer }: LetterContent): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(oneLine(subject))}</title>`,
    '</head>',
    `<body ${styled('body')}>`,
    `<div ${styled('page')}>`,
    ...parts.map(partAsHtml),
    `<p ${styled('footer')}>${escapeHtml(oneLine(footer))}</p>`,
    '</div>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function partAsHtml(part: LetterPart): string {
  switch (part.kind) {
    case 'text':
      return paragraphs(part.text)
        .map((paragraph) => `<p ${styled('text')}>${escapeHtml(paragraph)}</p>`)
        .join('\n')
    case 'quote':
      return `<p ${styled('by')}>${escapeHtml(oneLine(part.by))}:</p>\n<blockquote ${styled('quote')}>${escapeHtml(plainLines(part.text).trim())}</blockquote>`
    case 'facts':
      return `<table ${styled('facts')}>\n${part.rows
        .map(
          ([name, value]) =>
            `<tr><th ${styled('name')}>${escapeHtml(oneLine(name))}</th><td ${styled('value')}>${escapeHtml(oneLine(value))}</td></tr>`,
        )
        .join('\n')}\n</table>`
    case 'link':
      return `<p ${styled('text')}>${escapeHtml(oneLine(part.label))}:<br>\n<a href="${escapeHtml(part.url)}" ${styled('url')}>${escapeHtml(part.url)}</a></p>`
  }
}
