/** Readable descriptions of request fields: type, limits and purpose of each. */
import { toObject, type Json } from '../../http/routing/json-schema.js'

export interface Field {
  /** Full path, such as `attachments[].filename`. */
  name: string
  /** Type and limits, such as `text, 1 to 255 characters`. */
  type: string
  isRequired: boolean
  about: string
}

/** Max nesting described; deeper values are just called objects. */
const MAX_DEPTH = 3
/** Longer patterns are not readable and are omitted. */
const MAX_PATTERN = 25

/**
 * @param schema schema of an object
 * @param components targets of its references
 */
export function fieldsOf(schema: Json, components: Json, prefix = '', depth = 1): Field[] {
  const object = resolved(schema, components)
  const required = Array.isArray(object['required']) ? object['required'] : []
  return Object.entries(toObject(object['properties'])).flatMap(([key, inner]) => {
    const field = resolved(toObject(inner), components)
    const name = `${prefix}${key}`
    const within = depth < MAX_DEPTH ? membersOf(field, components) : undefined
    return [
      {
        name,
        type: typeWords(field, components),
        isRequired: required.includes(key) && field['default'] === undefined,
        about: textOf(field['description']),
      },
      ...(within ? fieldsOf(within.object, components, `${name}${within.mark}.`, depth + 1) : []),
    ]
  })
}

/** The object that a field holds, alone or in a list; not for addresses, which are described as text. */
function membersOf(field: Json, components: Json): { object: Json; mark: string } | undefined {
  const isList = field['type'] === 'array'
  const one = isList ? resolved(toObject(field['items']), components) : field
  const object = [one, ...alternatives(one, components)].find((each) => each['properties'] !== undefined)
  return object && !hasAddress(object) ? { object, mark: isList ? '[]' : '' } : undefined
}

/** Readable type of a value. */
export function typeWords(given: Json, components: Json): string {
  const schema = resolved(given, components)
  const several = alternatives(schema, components)
  if (isAddress(several)) return 'address'
  if (several.length > 0) return [...new Set(several.map((each) => typeWords(each, components)))].join(' or ')
  const words = [kindOf(schema, components), ...limitsOf(schema)]
  return words.filter((each) => each !== '').join(', ')
}

function kindOf(schema: Json, components: Json): string {
  const { const: value, enum: values, type, format, items, additionalProperties } = schema
  if (value !== undefined) return `\`${String(value)}\``
  if (Array.isArray(values)) return values.map((each) => `\`${String(each)}\``).join(', ')
  if (Array.isArray(type)) return type.map((each) => kindOf({ ...schema, type: each }, components)).join(' or ')
  switch (type) {
    case 'string':
      return format === 'date-time' ? 'time (RFC 3339)' : 'text'
    case 'integer':
      return 'whole number'
    case 'boolean':
      return 'true or false'
    case 'array': {
      const entry = resolved(toObject(items), components)
      return entry['properties'] === undefined ? `list of: ${typeWords(entry, components)}` : 'list of objects'
    }
    case 'object':
      return toObject(additionalProperties)['type'] === undefined ? 'object' : 'object with names of your choice'
    default:
      return typeof type === 'string' ? type : ''
  }
}

function limitsOf(schema: Json): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, default: byDefault } = schema
  const isPlain = typeof byDefault === 'string' || typeof byDefault === 'number' || typeof byDefault === 'boolean'
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...range(minItems, maxItems, ' entries'),
    ...(typeof pattern === 'string' && pattern.length <= MAX_PATTERN && !/[`|]/.test(pattern)
      ? [`\`${pattern}\``]
      : []),
    ...(isPlain && byDefault !== '' ? [`default \`${byDefault}\``] : []),
  ]
}

function range(least: unknown, most: unknown, unit: string): string[] {
  const words = (count: number) => count.toLocaleString('en')
  const hasLeast = typeof least === 'number' && least > 0
  if (typeof most === 'number') return [`${hasLeast ? `${words(least)} to` : 'at most'} ${words(most)}${unit}`]
  return hasLeast || (typeof least === 'number' && unit === '') ? [`at least ${words(least)}${unit}`] : []
}

/** True for the two forms of an address: text, or an object with a name. */
function isAddress(branches: readonly Json[]): boolean {
  return branches.length === 2 && branches.some(({ type }) => type === 'string') && branches.some(hasAddress)
}

function hasAddress({ properties }: Json): boolean {
  return 'address' in toObject(properties)
}

/** Branches of `anyOf` or `oneOf`. */
function alternatives(schema: Json, components: Json): Json[] {
  const given = [schema['anyOf'], schema['oneOf']].find(Array.isArray) ?? []
  return given.map((each) => resolved(toObject(each), components))
}

/** The target of a reference; a description beside the reference overrides the target's. */
function resolved(schema: Json, components: Json): Json {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return schema
  const name = $ref.split('/').at(-1) ?? ''
  return { ...resolved(toObject(components[name]), components), ...own }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
