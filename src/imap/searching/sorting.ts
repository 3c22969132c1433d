/** SORT (RFC 5256 §3): criteria in their order, and messages that are equal by all of them in that of the folder. */
import type { TimedTurns } from '../../mailbox/search/turns.js'
import type { Address } from '../../mime/types.js'
import type { SortKey } from '../grammar/search.js'
import { baseSubjectOf, collationKey } from './base-subject.js'
import { type Columns, numberAt } from './columns.js'
import type { PositionReader, SentDates } from './header-facts.js'
import { sortInTurns } from './sort-in-turns.js'
import { type Texts, textsOfShown } from './texts.js'

type Compare = (a: number, b: number) => number

export async function sorted(
  positions: readonly number[],
  criteria: readonly SortKey[],
  mailboxId: string,
  columns: Columns,
  reader: PositionReader,
  sentDates: SentDates,
  turns: TimedTurns,
): Promise<number[]> {
  const texts = await textKeys(positions, criteria, reader)
  const dates = criteria.some(({ by }) => by === 'DATE')
    ? await sentDates.of(mailboxId, positions, columns, reader)
    : undefined
  const comparisons = criteria.map(({ by, reverse }): Compare => {
    const compare = comparison()
    return reverse ? (a, b) => compare(b, a) : compare

    function comparison(): Compare {
      switch (by) {
        case 'ARRIVAL': {
          const { dates: internal } = columns
          return byNumber((at) => numberAt(internal, at))
        }
        case 'SIZE': {
          const { sizes } = columns
          return byNumber((at) => numberAt(sizes, at))
        }
        case 'DATE':
          return byNumber((at) => dates?.get(at)?.ms ?? numberAt(columns.dates, at) * 1000)
        default: {
          const keys = texts.get(by)
          return (a, b) => compareText(keys?.get(a) ?? '', keys?.get(b) ?? '')
        }
      }
    }
  })
  return sortInTurns(
    positions,
    (a, b) => {
      for (const compare of comparisons) {
        const order = compare(a, b)
        if (order !== 0) return order
      }
      return 0
    },
    turns,
  )
}

const byNumber =
  (of: (position: number) => number): Compare =>
  (a, b) =>
    of(a) - of(b)

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

type TextCriterion = 'CC' | 'FROM' | 'SUBJECT' | 'TO'

const TEXTS: Record<TextCriterion, (texts: Texts) => string> = {
  CC: ({ cc }) => mailboxOf(cc[0]),
  FROM: ({ from }) => mailboxOf(from ?? undefined),
  SUBJECT: ({ subject }) => collationKey(baseSubjectOf(subject).base),
  TO: ({ to }) => mailboxOf(to[0]),
}

const isText = (by: SortKey['by']): by is TextCriterion => Object.hasOwn(TEXTS, by)

/** Texts by criterion and position, in one pass over the messages. */
async function textKeys(
  positions: readonly number[],
  criteria: readonly SortKey[],
  reader: PositionReader,
): Promise<Map<SortKey['by'], Map<number, string>>> {
  const wanted = [...new Set(criteria.map(({ by }) => by))].filter(isText)
  const keys = new Map<SortKey['by'], Map<number, string>>()
  if (wanted.length === 0) return keys
  const byCriterion = wanted.map((by) => ({ by, keys: new Map<number, string>() }))
  for (const { by, keys: own } of byCriterion) keys.set(by, own)
  await reader.eachMessage(positions, (read) => {
    const texts = textsOfShown(read)
    for (const { by, keys: own } of byCriterion) own.set(read.position, TEXTS[by](texts))
  })
  return keys
}

/** RFC 5256 §3: addr-mailbox of the first address, which is its local part. */
function mailboxOf(address: Address | undefined): string {
  if (!address) return ''
  const at = address.address.lastIndexOf('@')
  return collationKey(at === -1 ? address.address : address.address.slice(0, at))
}
