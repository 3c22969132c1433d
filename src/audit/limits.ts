/**
 * How much of a day each account and network has taken of the audit log: who makes keys without end fills no disk. Known in memory, and made again from the
 * day's entries at the first need after a start, so that an entry is one row.
 */
import { clientNetwork } from '../lib/ip.js'
import { decode } from '../store/keys.js'
import { pagesOf } from '../store/pages.js'
import type { Store } from '../store/types.js'
import * as keys from './keys.js'
import { dayOf } from './keys.js'
import type { StoredEntry } from './keys.js'
import type { Action, Actor } from './types.js'

/** Entries of one account or network in a day, of claims that nobody answered, and of sign-ins that failed. The operator and the service are not counted. */
export const MAX_ENTRIES_A_DAY = 2000
/** Days whose counts are known at once: today, and one to either side for what is told late. */
const MAX_DAYS = 3

export const UNLIMITED: ReadonlySet<Actor['type']> = new Set(['operator', 'staff', 'system'])
/** Limited all together: strangers make them, from as many networks as they have. */
const BY_STRANGERS: ReadonlySet<string> = new Set<Action>(['claim.expired', 'sign_in.failed'])

export interface DayLimits {
  /** Counts an entry. @returns false when whoever caused it has had theirs for the day: then it is counted as not kept */
  admit(entry: StoredEntry): boolean
  readonly notKept: number
}

/** @returns gives the limits of a day */
export function createLimits(store: Store): (day: string) => Promise<DayLimits> {
  const known = new Map<string, Promise<DayLimits>>()
  return (day) => {
    const limits = known.get(day) ?? countDay(store, day)
    if (!known.has(day)) {
      if (known.size === MAX_DAYS) known.clear()
      known.set(day, limits)
      limits.catch(() => known.delete(day))
    }
    return limits
  }
}

async function countDay(store: Store, day: string): Promise<DayLimits> {
  const partition = keys.dayPartition(day)
  const made = new Map<string, number>()
  const count = (who: string): void => void made.set(who, (made.get(who) ?? 0) + 1)
  let { notKept } = await store.read(partition, dayOf)
  for await (const rows of pagesOf(store, partition, keys.entriesRange))
    for (const [, value] of rows) {
      const who = countedFor(decode<StoredEntry>(value))
      if (who !== undefined) count(who)
    }
  return {
    admit(entry) {
      const who = countedFor(entry)
      if (who === undefined) return true
      const isKept = (made.get(who) ?? 0) < MAX_ENTRIES_A_DAY
      if (isKept) count(who)
      else notKept++
      return isKept
    },
    get notKept() {
      return notKept
    },
  }
}

/** Whose share of the day an entry is; undefined where it is of nobody's. */
function countedFor({ action, actor, subject, from }: StoredEntry): string | undefined {
  if (BY_STRANGERS.has(action)) return action
  if (UNLIMITED.has(actor.type)) return undefined
  return subject.account_id ?? subject.mailbox_id ?? (from ? clientNetwork(from.address) : actor.type)
}
