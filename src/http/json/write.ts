/** Writes answers as JSON. A frozen entry of a list, which other answers may have too, is written once. */

const written = new WeakMap<object, string>()

/** As `JSON.stringify` writes it. */
export function jsonText(value: unknown): string {
  if (!isList(value)) return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const text = field === value.data ? `[${value.data.map(entryText).join(',')}]` : textOf(field)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(',')}}`
}

function isList(value: unknown): value is { data: unknown[] } {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
}

function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null || !Object.isFrozen(entry)) return textOf(entry) ?? 'null'
  const known = written.get(entry)
  if (known !== undefined) return known
  const text = JSON.stringify(entry)
  written.set(entry, text)
  return text
}

/** Undefined for what JSON cannot have, such as undefined. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value)
}
