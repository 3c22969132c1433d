/** The methods of the Python client, one for each operation and one for each list that comes in pages, made from the description of the API. */
import { pathNames, pythonField, pythonMethod } from '../../src/web/guide/client-code.js'
import { fieldNames, requiredOf } from './fields.js'
import { bodyOf, isKeyed, iteratorOf, methodsOf, type Json, type Method } from './openapi.js'
import type { PythonTypes } from './python-types.js'

const MAX_LINE = 120

/** Methods that send, by their operation; trying a send out is a method of its own. */
const SENDS = [
  { name: 'send', operationId: 'sendMessage', about: 'Sends a message.' },
  { name: 'reply', operationId: 'replyToMessage', about: 'Answers the sender of a message.' },
  {
    name: 'reply_all',
    operationId: 'replyToAll',
    about: 'Answers the sender of a message and everybody in To and Cc.',
  },
  { name: 'forward', operationId: 'forwardMessage', about: 'Forwards a message.' },
]
const OUTCOME = [
  'Accepted is not delivered: what becomes of it comes as `message.status` events. With `object` "draft" it waits for the human at',
  '`review_url`, whose decision comes as a `draft.*` event.',
].join('\n        ')

/** Source of the methods, each without an `async` before it. */
export function pythonMethods(types: PythonTypes): string {
  const methods = methodsOf(types.api)
  return [
    ...SENDS.map(({ name, operationId, about }) =>
      methodOf(named(methods, operationId), types, {
        name,
        about: `${about}\n\n        ${OUTCOME}\n        `,
        returns: 'Union[Accepted, WaitingDraft]',
        isDryRun: false,
      }),
    ),
    methodOf(named(methods, 'sendMessage'), types, {
      name: 'check_before_sending',
      about: "What `send` would do: the guard's verdict and what the message would cost. Nothing is stored.",
      returns: 'DryRun',
      isDryRun: true,
    }),
    ...methods.map((each) => methodOf(each, types)),
    ...methods.flatMap((each) => iteratorLines(each, types)),
  ].join('\n')
}

function named(methods: readonly Method[], operationId: string): Method {
  const found = methods.find(({ operation }) => operation.operationId === operationId)
  if (!found) throw new Error(`no operation ${operationId}`)
  return found
}

interface Field {
  name: string
  type: string
  isRequired: boolean
  /** None means null, and not that it is left out. */
  isNullable: boolean
  place: 'query' | 'body'
}

function fieldsOf({ operation }: Method, types: PythonTypes): Field[] {
  const body = bodyOf(operation, types.api)
  fieldNames(operation, body)
  const query = (operation.parameters ?? [])
    .filter((each) => each.in === 'query')
    .map(({ name, schema, required = false }): Field => ({
      name,
      type: types.queryType(schema),
      isRequired: required,
      isNullable: false,
      place: 'query',
    }))
  const properties: Record<string, Json> = Object(body?.['properties'] ?? {})
  const required = new Set(requiredOf(body))
  const sent = Object.entries(properties).map(([name, schema]): Field => {
    const type = types.type(schema, `_${operation.operationId}_${name}`)
    return {
      name,
      type,
      isRequired: required.has(name),
      isNullable: !required.has(name) && /\bNone\b/.test(type),
      place: 'body',
    }
  })
  return [...query, ...sent]
}

/** The call of the steps, each argument on a line of its own where one line is too short. */
function returned(given: readonly string[]): string[] {
  const line = `        return self._run(_call(${given.join(', ')}))`
  if (line.length <= MAX_LINE && !line.includes('\n')) return [line]
  return [
    '        return self._run(',
    '            _call(',
    ...given.map((each) => `                ${each},`),
    '            )',
    '        )',
  ]
}

interface Alias {
  name: string
  about: string
  returns: string
  isDryRun: boolean
}

