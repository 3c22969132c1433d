/** A page for each operation of the API, and the list of them: made from the declarations that check the requests. */
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js'
import { errorCodes } from '../../http/routing/error-answers.js'
import { ERROR_MEANINGS } from '../../http/answers/error-meanings.js'
import { jsonSchema, type Json } from '../../http/routing/json-schema.js'
import type { Route } from '../../http/routing/route.js'
import { code, heading, list, paragraph, type Block, type GuidePage, type Place } from './blocks.js'
import { fieldsOf, typeWords, type Field } from './fields.js'

export type Operation = Omit<Route<never>, 'run' | 'bodyLimit'>

/** Of an example: what goes past it is left out, so that a page stays short. */
const MAX_TEXT = 60
const MAX_ENTRIES = 2
/** An explanation that is longer is not given twice. */
const MAX_REPEATED = 40
/** A line of an example that is longer is broken up. */
const MAX_LINE = 110

/** The page of one operation: `/docs/api/<operationId>`. */
export function operationPage(route: Operation, { baseUrl }: Pick<Place, 'baseUrl'>): GuidePage {
  const components: Json = {}
  const body = route.body && fieldsOf(jsonSchema(route.body, 'input', components), components)
  return {
    name: `api/${route.operationId}`,
    title: route.summary,
    about: `\`${route.method} ${route.path}\` (${route.operationId})`,
    blocks: [
      ...(route.description?.split('\n\n').map(paragraph) ?? []),
      paragraph(accessOf(route)),
      ...parametersOf(route),
      ...(body ? [heading('Body'), fieldList(body)] : []),
      heading('Example'),
      code('sh', requestOf(route, baseUrl)),
      ...Object.entries(route.responses).flatMap(answerBlocks),
      heading('Errors'),
      list(
        ...inOrder(errorCodes(route)).map((each) => `${ERROR_STATUS[each]} \`${each}\`: ${ERROR_MEANINGS[each].next}`),
      ),
    ],
  }
}

/**
 * All operations, by what they are about: `/docs/api`.
 *
 * @param entry says one of them in a line
 */
export function operationsIndex(routes: readonly Operation[], entry: (route: Operation) => string): GuidePage {
  const tags = [...new Set(routes.map(({ tag }) => tag))]
  return {
    name: 'api',
    title: 'Every operation',
    about: 'What each takes and answers, and what to do about its errors. The page of one is `/docs/api/<name>.md`.',
    blocks: tags.flatMap((tag) => [heading(tag), list(...routes.filter((each) => each.tag === tag).map(entry))]),
  }
}

/** For people, who follow links. */
export const linkedEntry = ({ operationId, method, path, summary }: Operation): string =>
  `[${summary}](/docs/api/${operationId}): \`${method} ${path}\``

/** For agents, for whom each word costs. */
export const shortEntry = ({ operationId, method, path, summary }: Operation): string =>
  `${operationId}: ${method} ${path}, ${summary}`

/** By status, so that what is the caller's to correct stands first. */
function inOrder(codes: readonly ErrorCode[]): ErrorCode[] {
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b])
}

function accessOf({ auth, scopes }: Operation): string {
  const scoped = scopes.map((scope) => `\`${scope}\``).join(' and ')
  switch (auth) {
    case 'none':
      return 'Takes no key.'
    case 'pending':
      return 'Takes a key; that of a mailbox which nobody has approved yet will do.'
    default:
      return scoped === '' ? 'Takes a key.' : `Takes a key with ${scoped}.`
  }
}

function parametersOf(route: Operation): Block[] {
  const components: Json = {}
  const inPlace = (object: Operation['params'], place: string): Field[] =>
    object
      ? fieldsOf(jsonSchema(object, 'input', components), components).map((each) => ({
          ...each,
          name: place === 'path' ? `{${each.name}}` : `?${each.name}`,
        }))
      : []
  const headers = Object.entries(route.headers).map(([name, { description, schema }]) => ({
    name,
    type: typeWords(jsonSchema(schema, 'input', components), components),
    isRequired: false,
    about: description,
  }))
  const all = [...inPlace(route.params, 'path'), ...inPlace(route.query, 'query'), ...headers]
  return all.length === 0 ? [] : [heading('Parameters'), fieldList(all)]
}

/** Fields of which the same is to be said share a line; what was explained above is not explained again. */
function fieldList(fields: readonly Field[]): Block {
  const lines: { names: string[]; type: string; about: string }[] = []
  for (const { name, isRequired, about, ...field } of fields) {
    const type = isRequired ? `${field.type}; required` : field.type
    const last = lines.at(-1)
    if (last?.type === type && last.about === about) last.names.push(name)
    else lines.push({ names: [name], type, about })
  }
  return list(
    ...lines.map(({ names, type, about }, i) => {
      const above = lines.slice(0, i).find((each) => each.about === about && about.length > MAX_REPEATED)
      const says = above ? `as \`${above.names[0]}\`` : about
      return `${names.map((name) => `\`${name}\``).join(', ')} (${type})${says === '' ? '' : `: ${says}`}`
    }),
  )
}

function requestOf(route: Operation, baseUrl: string): string {
  const { method, path, auth, example } = route
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(example.params?.[name] ?? name))
  const query = new URLSearchParams(example.query).toString()
  const url = `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`
  const words = [
    ...(method === 'GET' || (method === 'POST' && route.body) ? [] : [`-X ${method}`]),
    query === '' ? url : `'${url}'`,
    ...(auth === 'none' ? [] : ['-H "Authorization: Bearer $KEY"']),
  ]
  const first = `curl ${words.join(' ')}`
  if (!route.body) return first
  const sent = JSON.stringify(example.body).replaceAll("'", `'\\''`)
  return `${first} \\\n  -H 'Content-Type: application/json' -d '${sent}'`
}

function answerBlocks([status, spec]: [string, Operation['responses'][number]]): Block[] {
  const { description, schema, example, contentType } = spec
  if (schema === undefined) return [paragraph(`${status}, \`${contentType}\`: ${description}.`)]
  return [paragraph(`${status}: ${description}.`), code('json', exampleText(example))]
}

/** JSON with a line for each member, and what is long in it left out: `…` stands for it. */
function exampleText(example: unknown): string {
  const short = shortened(example)
  if (typeof short !== 'object' || short === null || Array.isArray(short)) return JSON.stringify(short)
  const flat = JSON.stringify(short)
  if (flat.length <= MAX_LINE) return flat
  const members = Object.entries(short).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${linesOf(members).join(',\n ')}}`
}

/** As many members on a line as it has room for. */
function linesOf(members: readonly string[]): string[] {
  const lines: string[] = []
  for (const member of members) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + member.length < MAX_LINE) lines[lines.length - 1] = `${last},${member}`
    else lines.push(member)
  }
  return lines
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT && !/^\S+$/.test(value) ? `${value.slice(0, MAX_TEXT)}…` : value
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map(shortened)
    return value.length > MAX_ENTRIES ? [...shown, '…'] : shown
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}
