/**
 * The new words of a message: without the quoted history and the signature.
 * No standard defines how replies quote; these rules cover the mail programs in use. Keeping too much history is a blemish, losing the author's words
 * is a fault: each rule removes only forms that programs produce, and unmarked history that might contain answers stays.
 */
import { findAttributions, type Attribution } from './attribution.js'
import { ANSWERS_BELOW, FORWARDED, MOBILE_SIGNATURE, ORIGINAL_MESSAGE, headerLabel } from './reply-dialects.js'

/** Beyond this only lines marked as quoted are removed. */
const MAX_CHARS = 100_000
/** Max length of a line that a mail program writes to introduce a quote. */
const MAX_MARK_CHARS = 400
const MAX_HEADER_LINES = 12
/** Max lines between an attribution and the first quoted line. */
const MAX_LINES_BEFORE_QUOTE = 5
const MAX_SIGNATURE_LINES = 12
const MAX_SIGNATURE_CHARS = 4000
/** Authors who write more above the history do not answer below it. */
const MAX_WRITTEN_LINES = 40
/** `Hi Ada,`: after such a short text the answer may follow below unmarked history. */
const MAX_GREETING_CHARS = 40
/** Rules that programs draw above history, signatures and list footers. */
const RULE = /^\s*[-_=*–—]{3,}\s*$/
const SIGNATURE_RULE = /^(?:--|[—–]{1,80}|_{2,80})\s*$/
/** Cheap pre-test for marks, since the full patterns are long lists of words. */
const MAY_BE_MARK = /^(?:[-_=*]|begin f|anfang d|début d|in[ií][cz]io )/i
const SUBJECT_INSIDE = /\p{L}\s(?:subject|objet|betreff|onderwerp|asunto|oggetto|assunto)\s?:/iu

export function extractReply(text: string): string {
  const { head, lines, parts, rest } = ownWords(text)
  const own = parts.map(dropSignature)
  const written = own[0] === lines ? head : own.flat().join('\n')
  const all = rest === '' ? written : `${written}\n${withoutLastSignature(rest)}`
  return (all.includes('\n\n\n') ? all.replace(/\n{3,}/g, '\n\n') : all).trim()
}

/** The text without the quoted history, but with the signature, below which more text may follow. */
export function withoutHistory(text: string): string {
  const { head, lines, parts, rest } = ownWords(text)
  const written = parts[0] === lines ? head : parts.flat().join('\n')
  return rest === '' ? written : `${written}\n${rest}`
}

interface OwnWords {
  /** The text, or the beginning of a very long one, and its lines. */
  head: string
  lines: readonly string[]
  /** The author's lines above, between and below the history; `lines` itself for a text without history. */
  parts: readonly (readonly string[])[]
  /** The unquoted part of the rest of a very long text. */
  rest: string
}

/** The latest text, for whoever asks next: a message is read, and then judged by what its author added. */
let latest: { text: string; own: OwnWords } | undefined

function ownWords(text: string): OwnWords {
  if (latest?.text === text) return latest.own
  const own = cut(text)
  latest = text.length <= MAX_CHARS ? { text, own } : undefined
  return own
}

function cut(text: string): OwnWords {
  const end = text.length <= MAX_CHARS ? text.length : text.lastIndexOf('\n', MAX_CHARS)
  if (end === -1) return { head: '', lines: [], parts: [], rest: text }
  const head = text.slice(0, end)
  const lines = head.split('\n')
  const { parts, isWhole } = ownParts(lines)
  return { head, lines, parts, rest: isWhole ? text.slice(end + 1).replace(/^[ \t]{0,3}>.*(?:\n|$)/gm, '') : '' }
}

function withoutLastSignature(text: string): string {
  const from = text.indexOf('\n', text.length - MAX_SIGNATURE_CHARS)
  if (from === -1) return text
  return text.slice(0, from + 1) + dropSignature(text.slice(from + 1).split('\n')).join('\n')
}

