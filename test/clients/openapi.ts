/** The description of the API, as far as tests read it. */
import { parse } from 'yaml'
import { z } from 'zod'
import { openapiYaml } from '../../src/http/openapi.js'
import { routes } from '../../src/http/v1/routes.js'

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

/** @throws Error when it is no description as this project makes it */
export function readApi(parsed: unknown): OpenApi {
  return document.parse(parsed)
}

export function describedApi(): OpenApi {
  return readApi(parse(openapiYaml(routes, { version: '0.0.0', baseUrl: 'http://127.0.0.1' })))
}
