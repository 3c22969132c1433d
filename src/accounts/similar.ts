/** Fingerprints (guard/text/similar.ts) of the account's mail of the last day, in one row: at most 64 entries, about 3 KB. */
import { distance, SIMILAR_BITS, type Fingerprint } from '../guard/text/similar.js'
import { DAY, HOUR } from '../lib/clock.js'
import { encode, key } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { readValue } from '../store/values.js'

export interface Similar {
  messages: number
  newRecipients: number
}

const ROW = key('similar')
export const MAX_ENTRIES = 64
/** An entry counts messages for this long, and is dropped a day after it began: results cover the last 18 to 24 hours. */
const ENTRY_MS = 6 * HOUR

/** high, low, begin, messages, new recipients */
type Entry = [number, number, number, number, number]

export async function similarTo(view: View, print: Fingerprint, now: number): Promise<Similar> {
  return sumOf(alike(await readEntries(view, now), print))
}

/** Counts a message. @returns the counts before it */
export async function countSimilar(
  tx: Transaction,
  print: Fingerprint,
  newRecipients: number,
  now: number,
): Promise<Similar> {
  const entries = await readEntries(tx, now)
  const found = alike(entries, print)
  const before = sumOf(found)
  const open = found.find(([, , since]) => now < since + ENTRY_MS)
  if (open) {
    open[3]++
    open[4] += newRecipients
  } else {
    // Under the first one's fingerprint, so that a text that changes a little with each message stays within its distance.
    const [first] = found
    entries.push([first?.[0] ?? print.high, first?.[1] ?? print.low, now, 1, newRecipients])
  }
  // Entries with few messages are dropped first: a flood of single letters does not hide a campaign.
  if (entries.length > MAX_ENTRIES) {
    const least = entries.reduce((a, b) => (b[3] < a[3] || (b[3] === a[3] && b[2] < a[2]) ? b : a))
    entries.splice(entries.indexOf(least), 1)
  }
  tx.put(ROW, encode(entries))
  return before
}

async function readEntries(view: View, now: number): Promise<Entry[]> {
  const entries = (await readValue<Entry[]>(view, ROW)) ?? []
  return entries.filter(([, , since]) => now < since + DAY)
}

function alike(entries: Entry[], print: Fingerprint): Entry[] {
  return entries.filter(([high, low]) => distance({ high, low }, print) <= SIMILAR_BITS)
}

function sumOf(entries: Entry[]): Similar {
  return entries.reduce(
    (sum, [, , , messages, newRecipients]) => ({
      messages: sum.messages + messages,
      newRecipients: sum.newRecipients + newRecipients,
    }),
    { messages: 0, newRecipients: 0 },
  )
}
