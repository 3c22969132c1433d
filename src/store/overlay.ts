/** The writes of a transaction laid over the stored rows: reads see both as if committed. */
import type { Maybe } from '../lib/maybe.js'
import type { Check, Op, Reader } from './engine.js'
import { asBuffer, checkKey, checkPartition } from './keys.js'
import type { RangeOptions, Transaction, View, Writes } from './types.js'

/** Pairs per range without a limit. */
const DEFAULT_RANGE = 1_000
/** A range is read in one turn of the event loop; more is read in pages. */
const MAX_RANGE = 10_000

interface Touched {
  /** By key, as `nameOf` writes it. */
  written: Map<string, Op>
  /** Known once a stored row was read. */
  version: bigint | undefined
}

/** A view of the stored rows. */
export function viewOf(reader: Reader, partition: string): View {
  return {
    async get(key) {
      const [value] = await reader.getMany(partition, [key])
      return value
    },
    getMany: (keys) => reader.getMany(partition, keys),
    range: (options) => reader.range(partition, { ...options, limit: checkLimit(options.limit) }),
    version: () => reader.version(partition),
    in: (other) => viewOf(reader, other),
  }
}

export function createOverlay(reader: Reader) {
  const partitions = new Map<string, Touched>()
  let bytes = 0

  function touched(partition: string): Touched {
    const known = partitions.get(partition)
    if (known) return known
    checkPartition(partition)
    const fresh: Touched = { written: new Map(), version: undefined }
    partitions.set(partition, fresh)
    return fresh
  }

  /** Makes the commit depend on the partition's current version. */
  async function depend(partition: string, own: Touched): Promise<bigint> {
    own.version ??= await reader.version(partition)
    return own.version
  }

  /** The rows, and with the first of a partition its version: both are asked for before either is waited for. */
  async function depending<T>(partition: string, own: Touched, rows: () => Maybe<T>): Promise<T> {
    if (own.version !== undefined) return rows()
    const stored = rows()
    const version = reader.version(partition)
    // A failure of one is not left unhandled while the other is waited for.
    const [read, found] =
      version instanceof Promise || stored instanceof Promise ? await Promise.all([version, stored]) : [version, stored]
    own.version ??= read
    return found
  }

  async function getMany(partition: string, keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const own = touched(partition)
    if (own.written.size === 0) {
      return keys.length === 0 ? [] : depending(partition, own, () => reader.getMany(partition, keys))
    }
    const ops = keys.map((key) => own.written.get(nameOf(key)))
    const missing = keys.filter((_, index) => ops[index] === undefined)
    const stored = missing.length === 0 ? [] : await depending(partition, own, () => reader.getMany(partition, missing))
    let next = 0
    return ops.map((op) => (op === undefined ? stored[next++] : (op.value ?? undefined)))
  }

  async function range(partition: string, options: RangeOptions): Promise<[Uint8Array, Uint8Array][]> {
    const own = touched(partition)
    const limit = checkLimit(options.limit)
    const ops = within(own.written, options)
    const deleted = ops.filter((op) => op.value === null).length
    // Each deletion can hide one stored pair, so that many more are read.
    const stored = await depending(partition, own, () =>
      reader.range(partition, { ...options, limit: limit + deleted }),
    )
    return ops.length === 0 ? stored : merge(stored, options.reverse ? ops.reverse() : ops, limit, options.reverse)
  }

  return {
    /** Begins the next part: the writes of one function, which sees the kept writes of earlier parts. One at a time. */
    begin(named: readonly string[]) {
      /** The ops under each key before this part wrote to it. */
      const before: { written: Touched['written']; name: string; op: Op | undefined }[] = []
      const seen = new Set<Op>()
      const bytesBefore = bytes
      const after: (() => void)[] = []
      let ended = false

      const write = (partition: string, key: Uint8Array, value: Uint8Array | null): void => {
        if (ended) throw new Error('The transaction has ended: a write in it was not awaited')
        checkKey(key)
        const { written } = touched(partition)
        const name = nameOf(key)
        const earlier = written.get(name)
        if (!earlier || !seen.has(earlier)) before.push({ written, name, op: earlier })
        const op = { partition, key, value }
        seen.add(op)
        written.set(name, op)
        bytes += key.length + (value?.length ?? 0)
      }

      const writesTo = (partition: string): Writes => ({
        put: (key, value) => write(partition, key, value),
        delete: (key) => write(partition, key, null),
      })

      const transactions = new Map<string, Transaction>()
      const txOn = (partition: string): Transaction => {
        const known = transactions.get(partition)
        if (known) return known
        if (!named.includes(partition)) throw new Error(`The transaction was not begun for ${partition}`)
        const tx: Transaction = {
          async get(key) {
            const [value] = await getMany(partition, [key])
            return value
          },
          getMany: (keys) => getMany(partition, keys),
          range: (options) => range(partition, options),
          version: () => depend(partition, touched(partition)),
          ...writesTo(partition),
          in: txOn,
          blind: writesTo,
          afterCommit: (fn) => void after.push(fn),
        }
        transactions.set(partition, tx)
        return tx
      }

      return {
        tx: txOn(named[0] ?? ''),
        /** Later writes to the part are a mistake of its caller and throw. @param keep false discards its writes */
        end(keep: boolean): void {
          ended = true
          if (keep) return
          for (const { written, name, op } of before.reverse()) {
            if (op) written.set(name, op)
            else written.delete(name)
          }
          bytes = bytesBefore
        },
        /** Called when its writes are durable. */
        committed: () => after.forEach((fn) => fn()),
      }
    },
    /** All kept writes, one op per key, in the order of partitions and keys. */
    ops: (): Op[] => [...partitions].sort(byName).flatMap(([, { written }]) => inOrder([...written])),
    /** The partitions of which stored rows were read, with their versions. */
    checks: (): Check[] =>
      [...partitions].flatMap(([partition, { version }]) =>
        version === undefined ? [] : [{ partition, expect: version }],
      ),
    /** Approximate size of the keys and values kept so far. */
    get bytes() {
      return bytes
    },
  }
}

