/**
 * Outcomes as they are kept with an account, and what follows from them: its level moves, or it is suspended. A mailbox counts in its own commits
 * (mailbox/tally.ts); what is new since last time is added here, in one commit with how far each mailbox was counted. So a crash in between
 * neither loses nor doubles anything, and a commit serves any number of messages.
 */
import type { Clock } from '../lib/clock.js'
import { DAY } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { dayOf, isNone, minus, NO_OUTCOMES, OUTCOMES, plus } from './outcomes.js'
import type { DayCounts, OutcomeCounts } from './outcomes.js'
import { accountIdOf, accountPartition, noSuchAccount, putAccount, readAccount } from './record.js'
import { changedOn, judge, MAX_LEVEL, NEW_TRUST, suspensionCause } from './trust.js'
import type { LevelChange, TrustLines, TrustState } from './trust.js'
import type { AccountRecord, Accounts } from './types.js'

/** Days that are kept: what is looked back on is 30. */
const KEPT_DAYS = 40
const SWEPT_AT_ONCE = 50

const STATE = key('trust')
const dayKey = (day: number): Uint8Array => key('outcomes', day)
const daysRange = prefixRange('outcomes')
/** What was counted of a mailbox. */
const countedKey = (mailboxId: string): Uint8Array => key('counted', mailboxId)
const reviewKey = (messageId: string): Uint8Array => key('review-counted', messageId)
const reviewAgeKey = (day: number, messageId: string): Uint8Array => key('review-counted-on', day, messageId)

export interface CountingDeps {
  store: Store
  clock: Clock
  lines: TrustLines
  suspend: (accountId: string, reason: string) => Promise<AccountRecord>
  /** Counts what mailboxes know and the account does not yet; nothing to wait for without it. */
  settle?: (() => Promise<void>) | undefined
  onLevel?: ((accountId: string, change: LevelChange) => void) | undefined
}

/** The days that are kept, the oldest first. */
export async function readDays(view: View): Promise<DayCounts[]> {
  const rows = await view.range({ ...daysRange, limit: KEPT_DAYS * 2 })
  return rows.map(([row, value]) => ({ day: Number(keyParts(row)[1]), ...decode<OutcomeCounts>(value) }))
}

export async function readTrust(view: View): Promise<TrustState> {
  const bytes = await view.get(STATE)
  return bytes ? decode<TrustState>(bytes) : NEW_TRUST
}

/** Everything that was counted up to now suspends no more. Within the commit that ends a suspension. */
export async function clearLines(tx: Transaction, today: number): Promise<void> {
  const cleared = await countsOf(tx, today)
  tx.put(STATE, encode({ ...(await readTrust(tx)), cleared } satisfies TrustState))
}

/** What a transaction found to count, and what else it writes then. */
interface Found {
  deltas: DayCounts[]
  note(): void
}

