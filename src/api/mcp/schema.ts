/** Schemas of tools as sent: they cost a model tokens, so redundant parts are left out. */
import { z } from 'zod'
import { requireSchemaForm } from '../../http/routing/json-schema.js'

/** Max addresses per list: far above the recipient limit, so the schema need not state it. */
export const MAX_ADDRESSES = 1000

/** Schema of an object: the input or output of a tool. */
export type JsonSchema = Record<string, unknown> & { type: 'object' }

/** JSON Schema 2020-12, the default of MCP without `$schema`. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    io,
    override({ zodSchema, jsonSchema }) {
      requireSchemaForm(zodSchema, jsonSchema)
      // Text limits are far beyond normal use, and errors state them.
      delete jsonSchema.maxLength
      delete jsonSchema.minLength
      if (jsonSchema.maxItems === MAX_ADDRESSES) delete jsonSchema.maxItems
      // The limits of a double are irrelevant here.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return { ...json, type: 'object' }
}
