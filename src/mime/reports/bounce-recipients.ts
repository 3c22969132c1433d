/**
 * Finds the failed addresses in a notice written for people. Programs name them in few forms, from the most reliable: on a separate line, after a
 * word such as "recipient", or in the reply of another server. The first form found counts.
 */
import { findStatus, isPermanent, oneLine } from './report-fields.js'
import type { ReportedRecipient } from '../types.js'

const MAX_NOTICE_LINES = 600
const MAX_LINE_CHARS = 1000
const MAX_RECIPIENTS = 100

const ADDRESS = `[^\\s\\p{Cc}\\p{Cs}<>"'(),:;@\\[\\]=]{1,64}@(?:[\\p{L}\\p{N}_-]{1,63}\\.){1,10}[\\p{L}\\p{N}-]{2,63}`
const ANY_ADDRESS = new RegExp(`${ADDRESS}`, 'giu')
/** `  <a@b>:`, `* a@b`, `a@b on Fri, …`, `a@b... User unknown` */
const LEADING = new RegExp(`^[\\s>*|•"'<-]{0,24}(${ADDRESS})(?![\\p{L}\\p{N}@])`, 'iu')
/** The envelope had another address (sendmail, Exim). */
const ORIGIN = new RegExp(`(?:expanded|generated|forwarded|redirected) from:?\\s*<?(${ADDRESS})`, 'iu')
const LABEL =
  /(?:\b(?:recipients?|address(?:es|ed)?|users?|user ?id|mailbox|account|rcpt|to|for|errors?(?:-for)?|unknown|full|smtp|target|reach|undeliverable|delivre a|was addressed|addressed)(?:\(s\)|\(es\))?|destinataires?|empfänger|destinatarios?|получател\p{L}*|адрес\p{L}*|宛先|收件人|受信者)['"]?(?:\s(?:is|to))?\s*[:=：]?\s*["'<(]{0,3}$/iu
const LISTED = new RegExp(
  `^["'>)]{0,3}\\s{0,2}(?:,|;|and|und|et|y|e)\\s{1,2}["'<(]{0,3}(${ADDRESS})(?![\\p{L}\\p{N}@])`,
  'iu',
)
/** Text before an address that is not a recipient's. */
const NOT_RECIPIENT =
  /(?:\bfrom|sender|contact|mailto|message-id|reply-to|forwarded by|\bby|return-path|administrator|\bf)['"]?\s*[:=]?\s*["'<([]{0,3}$|\b(?:assistance|questions?|help|inquir|contact)\b[^.:]{0,60}$/i
/** Lines that introduce a contact address. */
const ASKS_TO_WRITE =
  /(?:contact|assist|question|help|write to|send (?:e-?)?mail|e-?mail (?:us|to)|to the address|reply to)[^.:]*:?\s*$/i
const SERVICE_LOCAL = /^(?:post-?master|mailer-?daemon|support|help(?:desk)?|abuse|noc|hostmaster|root)@/i
const SUMMARY = /^\s*(?:to|cc|bcc|subject|sent|date)\s*:/i
const REPLY_LINE = /(?:^|\W)[45]\d\d[\s-]/

interface Found {
  address: string
  origin: string | undefined
  line: number
}

/** @param others addresses that are in most notices and are rarely the failed recipient: the sender and recipient of the notice */
export function recipientsInProse(notice: string, others: string[], delayed: boolean): ReportedRecipient[] {
  const lines = notice.split('\n', MAX_NOTICE_LINES).map((line) => line.slice(0, MAX_LINE_CHARS))
  const unlikely = new Set(others.map((address) => address.toLowerCase()))
  const likely = ({ address }: Found) => !unlikely.has(address.toLowerCase()) && !SERVICE_LOCAL.test(address)
  const forms = [leading(lines), labelled(lines), inReplies(lines)]
  const found = distinct(
    forms.map((form) => form.filter(likely)).find((form) => form.length > 0) ??
      forms.find((form) => form.length > 0) ??
      [],
  )
  return found.slice(0, MAX_RECIPIENTS).map((one, i) => {
    const end = found[i + 1]?.line ?? lines.length
    return reported(
      one,
      said(lines.slice(one.line, Math.max(end, one.line + 1)), found.length === 1 ? lines : []),
      delayed,
    )
  })
}

/** A recipient known from elsewhere, with the details of the notice. */
export function namedRecipients(addresses: string[], notice: string, delayed: boolean): ReportedRecipient[] {
  const lines = notice.split('\n', MAX_NOTICE_LINES).map((line) => line.slice(0, MAX_LINE_CHARS))
  const places = addresses.slice(0, MAX_RECIPIENTS).map((address) => {
    const line = lines.findIndex((text) => text.toLowerCase().includes(address.toLowerCase()))
    return { address, origin: undefined, line: Math.max(line, 0) }
  })
  const starts = places.map(({ line }) => line).sort((a, b) => a - b)
  return places.map((place) => {
    const end = starts.find((line) => line > place.line) ?? lines.length
    return reported(place, said(lines.slice(place.line, end), places.length === 1 ? lines : []), delayed)
  })
}

function reported({ address, origin }: Found, diagnostic: string, delayed: boolean): ReportedRecipient {
  const status = findStatus(diagnostic)
  return {
    address: origin ?? address,
    finalAddress: origin !== undefined && origin !== address ? address : null,
    action: delayed ? 'delayed' : 'failed',
    permanent: !delayed && isPermanent(status, diagnostic),
    status,
    diagnostic,
    remoteMta: null,
  }
}

/** The diagnostic of a recipient: the following lines with a code, or one of the whole notice, or else all lines. */
function said(lines: string[], whole: string[]): string {
  return oneLine((codeLines(lines) ?? codeLines(whole) ?? lines).join(' '))
}

function codeLines(lines: string[]): string[] | undefined {
  const at = lines.findIndex((line) => REPLY_LINE.test(` ${line} `) || findStatus(line) !== null)
  return at === -1 ? undefined : lines.slice(at, at + 4)
}

function leading(lines: string[]): Found[] {
  const found: Found[] = []
  for (const [i, line] of lines.entries()) {
    const origin = ORIGIN.exec(line)?.[1]
    const last = found.at(-1)
    if (origin !== undefined) {
      if (last && last.origin === undefined && i - last.line <= 2) last.origin = origin
      else found.push({ address: origin, origin: undefined, line: i })
      continue
    }
    const address = LEADING.exec(line)?.[1]
    if (address !== undefined && !ASKS_TO_WRITE.test(lines[i - 1] ?? ''))
      found.push({ address, origin: undefined, line: i })
  }
  return found
}

function labelled(lines: string[]): Found[] {
  const named = matches(lines, (before) => LABEL.test(before) && !NOT_RECIPIENT.test(before))
  const found = withListed(lines, named)
  // Exchange begins with a summary of the message, whose To may be a list's.
  const outside = found.filter(({ line }) => !SUMMARY.test(lines[line] ?? ''))
  return outside.length > 0 ? outside : found
}

/** `to the following recipients: a@x, b@y and c@z`: only the first follows the label directly. */
function withListed(lines: string[], named: Found[]): Found[] {
  return named.flatMap((one) => {
    const line = lines[one.line] ?? ''
    const all = [one]
    let at = line.indexOf(one.address) + one.address.length
    for (let next = LISTED.exec(line.slice(at)); next; next = LISTED.exec(line.slice(at))) {
      all.push({ ...one, address: next[1] ?? '' })
      at += next[0].length
    }
    return all
  })
}

function inReplies(lines: string[]): Found[] {
  const replies = matches(lines, (before, line) => REPLY_LINE.test(line) && !NOT_RECIPIENT.test(before))
  return replies.length > 0 ? replies : matches(lines, (before) => !NOT_RECIPIENT.test(before))
}

function matches(lines: string[], fits: (before: string, line: string) => boolean): Found[] {
  return lines.flatMap((line, i) =>
    line.includes('@')
      ? [...line.matchAll(ANY_ADDRESS)].flatMap((match) => {
          // A line that breaks before its address continues with it.
          const before = `${(lines[i - 1] ?? '').slice(-80)} ${line.slice(0, match.index)}`.slice(-100)
          return fits(before, line) ? [{ address: match[0], origin: undefined, line: i }] : []
        })
      : [],
  )
}

/** `  jane` below a line that ends with a colon: servers name local users without the domain. */
export function localNames(notice: string): string[] {
  const lines = notice.split('\n', MAX_NOTICE_LINES).filter((line) => line.trim() !== '')
  const introduced = lines.findIndex(
    (line) =>
      line.length < 200 &&
      /(?:recipients?|address(?:es)?|following|from [^\s]{1,300})(?:\(s\)|\(es\))?\s?:\s*$/i.test(line),
  )
  const name =
    introduced === -1 ? undefined : /^\s{0,24}([\w.+-]{1,64})(?:\s{2,}.*)?\s*$/.exec(lines[introduced + 1] ?? '')?.[1]
  return name === undefined ? [] : [name]
}

function distinct(found: Found[]): Found[] {
  const seen = new Map<string, Found>()
  for (const one of found) if (!seen.has(one.address.toLowerCase())) seen.set(one.address.toLowerCase(), one)
  return [...seen.values()]
}
