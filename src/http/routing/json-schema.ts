/** zod schemas in the API description (JSON Schema 2020-12); those with an id become components. */
import { z } from 'zod'

export type Json = { [key: string]: unknown }

/**
 * Converts a schema.
 *
 * @param io direction of the value
 * @param components gets parts with ids, which become references
 */
export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $schema: _dialect,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any', override: tidy })
  for (const [id, definition] of Object.entries($defs)) components[id] = toComponents(definition)
  const { id } = own
  if (typeof id !== 'string') return toObject(toComponents(own))
  components[id] = toComponents(own)
  return { $ref: `#/components/schemas/${id}` }

  function tidy({
    zodSchema,
    jsonSchema: made,
  }: {
    zodSchema: z.core.$ZodTypes
    jsonSchema: z.core.JSONSchema.BaseSchema
  }): void {
    requireSchemaForm(zodSchema, made)
    // Responses may get more fields: clients must accept them.
    if (io === 'output' && zodSchema._zod.def.type === 'object') delete made.additionalProperties
    // Missing for text that is parsed as a number first.
    const { def } = zodSchema._zod
    if (def.type === 'default' && typeof def.defaultValue === 'number') made.default = def.defaultValue
    if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum
    if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum
    // The pattern repeats the format at length.
    if (made.format === 'date-time') delete made.pattern
  }
}

/** A custom check declares its form as `type`. @throws Error without it */
export function requireSchemaForm(schema: z.core.$ZodTypes, made: z.core.JSONSchema.BaseSchema): void {
  const { type } = schema._zod.def
  const maySayNothing = type === 'unknown' || type === 'any' || type === 'custom'
  if (!maySayNothing && Object.keys(made).length === 0)
    throw new Error(`A schema of type ${type} has no form in the description`)
}

/** Turns references among definitions into references among components; an id is the component's name and no part of it. */
function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key === 'id' && typeof inner === 'string') return []
    if (key === 'examples') return [[key, inner]]
    if (key === '$ref' && typeof inner === 'string') return [[key, inner.replace('#/$defs/', '#/components/schemas/')]]
    return [[key, toComponents(inner)]]
  })
  return Object.fromEntries(entries)
}

/** The members of a JSON object; none of anything else. */
export function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
