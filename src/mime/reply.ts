/**
 * The new words of a message: without the quoted history and the signature.
 *
 * No standard says how a reply quotes; these are the dialects of the mail programs in use. Each rule looks for the form that programs
 * produce (a line with a date, an address and a colon at its end; a block of three header-like lines) rather than for single words, so
 * that people who write "On Monday I wrote:" keep their words.
 */
import {
  ATTRIBUTION,
  DEVICE_SIGNATURE,
  FORWARDED,
  MOBILE_SIGNATURE,
  ORIGINAL_MESSAGE,
  headerLabel,
} from './reply-dialects.js'

/** Beyond this nothing is looked at. The whole text is in `text`. */
const MAX_CHARS = 100_000
/** Lines longer than this were not written by a mail program as part of a quote. */
const MAX_MARK_CHARS = 400
/** An attribution may be folded over so many lines. */
const MAX_ATTRIBUTION_LINES = 4
const MAX_SIGNATURE_LINES = 12
/** Drawn by programs above history, bare or with a word in it; and above a signature or the footer of a list. */
const RULE = /^\s*[-_=*–—]{3,}(?:\s?[^-_=*]{1,60}[-_=*–—]{3,})?\s*$/
const SIGNATURE_RULE = /^(?:[—–]{1,80}|_{2,80})$/
/** Only what begins so can be one of the marks; most lines are none, and the marks themselves are long lists of words. */
const MAY_BE_MARK = /^(?:[-_=*]|[abdi])/i
const DIGIT = /\d/
const DRAWN = /[-–—*\s]/
const SUBJECT_INSIDE = /\p{L}\s(?:subject|objet|betreff|onderwerp|asunto|oggetto|assunto)\s?:/iu

export function extractReply(text: string): string {
  return dropSignature(linesWithoutHistory(text))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The text without the quoted history, the signature included: below it may stand anything. */
export function withoutHistory(text: string): string {
  return linesWithoutHistory(text).join('\n')
}

function linesWithoutHistory(text: string): string[] {
  return dropQuotes(text.slice(0, MAX_CHARS).split('\n'))
}

/** Leaves out quoted lines with what introduces them, and everything after a mark from which on all is history. */
function dropQuotes(lines: string[]): string[] {
  const kept: string[] = []
  const dated = lines.map((line) => DIGIT.test(line))
  for (let i = 0; i < lines.length;) {
    const line = lines[i] ?? ''
    if (isQuoted(line)) {
      i++
      continue
    }
    if (startsHistory(lines, i)) {
      // A message that is nothing but a forward has no other words than those forwarded.
      return kept.every(isBlank) && FORWARDED.test(line) ? lines : dropRule(kept)
    }
    const attribution = isDatedFrom(dated, i) ? attributionLines(lines, i) : 0
    if (attribution > 0) {
      const next = nextWritten(lines, i + attribution)
      // Some programs quote with `>`, and the sender may answer in between. The others put all of it below, unmarked.
      if (next === undefined || !isQuoted(next)) return dropRule(kept)
      i += attribution
      continue
    }
    kept.push(line)
    i++
  }
  return kept
}

function isDatedFrom(dated: boolean[], from: number): boolean {
  for (let i = from; i < from + MAX_ATTRIBUTION_LINES; i++) if (dated[i] === true) return true
  return false
}

/** `-----Original Message-----` and the like, the header block that Outlook puts in front of history, or the signature of a phone above it. */
function startsHistory(lines: string[], at: number): boolean {
  const line = (lines[at] ?? '').trim()
  if (line.length === 0 || line.length > MAX_MARK_CHARS) return false
  if (MAY_BE_MARK.test(line) && (ORIGINAL_MESSAGE.test(line) || FORWARDED.test(line))) return true
  if (startsHeaderBlock(lines, at)) return true
  return line.length <= 120 && standsAlone(lines, at) && DEVICE_SIGNATURE.test(line)
}

/** Three or more of From, Sent, To, Cc, Subject, one a line, with From among them. */
function startsHeaderBlock(lines: string[], at: number): boolean {
  const first = headerLabel(lines[at] ?? '')
  if (first !== 'from' && first !== 'sent') return false
  const found = new Set<string>()
  for (let i = at; i < Math.min(at + 9, lines.length); i++) {
    const line = lines[i] ?? ''
    if (isBlank(line) && found.size > 1) break
    const label = headerLabel(line)
    if (label) found.add(label)
    // Some programs put `To: … Subject: …` on one line.
    if (label === 'to' && SUBJECT_INSIDE.test(line)) found.add('subject')
  }
  return found.has('from') && found.size >= 3
}

function standsAlone(lines: string[], at: number): boolean {
  return (at === 0 || isBlank(lines[at - 1] ?? '')) && (at === lines.length - 1 || isBlank(lines[at + 1] ?? ''))
}

/** How many lines from here are an attribution such as `On …, … wrote:`; 0 when there is none. There is none without a date. */
function attributionLines(lines: string[], at: number): number {
  let joined = ''
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count++) {
    const line = lines[at + count - 1]
    if (line === undefined || isBlank(line) || isQuoted(line)) return 0
    joined = `${joined} ${line.trim()}`.trim()
    if (joined.length > MAX_MARK_CHARS) return 0
    if (isAttribution(joined)) return count
    // Only what begins like an attribution is worth looking at further lines.
    if (count === 1 && !DIGIT.test(joined) && !ATTRIBUTION.opener.test(joined)) return 0
  }
  return 0
}

