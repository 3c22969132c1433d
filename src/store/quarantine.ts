/** Rows that an upgrade could not read: stored unchanged in a separate partition, so that nothing is lost and the upgrade continues. */
import { key } from './keys.js'
import type { Transaction } from './types.js'

export const ASIDE_PARTITION = 'aside'

/** Part of the transaction that deletes the row. */
export function setAside(tx: Transaction, partition: string, row: Uint8Array, value: Uint8Array): void {
  tx.blind(ASIDE_PARTITION).put(key('row', partition, Buffer.from(row).toString('hex')), value)
}
