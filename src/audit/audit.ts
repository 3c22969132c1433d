/**
 * Writing the audit log. What somebody asks for is written before it is done and settled afterwards (`around`), so that no crash loses the entry of a
 * change that happened: an entry that was never settled is shown as `unknown`. What is one transaction writes its entry with it (`within`). What the service does by itself is written by the task that follows it, under
 * an id that says what it is about (`record`).
 */
import type { Clock } from '../lib/clock.js'
import { timestamp, utcDay } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { clientNetwork } from '../lib/ip.js'
import { cut, oneLine } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import type { Metrics } from '../observe/metrics.js'
import { decode, encode } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { createErase } from './erase.js'
import * as keys from './keys.js'
import type { DayRow, StoredEntry } from './keys.js'
import { createList, daysOf } from './list.js'
import type { Action, Actor, Audit, NewEntry, Note, Outcome, Subject } from './types.js'

export interface AuditDeps {
  store: Store
  clock: Clock
  retentionMs: number
  log: Pick<Log, 'info' | 'error'>
  metrics?: Metrics | undefined
}

/**
 * Entries of one account or network in a day, of claims that nobody answered, and of sign-ins that failed: who makes keys without end fills no disk. The
 * operator and the service are not counted.
 */
export const MAX_ENTRIES_A_DAY = 2000
/** Rows that one commit of a sweep takes away. */
const STEP = 500
const MAX_TEXT = 500
const MAX_USER_AGENT = 120
const UNLIMITED: ReadonlySet<Actor['type']> = new Set(['operator', 'staff', 'system'])
/** Limited all together: strangers make them, from as many networks as they have. */
const BY_STRANGERS: ReadonlySet<string> = new Set<Action>(['claim.expired', 'sign_in.failed'])

export function createAudit({ store, clock, retentionMs, log, metrics }: AuditDeps): Audit {
  const knownDays = new Set<string>()
  const counter = metrics?.counter('audit_entries_total', 'Entries of the audit log, by action and how it went.', [
    'action',
    'result',
  ])

  /** In a transaction of its day. @returns whether it is new, and kept */
  async function enter(tx: Transaction, entry: StoredEntry): Promise<boolean> {
    const at = Date.parse(entry.at)
    const day = utcDay(at)
    const place = keys.entryKey(at, entry.id)
    if (await tx.get(place)) return false
    if (!knownDays.has(day)) {
      tx.blind(keys.DAYS_PARTITION).put(keys.dayKey(day), new Uint8Array(0))
      tx.afterCommit(() => {
        if (knownDays.size > 100) knownDays.clear()
        knownDays.add(day)
      })
    }
    const isKept = await admit(tx, entry)
    await changeDay(tx, (row) => (isKept ? { ...row, kept: row.kept + 1 } : { ...row, notKept: row.notKept + 1 }))
    if (isKept) tx.put(place, encode(entry))
    return isKept
  }

  async function put(entry: StoredEntry): Promise<boolean> {
    const day = utcDay(Date.parse(entry.at))
    return store.write(keys.dayPartition(day), (tx) => enter(tx, entry))
  }

  const unwritten =
    ({ id }: StoredEntry) =>
    (err: unknown): false => {
      log.error({ err, audit_id: id }, 'an entry of the audit log could not be written')
      return false
    }

  function tell(entry: StoredEntry): void {
    const { id, action, result, code, actor, request_id, subject } = entry
    const { address: _address, name: _name, ...ids } = subject
    counter?.inc({ action, result: result ?? 'unknown' })
    log.info(
      {
        audit_id: id,
        action,
        result,
        ...(code !== null && { code }),
        actor: actor.type,
        actor_id: actor.id,
        request_id,
        ...ids,
      },
      'audit',
    )
  }

  /** Replaces or takes away an entry that was written as begun. One that was over the limit is not there. */
  async function settle(entry: StoredEntry, isNothing: boolean): Promise<void> {
    const at = Date.parse(entry.at)
    await store.write(keys.dayPartition(utcDay(at)), async (tx) => {
      const place = keys.entryKey(at, entry.id)
      if (!(await tx.get(place))) return
      if (!isNothing) return tx.put(place, encode(entry))
      tx.delete(place)
      await changeDay(tx, (row) => ({ ...row, kept: row.kept - 1 }))
    })
    if (!isNothing) tell(entry)
  }

  return {
    async record(given) {
      const entry: StoredEntry = { ...stored(given, clock.now()), result: 'done' }
      if (await put(entry)) tell(entry)
    },

    async around(given, change, made) {
      const begun = stored(given, clock.now())
      await put(begun)
      let result: Awaited<ReturnType<typeof change>>
      try {
        result = await change()
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : 'internal'
        const isRefused = code !== 'internal'
        // What agents, owners and strangers are refused is in the answers and their metrics; only the operator's and the staff's tries are kept.
        const isNothing = isRefused && !UNLIMITED.has(given.actor.type)
        const settled: StoredEntry = { ...begun, result: isRefused ? 'refused' : 'failed', code }
        await settle(settled, isNothing).catch((err: unknown) =>
          log.error({ err, audit_id: begun.id }, 'an entry of the audit log stays unsettled'),
        )
        throw error
      }
      const outcome = made?.(result) ?? {}
      const { isNothing = false } = outcome
      const settled = done(begun, outcome)
      // The change is made, and its entry is there: that it is not settled must not make a failure of it.
      await settle(settled, isNothing).catch((err: unknown) =>
        log.error({ err, audit_id: begun.id }, 'an entry of the audit log stays unsettled'),
      )
      return result
    },

    async within(given, change) {
      const begun = stored(given, clock.now())
      const partition = keys.dayPartition(utcDay(Date.parse(begun.at)))
      const note: Note = {
        partition,
        async write(tx, outcome = {}) {
          if (outcome.isNothing) return
          const entry = done(begun, outcome)
          if (await enter(tx.in(partition), entry)) tx.afterCommit(() => tell(entry))
        },
      }
      try {
        return await change(note)
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : 'internal'
        const entry: StoredEntry = { ...begun, result: code === 'internal' ? 'failed' : 'refused', code }
        if (UNLIMITED.has(given.actor.type) && (await put(entry).catch(unwritten(entry)))) tell(entry)
        throw error
      }
    },

    list: createList({ store, clock, retentionMs }),
    forget: createErase(store),

    async count() {
      let all = 0
      for (const day of await daysOf(store)) all += (await store.read(keys.dayPartition(day), dayRow)).kept
      return all
    },

    async sweep(signal) {
      let removed = 0
      for (const day of await daysOf(store)) {
        if (keys.endOfDay(day) > clock.now() - retentionMs) break
        let gone = STEP
        while (gone === STEP) {
          if (signal.aborted) return removed
          gone = await dropSome(store, day)
          removed += gone
        }
        await store.write(keys.DAYS_PARTITION, (tx) => tx.delete(keys.dayKey(day)))
        knownDays.delete(day)
      }
      return removed
    },
  }
}

