/** Sets values in a settings file without changing anything else: comments, order, other settings. */
import { parse } from 'smol-toml'

/** @param value in TOML, on one line @returns the text with the setting; undefined if it can't be changed automatically */
export function withSetting(text: string, name: string, value: string): string | undefined {
  const wanted = JSON.stringify(parse(`value = ${value}`).value)
  if (JSON.stringify(parse(text)[name]) === wanted) return text
  const lines = text.split('\n')
  const assignment = `${name} = ${value}`
  // Lines below a table header belong to the table, so settings are above the first one.
  const tables = lines.findIndex((line) => /^\s*\[/.test(line))
  const top = tables === -1 ? lines.length : tables
  const active = lines.findIndex((line, at) => at < top && new RegExp(`^\\s*${name}\\s*=`).test(line))
  const commented = lines.findIndex((line, at) => at < top && new RegExp(`^# ${name} = `).test(line))
  const made =
    active !== -1
      ? replaced(lines, active, endOfValue(lines, active, ''), assignment)
      : commented !== -1
        ? replaced(lines, commented, endOfValue(lines, commented, '# '), assignment)
        : [...lines.slice(0, top), assignment, ...lines.slice(top)]
  const result = made.join('\n')
  return reads(result, name, wanted) ? result : undefined
}

/** Index of the line after a value, which may be a list over several lines. @param prefix of each */
function endOfValue(lines: string[], from: number, prefix: string): number {
  if (!/=\s*\[\s*(?:#.*)?$/.test(lines[from] ?? '')) return from + 1
  const end = lines.findIndex((line, at) => at > from && line.startsWith(`${prefix}]`))
  return end === -1 ? from + 1 : end + 1
}

function replaced(lines: string[], from: number, end: number, assignment: string): string[] {
  return [...lines.slice(0, from), assignment, ...lines.slice(end)]
}

function reads(text: string, name: string, wanted: string): boolean {
  try {
    return JSON.stringify(parse(text)[name]) === wanted
  } catch {
    // The value was written over several lines: the result is invalid TOML and is not used.
    return false
  }
}
