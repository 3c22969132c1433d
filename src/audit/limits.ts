/**
 * Daily limits of audit log entries per account and network, so that nobody fills the disk. Counts are in memory, shared with the other daemons on the store,
 * and rebuilt from the day's entries after a start, so that an entry is one row.
 */
import { clientNetwork } from '../lib/ip.js'
import { decode } from '../store/keys.js'
import type { SharedCounts } from '../store/nodes/shared-counts.js'
import { rowsOf } from '../store/pages.js'
import type { Store } from '../store/types.js'
import * as keys from './keys.js'
import { dayOf, type StoredEntry } from './keys.js'
import type { Action, Actor } from './types.js'

/** Max entries per day of one account or network, of expired claims, and of failed sign-ins. The operator and the service are not limited. */
export const MAX_ENTRIES_A_DAY = 2000
/** Days with counts in memory: today, and one on either side for late entries. */
const MAX_DAYS = 3

export const UNLIMITED: ReadonlySet<Actor['type']> = new Set(['operator', 'staff', 'system'])
/** Limited in total: strangers cause them, from many networks. */
const BY_STRANGERS: ReadonlySet<string> = new Set<Action>(['claim.expired', 'sign_in.failed'])

/** No id, network or action has this name. */
const NOT_KEPT = '-'

export type DayLimits = Awaited<ReturnType<typeof countDay>>

/** @returns a function that gives the limits of a day */
export function createLimits(store: Store, shared: SharedCounts): (day: string) => Promise<DayLimits> {
  const known = new Map<string, Promise<DayLimits>>()
  // A day that is not counted yet will be, with the entries of all; a failure to count it is told to whoever asks for the day.
  const tell = shared.join('audit entries', (name, count) => {
    const [day = '', who = ''] = name.split(' ')
    void known.get(day)?.then(
      (limits) => limits.take(who, count),
      () => undefined,
    )
  })
  return (day) => {
    const limits = known.get(day) ?? countDay(store, day, (who) => tell(`${day} ${who}`, 1))
    if (!known.has(day)) {
      if (known.size === MAX_DAYS) known.clear()
      known.set(day, limits)
      limits.catch(() => known.delete(day))
    }
    return limits
  }
}

/** @param tell tells the other daemons of an entry of `who`, or with `NOT_KEPT` of one that is left out */
async function countDay(store: Store, day: string, tell: (who: string) => void) {
  const partition = keys.dayPartition(day)
  const made = new Map<string, number>()
  const count = (who: string, entries = 1): void => void made.set(who, (made.get(who) ?? 0) + entries)
  let { notKept } = await store.read(partition, dayOf)
  for await (const [, value] of rowsOf(store, partition, keys.entriesRange)) {
    const who = countedFor(decode<StoredEntry>(value))
    if (who !== undefined) count(who)
  }
  return {
    /** Counts an entry. @returns false if its cause is over its daily limit: then it is counted as not kept */
    admit(entry: StoredEntry): boolean {
      const who = countedFor(entry)
      if (who === undefined) return true
      const isKept = (made.get(who) ?? 0) < MAX_ENTRIES_A_DAY
      if (isKept) count(who)
      else notKept++
      tell(isKept ? who : NOT_KEPT)
      return isKept
    },
    /** Adds what another daemon has counted. */
    take(who: string, entries: number): void {
      if (who === NOT_KEPT) notKept += entries
      else count(who, entries)
    },
    get notKept(): number {
      return notKept
    },
  }
}

/** Account or network that an entry counts for; undefined if none. */
function countedFor({ action, actor, subject, from }: StoredEntry): string | undefined {
  if (BY_STRANGERS.has(action)) return action
  if (UNLIMITED.has(actor.type)) return undefined
  return subject.account_id ?? subject.mailbox_id ?? (from ? clientNetwork(from.address) : actor.type)
}
