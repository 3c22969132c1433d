/** Parses `q` and the filters beside it into wishes that must all match. `q` has words, "phrases" and operators (`from:ada`), each negated by `-`. */
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { cut } from '../../lib/text.js'
import { checkLabel, LABEL, SPAM_LABEL } from '../labels.js'
import type { MessageStatus } from '../objects/objects.js'
import type { ShownSide } from '../threads/thread.js'
import { type Term, phraseFinder, termsOf } from '../mail-work/tokens.js'
import type { MessageFilter } from './message-filter.js'
import type { Field } from '../mail-work/words.js'

export type Wish =
  /** All words; `phrase` tests whether they are in sequence in one text. */
  | { kind: 'words'; field: Field; terms: Term[]; phrase?: (text: string) => boolean }
  | { kind: 'address'; field: 'from' | 'to'; address: string }
  | { kind: 'attachment' }
  | { kind: 'direction'; direction: 'inbound' | 'outbound' }
  | { kind: 'unread' }
  | { kind: 'label'; label: string }
  | { kind: 'status'; status: MessageStatus }
  | { kind: 'thread'; threadId: string }
  | { kind: 'before'; time: number }
  | { kind: 'after'; time: number }

export interface Wanted {
  wish: Wish
  not: boolean
}

/** Max words of all wishes; each costs an index lookup per candidate. */
const MAX_TERMS = 64

/**
 * Parses a filter.
 *
 * @returns undefined if nothing can match: `q` has no word
 * @throws ServiceError `invalid_request` naming the invalid piece of `q`, and valid ones
 */
export function readFilter(filter: MessageFilter): Wanted[] | undefined {
  const { from, to, subject, label, direction, status, hasAttachment, unread, after, before, threadId, q } = filter
  if (label !== undefined) checkLabel(label, 'label')
  const given: (Wish | undefined)[] = [
    from === undefined ? undefined : people('from', from, true),
    to === undefined ? undefined : people('to', to, true),
    subject === undefined ? undefined : phrase('subject', subject, true),
    label === undefined ? undefined : { kind: 'label', label },
    direction && { kind: 'direction', direction },
    status && { kind: 'status', status },
    unread === undefined ? undefined : { kind: 'unread' },
    hasAttachment === undefined ? undefined : { kind: 'attachment' },
    threadId === undefined ? undefined : { kind: 'thread', threadId },
    after === undefined ? undefined : { kind: 'after', time: after },
    before === undefined ? undefined : { kind: 'before', time: before },
  ]
  const all: Wanted[] = given.flatMap((wish) => (wish ? [{ wish, not: isTurned(wish, filter) }] : []))
  const words = q === undefined ? [] : readQuery(q)
  if (q !== undefined && words.length === 0) return undefined
  const wanted = [...all, ...words]
  const terms = wanted.reduce((sum, { wish }) => sum + (wish.kind === 'words' ? wish.terms.length : 1), 0)
  if (terms > MAX_TERMS) {
    throw invalidRequest(`The query has more than ${MAX_TERMS} words.`, 'Look for the rarest words of it only.', [
      { field: 'q', problem: `${terms} words; at most ${MAX_TERMS} count` },
    ])
  }
  // A filter without words, such as `from=?`, matches nothing.
  return wanted.some(({ wish, not }) => wish.kind === 'words' && wish.terms.length === 0 && !not) ? undefined : wanted
}

const SPAM: Wish = { kind: 'label', label: SPAM_LABEL }

const asksForSpam = (wanted: readonly Wanted[]): boolean =>
  wanted.some(({ wish, not }) => wish.kind === 'label' && wish.label === SPAM_LABEL && !not)

/** Wishes of a filter; excludes spam by default. */
export function wishesOf(filter: MessageFilter): Wanted[] | undefined {
  const wanted = readFilter(filter)
  if (!wanted || filter.includeSpam === true || asksForSpam(wanted)) return wanted
  return [...wanted, { wish: SPAM, not: true }]
}

/** Side of a thread to show for a match. */
export function sideFound(filter: MessageFilter): ShownSide {
  if (asksForSpam(readFilter(filter) ?? [])) return 'spam'
  return filter.includeSpam === true ? 'all' : 'mail'
}

function isTurned({ kind }: Wish, { unread, hasAttachment }: MessageFilter): boolean {
  return (kind === 'unread' && unread === false) || (kind === 'attachment' && hasAttachment === false)
}

