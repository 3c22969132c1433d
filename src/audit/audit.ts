/**
 * Writes the audit log. The entry of a requested change is written before it and settled afterwards (`around`), so that no crash loses the entry of a
 * change that happened: an entry that was never settled is shown as `unknown`. A change of one transaction includes its entry (`within`). Changes by the
 * service itself are written by the task that follows them, under a derived id (`record`).
 */
import { type Clock, timestamp, utcDay } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { cut, oneLine } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import type { Metrics } from '../observe/metrics.js'
import { daysOf, sweepDays } from '../store/days.js'
import { decode, encode } from '../store/keys.js'
import { NOT_SHARED, type SharedCounts } from '../store/nodes/shared-counts.js'
import { pagesOf } from '../store/pages.js'
import type { Store, Transaction } from '../store/types.js'
import * as keys from './keys.js'
import type { DayRow, StoredEntry } from './keys.js'
import { createLimits, UNLIMITED, type DayLimits } from './limits.js'
import { createList } from './list.js'
import type { Audit, NewEntry, Note, Outcome, Subject } from './types.js'

export interface AuditDeps {
  store: Store
  clock: Clock
  retentionMs: number
  log: Pick<Log, 'info' | 'error'>
  metrics?: Metrics | undefined
  /** Of all daemons on the store; by default it is alone. */
  shared?: SharedCounts | undefined
}

const MAX_TEXT = 500
const MAX_USER_AGENT = 120
/** Entries per commit of `forget`. */
const STEP = 200

export function createAudit({ store, clock, retentionMs, log, metrics, shared = NOT_SHARED }: AuditDeps): Audit {
  const limitsOf = createLimits(store, shared)
  const counter = metrics?.counter('audit_entries_total', 'Entries of the audit log, by action and result.', [
    'action',
    'result',
  ])

  /** Writes a new entry, or counts it as left out. Reads nothing, so that a change with its entry does not conflict with others. */
  function enter(tx: Transaction, entry: StoredEntry, isKept: boolean, limits: DayLimits): void {
    const at = Date.parse(entry.at)
    const day = tx.blind(keys.dayPartition(utcDay(at)))
    if (isKept) day.put(keys.entryKey(at, entry.id), encode(entry))
    else day.put(keys.dayRowKey, encode({ notKept: limits.notKept } satisfies DayRow))
  }

  /** @returns true if it is new, and kept */
  async function put(entry: StoredEntry): Promise<boolean> {
    const at = Date.parse(entry.at)
    const day = utcDay(at)
    const limits = await limitsOf(day)
    let isKept: boolean | undefined
    return store.write(keys.dayPartition(day), async (tx) => {
      if (await tx.get(keys.entryKey(at, entry.id))) return false
      isKept ??= limits.admit(entry)
      enter(tx, entry, isKept, limits)
      return isKept
    })
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

  /**
   * Replaces or removes an entry that was written as begun; one that was over the limit does not exist. A failure is only logged: the change is made,
   * and its entry exists.
   */
  async function settle(entry: StoredEntry, isKept: boolean, isNothing: boolean): Promise<void> {
    const at = Date.parse(entry.at)
    const place = keys.entryKey(at, entry.id)
    try {
      if (isKept)
        await store.write(keys.dayPartition(utcDay(at)), (tx) =>
          isNothing ? tx.delete(place) : tx.put(place, encode(entry)),
        )
      if (!isNothing) tell(entry)
    } catch (err) {
      log.error({ err, audit_id: entry.id }, 'an entry of the audit log stays unsettled')
    }
  }

  return {
    async record(given) {
      const entry: StoredEntry = { ...stored(given, clock.now()), result: 'done' }
      if (await put(entry)) tell(entry)
    },

    async around(given, change, made) {
      const begun = stored(given, clock.now())
      const isKept = await put(begun)
      let result: Awaited<ReturnType<typeof change>>
      try {
        result = await change()
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : 'internal'
        const isRefused = code !== 'internal'
        // Refusals of agents, owners and strangers are in responses and metrics; only those of the operator and the staff are kept.
        const isNothing = isRefused && !UNLIMITED.has(given.actor.type)
        const settled: StoredEntry = { ...begun, result: isRefused ? 'refused' : 'failed', code }
        await settle(settled, isKept, isNothing)
        throw error
      }
      const outcome = made?.(result) ?? {}
      await settle(done(begun, outcome), isKept, outcome.isNothing ?? false)
      return result
    },

    async within(given, change) {
      const begun = stored(given, clock.now())
      const limits = await limitsOf(utcDay(Date.parse(begun.at)))
      /** Counted once, however often the transaction runs. */
      let isKept: boolean | undefined
      const note: Note = {
        write(tx, outcome = {}) {
          if (outcome.isNothing) return
          const entry = done(begun, outcome)
          isKept ??= limits.admit(entry)
          enter(tx, entry, isKept, limits)
          if (isKept) tx.afterCommit(() => tell(entry))
        },
      }
      try {
        return await change(note)
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : 'internal'
        const entry: StoredEntry = { ...begun, result: code === 'internal' ? 'failed' : 'refused', code }
        const isNew =
          UNLIMITED.has(given.actor.type) &&
          (await put(entry).catch((err: unknown) => {
            log.error({ err, audit_id: entry.id }, 'an entry of the audit log could not be written')
            return false
          }))
        if (isNew) tell(entry)
        throw error
      }
    },

    list: createList(store, clock, retentionMs),
    async forget(accountId, mailboxIds, signal) {
      const mailboxes = new Set(mailboxIds)
      const isMeant = ({ subject }: StoredEntry): boolean =>
        subject.account_id === accountId || mailboxes.has(subject.mailbox_id ?? '')
      for (const day of await daysOf(store, keys.NAME))
        for await (const rows of pagesOf(store, keys.dayPartition(day), { ...keys.entriesRange, limit: STEP })) {
          if (signal?.aborted) return
          const meant = rows.filter(([, value]) => isMeant(decode<StoredEntry>(value)))
          if (meant.length > 0)
            await store.write(keys.dayPartition(day), async (tx) => {
              for (const [key] of meant) {
                const value = await tx.get(key)
                if (value) tx.put(key, encode(withoutPerson(decode<StoredEntry>(value))))
              }
            })
        }
    },

    async count(atMost) {
      let all = 0
      for (const day of await daysOf(store, keys.NAME))
        for await (const rows of pagesOf(store, keys.dayPartition(day), keys.entriesRange)) {
          all += rows.length
          if (all >= atMost) return atMost
        }
      return all
    },

    sweep: (signal) => sweepDays(store, keys.NAME, clock.now() - retentionMs, signal),
  }
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

/** Without addresses, names and networks, except those of the operator and the staff, who stay responsible. */
function withoutPerson(entry: StoredEntry): StoredEntry {
  const { address: _address, name: _name, domain: _domain, ...subject } = entry.subject
  const isOurs = entry.actor.type === 'operator' || entry.actor.type === 'staff'
  return {
    ...entry,
    subject,
    reason: null,
    ...(isOurs ? {} : { actor: { ...entry.actor, name: null }, from: null }),
  }
}
