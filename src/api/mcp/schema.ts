/** Schemas of tools as sent: they cost a model tokens, so redundant parts are left out. */
import { z } from 'zod'
import { mustSay } from '../../http/routing/json-schema.js'

/** Addresses in one list: far more than a message may have recipients, so that the schema need not say it. */
export const MAX_ADDRESSES = 1000

/** Schema of an object: the input or output of a tool. */
export type JsonSchema = Record<string, unknown> & { type: 'object' }

/** JSON Schema 2020-12, which MCP takes for granted where `$schema` is left out. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    io,
    override({ zodSchema, jsonSchema }) {
      mustSay(zodSchema, jsonSchema)
      // Of texts: far from what anybody writes, and whoever does is told.
      delete jsonSchema.maxLength
      delete jsonSchema.minLength
      if (jsonSchema.maxItems === MAX_ADDRESSES) delete jsonSchema.maxItems
      // "A whole number" says all: that it fits into a double is nobody's concern.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return { ...json, type: 'object' }
}