/** A whole address (or `@` and a domain) matches exactly; otherwise words of names and addresses, the last of which may be a prefix. */
function people(field: 'from' | 'to', value: string, unfinished: boolean): Wish {
  const text = value.trim()
  if (/^[^\s@"<>]*@[^\s@"<>]+\.[^\s@"<>]+$/.test(text)) return { kind: 'address', field, address: text }
  return { kind: 'words', field, terms: termsOf(text, unfinished) }
}

function phrase(field: Field, text: string, unfinished: boolean): Wish {
  const terms = termsOf(text, unfinished)
  const finder = phraseFinder(text, unfinished)
  return { kind: 'words', field, terms, ...(finder ? { phrase: finder } : {}) }
}

/** `-`, an operator with its colon, a phrase, or text up to the next space; curly quotes count as straight. */
const PIECE = /(-?)(?:([a-z_]+):)?(?:"([^"]*)"|(\S*))(?=\s|$)/iy

interface Piece {
  text: string
  value: string
  isPhrase: boolean
  isLast: boolean
  not: boolean
}

function readQuery(q: string): Wanted[] {
  const query = q.replace(/[“”„‟«»]/g, '"').trim()
  const wanted: Wanted[] = []
  for (let at = 0; at < query.length;) {
    const space = /\s*/y
    space.lastIndex = at
    at += space.exec(query)?.[0].length ?? 0
    PIECE.lastIndex = at
    const match = PIECE.exec(query)
    const [text = '', minus, operator, phrase, word] = match ?? []
    if (!match || (word?.includes('"') && /^-?(?:[a-z_]+:)?"/i.test(text))) {
      throw misunderstood(query.slice(at), 'A quote that is opened has to be closed, with a space after it.')
    }
    at += text.length
    const piece = {
      text,
      value: phrase ?? word ?? '',
      isPhrase: phrase !== undefined,
      isLast: at === query.length,
      not: minus === '-',
    }
    wanted.push(...(operator === undefined ? plain(piece) : operated(piece, operator)))
  }
  return wanted
}

/** Punctuation without a word is ignored. */
function plain({ value, isPhrase, isLast, not }: Piece): Wanted[] {
  const wish: Wish = isPhrase
    ? phrase('any', value, false)
    : { kind: 'words', field: 'any', terms: termsOf(value, isLast && !not) }
  return wish.kind === 'words' && wish.terms.length === 0 ? [] : [{ wish, not }]
}

const OPERATORS: Record<string, (piece: Piece) => Wanted> = {
  from: (piece) => inField('from', piece),
  to: (piece) => inField('to', piece),
  subject: (piece) => inField('subject', piece),
  label: ({ text, value, not }) => {
    const label = value.toLowerCase()
    if (!LABEL.test(label)) throw misunderstood(text, 'A label has 1 to 64 characters of a-z, 0-9 and - _ . / : only.')
    return { wish: { kind: 'label', label }, not }
  },
  has: ({ text, value, not }) => {
    if (!/^attachments?$/i.test(value)) throw misunderstood(text, 'Only has:attachment is supported.')
    return { wish: { kind: 'attachment' }, not }
  },
  is: ({ text, value, not }) => {
    const state = value.toLowerCase()
    if (state !== 'unread' && state !== 'read') throw misunderstood(text, 'Write is:unread or is:read.')
    return { wish: { kind: 'unread' }, not: (state === 'read') !== not }
  },
  in: ({ text, value, not }) => {
    const folder = value.toLowerCase()
    if (folder === 'trash') throw misunderstood(text, 'The trash is not searched; GET /v1/trash lists it.')
    if (!/^(inbox|sent|spam)$/.test(folder)) throw misunderstood(text, 'Write in:inbox, in:sent or in:spam.')
    return { wish: { kind: 'label', label: folder }, not }
  },
  before: ({ text, value, not }) => ({ wish: { kind: 'before', time: timeOf(text, value) }, not }),
  after: ({ text, value, not }) => ({ wish: { kind: 'after', time: timeOf(text, value) }, not }),
}

function operated(piece: Piece, name: string): Wanted[] {
  const { text, value, isPhrase } = piece
  const operator = Object.hasOwn(OPERATORS, name.toLowerCase()) ? OPERATORS[name.toLowerCase()] : undefined
  if (operator) {
    if (value.trim() === '') throw misunderstood(text, `\`${name}:\` has no value.`)
    return [operator(piece)]
  }
  // `Re:` in a subject and web addresses are words too.
  if ((value === '' && !isPhrase) || value.startsWith('//')) return plain({ ...piece, value: `${name}:${value}` })
  throw misunderstood(text, `There is no operator \`${name}:\`; to look for the text itself, write "${name} ${value}".`)
}

function inField(field: 'from' | 'to' | 'subject', { text, value, isPhrase, not }: Piece): Wanted {
  const wish: Wish = isPhrase
    ? phrase(field, value, false)
    : field === 'subject'
      ? { kind: 'words' as const, field, terms: termsOf(value, !not) }
      : people(field, value, !not)
  if (wish.kind === 'words' && wish.terms.length === 0) throw misunderstood(text, 'There is no word in it.')
  return { wish, not }
}

/** A day means its start, UTC. */
function timeOf(text: string, value: string): number {
  const day = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(value)
  const [year, month, date] = (day ?? []).slice(1).map(Number)
  const time = day ? Date.UTC(year ?? 0, (month ?? 0) - 1, date) : isTime(value) ? Date.parse(value) : Number.NaN
  const isReal = day ? new Date(time).getUTCDate() === date && new Date(time).getUTCMonth() === (month ?? 0) - 1 : true
  if (Number.isNaN(time) || !isReal) {
    throw misunderstood(text, 'Write a day as 2026-01-31 (it begins at 00:00 UTC) or a time as 2026-01-31T09:30:00Z.')
  }
  return time
}

/** RFC 3339 with offset. */
const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(value)

function misunderstood(text: string, problem: string): ServiceError {
  const piece = cut(text, 60)
  return invalidRequest(
    `The query can't be understood at \`${piece}\`.`,
    'Write words, "phrases", from: to: subject: label: has:attachment is:unread is:read in:inbox|sent|spam before: after:, any of them with - before it to leave it out.',
    [{ field: 'q', problem: `${piece} — ${problem}` }],
  )
}