function methodOf(method: Method, types: PythonTypes, alias?: Alias): string {
  const { operation, path } = method
  const { operationId, summary } = operation
  const fields = fieldsOf(method, types).filter(({ name }) => !alias || name !== 'dry_run')
  // Those that everybody gives may be given without their names.
  const plain = alias ? fields.filter(({ name, isRequired }) => isRequired || name === 'text') : []
  const rest = fields.filter((each) => !plain.includes(each))
  const keyed = isKeyed(operation)
  const named = [
    ...rest.filter(({ isRequired }) => isRequired).map(argument),
    ...rest.filter(({ isRequired }) => !isRequired).map(argument),
    ...(keyed ? ['idempotency_key: Optional[str] = None'] : []),
  ]
  const head = [
    'self',
    ...pathArguments(method, types),
    ...plain.map(argument),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  const hasBody = operation.requestBody !== undefined
  const query = given(fields.filter(({ place }) => place === 'query'))
  const sent = [
    'self._settings',
    `"${operationId}"`,
    `{${pathNames(path)
      .map((name) => `"${name}": ${pythonField(name)}`)
      .join(', ')}}`,
    alias?.isDryRun ? '{"dry_run": True}' : query,
    hasBody ? given(fields.filter(({ place }) => place === 'body')) : 'None',
    'None',
    ...(keyed ? ['idempotency_key'] : []),
  ]
  return [
    listed(
      `    def ${alias?.name ?? pythonMethod(operationId)}`,
      head,
      ` -> ${alias?.returns ?? answerOf(method, types)}:`,
      '    ',
    ),
    `        """${alias?.about ?? `${summary}: \`${method.method} ${path}\`.`}"""`,
    ...returned(sent),
    '',
  ].join('\n')
}

function iteratorLines(method: Method, types: PythonTypes): string[] {
  const { operation, path } = method
  const iterator = iteratorOf(operation)
  if (iterator === undefined) return []
  const fields = fieldsOf(method, types)
  const names = pathNames(path)
  const head = ['self', ...pathArguments(method, types), '*', ...fields.map(argument)]
  const params = `{${names.map((name) => `"${name}": ${pythonField(name)}`).join(', ')}}`
  return [
    listed(`    def ${pythonMethod(iterator)}`, head, ` -> Iterator[${entryOf(method, types)}]:`, '    '),
    `        """Every entry of \`${pythonMethod(operation.operationId)}\`, page by page."""`,
    listed('        return self._entries', [`"${operation.operationId}"`, params, given(fields)], '', '        '),
    '',
  ]
}

function pathArguments({ path, operation: { parameters = [] } }: Method, types: PythonTypes): string[] {
  return pathNames(path).map((name) => {
    const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema ?? {}
    return `${pythonField(name)}: ${types.type(schema, '_Path')}`
  })
}

/** Arguments in parentheses, on several lines where one is too short. */
function listed(open: string, all: readonly string[], close: string, indent: string): string {
  const line = `${open}(${all.join(', ')})${close}`
  if (indent.length + line.length <= MAX_LINE) return line
  const lines = ['']
  for (const each of all) {
    const last = lines.at(-1) ?? ''
    if (indent.length + 4 + last.length + each.length + 3 > MAX_LINE && last !== '') lines.push(each)
    else lines[lines.length - 1] = last === '' ? each : `${last}, ${each}`
  }
  return `${open}(\n${lines.map((each) => `${indent}    ${each},`).join('\n')}\n${indent})${close}`
}

function argument({ name, type, isRequired, isNullable }: Field): string {
  if (isRequired) return `${pythonField(name)}: ${type}`
  if (isNullable) return `${pythonField(name)}: Union[${type}, _Omitted] = OMITTED`
  return `${pythonField(name)}: Optional[${type}] = None`
}

/** The expression of the fields that are given. */
function given(fields: readonly Field[]): string {
  const call = (maker: string, own: readonly Field[]): string[] => {
    const named = own.map(({ name }) => `${pythonField(name)}=${pythonField(name)}`)
    return own.length === 0 ? [] : [listed(maker, named, '', ' '.repeat(16))]
  }
  const made = [
    ...call(
      '_given',
      fields.filter(({ isNullable }) => !isNullable),
    ),
    ...call(
      '_nullable',
      fields.filter(({ isNullable }) => isNullable),
    ),
  ]
  if (made.length === 2) return `{${made.map((each) => `**${each}`).join(', ')}}`
  return made[0] ?? '{}'
}

function answerOf({ operation }: Method, types: PythonTypes): string {
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      const json = content?.['application/json']?.schema
      if (json) return types.type(json, `_${operation.operationId}_answer`)
      return content ? 'bytes' : 'None'
    })
  const own = [...new Set(answers)]
  return own.length === 1 ? String(own[0]) : `Union[${own.join(', ')}]`
}

/** Type of an entry of a list. */
function entryOf({ operation }: Method, types: PythonTypes): string {
  const schema = operation.responses['200']?.content?.['application/json']?.schema
  const name =
    String(schema?.['$ref'] ?? '')
      .split('/')
      .at(-1) ?? ''
  const data: Json | undefined = Object(types.api.components.schemas[name]?.['properties'])['data']
  const items = data?.['items']
  if (typeof items !== 'object' || items === null) throw new Error(`${operation.operationId} has no entries`)
  return types.type({ ...items }, `_${name}_data`)
}
