/** The example of an operation as a program: with curl, TypeScript and Python, all from its declaration. */
import { jsonSchema, toObject, type Json } from '../../http/routing/json-schema.js'
import type { Route } from '../../http/routing/route.js'
import type { Sample } from './blocks.js'
import { iteratorName, pathNames, pythonCall, typescriptCall, type Call } from './client-code.js'

type Called = Pick<
  Route<never>,
  'operationId' | 'method' | 'path' | 'auth' | 'params' | 'query' | 'body' | 'example' | 'responses'
>

/** The same call in each language; curl comes first. */
export function samplesOf(route: Called, baseUrl: string): Sample[] {
  return [
    { label: 'curl', language: 'sh', text: curlOf(route, baseUrl) },
    { label: 'TypeScript', language: 'typescript', text: typescriptOf(route) },
    { label: 'Python', language: 'python', text: pythonOf(route) },
  ]
}

function curlOf({ method, path, auth, example, body }: Called, baseUrl: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(example.params?.[name] ?? name))
  const query = new URLSearchParams(example.query).toString()
  const url = `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`
  const words = [
    ...(method === 'GET' || (method === 'POST' && body) ? [] : [`-X ${method}`]),
    query === '' ? url : `'${url}'`,
    ...(auth === 'none' ? [] : ['-H "Authorization: Bearer $KEY"']),
  ]
  const first = `curl ${words.join(' ')}`
  if (!body) return first
  const sent = JSON.stringify(example.body).replaceAll("'", `'\\''`)
  return `${first} \\\n  -H 'Content-Type: application/json' -d '${sent}'`
}

function typescriptOf(route: Called): string {
  const call = callOf(route)
  const iterator = iteratorOf(route)
  return [
    "import { Restante } from 'restante-client'",
    '',
    'const mailbox = new Restante() // RESTANTE_URL, RESTANTE_API_KEY',
    `const answer = await ${typescriptCall(call)}`,
    ...(iterator === undefined
      ? []
      : [
          '// Every page, entry by entry:',
          `for await (const entry of ${typescriptCall(withoutPaging(call), iterator)}) console.log(entry)`,
        ]),
  ].join('\n')
}

function pythonOf(route: Called): string {
  const call = callOf(route)
  const iterator = iteratorOf(route)
  return [
    'from restante import Restante',
    '',
    'mailbox = Restante()  # RESTANTE_URL, RESTANTE_API_KEY',
    `answer = ${pythonCall(call)}`,
    ...(iterator === undefined
      ? []
      : [
          '# Every page, entry by entry:',
          `for entry in ${pythonCall(withoutPaging(call), iterator)}:\n    print(entry)`,
        ]),
  ].join('\n')
}

/** The call of the example. */
function callOf({ operationId, path, query, example }: Called): Call {
  const types = query ? toObject(resolved(jsonSchema(query, 'input', {}))['properties']) : {}
  const asked = Object.entries(example.query ?? {}).map(
    ([name, text]) => [name, queryValue(toObject(types[name]), text)] as const,
  )
  const body = typeof example.body === 'object' && example.body !== null ? Object.entries(example.body) : []
  return {
    operationId,
    path: pathNames(path).map((name) => example.params?.[name] ?? name),
    fields: [...asked, ...body],
  }
}

function queryValue({ type, enum: values }: Json, text: string): unknown {
  if (Array.isArray(values) && values.includes('true')) return text === '1' || text === 'true'
  return type === 'integer' ? Number(text) : text
}

/** Queries are plain objects without references. */
function resolved(schema: Json): Json {
  if (schema['$ref'] !== undefined) throw new Error('A query has a reference')
  return schema
}

function iteratorOf({ operationId, query }: Called): string | undefined {
  return query && 'cursor' in query.shape ? iteratorName(operationId) : undefined
}

/** The clients page by themselves. */
function withoutPaging(call: Call): Call {
  return { ...call, fields: call.fields.filter(([name]) => name !== 'limit' && name !== 'cursor') }
}