export function createCounting(
  deps: CountingDeps,
): Pick<Accounts, 'countOutcomes' | 'countReview' | 'trust' | 'setTrust'> {
  const { store, clock, lines } = deps

  /** A suspension comes before what it is for is counted, so that no crash leaves it out. */
  async function count(accountId: string, find: (tx: Transaction) => Promise<Found | undefined>): Promise<void> {
    const isOperators = (await store.read('meta', (view) => accountIdOf(view, null))) === accountId
    for (;;) {
      const done = await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        const found = account && (await find(tx))
        if (!account || !found) return { change: undefined }
        const today = dayOf(clock)
        const days = withDeltas(await readDays(tx), found.deltas, today)
        const state = await readTrust(tx)
        const cause = account.suspension || isOperators ? undefined : suspensionCause(days, state.cleared, today, lines)
        if (cause !== undefined) return { suspendFor: cause }
        putDays(tx, days, found.deltas)
        found.note()
        await sweep(tx, today)
        return { change: move(tx, account, state, days, today) }
      })
      if (done.suspendFor === undefined) {
        if (done.change) deps.onLevel?.(accountId, done.change)
        return
      }
      await deps.suspend(accountId, done.suspendFor)
    }
  }

  function move(
    tx: Transaction,
    account: AccountRecord,
    state: TrustState,
    days: DayCounts[],
    today: number,
  ): LevelChange | undefined {
    const judgement = judge({ level: account.trust, state, changedOn: changedOn(state) }, days, today, lines)
    if (judgement.kind === 'stays') return undefined
    const { to, why } = judgement
    const last: LevelChange = { at: clock.now(), from: account.trust, to, by: 'service', why }
    const spent = judgement.kind === 'down' ? countsAt(days, today) : state.spent
    tx.put(STATE, encode({ ...state, last, spent } satisfies TrustState))
    putAccount(tx, { ...account, trust: to })
    return last
  }

  return {
    countOutcomes: (accountId, tallies) =>
      count(accountId, async (tx) => {
        const before = await tx.getMany(tallies.map(({ mailboxId }) => countedKey(mailboxId)))
        const news = tallies.map(({ mailboxId, days }, i) => {
          const bytes = before[i]
          const deltas = deltasOf(days, bytes ? decode<DayCounts[]>(bytes) : [])
          return { mailboxId, days, deltas }
        })
        const changed = news.filter(({ deltas }) => deltas.length > 0)
        if (changed.length === 0) return undefined
        return {
          deltas: changed.flatMap(({ deltas }) => deltas),
          note: () => changed.forEach(({ mailboxId, days }) => tx.put(countedKey(mailboxId), encode(days))),
        }
      }),

    countReview: (accountId, { messageId, approved, blockedAt }) =>
      count(accountId, async (tx) => {
        const bytes = await tx.get(reviewKey(messageId))
        const today = dayOf(clock)
        // Where the guard's block was counted, or this one is.
        const day = blockedAt === null ? today : Math.floor(blockedAt / DAY)
        const before = bytes
          ? decode<{ blocks: number; day: number }>(bytes)
          : { blocks: blockedAt === null ? 0 : 1, day }
        const after = { blocks: approved ? 0 : 1, day: before.blocks === 1 ? before.day : today }
        if (after.blocks === before.blocks) return undefined
        return {
          deltas: [{ day: after.day, ...NO_OUTCOMES, blocks: after.blocks - before.blocks }],
          note() {
            tx.put(reviewKey(messageId), encode(after))
            tx.put(reviewAgeKey(today, messageId), encode(1))
          },
        }
      }),

    async trust(accountId) {
      await deps.settle?.()
      return store.read(accountPartition(accountId), async (view) => {
        const account = await readAccount(view)
        if (!account) throw noSuchAccount()
        return {
          level: account.trust,
          state: await readTrust(view),
          days: await readDays(view),
          today: dayOf(clock),
          lines,
        }
      })
    },

    async setTrust(accountId, { level, pinned }) {
      if (level !== undefined && !(Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL)) {
        throw invalidRequest(`Levels of trust are 0 to ${MAX_LEVEL}.`, 'Give one of them.', [
          { field: 'level', problem: `a whole number from 0 to ${MAX_LEVEL}` },
        ])
      }
      await deps.settle?.()
      await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        if (!account) throw noSuchAccount()
        const before = await readTrust(tx)
        const state: TrustState = { ...before, pinned: pinned ?? before.pinned }
        if (level !== undefined && level !== account.trust) {
          state.last = { at: clock.now(), from: account.trust, to: level, by: 'operator', why: 'set by the operator' }
          putAccount(tx, { ...account, trust: level })
        }
        // What the operator knew of lowers nothing that they set.
        if (level !== undefined) state.spent = await countsOf(tx, dayOf(clock))
        tx.put(STATE, encode(state))
      })
    },
  }
}

async function countsOf(view: View, day: number): Promise<DayCounts> {
  const bytes = await view.get(dayKey(day))
  return { day, ...(bytes ? decode<OutcomeCounts>(bytes) : NO_OUTCOMES) }
}

function countsAt(days: readonly DayCounts[], day: number): DayCounts {
  return days.find((each) => each.day === day) ?? { day, ...NO_OUTCOMES }
}

/** What a mailbox counted since it was counted last. */
function deltasOf(now: readonly DayCounts[], before: readonly DayCounts[]): DayCounts[] {
  return now
    .map((each) => ({ day: each.day, ...minus(each, countsAt(before, each.day)) }))
    .filter((delta) => !isNone(delta))
}

/** The days with what is new; what is too old to be looked at is left out. */
function withDeltas(days: readonly DayCounts[], deltas: readonly DayCounts[], today: number): DayCounts[] {
  const byDay = new Map(days.map((each) => [each.day, each]))
  for (const delta of deltas) {
    if (delta.day <= today - KEPT_DAYS) continue
    byDay.set(delta.day, { day: delta.day, ...plus(byDay.get(delta.day) ?? NO_OUTCOMES, delta) })
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

function putDays(tx: Transaction, days: readonly DayCounts[], deltas: readonly DayCounts[]): void {
  const changed = new Set(deltas.map(({ day }) => day))
  for (const counts of days) {
    if (!changed.has(counts.day)) continue
    tx.put(dayKey(counts.day), encode(Object.fromEntries(OUTCOMES.map((name) => [name, counts[name]]))))
  }
}

async function sweep(tx: Transaction, today: number): Promise<void> {
  const oldest = Math.max(0, today - KEPT_DAYS)
  const days = await tx.range({ gte: daysRange.gte, lt: dayKey(oldest), limit: SWEPT_AT_ONCE })
  for (const [old] of days) tx.delete(old)
  const reviews = prefixRange('review-counted-on')
  for (const [old] of await tx.range({
    gte: reviews.gte,
    lt: key('review-counted-on', oldest),
    limit: SWEPT_AT_ONCE,
  })) {
    const messageId = keyParts(old)[2]
    if (typeof messageId === 'string') tx.delete(reviewKey(messageId))
    tx.delete(old)
  }
}
