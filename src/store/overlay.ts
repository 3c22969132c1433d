/** What a transaction has written, laid over what is stored: reads see both as if it were committed. */
import type { Engine, Op } from './engine.js'
import { asBuffer, checkKey } from './keys.js'
import type { RangeOptions, Transaction, View } from './types.js'

/** Pairs a range gives when no limit is named. */
const DEFAULT_RANGE = 1_000
/** A range answers in one turn of the event loop; more is read in pages. */
const MAX_RANGE = 10_000

/** What one function writes; it stands beside what others wrote before it for the same commit. */
interface Part {
  tx: Transaction
  /**
   * Ends the part: writing to it from here on is a mistake of its caller and throws.
   *
   * @param keep false takes back what the part wrote
   */
  end(keep: boolean): void
}

interface Overlay {
  /** Begins the next part, which sees what the parts before it have kept. One at a time. */
  begin(): Part
  /** Everything kept so far, one op a key, in key order. */
  ops(): Op[]
  /** Length of the keys and values kept so far, about. */
  readonly bytes: number
}

/** What is stored in one partition, as it is. */
export function viewOf(engine: Engine, partition: string): View {
  return {
    async get(key) {
      const [value] = await engine.getMany(partition, [key])
      return value
    },
    getMany: (keys) => engine.getMany(partition, keys),
    range: (options) => engine.range(partition, { ...options, limit: checkLimit(options.limit) }),
  }
}

export function createOverlay(engine: Engine, partition: string): Overlay {
  const written = new Map<string, Op>()
  let bytes = 0

  const getMany = async (keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]> => {
    const own = keys.map((key) => written.get(nameOf(key)))
    const missing = keys.filter((_, index) => own[index] === undefined)
    const stored = missing.length === 0 ? [] : await engine.getMany(partition, missing)
    let next = 0
    return own.map((op) => (op === undefined ? stored[next++] : (op.value ?? undefined)))
  }

  const range = async (options: RangeOptions): Promise<[Uint8Array, Uint8Array][]> => {
    const limit = checkLimit(options.limit)
    const own = within(written, options)
    const deleted = own.filter((op) => op.value === null).length
    // Each deletion can hide one stored pair, so so many more are asked for.
    const stored = await engine.range(partition, { ...options, limit: limit + deleted })
    return own.length === 0 ? stored : merge(stored, options.reverse ? own.reverse() : own, limit, options.reverse)
  }

  return {
    begin() {
      /** What stood under each key this part wrote, before it did. */
      const before = new Map<string, Op | undefined>()
      const bytesBefore = bytes
      let ended = false

      const write = (key: Uint8Array, value: Uint8Array | null): void => {
        if (ended) throw new Error('The transaction has ended: a write in it was not awaited')
        checkKey(key)
        const name = nameOf(key)
        if (!before.has(name)) before.set(name, written.get(name))
        written.set(name, { key, value })
        bytes += key.length + (value?.length ?? 0)
      }

      return {
        tx: {
          async get(key) {
            const [value] = await getMany([key])
            return value
          },
          getMany,
          range,
          put: (key, value) => write(key, value),
          delete: (key) => write(key, null),
        },
        end(keep) {
          ended = true
          if (keep) return
          for (const [name, op] of before) {
            if (op) written.set(name, op)
            else written.delete(name)
          }
          bytes = bytesBefore
        },
      }
    },
    ops: () => inOrder([...written]),
    get bytes() {
      return bytes
    },
  }
}

/** Both lists run the same way; an own op takes the place of the stored pair with its key. */
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

/** In key order. */
function within(written: Map<string, Op>, { gte, lt }: RangeOptions): Op[] {
  const [low, high] = [nameOf(gte), nameOf(lt)]
  const found: [string, Op][] = []
  for (const entry of written) if (entry[0] >= low && entry[0] < high) found.push(entry)
  return inOrder(found)
}

/** Names compare like the bytes they stand for, and faster. */
function inOrder(named: [string, Op][]): Op[] {
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, op]) => op)
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
