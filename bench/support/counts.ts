/** Counts of a daemon's store operations so far, from its metrics; counts have no noise. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Daemon } from '../../test/support/daemon.js'

export interface StoreCounts {
  commits: number
  rows: number
  bytes: number
  gets: number
  ranges: number
  /** Of a shared database. */
  roundTrips: number
}

export async function storeCounts(daemon: Daemon): Promise<StoreCounts> {
  const token = (await readFile(join(daemon.dataDir, 'secrets', 'admin_token'), 'utf8')).trim()
  const answer = await fetch(`${daemon.adminUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  const read = (name: string): number => Number(new RegExp(`^restante_${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return {
    commits: read('store_commits_total'),
    rows: read('store_rows_written_total'),
    bytes: read('store_written_bytes_total'),
    gets: read('store_reads_total\\{kind="get"\\}'),
    ranges: read('store_reads_total\\{kind="range"\\}'),
    roundTrips: read('store_round_trips_total'),
  }
}

/** What was done between two of them for each of `times`, to a tenth. */
export function countsPer(before: StoreCounts, after: StoreCounts, times: number): StoreCounts {
  const per = (name: keyof StoreCounts): number => Math.round(((after[name] - before[name]) / times) * 10) / 10
  return {
    commits: per('commits'),
    rows: per('rows'),
    bytes: per('bytes'),
    gets: per('gets'),
    ranges: per('ranges'),
    roundTrips: per('roundTrips'),
  }
}

/** Those of several daemons together. */
export function sumOf(counts: readonly StoreCounts[]): StoreCounts {
  const sum = (name: keyof StoreCounts): number => counts.reduce((total, each) => total + each[name], 0)
  return {
    commits: sum('commits'),
    rows: sum('rows'),
    bytes: sum('bytes'),
    gets: sum('gets'),
    ranges: sum('ranges'),
    roundTrips: sum('roundTrips'),
  }
}