/** Both lists have the same direction; an own op replaces the stored pair with its key. */
function merge(
  stored: [Uint8Array, Uint8Array][],
  own: Op[],
  limit: number,
  reverse = false,
): [Uint8Array, Uint8Array][] {
  const merged: [Uint8Array, Uint8Array][] = []
  let s = 0
  let o = 0
  while (merged.length < limit) {
    const pair = stored[s]
    const op = own[o]
    if (!pair && !op) break
    const order = !pair ? 1 : !op ? -1 : Buffer.compare(pair[0], op.key) * (reverse ? -1 : 1)
    if (pair && order < 0) {
      merged.push(pair)
      s++
    } else if (op) {
      if (op.value !== null) merged.push([op.key, op.value])
      if (order === 0) s++
      o++
    }
  }
  return merged
}

/** In the order of keys. */
function within(written: Map<string, Op>, { gte, lt }: RangeOptions): Op[] {
  const [low, high] = [nameOf(gte), nameOf(lt)]
  const found: [string, Op][] = []
  for (const entry of written) if (entry[0] >= low && entry[0] < high) found.push(entry)
  return inOrder(found)
}

/** Names compare like the bytes they stand for, but faster. */
function inOrder(named: [string, Op][]): Op[] {
  return named.sort(byName).map(([, op]) => op)
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

function checkLimit(limit = DEFAULT_RANGE): number {
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_RANGE) {
    throw new RangeError(`A range takes a limit from 0 to ${MAX_RANGE}, not ${limit}: read on in pages`)
  }
  return limit
}

function nameOf(key: Uint8Array): string {
  return asBuffer(key).toString('latin1')
}
