/** What a transaction has written, laid over what is stored: reads see both as if it were committed. */
import type { Engine, Op } from './engine.js'
import { asBuffer, checkKey } from './keys.js'
import type { RangeOptions, Transaction, View } from './types.js'

/** Pairs a range gives when no limit is named. */
const DEFAULT_RANGE = 1_000
/** A range answers in one turn of the event loop; more is read in pages. */
const MAX_RANGE = 10_000

interface Overlay {
  tx: Transaction
  /** Everything written so far, one op a key, in key order. */
  ops(): Op[]
  /** Ends the transaction: writing to it from here on is a mistake of its caller and throws. */
  end(): void
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
  let sorted: Op[] | undefined
  let ended = false

  const write = (key: Uint8Array, value: Uint8Array | null): void => {
    if (ended) throw new Error('The transaction has ended: a write in it was not awaited')
    checkKey(key)
    const name = nameOf(key)
    const op = written.get(name)
    if (op) {
      op.value = value
    } else {
      written.set(name, { key, value })
      sorted = undefined
    }
  }

  const inOrder = (): Op[] => {
    sorted ??= [...written.values()].sort((a, b) => Buffer.compare(a.key, b.key))
    return sorted
  }

  const getMany = async (keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]> => {
    const own = keys.map((key) => written.get(nameOf(key)))
    const missing = keys.filter((_, index) => own[index] === undefined)
    const stored = missing.length === 0 ? [] : await engine.getMany(partition, missing)
    let next = 0
    return own.map((op) => (op === undefined ? stored[next++] : (op.value ?? undefined)))
  }

  return {
    tx: {
      async get(key) {
        const [value] = await getMany([key])
        return value
      },
      getMany,
      async range(options) {
        const limit = checkLimit(options.limit)
        const own = within(inOrder(), options)
        const deleted = own.filter((op) => op.value === null).length
        // Each deletion can hide one stored pair, so so many more are asked for.
        const stored = await engine.range(partition, { ...options, limit: limit + deleted })
        return own.length === 0 ? stored : merge(stored, options.reverse ? own.reverse() : own, limit, options.reverse)
      },
      put: (key, value) => write(key, value),
      delete: (key) => write(key, null),
    },
    ops: () => [...inOrder()],
    end: () => {
      ended = true
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

function within(ops: Op[], { gte, lt }: RangeOptions): Op[] {
  return ops.filter((op) => Buffer.compare(op.key, gte) >= 0 && Buffer.compare(op.key, lt) < 0)
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
