/** Going through rows one by one. */
import { pagesOf } from '../../store/pages.js'
import type { Store } from '../../store/types.js'

const PAGE = 200

export async function* rowsOf(
  store: Store,
  partition: string,
  range: { gte: Uint8Array; lt: Uint8Array },
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  for await (const rows of pagesOf(store, partition, { ...range, limit: PAGE })) yield* rows
}
