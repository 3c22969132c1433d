/** A read of its own, or a part of one in progress: what is read together is validated together. */
import type { Maybe } from '../lib/maybe.js'
import type { Store, View } from './types.js'

/** @param from the store, or a view of a read or transaction in progress; in a transaction the partition must be one of those named at its start */
export async function readFrom<T>(
  from: Pick<Store, 'read'> | View,
  partition: string,
  fn: (view: View) => Maybe<T>,
): Promise<T> {
  return 'read' in from ? from.read(partition, fn) : fn(from.in(partition))
}
