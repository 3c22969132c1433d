/** The methods of the TypeScript client, one for each operation and one for each list that comes in pages, made from the description of the API. */
import { pathNames } from '../../src/web/guide/client-code.js'
import { bodyOf, iteratorOf, methodsOf, type Method, type OpenApi } from './openapi.js'
import { fieldNames } from './fields.js'

/** The whole file `methods.ts` of the client. */
export function methodsFile(api: OpenApi): string {
  const methods = methodsOf(api)
  return [
    '/** A method for each operation, made from the description of the service (`npm run docs`): not to be changed by hand. */',
    "import type { CallOptions, CallSettings, OperationName } from './calls.js'",
    "import type { Operations } from './operations.js'",
    "import { entriesOf } from './pages.js'",
    '',
    'type Part<N extends OperationName, K extends string> = Operations[N] extends { [key in K]?: infer T } ? NonNullable<T> : unknown',
    '/** What an operation is given beside the names in its path: its query and its body. */',
    "export type Fields<N extends OperationName> = Part<N, 'query'> & Part<N, 'body'>",
    "type Answer<N extends OperationName> = Promise<Operations[N]['response']>",
    "type Entry<N extends OperationName> = Operations[N]['response'] extends { data: (infer T)[] } ? T : never",
    '',
    'export abstract class OperationMethods {',
    "abstract call<N extends OperationName>(name: N, options: CallOptions<N>): Promise<Operations[N]['response']>",
    ...methods.map((each) => methodOf(each, api)),
    ...methods.flatMap((each) => iteratorLines(each)),
    '}',
    '',
  ].join('\n')
}

function methodOf({ method, path, operation }: Method, api: OpenApi): string {
  const { operationId: id, summary } = operation
  const names = pathNames(path)
  const { query, body, isNeeded } = fieldNames(operation, bodyOf(operation, api))
  const hasFields = query.length + body.length > 0
  const head = [
    ...pathArguments(path, operation),
    ...(hasFields ? [`fields: Fields<'${id}'>${isNeeded ? '' : ' = {}'}`] : []),
    'settings: CallSettings = {}',
  ]
  const splits = query.length > 0 && body.length > 0
  const given = [
    ...(names.length > 0 ? [`params: { ${names.join(', ')} }`] : []),
    ...(splits ? [`query: { ${query.join(', ')} }`, 'body'] : []),
    ...(!splits && query.length > 0 ? ['query: fields'] : []),
    ...(!splits && body.length > 0 ? ['body: fields'] : []),
    '...settings',
  ]
  return [
    `/** ${summary}: \`${method} ${path}\`. */`,
    `${id}(${head.join(', ')}): Answer<'${id}'> {`,
    ...(splits ? [`const { ${query.join(', ')}, ...body } = fields`] : []),
    `return this.call('${id}', { ${given.join(', ')} })`,
    '}',
  ].join('\n')
}

function iteratorLines({ path, operation }: Method): string[] {
  const name = iteratorOf(operation)
  if (name === undefined) return []
  const { operationId: id } = operation
  const names = pathNames(path)
  const head = [...pathArguments(path, operation), `fields: Fields<'${id}'> = {}`, 'settings: CallSettings = {}']
  return [
    `/** Every entry of \`${id}\`, page by page. */`,
    `${name}(${head.join(', ')}): AsyncGenerator<Entry<'${id}'>, void> {`,
    `return entriesOf((cursor) => this.${id}(${[...names, '{ ...fields, cursor }', 'settings'].join(', ')}), fields.cursor)`,
    '}',
  ]
}

/** Names in the path; one with few values has the type of these. */
function pathArguments(path: string, { operationId, parameters = [] }: Method['operation']): string[] {
  return pathNames(path).map((name) => {
    const isChoice = parameters.some((each) => each.in === 'path' && each.name === name && each.schema['enum'])
    return `${name}: ${isChoice ? `Operations['${operationId}']['params']['${name}']` : 'string'}`
  })
}
