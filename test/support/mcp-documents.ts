/**
 * What documents that describe an MCP server must keep to: the rules of the registry's schema 2025-12-11, which a server card (SEP-2127) has
 * in common with it.
 */
import { z } from 'zod'

const input = {
  description: z.string().min(1).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
}
const Variables = z.record(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/), z.strictObject(input))

const named = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()
const declares = (template: string, variables: object = {}): boolean =>
  JSON.stringify(named(template)) === JSON.stringify(Object.keys(variables).sort())

const Header = z
  .strictObject({
    name: z.string().regex(/^[\w-]+$/),
    value: z.string().optional(),
    ...input,
    variables: Variables.optional(),
  })
  .refine(
    ({ value, variables }) => declares(value ?? '', variables),
    'a variable without a place, or a place without one',
  )
  .refine(({ isSecret, value }) => isSecret !== true || named(value ?? '').length > 0, 'a secret that is given away')

/** @param fields that only one of the documents has */
export const remote = (fields: z.ZodRawShape = {}) =>
  z
    .strictObject({
      type: z.enum(['streamable-http', 'sse']),
      url: z.string().regex(/^https?:\/\/[^\s]+$/),
      headers: z.array(Header).optional(),
      variables: Variables.optional(),
      ...fields,
    })
    .refine(({ url, variables }) => declares(url, variables), 'a variable without a place, or a place without one')

/** @param schema the document's own `$schema` */
export const serverDocument = (schema: string, remotes: z.ZodType) =>
  z.strictObject({
    $schema: z.literal(schema),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100).optional(),
    description: z.string().min(1).max(100),
    // One release, exactly: ranges and `latest` are refused.
    version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
    websiteUrl: z.url().optional(),
    remotes: z.array(remotes).min(1),
  })
