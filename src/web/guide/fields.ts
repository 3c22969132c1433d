/** The fields of a request for people: each with its type, its limits and what it is for. */
import { toObject, type Json } from '../../http/routing/json-schema.js'

export interface Field {
  /** With its place: `attachments[].filename`. */
  name: string
  /** In words, with its limits: `text, 1 to 255 characters`. */
  type: string
  isRequired: boolean
  about: string
}

/** How deep a body is described; what is deeper is an object in words. */
const MAX_DEPTH = 3
/** A pattern that is longer says nothing to who reads it. */
const MAX_PATTERN = 25

/**
 * @param schema of an object
 * @param components to which its references lead
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

/** The object that a field is or has entries of, but for addresses: they are described as text. */
function membersOf(field: Json, components: Json): { object: Json; mark: string } | undefined {
  const isList = field['type'] === 'array'
  const one = isList ? resolved(toObject(field['items']), components) : field
  const object = [one, ...alternatives(one, components)].find((each) => each['properties'] !== undefined)
  return object && !hasAddress(object) ? { object, mark: isList ? '[]' : '' } : undefined
}

/** What a value may be, in words. */
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
      return toObject(additionalProperties)['type'] === undefined ? 'object' : 'object of your own names'
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

/** An address may be written as text or as an object with a name. */
function isAddress(branches: readonly Json[]): boolean {
  return branches.length === 2 && branches.some(({ type }) => type === 'string') && branches.some(hasAddress)
}

function hasAddress({ properties }: Json): boolean {
  return 'address' in toObject(properties)
}

/** The branches of a choice. */
function alternatives(schema: Json, components: Json): Json[] {
  const given = [schema['anyOf'], schema['oneOf']].find(Array.isArray) ?? []
  return given.map((each) => resolved(toObject(each), components))
}

/** What a reference leads to; a description beside the reference counts more than that of its target. */
function resolved(schema: Json, components: Json): Json {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return schema
  const name = $ref.split('/').at(-1) ?? ''
  return { ...resolved(toObject(components[name]), components), ...own }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
