/** Schemas of tools as they are sent: whatever a model reads costs it room, so what says nothing is left out. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * @returns the schema for a tool's registration. It lets everything pass: `run` checks what comes in, and tells what is wrong by field and what to
 *   do next; the tests check what goes out
 */
export function sentSchema(schema: z.ZodObject, io: 'input' | 'output'): StandardSchemaWithJSON {
  const json = jsonSchemaOf(schema, io)
  return {
    '~standard': {
      version: 1,
      vendor: 'restante',
      jsonSchema: { input: () => json, output: () => json },
      validate: (value) => ({ value }),
    },
  }
}

/** JSON Schema 2020-12, which MCP takes for granted where `$schema` is left out. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override({ jsonSchema }) {
      // "A whole number" says all: that it fits into a double is nobody's concern.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return json
}
