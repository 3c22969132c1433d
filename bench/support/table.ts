/** The table every benchmark prints, headed by what it was measured on. */
import { cpus } from 'node:os'

export interface Row {
  what: string
  value: string
  beside?: string
  ratio?: string
}

export function heading(): string {
  const model = cpus()[0]?.model ?? 'unknown CPU'
  return `${cpus().length} cores, ${model}, Node ${process.version}`
}

export function table(title: string, rows: Row[]): string {
  const lines = rows.map((row) => `| ${row.what} | ${row.value} | ${row.beside ?? ''} | ${row.ratio ?? ''} |`)
  return [`## ${title}`, '', '| what | measured | beside it | ratio |', '| --- | --- | --- | --- |', ...lines, ''].join(
    '\n',
  )
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
