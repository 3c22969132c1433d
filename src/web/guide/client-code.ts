/** How an operation is called with the clients, which have a method for each: its name and its arguments in TypeScript and in Python. */

/** One call. */
export interface Call {
  operationId: string
  /** Values of the names in the path, in their order. */
  path: readonly string[]
  /** Query and body are one set of named arguments. A flag of the query is true. */
  fields: readonly (readonly [name: string, value: unknown])[]
}

/** Names that Python keeps for itself get an underscore at their end. */
const PYTHON_KEYWORDS = new Set(['and', 'as', 'class', 'def', 'for', 'from', 'import', 'in', 'is', 'not', 'or', 'with'])
/** Longer calls have each argument on a line of its own. */
const MAX_LINE = 80

/** `getMessage` → `get_message`. */
export function pythonMethod(operationId: string): string {
  return operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function pythonField(name: string): string {
  return PYTHON_KEYWORDS.has(name) ? `${name}_` : name
}

/** Names in braces, in the order of the arguments. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Name of the iterator over every entry of a list that comes in pages: `listThreads` → `threads`. */
export function iteratorName(operationId: string): string | undefined {
  const [, list] = /^list([A-Z]\w+)$/.exec(operationId) ?? []
  return list === undefined ? undefined : list.charAt(0).toLowerCase() + list.slice(1)
}

/** `mailbox.updateMessage('msg_…', { unread: false })`. @param method by default that of the operation */
export function typescriptCall({ operationId, path, fields }: Call, method = operationId): string {
  const named = fields.map(([name, value]) => `${name}: ${typescriptValue(value)}`)
  const start = [
    `mailbox.${method}(${path.map(typescriptValue).join(', ')}`,
    ...(path.length > 0 && named.length > 0 ? [', '] : []),
  ]
  if (named.length === 0) return `${start.join('')})`
  const line = `${start.join('')}{ ${named.join(', ')} })`
  return line.length <= MAX_LINE ? line : `${start.join('')}{\n${named.map((each) => `  ${each},\n`).join('')}})`
}

/** `mailbox.update_message("msg_…", unread=False)`. */
export function pythonCall({ operationId, path, fields }: Call, method = operationId): string {
  const given = [
    ...path.map(pythonValue),
    ...fields.map(([name, value]) => `${pythonField(name)}=${pythonValue(value)}`),
  ]
  const name = `mailbox.${pythonMethod(method)}`
  const line = `${name}(${given.join(', ')})`
  return line.length <= MAX_LINE ? line : `${name}(\n${given.map((each) => `    ${each},\n`).join('')})`
}

function typescriptValue(value: unknown): string {
  if (typeof value === 'string') return `'${escaped(value).replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(typescriptValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${typescriptValue(inner)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function pythonValue(value: unknown): string {
  if (typeof value === 'string') return `"${escaped(value).replaceAll('"', '\\"')}"`
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${pythonValue(name)}: ${pythonValue(inner)}`)
    .join(', ')}}`
}

/** For a text in quotes, whose own quote the caller escapes. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}