/** @returns `isWhole` true if the lines were read to their end: from unmarked history on, nothing is the author's. */
function ownParts(lines: string[]): { parts: string[][]; isWhole: boolean } {
  const attributions = findAttributions(lines)
  const isOwn = (i: number): boolean =>
    (!isQuoted(lines[i] ?? '') || isMboxEscape(lines, i)) && historyAt(lines, i, attributions) === undefined
  let first = 0
  while (first < lines.length && isOwn(first)) first++
  if (first === lines.length) return { parts: [lines], isWhole: true }
  const parts: string[][] = [lines.slice(0, first)]
  const own = (from: number, count: number): number => {
    for (let i = from; i < from + count; i++) parts.at(-1)?.push(lines[i] ?? '')
    return count
  }
  const skip = (count: number): number => {
    if ((parts.at(-1)?.length ?? 0) > 0) parts.push([])
    return count
  }
  for (let i = first; i < lines.length;) {
    if (isQuoted(lines[i] ?? '') && !isMboxEscape(lines, i)) {
      i += skip(1)
      continue
    }
    const history = historyAt(lines, i, attributions)
    if (history === undefined) {
      i += own(i, 1)
      continue
    }
    const { lines: count, kind, isAttribution } = history
    if (isMarked(lines, i + count, kind, attributions)) {
      // Below the author's words, a name and a verb are the author's too.
      i += kind !== 'bare' || (parts.length === 1 && areBlank(parts[0] ?? [])) ? skip(count) : own(i, count)
    } else if (kind !== 'certain') {
      i += own(i, count)
    } else if (!mayGoOnBelow(parts)) {
      parts.push(dropRule(parts.pop() ?? []))
      return { parts, isWhole: false }
    } else if (isAttribution) {
      i += skip(count)
    } else {
      // A forwarded message counts as the author's.
      own(i, lines.length - i)
      return { parts, isWhole: true }
    }
  }
  return { parts, isWhole: true }
}

function areBlank(lines: string[]): boolean {
  return lines.length <= MAX_HEADER_LINES && lines.every(isBlank)
}

interface History extends Attribution {
  isAttribution: boolean
}

/** The introduction of history on this line: an attribution, `-----Original Message-----`, or Outlook's header block. */
function historyAt(lines: string[], at: number, attributions: Map<number, Attribution>): History | undefined {
  const attribution = attributions.get(at)
  if (attribution) return { ...attribution, isAttribution: true }
  const line = (lines[at] ?? '').trim()
  if (line.length === 0 || line.length > MAX_MARK_CHARS) return undefined
  const isMark = MAY_BE_MARK.test(line) && (ORIGINAL_MESSAGE.test(line) || FORWARDED.test(line))
  if (!isMark && !startsHeaderBlock(lines, at)) return undefined
  let end = at + 1
  while (end < lines.length && end - at < MAX_HEADER_LINES && isOfHeader(lines[end] ?? '')) end++
  return { lines: end - at, kind: 'certain', isAttribution: false }
}

function isOfHeader(line: string): boolean {
  return isBlank(line) || headerLabel(line) !== undefined
}

/**
 * True if the history is marked line by line, so that unmarked lines are the author's. Below a certain attribution a short answer may precede the
 * first quoted line; if another introduction is there, only older history is marked.
 */
function isMarked(
  lines: string[],
  from: number,
  kind: Attribution['kind'],
  attributions: Map<number, Attribution>,
): boolean {
  const most = kind === 'certain' ? MAX_LINES_BEFORE_QUOTE : 0

  let written = 0
  for (let i = from; i < lines.length && written <= most; i++) {
    const line = lines[i] ?? ''
    if (isBlank(line)) continue
    if (isQuoted(line)) return true
    if (historyAt(lines, i, attributions)) return false
    written++
  }
  return false
}

/** True if only a greeting was written so far, or the author announces answers below. */
function mayGoOnBelow(parts: string[][]): boolean {
  const written: string[] = []
  for (const part of parts)
    for (const line of part)
      if (!isBlank(line) && !RULE.test(line)) {
        if (written.length === MAX_WRITTEN_LINES) return false
        written.push(line)
      }
  if (written.length === 0) return true
  const [first = ''] = written
  if (written.length === 1 && first.length <= MAX_GREETING_CHARS && /[,!]\s*$/.test(first)) return true
  return written.some((line) => line.length <= MAX_MARK_CHARS && ANSWERS_BELOW.test(line))
}

/**
 * True for From, Sent or Date, and one or more of To, Cc, Subject, one per line. People write such lists too, for example of journeys: with a date,
 * but without address, subject and "sent".
 */
