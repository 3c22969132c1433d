/**
 * Keeping receipts: taken into memory while mail is handled, written in batches soon after, listed by time and address, dropped by the day.
 *
 * No message waits for its receipt: the mail itself is what has to be on disk before a 250. A process that dies takes with it the receipts of
 * its last moments, which the log has too.
 */
import type { Clock } from '../lib/clock.js'
import { DAY, SECOND } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'
import { addressKey } from '../mime/address.js'
import type { Log } from '../observe/log.js'
import type { Metrics } from '../observe/metrics.js'
import { decode, encode } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { bounded, createAdmission, refusedBytesAllowed } from './bounds.js'
import * as keys from './keys.js'
import type { DayRow } from './keys.js'
import { createFind, createList, daysOf } from './list.js'
import type { Receipt, Receipts } from './types.js'

export interface ReceiptsDeps {
  store: Store
  clock: Clock
  retentionMs: number
  log: Pick<Log, 'warn' | 'error'>
  metrics?: Metrics | undefined
  /** How long a receipt waits for others that share its commit. */
  gatherMs?: number
}

const GATHER_MS = 250
/** So many are written without waiting for more; also what one commit takes at most. */
const BATCH = 200
const RETRY_MS = 5 * SECOND
/** What waits for a store that does not write; what comes on top is lost. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** Entries that one commit of a sweep takes away. */
const STEP = 500

/** Of a place in the list of an address, beside the address. */
const LISTED_BYTES = 80

const NOTHING = new Uint8Array(0)

interface Entry {
  at: number
  id: string
  day: string
  /** Under which it is listed. */
  addresses: string[]
  accepted: boolean
  bytes: Uint8Array
  /** What it takes on the disk, its places in lists included. */
  size: number
}

export function createReceipts({ store, clock, retentionMs, log, metrics, gatherMs }: ReceiptsDeps): Receipts {
  const admission = createAdmission(clock)
  const list = createList({ store, clock, retentionMs })
  const find = createFind({ store, clock, retentionMs })
  const notKept = metrics?.counter('receipts_not_kept_total', 'Attempts whose receipt was not kept, by the limit.', [
    'limit',
  ])
  /** In the order in which they came; at the head stands what is being written. */
  let waiting: Entry[] = []
  let waitingBytes = 0
  /** Not kept and not written down yet, by day. */
  const left = new Map<string, number>()
  const knownDays = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  const leaveOut = (day: string, limit: 'network' | 'memory', count = 1): void => {
    left.set(day, (left.get(day) ?? 0) + count)
    notKept?.inc({ limit }, count)
  }

  const flushIn = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, ms).unref()
  }

  /** Never rejects. */
  const flush = (): Promise<void> => {
    flushing ??= write().finally(() => (flushing = undefined))
    return flushing
  }

  async function write(): Promise<void> {
    try {
      for (;;) {
        const day = waiting[0]?.day ?? left.keys().next().value
        if (day === undefined) return
        const others = waiting.findIndex((entry) => entry.day !== day)
        await writeBatch(day, waiting.slice(0, others === -1 ? BATCH : Math.min(BATCH, others)))
      }
    } catch (err) {
      log.warn({ err, waiting: waiting.length }, 'receipts can not be written now; they are tried again')
      flushIn(RETRY_MS)
    }
  }

  async function writeBatch(day: string, batch: Entry[]): Promise<void> {
    const unkept = left.get(day) ?? 0
    if (!knownDays.has(day)) {
      await store.write(keys.DAYS_PARTITION, async (tx) => {
        if (!(await tx.get(keys.dayKey(day)))) tx.put(keys.dayKey(day), NOTHING)
      })
      if (knownDays.size > 100) knownDays.clear()
      knownDays.add(day)
    }
    const over = await store.write(keys.dayPartition(day), (tx) => putBatch(tx, day, batch, unkept))
    waiting = waiting.slice(batch.length)
    for (const { size } of batch) waitingBytes -= size
    const since = (left.get(day) ?? 0) - unkept
    if (since > 0) left.set(day, since)
    else left.delete(day)
    if (over > 0) notKept?.inc({ limit: 'day' }, over)
  }

  return {
    add(receipt) {
      const entry = entryOf(receipt)
      if (!entry.accepted && !admission.admit(clientNetwork(receipt.client.address)))
        return leaveOut(entry.day, 'network')
      if (waitingBytes + entry.size > MAX_WAITING_BYTES) return leaveOut(entry.day, 'memory')
      waiting.push(entry)
      waitingBytes += entry.size
      if (waiting.length >= BATCH) void flush()
      else flushIn(gatherMs ?? GATHER_MS)
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
    async count() {
      let all = 0
      for (const day of await daysOf(store)) {
        const row = await store.read(keys.dayPartition(day), (view) => view.get(keys.dayRowKey))
        if (row) all += decode<DayRow>(row).kept
      }
      return all
    },
    flush,
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
    async stop() {
      // One that is under way may have begun before the last receipt came.
      await flush()
      await flush()
      clearTimeout(timer)
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'receipts could not be written')
    },
  }
}

/** Under which a receipt is listed. */
export function addressesOf({ from, recipients }: Pick<Receipt, 'from' | 'recipients'>): string[] {
  const all = [from, ...recipients.flatMap(({ address, mailbox }) => [address, mailbox?.address ?? ''])]
  return [...new Set(all.map(addressKey))].filter((address) => address !== '')
}

function entryOf(given: Receipt): Entry {
  const receipt = bounded(given)
  const listed = addressesOf(receipt)
  const bytes = encode(receipt)
  return {
    at: Date.parse(receipt.at),
    id: receipt.id,
    day: receipt.at.slice(0, 'YYYY-MM-DD'.length),
    addresses: listed,
    accepted: receipt.outcome === 'accepted',
    bytes,
    size: listed.reduce((sum, address) => sum + LISTED_BYTES + address.length, bytes.length),
  }
}

/** @returns how many were over the day's limit */
async function putBatch(tx: Transaction, day: string, batch: Entry[], unkept: number): Promise<number> {
  const row = await tx.get(keys.dayRowKey)
  const { kept, refusedBytes, notKept } = row ? decode<DayRow>(row) : keys.EMPTY_DAY
  const dayStart = keys.endOfDay(day) - DAY
  let bytesSoFar = refusedBytes
  let put = 0
  for (const { at, id, addresses, accepted, bytes, size } of batch) {
    if (!accepted && bytesSoFar + size > refusedBytesAllowed(dayStart, at)) continue
    if (!accepted) bytesSoFar += size
    put++
    tx.put(keys.receiptKey(at, id), bytes)
    for (const address of addresses) tx.put(keys.addressKeyOf(address, at, id), NOTHING)
  }
  const over = batch.length - put
  const next: DayRow = { kept: kept + put, refusedBytes: bytesSoFar, notKept: notKept + unkept + over }
  tx.put(keys.dayRowKey, encode(next))
  return over
}

function dropSome(store: Store, day: string): Promise<number> {
  return store.write(keys.dayPartition(day), async (tx) => {
    const rows = await tx.range({ ...keys.everythingRange, limit: STEP })
    for (const [key] of rows) tx.delete(key)
    return rows.length
  })
}