async function dayRow(view: Pick<Transaction, 'get'>): Promise<DayRow> {
  const bytes = await view.get(keys.dayRowKey)
  return bytes ? decode<DayRow>(bytes) : keys.EMPTY_DAY
}

async function changeDay(tx: Transaction, change: (row: DayRow) => DayRow): Promise<void> {
  tx.put(keys.dayRowKey, encode(change(await dayRow(tx))))
}

async function admit(tx: Transaction, { action, actor, subject, from }: StoredEntry): Promise<boolean> {
  if (UNLIMITED.has(actor.type) && !BY_STRANGERS.has(action)) return true
  const who = BY_STRANGERS.has(action)
    ? action
    : (subject.account_id ?? subject.mailbox_id ?? (from ? clientNetwork(from.address) : actor.type))
  const bytes = await tx.get(keys.madeKey(who))
  const made = bytes ? decode<number>(bytes) : 0
  if (made >= MAX_ENTRIES_A_DAY) return false
  tx.put(keys.madeKey(who), encode(made + 1))
  return true
}

function stored({ id, at, action, actor, from, requestId, subject, reason }: NewEntry, now: number): StoredEntry {
  return {
    id: id ?? newId('aud', at ?? now),
    at: timestamp(at ?? now),
    action,
    result: null,
    code: null,
    reason: reason === undefined ? null : textOf(reason),
    actor: { ...actor, name: actor.name === null ? null : textOf(actor.name) },
    from: from
      ? { address: from.address, user_agent: from.user_agent && cut(oneLine(from.user_agent), MAX_USER_AGENT) }
      : null,
    request_id: requestId ?? null,
    subject: bounded(subject),
  }
}

function done(begun: StoredEntry, { subject, reason }: Outcome): StoredEntry {
  return {
    ...begun,
    result: 'done',
    subject: { ...begun.subject, ...bounded(subject ?? {}) },
    reason: reason === undefined ? begun.reason : textOf(reason),
  }
}

function bounded(subject: Subject): Subject {
  return Object.fromEntries(Object.entries(subject).map(([field, value]) => [field, textOf(value)]))
}

function textOf(text: string): string {
  return cut(oneLine(text), MAX_TEXT)
}

function dropSome(store: Store, day: string): Promise<number> {
  return store.write(keys.dayPartition(day), async (tx) => {
    const rows = await tx.range({ ...keys.everythingRange, limit: STEP })
    for (const [key] of rows) tx.delete(key)
    return rows.length
  })
}
