/** Printing for people. What strangers wrote (names of agents) can't steer the terminal. */

/** Control and format characters would move the cursor, recolour or reorder what is on the screen. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}

/** The same for a text of several lines. */
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
