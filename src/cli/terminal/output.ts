/** Output for people. Strangers' text (names of agents) cannot control the terminal. */

/** Removes control and format characters, which could move the cursor, recolour or reorder text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}

/** `printable` for several lines. */
export function printableLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').split('\n').map(printable).join('\n')
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows.map((row) => row.map(printable))]
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

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
