/** Reads in one snapshot. What is asked for in one turn of the event loop is sent at once, with the begin of the transaction before the first. */
import type { Range, Reader } from '../../engine.js'
import { checkKey, checkPartition } from '../../keys.js'
import { byteaArray, octets } from './postgres-bytes.js'
import { allOf, type Answer, type Link, type Statement } from './postgres-link.js'

const BEGIN = 'begin isolation level repeatable read read only'
const VERSION = 'select version from restante_version where partition = $1'
export const VERSIONS = 'select partition, version from restante_version where partition = any($1::text[])'
const GET = 'select key, value from restante_row where partition = $1 and key = any($2::bytea[])'
const PARTITIONS = 'select partition from restante_version where partition > $1 order by partition limit $2'
const range = (order: string): string =>
  `select key, value from restante_row where partition = $1 and key >= $2 and key < $3 order by key ${order} limit $4`
const ASCENDING = range('asc')
const DESCENDING = range('desc')

/** The answer to `VERSIONS`, in the order of the partitions. */
export function versionsIn(rows: Answer['rows'], partitions: readonly string[]): bigint[] {
  const found = new Map(rows.map(([partition, version]) => [partition, version]))
  return partitions.map((partition) => BigInt(found.get(partition) ?? 0))
}

/** True if it has no rows, whatever is stored. */
export const isEmpty = ({ gte, lt, limit }: Range): boolean => limit <= 0 || Buffer.compare(gte, lt) >= 0

/** @returns the reader, and `end` for when it is not used any more */
export function createReader(link: Link): { reader: Reader; end(): void } {
  let began = false

  async function ask(text: string, values: unknown[]): Promise<Answer['rows']> {
    const statements: Statement[] = began ? [{ text, values }] : [{ text: BEGIN }, { text, values }]
    began = true
    return allOf(await link.send(statements)).at(-1)?.rows ?? []
  }

  const reader: Reader = {
    async version(partition) {
      checkPartition(partition)
      const [row] = await ask(VERSION, [partition])
      return BigInt(row?.[0] ?? 0)
    },

    async versions(partitions) {
      partitions.forEach(checkPartition)
      return versionsIn(await ask(VERSIONS, [partitions]), partitions)
    },

    async getMany(partition, keys) {
      checkPartition(partition)
      keys.forEach(checkKey)
      if (keys.length === 0) return []
      const rows = await ask(GET, [partition, byteaArray(keys)])
      const values = new Map(rows.map(([key, value]) => [key, value]))
      return keys.map((key) => {
        const value = values.get(`\\x${Buffer.from(key).toString('hex')}`)
        return value === undefined ? undefined : octets(value)
      })
    },

    async range(partition, range) {
      const { gte, lt, limit, reverse = false } = range
      checkPartition(partition)
      checkKey(gte)
      checkKey(lt)
      if (isEmpty(range)) return []
      const rows = await ask(reverse ? DESCENDING : ASCENDING, [partition, Buffer.from(gte), Buffer.from(lt), limit])
      return rows.map(([key, value]) => [octets(key), octets(value)])
    },

    partitions: async (after, limit) => (await ask(PARTITIONS, [after, limit])).map(([name]) => name ?? ''),
  }
  return {
    reader,
    end() {
      if (began) link.push({ text: 'commit' })
    },
  }
}
