/** Reads the rows of a partition in pages, each a snapshot, and yields to the event loop between them. */
import { setImmediate as tick } from 'node:timers/promises'
import { keyAfter } from './keys.js'
import type { Store, View } from './types.js'

const PAGE = 500

interface Pages {
  gte: Uint8Array
  lt: Uint8Array
  /** Rows per page; 500 by default. */
  limit?: number
  reverse?: boolean
}

/** Rows written behind the current position are in no page, rows written ahead of it are. */
export async function* pagesOf(
  store: Pick<Store, 'read'>,
  partition: string,
  { gte, lt, limit = PAGE, reverse = false }: Pages,
): AsyncGenerator<[Uint8Array, Uint8Array][]> {
  for (let [from, end] = [gte, lt]; ;) {
    const rows = await store.read(partition, (view) => view.range({ gte: from, lt: end, limit, reverse }))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    if (reverse) end = last[0]
    else from = keyAfter(last[0])
    await tick()
  }
}

/** The same row by row. */
export async function* rowsOf(
  store: Pick<Store, 'read'>,
  partition: string,
  pages: Pages,
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  for await (const rows of pagesOf(store, partition, pages)) yield* rows
}

/** All rows of a range within one snapshot. For ranges that fit into memory. */
export async function allIn(
  view: Pick<View, 'range'>,
  { gte, lt }: Pick<Pages, 'gte' | 'lt'>,
): Promise<[Uint8Array, Uint8Array][]> {
  const all: [Uint8Array, Uint8Array][] = []
  for (let from = gte; ;) {
    const rows = await view.range({ gte: from, lt, limit: PAGE })
    all.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return all
    from = keyAfter(last[0])
  }
}
