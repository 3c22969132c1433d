/** What an operation takes beside the names in its path, as the clients take it: one set of named fields. */
import type { Json, Operation } from './openapi.js'

export interface FieldNames {
  query: string[]
  body: string[]
  /** True if one of them is required. */
  isNeeded: boolean
}

/**
 * @param body schema of the body, with its reference followed
 * @throws Error when a name is in two places
 */
export function fieldNames({ operationId, parameters = [] }: Operation, body: Json | undefined): FieldNames {
  const inQuery = parameters.filter((each) => each.in === 'query')
  const query = inQuery.map(({ name }) => name)
  const inBody = Object.keys(Object(body?.['properties'] ?? {}))
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
  const all = [...query, ...inBody, ...inPath]
  const twice = all.find((name, i) => all.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`${operationId} has ${twice} in two places`)
  return {
    query,
    body: inBody,
    isNeeded: inQuery.some(({ required }) => required) || requiredOf(body).length > 0,
  }
}

export function requiredOf(schema: Json | undefined): string[] {
  const names = schema?.['required']
  return Array.isArray(names) ? names.map(String) : []
}
