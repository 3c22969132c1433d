/** Error responses in the API description: each set of codes with one status is described once. */
import { STATUS_CODES } from 'node:http'
import { claimPending } from '../../accounts/refusals.js'
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js'
import type { Auth } from '../limits/authorize.js'
import { ERROR_MEANINGS } from '../answers/error-meanings.js'
import type { Json } from './json-schema.js'
import type { Route } from './route.js'

type Refusing = Pick<Route<never>, 'auth' | 'scopes' | 'params' | 'body' | 'rateLimited' | 'errors'>

const SUMMARIES: Record<number, string> = {
  400: 'The request is invalid',
  401: 'The API key is missing or unknown',
  403: 'The key is valid, but may not do this now',
  404: 'Not found, or not yours',
  405: 'The path does not support this method',
  408: 'The body took too long',
  409: 'Conflict with the current state',
  410: 'No longer stored',
  411: 'The request has no Content-Length',
  413: 'The body is too large',
  415: 'The body is not JSON',
  416: 'The range lies beyond the end of the file',
  429: 'A limit is reached',
  500: 'Internal error',
  503: 'Temporarily unavailable',
  507: 'The storage quota is used up',
}

export function errorAnswers(routes: readonly Refusing[]) {
  const names = responseNames(routes.flatMap(byStatus))
  const named = (answer: CodesOfStatus): string => {
    const name = names.get(keyOf(answer))
    if (name === undefined) throw new Error(`No error answer ${keyOf(answer)} was declared`)
    return name
  }
  const responses: Json = {}
  for (const answer of routes.flatMap(byStatus)) responses[named(answer)] ??= errorResponse(answer)
  return {
    /** For `components/responses`. */
    responses: Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
    /** For `components/examples`, by code. */
    examples: errorExamples(new Set(routes.flatMap(errorCodes))),
    /** The references of one route, by status. */
    of: (route: Refusing): Json =>
      Object.fromEntries(
        byStatus(route).map((answer) => [answer.status, { $ref: `#/components/responses/${named(answer)}` }]),
      ),
  }
}

interface CodesOfStatus {
  status: number
  codes: ErrorCode[]
}

function byStatus(route: Refusing): CodesOfStatus[] {
  const codes = errorCodes(route)
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b)
  return statuses.map((status) => ({ status, codes: codes.filter((code) => ERROR_STATUS[code] === status) }))
}

function keyOf({ status, codes }: CodesOfStatus): string {
  return [status, ...[...codes].sort()].join(' ')
}

/** The name of a status alone means its most frequent set of codes; others are named by their distinguishing codes. */
function responseNames(answers: readonly CodesOfStatus[]): Map<string, string> {
  const counts = new Map<string, { answer: CodesOfStatus; count: number }>()
  for (const answer of answers) {
    const key = keyOf(answer)
    counts.set(key, { answer, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const names = new Map<string, string>()
  const usual = new Map<number, ReadonlySet<ErrorCode>>()
  for (const [key, { answer }] of [...counts].sort(([, a], [, b]) => b.count - a.count)) {
    const { status, codes } = answer
    const word = pascal((STATUS_CODES[status] ?? String(status)).toLowerCase())
    const known = usual.get(status)
    if (!known) usual.set(status, new Set(codes))
    const others = codes.filter((code) => !known?.has(code))
    const isMore = known !== undefined && others.length + known.size === codes.length
    names.set(key, known ? word + (isMore ? others : codes).map(pascal).join('') : word)
  }
  return names
}

function pascal(words: string): string {
  return words.replace(/(?:^|[^a-z]+)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}

function errorResponse({ status, codes }: CodesOfStatus): Json {
  return {
    description: `${SUMMARIES[status] ?? 'An error'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...((status === 429 || status === 503) && {
      headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

/** One example per code, with its meaning and next step. */
function errorExamples(codes: ReadonlySet<ErrorCode>): Json {
  return Object.fromEntries(
    [...codes].map((code) => {
      const { meaning, next } = ERROR_MEANINGS[code]
      return [
        code,
        {
          summary: meaning,
          value: {
            error: {
              code,
              message: meaning,
              hint: next,
              ...(code === 'invalid_request' && { fields: [{ field: 'to', problem: 'It is missing.' }] }),
              ...(code === 'internal' && { request_id: 'req_01K7E8GQ5M1T9Q4Y7RZV3B2XNA' }),
            },
          },
        },
      ]
    }),
  )
}

const AUTH_ERRORS: Record<Auth, ErrorCode[]> = {
  none: [],
  pending: ['unauthorized', 'account_deletion_pending'],
  account: ['unauthorized', 'claim_pending', 'claim_declined', 'claim_expired'],
  mailbox: [
    'unauthorized',
    'claim_pending',
    'claim_declined',
    'claim_expired',
    'account_suspended',
    'account_deletion_pending',
    'mailbox_paused',
  ],
}

const BODY_ERRORS = ['request_timeout', 'length_required', 'payload_too_large', 'unsupported_media_type'] as const

/** Errors implied by the declaration, and those the route declares. */
export function errorCodes(route: Refusing): ErrorCode[] {
  const codes: ErrorCode[] = [
    'invalid_request',
    ...AUTH_ERRORS[route.auth],
    ...(route.scopes.length === 0 ? [] : (['insufficient_scope'] as const)),
    ...(route.body ? BODY_ERRORS : []),
    ...(route.rateLimited ? (['rate_limited'] as const) : []),
    ...(route.params ? (['not_found'] as const) : []),
    ...route.errors,
    'internal',
    'unavailable',
  ]
  return [...new Set(codes)]
}

export function errorSchema(): Json {
  const { code, message, hint } = claimPending()
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'hint'],
        properties: {
          code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
          message: { type: 'string', description: 'What happened' },
          hint: { type: 'string', description: 'What to do next' },
          fields: {
            type: 'array',
            description: 'What is wrong with the request, field by field',
            items: {
              type: 'object',
              required: ['field', 'problem'],
              properties: { field: { type: 'string' }, problem: { type: 'string' } },
            },
          },
          oldest_seq: { type: 'integer', description: 'With `events_expired`: the oldest event that can be read' },
          request_id: { type: 'string', description: 'With `internal`: give it to the operator' },
        },
      },
    },
    examples: [{ error: { code, message, hint } }],
  }
}
