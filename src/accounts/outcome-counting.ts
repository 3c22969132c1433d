/** Outcomes stored with an account. They are counted in the transaction that causes them, so each counts once; they move its trust level or suspend it. */
import { type Clock, DAY } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { readValue } from '../store/values.js'
import { dayOf, isNone, isUrgent, NO_OUTCOMES, plus, type DayCounts, type OutcomeCounts } from './outcomes.js'
import { accountPartition, noSuchAccount, putAccount, readAccount } from './record.js'
import {
  changedOn,
  judge,
  MAX_LEVEL,
  NEW_TRUST,
  suspensionCause,
  type LevelChange,
  type TrustLines,
  type TrustState,
} from './trust.js'
import type { AccountRecord, Accounts } from './types.js'

/** Days stored: rules look back 30 days. */
const KEPT_DAYS = 40
const SWEPT_AT_ONCE = 50
/**
 * Recipients between two judgements. The account is judged, which reads all of its days, on the first outcome of a day, on each bad one, and
 * otherwise after this many recipients; so it may be late by as many. Reading its trust judges it first.
 */
const JUDGED_EVERY = 10
const step = ({ sent }: OutcomeCounts): number => Math.floor(sent / JUDGED_EVERY)

const STATE = key('trust')
const dayKey = (day: number): Uint8Array => key('outcomes', day)
const daysRange = prefixRange('outcomes')

export interface CountingDeps {
  store: Store
  clock: Clock
  lines: TrustLines
  /** Called within a transaction of the account. */
  suspend: (tx: Transaction, account: AccountRecord, reason: string) => Promise<void>
  onLevel?: ((accountId: string, change: LevelChange) => void) | undefined
}

export async function readDays(view: View): Promise<DayCounts[]> {
  const rows = await view.range({ ...daysRange, limit: KEPT_DAYS * 2 })
  return rows.map(([row, value]) => ({ day: Number(keyParts(row)[1]), ...decode<OutcomeCounts>(value) }))
}

/** @returns `before`: undefined for the first outcome of its day */
export async function addToDay(
  tx: Transaction,
  { day, ...delta }: DayCounts,
): Promise<{ before: OutcomeCounts | undefined; after: OutcomeCounts }> {
  const before = await readValue<OutcomeCounts>(tx, dayKey(day))
  const after = plus(before ?? NO_OUTCOMES, delta)
  tx.put(dayKey(day), encode(after))
  return { before, after }
}

export async function readTrust(view: View): Promise<TrustState> {
  return (await readValue<TrustState>(view, STATE)) ?? NEW_TRUST
}

/** Clears all counts up to now for suspensions. Part of the commit that ends a suspension. */
export async function clearLines(tx: Transaction, today: number): Promise<void> {
  const cleared = await countsOf(tx, today)
  tx.put(STATE, encode({ ...(await readTrust(tx)), cleared } satisfies TrustState))
}

export function createCounting(deps: CountingDeps): Pick<Accounts, 'countWithin' | 'trust' | 'setTrust'> {
  const { store, clock, lines } = deps

  /** Adds to a day of the account, and judges the account if that may change something. Does nothing when there is no such account. */
  async function add(tx: Transaction, delta: DayCounts): Promise<void> {
    const today = dayOf(clock)
    const account = await readAccount(tx)
    if (!account || delta.day <= today - KEPT_DAYS) return
    const { before, after } = await addToDay(tx, delta)
    if (!before) await sweep(tx, today)
    if (before && !isUrgent(delta) && step(before) === step(after)) return
    await judgeWithin(tx, account)
  }

  /** Moves the level or suspends the account by the rules. @returns its new trust */
  async function judgeWithin(
    tx: Transaction,
    account: AccountRecord,
  ): Promise<{ level: number; state: TrustState; days: DayCounts[] }> {
    const today = dayOf(clock)
    const [days, before] = [await readDays(tx), await readTrust(tx)]
    const cause = account.suspension ? undefined : suspensionCause(days, before.cleared, today, lines)
    const given = { level: account.trust, state: before, changedOn: changedOn(before) }
    const judgement = judge(given, days, today, lines)
    if (judgement.kind === 'stays') {
      if (cause !== undefined) await deps.suspend(tx, account, cause)
      return { level: account.trust, state: before, days }
    }
    const { to, why } = judgement
    const last: LevelChange = { at: clock.now(), from: account.trust, to, by: 'service', why }
    const state: TrustState = {
      ...before,
      last,
      spent: judgement.kind === 'down' ? countsAt(days, today) : before.spent,
    }
    tx.put(STATE, encode(state))
    const moved = { ...account, trust: to }
    putAccount(tx, moved)
    if (cause !== undefined) await deps.suspend(tx, moved, cause)
    tx.afterCommit(() => deps.onLevel?.(account.id, last))
    return { level: to, state, days }
  }

  return {
    async countWithin(tx, accountId, counts, at = clock.now()) {
      if (!isNone(counts)) await add(tx.in(accountPartition(accountId)), { ...counts, day: Math.floor(at / DAY) })
    },

    async trust(accountId) {
      const trust = await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        if (!account) throw noSuchAccount()
        return judgeWithin(tx, account)
      })
      return { ...trust, today: dayOf(clock), lines }
    },

    async setTrust(accountId, { level, pinned }) {
      if (level !== undefined && !(Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL)) {
        throw invalidRequest(`Levels of trust are 0 to ${MAX_LEVEL}.`, 'Give one of these levels.', [
          { field: 'level', problem: `must be a whole number from 0 to ${MAX_LEVEL}` },
        ])
      }
      await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        if (!account) throw noSuchAccount()
        const before = await readTrust(tx)
        const state: TrustState = { ...before, pinned: pinned ?? before.pinned }
        if (level !== undefined && level !== account.trust) {
          state.last = { at: clock.now(), from: account.trust, to: level, by: 'operator', why: 'set by the operator' }
          putAccount(tx, { ...account, trust: level })
        }
        // Outcomes known when the operator set the level do not lower it.
        if (level !== undefined) state.spent = await countsOf(tx, dayOf(clock))
        tx.put(STATE, encode(state))
      })
    },
  }
}

async function countsOf(view: View, day: number): Promise<DayCounts> {
  return { day, ...((await readValue<OutcomeCounts>(view, dayKey(day))) ?? NO_OUTCOMES) }
}

function countsAt(days: readonly DayCounts[], day: number): DayCounts {
  return days.find((each) => each.day === day) ?? { day, ...NO_OUTCOMES }
}

async function sweep(tx: Transaction, today: number): Promise<void> {
  const oldest = Math.max(0, today - KEPT_DAYS)
  const days = await tx.range({ gte: daysRange.gte, lt: dayKey(oldest), limit: SWEPT_AT_ONCE })
  for (const [old] of days) tx.delete(old)
}
