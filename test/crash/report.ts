/** Prints what a proof found: its counts as a table for docs/reliability.md, and its faults. Sets the exit code. */
export function report({ counts, faults }: { counts: object; faults: readonly string[] }): void {
  console.log(
    [
      '',
      '| what | count |',
      '| --- | --- |',
      ...Object.entries(counts).map(([what, count]) => `| ${what} | ${String(count)} |`),
      '',
    ].join('\n'),
  )
  console.log(
    faults.length === 0 ? 'Every promise was kept.' : `${faults.length} faults:\n${faults.slice(0, 50).join('\n')}`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