function isAttribution(marked: string): boolean {
  if (!DIGIT.test(marked)) return false
  const line = withoutRules(marked)
  // What tells most lines apart at their first word goes before what looks through all of it.
  if ((ATTRIBUTION.opener.test(line) || /^\d{1,4}[-./ ]/.test(line)) && ATTRIBUTION.verb.test(line)) return true
  // In any language: when, who, and a colon.
  if (!line.endsWith(':')) return false
  const dated = /\d{1,2}[:.h]\d{2}/.test(line) || /(?:19|20)\d{2}/.test(line)
  return dated && /^[^:]{0,200}\d.*[^\s@<(]@[^\s@>)]+[>)\]"']*\s?[^@]{0,30}:$/.test(line)
}

/** Without the dashes, stars and blanks around it. */
function withoutRules(marked: string): string {
  let [start, end] = [0, marked.length]
  while (start < end && DRAWN.test(marked[start] ?? '')) start++
  while (end > start && DRAWN.test(marked[end - 1] ?? '')) end--
  return marked.slice(start, end)
}

/** The rule that some programs draw above the history is part of it. */
function dropRule(kept: string[]): string[] {
  let end = kept.length
  while (end > 0 && (isBlank(kept[end - 1] ?? '') || RULE.test(kept[end - 1] ?? ''))) end--
  return kept.slice(0, end)
}

/** From `-- ` on (RFC 3676 §4.3), or what programs and lists put at the end of a message. */
function dropSignature(lines: string[]): string[] {
  let end = lines.length
  while (end > 0 && isBlank(lines[end - 1] ?? '')) end--
  for (let i = end - 1; i >= Math.max(0, end - 2 * MAX_SIGNATURE_LINES); i--) {
    const line = (lines[i] ?? '').trimEnd()
    const ruled = line === '--' || SIGNATURE_RULE.test(line)
    if (ruled && isShort(lines.slice(i + 1, end))) end = i
    else if (i === end - 1 && isClosingMark(line.trim())) end = i
    while (end > 0 && isBlank(lines[end - 1] ?? '')) end--
    i = Math.min(i, end)
  }
  return lines.slice(0, end)
}

function isShort(lines: string[]): boolean {
  const written = lines.filter((line) => !isBlank(line))
  return written.length <= MAX_SIGNATURE_LINES && written.every((line) => line.length <= 120)
}

/** `Sent from my phone`, or a name behind a dash. */
function isClosingMark(line: string): boolean {
  if (line.length > 120) return false
  return MOBILE_SIGNATURE.test(line) || /^[-–—]\p{Lu}\p{L}+(?: \p{Lu}[\p{L}.]*){0,2}$/u.test(line)
}

function nextWritten(lines: string[], from: number): string | undefined {
  for (let i = from; i < lines.length; i++) if (!isBlank(lines[i] ?? '')) return lines[i]
  return undefined
}

function isQuoted(line: string): boolean {
  return !startsPlain(line) && /^\s{0,3}>/.test(line)
}

function isBlank(line: string): boolean {
  return !startsPlain(line) && line.trim() === ''
}

/** With a sign of ASCII other than a blank and `>`, as nearly all lines do: such a line is neither blank nor quoted. */
function startsPlain(line: string): boolean {
  const code = line.charCodeAt(0)
  return code > 0x20 && code < 0x7f && code !== 0x3e
}
