/** Lists that come in pages. */

interface Page<T> {
  data: T[]
  next_cursor: string | null
}

/** Every entry of a list, page by page. @param start cursor of the first page; undefined is the beginning of the list */
export async function* entriesOf<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  start: string | undefined,
): AsyncGenerator<T, void> {
  for (let cursor = start; ;) {
    const { data, next_cursor: next } = await read(cursor)
    yield* data
    if (next === null) return
    cursor = next
  }
}
