/** The description of the API, as far as tests read it. */
import { parse } from 'yaml'
import { z } from 'zod'
import { openapiYaml } from '../../src/http/routing/openapi.js'
import { routes } from '../../src/api/v1-routes.js'
import { iteratorName } from '../../src/web/guide/client-code.js'

const json = z.record(z.string(), z.unknown())
export type Json = z.infer<typeof json>

const content = z.record(
  z.string(),
  z.object({
    schema: json,
    example: z.unknown().optional(),
    examples: json.optional(),
  }),
)
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().optional(),
        schema: json,
        example: z.unknown().optional(),
      }),
    )
    .optional(),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
})
export type Operation = z.infer<typeof operation>

const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), json) }),
})
export type OpenApi = z.infer<typeof document>

/** @throws Error when it is no description as this project makes it, or a reference leads nowhere */
export function readApi(parsed: unknown): OpenApi {
  return document.parse(withReferencesFollowed(parsed))
}

/** The description with what `components/responses` and `components/parameters` hold in the place of the references to it, as a client reads it. */
export function withReferencesFollowed(parsed: unknown): unknown {
  const components = z
    .looseObject({ components: z.looseObject({ responses: json.optional(), parameters: json.optional() }) })
    .parse(parsed).components
  return follow(parsed)

  function follow(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(follow)
    if (typeof value !== 'object' || value === null) return value
    const [, section, name = ''] =
      '$ref' in value ? (/^#\/components\/(responses|parameters)\/(\w+)$/.exec(String(value.$ref)) ?? []) : []
    if (section !== 'responses' && section !== 'parameters')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, follow(inner)]))
    const found = components[section]?.[name]
    if (found === undefined) throw new Error(`nothing in components/${section} is called ${name}`)
    return found
  }
}

/** An operation with its place, as the clients call it. */
export interface Method {
  method: string
  path: string
  operation: Operation
}

export function methodsOf(api: OpenApi): Method[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** The schema that an operation's body has, with a reference to a component followed; undefined without a body. */
export function bodyOf({ requestBody }: Operation, api: OpenApi): Json | undefined {
  const schema = requestBody?.content['application/json']?.schema
  const name = typeof schema?.['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
  return name === undefined ? schema : api.components.schemas[name]
}

/** True if the operation takes an `Idempotency-Key`. */
export function isKeyed({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key')
}

/** Name of the iterator over all entries of a list that comes in pages: `listThreads` → `threads`. */
export function iteratorOf({ operationId, parameters = [] }: Operation): string | undefined {
  return parameters.some(({ name }) => name === 'cursor') ? iteratorName(operationId) : undefined
}

export function describedApi(): OpenApi {
  return readApi(parse(openapiYaml(routes, { version: '0.0.0', baseUrl: 'http://127.0.0.1' })))
}
