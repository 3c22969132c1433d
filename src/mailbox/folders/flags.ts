/**
 * Flags and keywords of mail programs (RFC 9051 §2.3.2), and what they are in the mailbox: `\Seen` is the unread flag the other way round, `\Deleted` is kept for
 * each folder of a message, all others are labels that begin with `$`, which no custom label does.
 *
 * | flag or keyword        | stored as                                               |
 * | ---------------------- | ------------------------------------------------------- |
 * | `\Seen`                | not `unread`                                            |
 * | `\Flagged`             | label `$flagged`                                        |
 * | `\Answered`            | label `$answered`                                       |
 * | `\Draft`               | being a draft                                           |
 * | `\Deleted`             | `deletedIn` of the message                              |
 * | keyword `$Xyz`         | label `$xyz`                                            |
 * | keyword `Xyz`          | label `$:xyz`                                           |
 * | `$Held`, `$Scheduled`, `$Blocked`, `$Cancelled`, `$Bounced` | status of an outgoing message; programs cannot change them |
 *
 * Keywords are the same whatever their case. Characters that labels don't have are `=` and two hexadecimal digits.
 */
import type { MessageStatus } from '../objects/objects.js'

export const SEEN = 1
export const FLAGGED = 2
export const ANSWERED = 4
export const DRAFT = 8
export const DELETED = 16

/** Bits of the flags that every folder has. */
export const SYSTEM_FLAGS: ReadonlyMap<string, number> = new Map([
  ['\\Answered', ANSWERED],
  ['\\Flagged', FLAGGED],
  ['\\Deleted', DELETED],
  ['\\Seen', SEEN],
  ['\\Draft', DRAFT],
])

/** Of a mailbox: each has a bit in the entries of its folders (entries.ts). */
export const MAX_KEYWORDS = 64

export const FLAGGED_LABEL = '$flagged'
export const ANSWERED_LABEL = '$answered'
/** A message that a program moved out of Sent: it is only where it was moved to. */
export const FILED_LABEL = '$filed'
/** A message with custom labels that a program moved to Archive. */
export const ARCHIVED_LABEL = '$archived'

/** Labels that are no keywords. */
const OTHER_MEANING = new Set([FLAGGED_LABEL, ANSWERED_LABEL, FILED_LABEL, ARCHIVED_LABEL])

/** Keywords derived from the status of outgoing mail. */
const STATUS_KEYWORDS: Partial<Record<MessageStatus, string>> = {
  scheduled: '$Scheduled',
  checking: '$Held',
  held: '$Held',
  blocked: '$Blocked',
  cancelled: '$Cancelled',
  bounced: '$Bounced',
}

/** Names that are shown with their usual capitals; programs compare without regard to case, but not all. */
const USUAL = new Map(
  [
    ...Object.values(STATUS_KEYWORDS),
    '$Forwarded',
    '$MDNSent',
    '$Junk',
    '$NotJunk',
    '$Phishing',
    '$Important',
    '$SubmitPending',
    '$Submitted',
    '$Label1',
    '$Label2',
    '$Label3',
    '$Label4',
    '$Label5',
    'Junk',
    'NonJunk',
    'NotJunk',
    'JunkRecorded',
  ].map((name) => [name.toLowerCase(), name]),
)

const PREFIX = '$'
const WITHOUT_DOLLAR = '$:'
const MAX_LABEL = 64

/** True for labels of the programs' flags, which are no folders. */
export const isFlagLabel = (label: string): boolean => label.startsWith(PREFIX)

/** Bits of the flags that labels stand for. */
export const flagsOfLabels = (labels: readonly string[]): number =>
  (labels.includes(FLAGGED_LABEL) ? FLAGGED : 0) | (labels.includes(ANSWERED_LABEL) ? ANSWERED : 0)

/** The keyword of a label; undefined for one that is none. */
export function keywordOf(label: string): string | undefined {
  if (!isFlagLabel(label) || OTHER_MEANING.has(label)) return undefined
  const dollar = !label.startsWith(WITHOUT_DOLLAR)
  const body = label.slice(dollar ? PREFIX.length : WITHOUT_DOLLAR.length)
  const name =
    (dollar ? PREFIX : '') +
    body.replaceAll(/=([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return USUAL.get(name) ?? name
}

/** The label of a keyword; undefined for one that cannot be set: it is derived from the status, has another meaning, or is too long. */
export function labelOfKeyword(keyword: string): string | undefined {
  const name = keyword.toLowerCase()
  if (STATUS_LABELS.has(name) || OTHER_MEANING.has(name)) return undefined
  const dollar = name.startsWith(PREFIX) && name.length > 1
  const body = (dollar ? name.slice(1) : name).replaceAll(
    /[^a-z0-9\-_./]/g,
    (char) => `=${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  const label = (dollar ? PREFIX : WITHOUT_DOLLAR) + body
  return label.length > MAX_LABEL ? undefined : label
}

const STATUS_LABELS = new Set(Object.values(STATUS_KEYWORDS).map((name) => name.toLowerCase()))

/** The keyword of a status; undefined for statuses of mail that went its way. */
export const keywordOfStatus = (status: MessageStatus): string | undefined => STATUS_KEYWORDS[status]
