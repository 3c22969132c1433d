/** How an operation is called with the clients, which have a method for each: its name and its arguments in TypeScript and in Python. */

/** What an operation says of its call. */
export interface Called {
  operationId: string
  path: string
  example: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
}

/** Names that Python keeps for itself get an underscore at their end. */
const PYTHON_KEYWORDS = new Set([
  'and',
  'as',
  'class',
  'def',
  'for',
  'from',
  'global',
  'import',
  'in',
  'is',
  'not',
  'or',
  'pass',
  'with',
])

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

/** `mailbox.updateMessage('msg_…', { unread: false })`. */
export function typescriptCall(operation: Called): string {
  const fields = fieldsOf(operation).map(([name, value]) => `${name}: ${typescriptValue(value)}`)
  const given = [...pathOf(operation).map(typescriptValue), ...(fields.length > 0 ? [`{ ${fields.join(', ')} }`] : [])]
  return `mailbox.${operation.operationId}(${given.join(', ')})`
}

/** `mailbox.update_message("msg_…", unread=False)`. */
export function pythonCall(operation: Called): string {
  const fields = fieldsOf(operation).map(([name, value]) => `${pythonField(name)}=${pythonValue(value)}`)
  return `mailbox.${pythonMethod(operation.operationId)}(${[...pathOf(operation).map(pythonValue), ...fields].join(', ')})`
}

function pathOf({ path, example }: Called): string[] {
  return pathNames(path).map((name) => example.params?.[name] ?? name)
}

/** Query and body are one set of named arguments: a test holds that no operation has a name in both. */
function fieldsOf({ example: { query = {}, body = {} } }: Called): [name: string, value: unknown][] {
  const asked = Object.entries(query).map(([name, text]): [string, unknown] => [name, queryValue(text)])
  return [...asked, ...Object.entries(typeof body === 'object' && body !== null ? body : {})]
}

/** Numbers are numbers in both languages. */
function queryValue(text: string): string | number {
  return /^\d{1,9}$/.test(text) && text !== '0' && text !== '1' ? Number(text) : text
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
