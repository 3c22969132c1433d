/** Output for people. Strangers' text (names of agents) cannot control the terminal. */
import type { Invocation } from './command.js'

/** Removes control and format characters, which could move the cursor, recolour or reorder text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}

export function printableLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').split('\n').map(printable).join('\n')
}

/** A value in a table; null is empty. */
export type Cell = string | number | null | undefined

export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => printable(String(cell ?? ''))))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A table as an optional part of a longer text: none without rows. */
export function optionalTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  return rows.length === 0 ? [] : [table(head, rows)]
}

/** Lines of a name and a value; without those that have no value. */
export function facts(rows: readonly (readonly [name: string, value: Cell])[], width: number): string {
  return rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name.padEnd(width)}${printable(String(value))}`)
    .join('\n')
}

/** Prints a list: as JSON, as a table, or `none` as a note. */
export function printList<T>(
  { options, print, note }: Invocation,
  data: readonly T[],
  head: readonly string[],
  row: (one: T) => readonly Cell[],
  none: string,
): void {
  if (options.json) print(json(data))
  else if (data.length === 0) note(none)
  else print(table(head, data.map(row)))
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
