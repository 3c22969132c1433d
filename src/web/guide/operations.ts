/** One page per API operation, and their index, generated from the route declarations. */
import type { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js'
import { errorCodes } from '../../http/routing/error-answers.js'
import { ERROR_MEANINGS } from '../../http/answers/error-meanings.js'
import { jsonSchema, toObject, type Json } from '../../http/routing/json-schema.js'
import type { Route } from '../../http/routing/route.js'
import { heading, list, type Block, type GuidePage, type Place } from './blocks.js'
import { fieldsOf, typeWords, type Field } from './fields.js'
import { samplesOf } from './samples.js'

export type Operation = Omit<Route<never>, 'run'>

/** Max length of texts in an example, so that a page stays short. */
const MAX_TEXT = 60
const MAX_ENTRIES = 2
/** Longer explanations are given once. */
const MAX_REPEATED = 40
/** Max line length of an example. */
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
      ...(route.description?.split('\n\n') ?? []),
      accessOf(route),
      ...parametersOf(route),
      ...(body ? [heading('Body'), fieldList(body)] : []),
      heading('Example'),
      { kind: 'samples', samples: samplesOf(route, baseUrl) },
      ...Object.entries(route.responses).flatMap(answerBlocks),
      heading('Errors'),
      {
        kind: 'errors',
        errors: inOrder(errorCodes(route)).map((each) => ({
          status: ERROR_STATUS[each],
          code: each,
          ...ERROR_MEANINGS[each],
        })),
      },
      { kind: 'more', summary: 'Limits', blocks: [list(...limitsOf(route))] },
    ],
  }
}

/**
 * Index of all operations by tag: `/docs/api`.
 *
 * @param entry one line for an operation
 */
export function operationsIndex(routes: readonly Operation[], entry: (route: Operation) => string): GuidePage {
  const tags = [...new Set(routes.map(({ tag }) => tag))]
  return {
    name: 'api',
    title: 'Every operation',
    about: 'Parameters, responses and errors of every call. The page of an operation is `/docs/api/<name>.md`.',
    blocks: tags.flatMap((tag) => [heading(tag), list(...routes.filter((each) => each.tag === tag).map(entry))]),
  }
}

/** For humans: with a link. */
export const linkedEntry = ({ operationId, method, path, summary }: Operation): string =>
  `[${summary}](/docs/api/${operationId}): \`${method} ${path}\``

/** For agents: short, since each token costs. */
export const shortEntry = ({ operationId, method, path, summary }: Operation): string =>
  `${operationId}: ${method} ${path}, ${summary}`

/** By status, so that the caller's errors come first. */
function inOrder(codes: readonly ErrorCode[]): ErrorCode[] {
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b])
}

function accessOf({ auth, scopes }: Operation): string {
  const scoped = scopes.map((scope) => `\`${scope}\``).join(' and ')
  switch (auth) {
    case 'none':
      return 'Needs no key.'
    case 'pending':
      return 'Needs a key; the key of a pending claim works too.'
    default:
      return scoped === '' ? 'Needs a key.' : `Needs a key with ${scoped}.`
  }
}

/** Limits of the call beside those of its fields. */
function limitsOf({ body, bodyLimit, rateLimited, auth }: Operation): string[] {
  return [
    ...(body === undefined
      ? []
      : [
          typeof bodyLimit === 'number'
            ? `The body has at most ${bodyLimit / 1024} KiB.`
            : 'The body may be as large as a message with its files: `GET /v1/account/usage` has the size.',
        ]),
    rateLimited
      ? `Requests are counted by ${auth === 'none' ? 'address' : 'key'}: \`X-RateLimit-Remaining\` says how many are left, and a 429 has \`Retry-After\`.`
      : 'Requests are not counted.',
    'All limits: [errors and limits](/docs/errors#limits).',
  ]
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

/** Fields with the same type and text share a line; an explanation is not repeated. */
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

function answerBlocks([status, spec]: [string, Operation['responses'][number]]): Block[] {
  const { description, schema, example, contentType } = spec
  if (schema === undefined) return [`${status}, \`${contentType}\`: ${description}.`]
  return [
    `${status}: ${description}.`,
    { kind: 'code', language: 'json', text: exampleText(example), isShort: true },
    ...answerFields(schema).map(({ name, fields }): Block => ({
      kind: 'more',
      summary: `Fields of the answer ${status}${name === '' ? '' : `: ${name}`}`,
      blocks: [fieldList(fields)],
    })),
  ]
}

/** Fields of an answer, or of each form that it can have, by the form's name in the description. */
function answerFields(schema: z.ZodType): { name: string; fields: Field[] }[] {
  const components: Json = {}
  const whole = jsonSchema(schema, 'output', components)
  const forms = Array.isArray(whole['anyOf']) ? whole['anyOf'].map(toObject) : [whole]
  return forms.flatMap((form) => {
    // A field of an answer that may be missing is rare, and says so.
    const fields = fieldsOf(form, components).map((each) => ({ ...each, isRequired: false }))
    const name = forms.length > 1 ? String(form['$ref'] ?? '').replace(/^.*\//, '') : ''
    return fields.length === 0 ? [] : [{ name, fields }]
  })
}

/** JSON with wrapped lines; `…` replaces long values. */
function exampleText(example: unknown): string {
  const short = shortened(example)
  if (typeof short !== 'object' || short === null || Array.isArray(short)) return JSON.stringify(short)
  const flat = JSON.stringify(short)
  if (flat.length <= MAX_LINE) return flat
  const members = Object.entries(short).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${linesOf(members).join(',\n ')}}`
}

/** As many members on a line as fit. */
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
