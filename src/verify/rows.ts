/** Going through rows in pages, with turns for others between them. */
import { setImmediate as tick } from 'node:timers/promises'
import { keyAfter } from '../store/keys.js'
import type { Store } from '../store/types.js'

const PAGE = 200

export async function* rowsOf(
  store: Store,
  partition: string,
  { gte, lt }: { gte: Uint8Array; lt: Uint8Array },
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  for (let from = gte; ;) {
    const rows = await store.read(partition, (view) => view.range({ gte: from, lt, limit: PAGE }))
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    from = keyAfter(last[0])
    await tick()
  }
}
