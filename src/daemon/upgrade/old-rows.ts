/** Reads rows of older versions, some of which may be damaged. */
import { mailboxListKey, mailboxListRange, META_PARTITION } from '../../mailbox/keys.js'
import { decode, keyAfter, keyParts } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'

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

/** Deletes up to `limit` rows of the first range that has some. @returns false if there was none */
export async function dropSome(tx: Transaction, ranges: readonly { gte: Uint8Array; lt: Uint8Array }[], limit: number) {
  for (const range of ranges) {
    const rows = await tx.range({ ...range, limit })
    for (const [row] of rows) tx.delete(row)
    if (rows.length > 0) return true
  }
  return false
}

/** The mailbox after `last` in the list of all; '' for the first. */
export async function mailboxAfter(store: Store, last: string): Promise<string | undefined> {
  const gte = last === '' ? mailboxListRange.gte : keyAfter(mailboxListKey(last))
  const [next] = await store.read(META_PARTITION, (view) => view.range({ gte, lt: mailboxListRange.lt, limit: 1 }))
  return next && String(keyParts(next[0])[1])
}

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
