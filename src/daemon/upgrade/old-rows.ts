/** Reads rows of older versions, some of which may be damaged. */
import { decode, keyParts } from '../../store/keys.js'
import type { Store } from '../../store/types.js'

const PAGE = 100

/** Undefined if the row is no record. */
export function readable<T extends object>(value: Uint8Array): T | undefined {
  try {
    const record = decode<T | null>(value)
    return typeof record === 'object' && record !== null ? record : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Undefined if the key has no parts. */
export function readableParts(row: Uint8Array): ReturnType<typeof keyParts> | undefined {
  try {
    return keyParts(row)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Names of partitions with a prefix. */
export async function* partitionsOf(store: Pick<Store, 'partitions'>, prefix: string): AsyncGenerator<string> {
  for (let after = prefix; ;) {
    const page = await store.partitions(after, PAGE)
    for (const partition of page) {
      if (!partition.startsWith(prefix)) return
      yield partition
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}
