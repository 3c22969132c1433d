/** The types of the TypeScript client, made from the description of the API. */
import { isKeyed, methodsOf, type Json, type OpenApi, type Operation } from './openapi.js'

/** The whole file `operations.ts` of the client. */
export function operationsFile(api: OpenApi): string {
  const operations = methodsOf(api)
  return [
    '/** Types of the service, made from its description (`npm run docs`): not to be changed by hand. */',
    ...Object.entries(api.components.schemas)
      .filter(([name]) => name !== 'Error')
      .map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`),
    'export interface Operations {',
    ...operations.map(({ operation }) => `${operation.operationId}: ${typesOf(operation)}`),
    '}',
    '/** `isKeyed`: takes an `Idempotency-Key`. */',
    'export const OPERATIONS = {',
    ...operations.map(
      ({ method, path, operation }) =>
        `${operation.operationId}: { method: '${method}', path: '${path}', isKeyed: ${isKeyed(operation)} },`,
    ),
    '} as const satisfies Record<keyof Operations, { method: string; path: string; isKeyed: boolean }>',
    '',
  ].join('\n')
}

function typesOf({ parameters = [], requestBody, responses }: Operation): string {
  const members = (['path', 'query'] as const).flatMap((place) => {
    const own = parameters.filter((each) => each.in === place)
    if (own.length === 0) return []
    const isNeeded = own.some((each) => each.required)
    const fields = own.map(({ name, schema, required }) => {
      const type = isFlag(schema) ? `boolean | ${typeOf(schema)}` : typeOf(schema)
      return `${name}${required ? '' : '?'}: ${type}`
    })
    return [`${place === 'path' ? 'params' : 'query'}${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`]
  })
  const body = requestBody?.content['application/json']?.schema
  if (body) members.push(`body: ${typeOf(body)}`)
  const answers = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, { content }]) => {
      const json = content?.['application/json']?.schema
      if (json) return typeOf(json)
      return content ? 'Uint8Array' : 'undefined'
    })
  members.push(`response: ${[...new Set(answers)].join(' | ')}`)
  return `{ ${members.join('; ')} }`
}

/** True for a parameter that is set by `1` or `true`. */
export function isFlag({ enum: values }: Json): boolean {
  return Array.isArray(values) && values.includes('true')
}

/** The part of JSON Schema that the description uses; anything else is an error, and not a guess. */
function typeOf(schema: Json): string {
  const { $ref, anyOf, oneOf, allOf, type, enum: values, const: value } = schema
  if (typeof $ref === 'string') return String($ref.split('/').at(-1))
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(' | ')
  const several = anyOf ?? oneOf
  if (isSchemas(several)) return several.map((each) => `(${typeOf(each)})`).join(' | ')
  if (isSchemas(allOf)) return allOf.map((each) => `(${typeOf(each)})`).join(' & ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${isSchema(schema['items']) ? typeOf(schema['items']) : 'unknown'})[]`
    case 'object':
      return objectOf(schema)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`)
  }
}

function objectOf({ properties, required, additionalProperties }: Json): string {
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = isSchema(properties)
    ? Object.entries(properties).map(([name, schema]) => {
        const about = isSchema(schema) && typeof schema['description'] === 'string' ? schema['description'] : undefined
        const comment = about === undefined ? '' : `/** ${about.replaceAll('*/', '* /')} */\n`
        return `${comment}${JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${typeOf(isSchema(schema) ? schema : {})}`
      })
    : []
  const others = isSchema(additionalProperties) ? `{ [name: string]: ${typeOf(additionalProperties)} }` : undefined
  if (fields.length === 0) return others ?? '{ [name: string]: unknown }'
  return `{\n${fields.join('\n')}\n}${others === undefined ? '' : ` & ${others}`}`
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSchemas(value: unknown): value is Json[] {
  return Array.isArray(value) && value.every(isSchema)
}
