/** Rows that an upgrade could not read: kept as they were, in a partition of their own, so that nothing is lost and nothing is stopped by them. */
import { key } from './keys.js'
import type { Transaction } from './types.js'

export const ASIDE_PARTITION = 'aside'

/** In the transaction that takes the row away from its place. */
export function setAside(tx: Transaction, partition: string, row: Uint8Array, value: Uint8Array): void {
  tx.blind(ASIDE_PARTITION).put(key('row', partition, Buffer.from(row).toString('hex')), value)
}
