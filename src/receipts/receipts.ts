/**
 * Stores receipts, by time and day. The receipt of a message for one mailbox is in the commit of the message; all others are collected in memory and written in
 * batches, so that no refusal waits for its receipt. A crash loses those of the last moments, which are in the log too.
 */
import { type Clock, SECOND } from '../lib/clock.js'
import { createFlusher } from '../lib/flusher.js'
import { clientNetwork } from '../lib/ip.js'
import type { Log } from '../observe/log.js'
import type { Metrics } from '../observe/metrics.js'
import { daysOf, startOfDay, sweepDays } from '../store/days.js'
import { encode } from '../store/keys.js'
import { NOT_SHARED, type SharedCounts } from '../store/nodes/shared-counts.js'
import { pagesOf } from '../store/pages.js'
import type { Store } from '../store/types.js'
import { bounded, createAdmission, refusedBytesAllowed } from './bounds.js'
import * as keys from './keys.js'
import type { DayRow } from './keys.js'
import { createFind, createList, dayOf } from './list.js'
import { isAccepted, packReceipt } from './record.js'
import type { Receipt, Receipts } from './types.js'

export interface ReceiptsDeps {
  store: Store
  clock: Clock
  retentionMs: number
  log: Pick<Log, 'warn' | 'error'>
  metrics?: Metrics | undefined
  /** Of all daemons on the store; by default it is alone. */
  shared?: SharedCounts | undefined
}

/** Wait of a receipt for others in the same commit. */
const COLLECT_MS = 250
/** Number of receipts that are written without further wait; also the max per commit. */
const BATCH = 200
const RETRY_MS = 5 * SECOND
/** Max size of receipts that wait while the store cannot write; further ones are lost. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
interface Entry {
  at: number
  id: string
  day: string
  accepted: boolean
  bytes: Uint8Array
}

export function createReceipts(deps: ReceiptsDeps): Receipts {
  const { store, clock, retentionMs, log, metrics, shared = NOT_SHARED } = deps
  const admit = createAdmission(clock, shared)
  const list = createList({ store, clock, retentionMs })
  const find = createFind({ store, clock, retentionMs })
  const notKept = metrics?.counter(
    'receipts_dropped_total',
    'Attempts whose receipt was not stored, by the limit.',
    ['limit'],
    { formerly: 'receipts_not_kept_total' },
  )
  /** In order of arrival; those being written come first. */
  let waiting: Entry[] = []
  let waitingBytes = 0
  /** Receipts not kept and not counted in the store yet, by day. */
  const left = new Map<string, number>()
  /** Bytes of receipts of unaccepted attempts, by day; rebuilt from the rows of a day when needed. */
  const refusedBytes = new Map<string, number>()
  const addRefused = (day: string, bytes: number): void => {
    const known = refusedBytes.get(day)
    if (known !== undefined) refusedBytes.set(day, known + bytes)
  }
  const tellRefused = shared.join('bytes of receipts of refused mail', addRefused)
  const { flush, flushIn, stop } = createFlusher(write)

  const leaveOut = (day: string, limit: 'network' | 'memory', count = 1): void => {
    left.set(day, (left.get(day) ?? 0) + count)
    notKept?.inc({ limit }, count)
  }

  /** Never rejects. */
  async function write(): Promise<void> {
    try {
      for (;;) {
        const day = waiting[0]?.day ?? left.keys().next().value
        if (day === undefined) return
        const others = waiting.findIndex((entry) => entry.day !== day)
        await writeBatch(day, waiting.slice(0, others === -1 ? BATCH : Math.min(BATCH, others)))
      }
    } catch (err) {
      log.warn({ err, waiting: waiting.length }, 'receipts cannot be written now; they are tried again')
      flushIn(RETRY_MS)
    }
  }

  async function writeBatch(day: string, batch: Entry[]): Promise<void> {
    const unkept = left.get(day) ?? 0
    const { kept, refused } = await withinLimit(day, batch)
    const over = batch.length - kept.length
    await store.write(keys.dayPartition(day), async (tx) => {
      for (const { at, id, bytes } of kept) tx.put(keys.receiptKey(at, id), bytes)
      if (unkept + over === 0) return
      const { notKept } = await dayOf(tx)
      tx.put(keys.dayRowKey, encode({ notKept: notKept + unkept + over } satisfies DayRow))
    })
    if (refused > 0) {
      addRefused(day, refused)
      tellRefused(day, refused)
    }
    waiting = waiting.slice(batch.length)
    for (const { bytes } of batch) waitingBytes -= bytes.length
    const since = (left.get(day) ?? 0) - unkept
    if (since > 0) left.set(day, since)
    else left.delete(day)
    if (over > 0) notKept?.inc({ limit: 'day' }, over)
  }

  /** @returns receipts within the day's limit, and the bytes of those of unaccepted attempts among them */
  async function withinLimit(day: string, batch: Entry[]): Promise<{ kept: Entry[]; refused: number }> {
    if (batch.every(({ accepted }) => accepted)) return { kept: batch, refused: 0 }
    const before = refusedBytes.get(day) ?? (await countRefused(store, day))
    if (!refusedBytes.has(day)) {
      if (refusedBytes.size > 1) refusedBytes.clear()
      refusedBytes.set(day, before)
    }
    let refused = 0
    const kept = batch.filter(({ accepted, at, bytes }) => {
      if (accepted) return true
      if (before + refused + bytes.length > refusedBytesAllowed(startOfDay(day), at)) return false
      refused += bytes.length
      return true
    })
    return { kept, refused }
  }

  return {
    add(receipt) {
      const entry = entryOf(receipt)
      if (!entry.accepted && !admit(clientNetwork(receipt.client.address))) return leaveOut(entry.day, 'network')
      if (waitingBytes + entry.bytes.length > MAX_WAITING_BYTES) return leaveOut(entry.day, 'memory')
      waiting.push(entry)
      waitingBytes += entry.bytes.length
      if (waiting.length >= BATCH) void flush()
      else flushIn(COLLECT_MS)
    },
    addWithin(tx, receipt) {
      const { at, id, day, bytes } = entryOf(receipt)
      tx.blind(keys.dayPartition(day)).put(keys.receiptKey(at, id), bytes)
    },
    async list(query) {
      await flush()
      if (query.id === undefined) return list(query)
      const receipt = await find(query.id)
      return { data: receipt ? [receipt] : [], has_more: false, next_cursor: null, not_kept: 0 }
    },
    async find(id) {
      await flush()
      return find(id)
    },
    async count(atMost) {
      let all = 0
      for (const day of await daysOf(store, keys.NAME))
        for await (const rows of pagesOf(store, keys.dayPartition(day), keys.receiptsRange)) {
          all += rows.length
          if (all >= atMost) return atMost
        }
      return all
    },
    flush,
    sweep: (signal) => sweepDays(store, keys.NAME, clock.now() - retentionMs, signal),
    async stop() {
      await stop()
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'receipts could not be written')
    },
  }
}

function entryOf(given: Receipt): Entry {
  const receipt = bounded(given)
  return {
    at: Date.parse(receipt.at),
    id: receipt.id,
    day: receipt.at.slice(0, 'YYYY-MM-DD'.length),
    accepted: receipt.outcome === 'accepted',
    bytes: packReceipt(receipt),
  }
}

async function countRefused(store: Store, day: string): Promise<number> {
  let sum = 0
  for await (const rows of pagesOf(store, keys.dayPartition(day), keys.receiptsRange))
    for (const [, bytes] of rows) if (!isAccepted(bytes)) sum += bytes.length
  return sum
}