function startsHeaderBlock(lines: string[], at: number): boolean {
  const first = headerLabel(lines[at] ?? '')
  if (first !== 'from' && first !== 'sent' && first !== 'date') return false
  const found = new Set<string>()
  let hasAddress = false
  for (let i = at; i < Math.min(at + 9, lines.length); i++) {
    const line = lines[i] ?? ''
    if (isBlank(line) && (found.size > 1 || first !== 'from')) break
    const label = headerLabel(line)
    if (label === undefined) continue
    // A date above a program's block is the author's.
    if (i > at && first !== 'from' && (label === 'sent' || label === 'date')) return false
    found.add(label)
    if ((label === 'from' || label === 'to') && line.includes('@')) hasAddress = true
    // Some programs put `To: … Subject: …` on one line.
    if (label === 'to' && SUBJECT_INSIDE.test(line)) found.add('subject')
  }
  if (!found.has('from') || found.size < 3) return false
  return found.has('sent') || (found.has('date') && (found.has('subject') || hasAddress))
}

/** Removes the rule that some programs draw above the history. */
function dropRule(kept: string[]): string[] {
  let end = kept.length
  while (end > 0 && (isBlank(kept[end - 1] ?? '') || RULE.test(kept[end - 1] ?? ''))) end--
  return kept.slice(0, end)
}

/** Removes everything from `-- ` on (RFC 3676 §4.3), or the closing lines of programs and lists. */
function dropSignature(lines: readonly string[]): readonly string[] {
  let end = lines.length
  while (end > 0 && isBlank(lines[end - 1] ?? '')) end--
  const written = end
  let postscript: string[] = []
  for (let i = end - 1; i >= Math.max(0, end - 2 * MAX_SIGNATURE_LINES); i--) {
    const line = lines[i] ?? ''
    const below = SIGNATURE_RULE.test(line) ? lines.slice(i + 1, end) : undefined
    if (below && (line === '-- ' || !below.some(isSentence)) && isShort(below)) {
      const at = below.findIndex((text) => POSTSCRIPT.test(text))
      if (at !== -1) postscript = [...below.slice(at), ...postscript]
      end = i
    } else if (i === end - 1 && isClosingMark(lines, i)) end = i
    while (end > 0 && isBlank(lines[end - 1] ?? '')) end--
    i = Math.min(i, end)
  }
  // The blank lines below it belong to the text that follows.
  return end === written ? lines : [...lines.slice(0, end), ...postscript, '']
}

const POSTSCRIPT = /^\s*p\.? ?(?:p\.? ?)?s\.?\s?[:.,–-]?\s/i
/** Sentences of signatures and footers. */
const BOILERPLATE =
  /unsubscribe|subscri|mailing list|received this|confidential|intended|disclaimer|abmelden|vertraulich|désabonn|confidenti|https?:|www\.|@/i

/** True for a person's sentence: lines with a name, title or address end differently. */
function isSentence(line: string): boolean {
  return (
    /[.!?…]["')]?\s*$/.test(line) &&
    (line.match(/\S+/g)?.length ?? 0) >= 4 &&
    !BOILERPLATE.test(line) &&
    !POSTSCRIPT.test(line)
  )
}

function isShort(lines: string[]): boolean {
  const written = lines.filter((line) => !isBlank(line))
  return written.length <= MAX_SIGNATURE_LINES && written.every((line) => line.length <= 120)
}

/** `Sent from my phone`, or a first and last name after a dash, as a separate paragraph; a single word may end a list. */
function isClosingMark(lines: readonly string[], at: number): boolean {
  const line = (lines[at] ?? '').trim()
  if (line.length > 120) return false
  if (MOBILE_SIGNATURE.test(line)) return true
  return at > 1 && isBlank(lines[at - 1] ?? '') && /^[-–—]\p{Lu}\p{L}+(?: \p{Lu}[\p{L}.]*){1,2}$/u.test(line)
}

/** True for `>From` between unquoted lines, which mailbox files make of a line that begins with `From ` (RFC 4155). */
function isMboxEscape(lines: string[], at: number): boolean {
  return (lines[at] ?? '').startsWith('>From ') && !isQuoted(lines[at - 1] ?? '') && !isQuoted(lines[at + 1] ?? '')
}

function isQuoted(line: string): boolean {
  return line !== '' && !startsPlain(line) && /^\s{0,3}>/.test(line)
}

function isBlank(line: string): boolean {
  return line === '' || (!startsPlain(line) && line.trim() === '')
}

/** True if the line starts with an ASCII character other than space and `>`, as most lines do: it is neither blank nor quoted. */
function startsPlain(line: string): boolean {
  const code = line.charCodeAt(0)
  return code > 0x20 && code < 0x7f && code !== 0x3e
}
