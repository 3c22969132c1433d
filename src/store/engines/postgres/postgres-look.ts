/**
 * Versions and rows of many partitions in one statement, which sees one moment without a transaction around it. Most of the cost of a snapshot was that
 * of its statements, each with a begin and an end on either side.
 */
import type { Answered, Ask, Range } from '../../engine.js'
import { checkKey, checkPartition } from '../../keys.js'
import { byteaArray, octets } from './postgres-bytes.js'
import type { Answer, Statement } from './postgres-link.js'
import { isEmpty } from './postgres-reader.js'

const [VERSION, VALUE, FIRST_RANGE] = [0, 1, 2]

const VERSIONS = `select ${VERSION}, version, partition, null::bytea, null::bytea from restante_version where partition = any($1::text[])`
// Key by key by the index, whatever the planner believes of the size of the table.
const VALUES =
  `select ${VALUE}, asked.place, null, null, found.value from unnest($2::text[], $3::bytea[]) with ordinality asked (partition, key, place), ` +
  'lateral (select value from restante_row where partition = asked.partition and key = asked.key offset 0) found'

/** Rows of a range have its number, from `FIRST_RANGE` on; parameters are numbered from `first`. */
const rangeOf = (number: number, first: number, isReverse: boolean): string =>
  `(select ${number}, null::bigint, null, key, value from restante_row where partition = $${first} and key >= $${first + 1} and key < $${first + 2} ` +
  `order by key ${isReverse ? 'desc' : 'asc'} limit $${first + 3})`

/** @throws Error for a partition or key that is too long */
export function lookFor(partitions: readonly string[], asks: readonly Ask[]): Statement {
  for (const partition of [...partitions, ...asks.map((ask) => ask.partition)]) checkPartition(partition)
  const keys = asks.flatMap((ask) => ask.keys.map((key) => ({ partition: ask.partition, key })))
  for (const { key } of keys) checkKey(key)
  const values: unknown[] = [partitions, keys.map(({ partition }) => partition), byteaArray(keys.map(({ key }) => key))]
  const parts = [VERSIONS, VALUES]
  rangesOf(asks).forEach(({ partition, range: { gte, lt, limit, reverse = false } }, i) => {
    checkKey(gte)
    checkKey(lt)
    parts.push(rangeOf(FIRST_RANGE + i, values.length + 1, reverse))
    values.push(partition, Buffer.from(gte), Buffer.from(lt), limit)
  })
  return { text: parts.join(' union all '), values }
}

/** @param rows the answer to `lookFor`, in any order */
export function foundIn(
  rows: Answer['rows'],
  partitions: readonly string[],
  asks: readonly Ask[],
): { versions: bigint[]; answers: Answered[] } {
  const versions = new Map<string, bigint>()
  const values = new Map<number, Buffer>()
  const ranges = rangesOf(asks).map((): [Buffer, Buffer][] => [])
  for (const [kind, number, partition, key, value] of rows) {
    if (Number(kind) === VERSION) versions.set(partition ?? '', BigInt(number ?? 0))
    else if (Number(kind) === VALUE) values.set(Number(number), octets(value))
    else ranges[Number(kind) - FIRST_RANGE]?.push([octets(key), octets(value)])
  }
  rangesOf(asks).forEach(({ range: { reverse = false } }, i) =>
    ranges[i]?.sort(([a], [b]) => (reverse ? Buffer.compare(b, a) : Buffer.compare(a, b))),
  )
  let place = 0
  let next = 0
  return {
    versions: partitions.map((name) => versions.get(name) ?? 0n),
    answers: asks.map((ask) => ({
      values: ask.keys.map(() => values.get(++place)),
      ranges: ask.ranges.map((range) => (isEmpty(range) ? [] : (ranges[next++] ?? []))),
    })),
  }
}

/** Those that may have rows. */
const rangesOf = (asks: readonly Ask[]): { partition: string; range: Range }[] =>
  asks.flatMap(({ partition, ranges }) =>
    ranges.filter((range) => !isEmpty(range)).map((range) => ({ partition, range })),
  )
