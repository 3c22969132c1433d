/** Checks all rows of a partition by the table of families. */
import { rowsOf } from '../../store/pages.js'
import { asBuffer, keyParts } from '../../store/keys.js'
import { createRowTools, hex, type RowTools, type RowToolsDeps, type Row } from './families/row-tools.js'
import { PARTITIONS } from './table.js'
import type { Family, PartitionKind } from './families/family.js'

const EVERYTHING = { gte: new Uint8Array(0), lt: Uint8Array.of(0xff) }

export interface Walked {
  rows: number
  /** Unreadable rows that only a backup can restore. */
  unreadable: number
}

/** Kind of a partition, and the rest of its name. */
export function kindOf(partition: string): { kind: PartitionKind; of: string } | undefined {
  for (const kind of PARTITIONS) {
    const of = kind.match.exec(partition)?.[1]
    if (of !== undefined) return { kind, of }
  }
  return undefined
}

export async function walkPartition(deps: RowToolsDeps, partition: string): Promise<Walked> {
  const walked: Walked = { rows: 0, unreadable: 0 }
  const found = kindOf(partition)
  if (!found) {
    deps.report('row-unknown', partition, 'a partition unknown to this version')
    for await (const _ of rowsOf(deps.store, partition, EVERYTHING)) walked.rows++
    return walked
  }
  const tools = createRowTools(deps)
  for await (const [key, value] of rowsOf(deps.store, partition, EVERYTHING)) {
    walked.rows++
    const parts = partsOf(key)
    const family = parts && found.kind.families[String(parts[0])]
    if (!parts || !family) {
      deps.report('row-unknown', partition, `a row ${nameOf(parts, key)}`)
      continue
    }
    const row: Row = { partition, of: found.of, key, parts, value }
    if (isReadable(family, value)) await checked(family, row, tools)
    else if (family.is === 'truth') {
      walked.unreadable++
      deps.report('unreadable', partition, `the row ${nameOf(parts, key)}`)
    } else {
      const rowRepair = { partition, key: hex(key), value: null }
      deps.report('garbled', partition, `the row ${nameOf(parts, key)}`, { rowRepair })
    }
  }
  await unlessGarbled(async () => found.kind.end?.(partition, found.of, tools))
  return walked
}

async function checked(family: Family, row: Row, tools: RowTools): Promise<void> {
  await unlessGarbled(async () => family.check?.(row, tools))
}

/** Ignores unreadable rows, which the walk over them reports. */
export async function unlessGarbled(check: () => Promise<unknown>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}

function isReadable({ value: form }: Family, value: Uint8Array): boolean {
  switch (form) {
    case 'octets':
      return true
    case 'mark':
      // Some have a time, which is not read.
      return value.length === 0 || isJson(value)
    case 'json':
      return isJson(value)
    default:
      return isDecoded(() => form(value))
  }
}

const isJson = (value: Uint8Array): boolean => isDecoded(() => JSON.parse(asBuffer(value).toString('utf8')))

function isDecoded(decode: () => unknown): boolean {
  try {
    decode()
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function partsOf(key: Uint8Array): Row['parts'] | undefined {
  try {
    return keyParts(key)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Addresses, ids and hashes; no content of mail. */
function nameOf(parts: Row['parts'] | undefined, key: Uint8Array): string {
  const shown = (part: Row['parts'][number]): string =>
    typeof part === 'object' ? hex(part) : String(part).slice(0, 80)
  return parts ? parts.map(shown).join(' ') : hex(key).slice(0, 80)
}
