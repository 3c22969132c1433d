/** A route declaration: input, responses, access. Validation and API description are derived from it. */
import { z } from 'zod'
import type { Caller, Scope } from '../../accounts/types.js'
import { checkAll, invalidRequest, notFound, ServiceError, withMore, type ErrorCode } from '../../lib/errors.js'
import type { Maybe } from '../../lib/maybe.js'
import type { Asker } from '../../lib/thread-pool.js'
import { newId } from '../../lib/ids.js'
import type { AnswerOnce, GivenAnswer, Making } from '../../mailbox/sending/retries/idempotent-requests.js'
import type { Note } from '../../audit/types.js'
import type { AuditCall } from '../limits/audited.js'
import { scopesIn, type Auth, type NeededScope } from '../limits/authorize.js'
import { IDEMPOTENCY_HEADER, idempotencyKeyOf } from './idempotency.js'
import type { HttpRequest, HttpResponse } from '../message.js'
import { fieldProblems } from './zod-problems.js'
import { toKeep } from '../answers/read-cache.js'
import { jsonText } from '../json/write.js'
import type { Remember } from '../../store/versioned-cache.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A response with a JSON body, or another media type. A test validates the example against the schema. */
export type ResponseSpec = { description: string; headers?: Record<string, string>; example?: unknown } & (
  | {
      schema: z.ZodType
      contentType?: undefined
      /** Alternative stream by media type; the handler then returns a body. */
      stream?: { contentType: string; example: string }
    }
  | { schema?: undefined; contentType: string; stream?: undefined }
)

interface BodyAnswer<S> {
  status: S
  body: NonNullable<HttpResponse['body']>
  headers?: Record<string, string>
}

type Answer<R extends Record<number, ResponseSpec>> = {
  [S in keyof R & number]: R[S] extends { schema: infer T extends z.ZodType }
    ? | { status: S; json: z.output<T>; headers?: Record<string, string>; keep?: boolean }
      | (R[S] extends { stream: object } ? BodyAnswer<S> : never)
    : BodyAnswer<S>
}[keyof R & number]

/** A handler's answer: this JSON with status 200. */
export async function ok<T>(json: T | Promise<T>): Promise<{ status: 200; json: T }> {
  return { status: 200, json: await json }
}

type CallerOf<A extends Auth> = A extends 'none' ? undefined : Caller

export interface Input<A extends Auth, P, Q, B> {
  params: P
  query: Q
  body: B
  caller: CallerOf<A>
  /** The caller for work in threads. */
  asker: Asker | undefined
  request: HttpRequest
  /** Undefined if not given, or not accepted. */
  idempotencyKey: string | undefined
  /** Ids for created objects; the same on each retry of an `idempotent` route. */
  making: Making
  /** Audit entry, for changes that write it in their transaction. */
  note: Note | undefined
}

/**
 * Handling of retries. `answer`: the response is kept, and the handler creates objects under ids of `making`, or finds them. `secret`: likewise, but the
 * response is not kept. `own`: the handler keeps the response in its commit.
 */
export type Idempotent = 'answer' | 'secret' | 'own'

export interface Spec<
  A extends Auth,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends Record<number, ResponseSpec>,
  D,
> {
  method: Method
  /** `/v1/threads/{id}`; a name in braces is one segment. */
  path: string
  operationId: string
  summary: string
  description?: string
  tag: string
  auth: A
  /** A mailbox route without a scope is refused to all callers. */
  scope?: NeededScope
  /** Bytes; 16 KiB by default, enough for everything but mail. */
  bodyLimit?: BodyLimit<D>
  /** False for monitoring. */
  rateLimited?: boolean
  params?: P
  query?: Q
  /** Header fields of the request, for the description. */
  headers?: Record<string, { description: string; schema: z.ZodType }>
  body?: B
  /** Validates fields against server-side limits; for an invalid request, its well-formed fields. */
  check?: (given: Partial<z.output<B>>, deps: D) => void
  /** Further problems the handler would find. Called without effects, only if something is wrong already, to report everything at once. */
  otherProblems?: (given: Partial<z.output<B>>, deps: D, caller: CallerOf<A>) => unknown
  /** Accepts `Idempotency-Key`, which is added to the description. */
  idempotent?: A extends 'none' ? never : Idempotent
  /**
   * The response depends only on path, query and the caller's mailbox, and may be cached until it changes: no other request data, clock or partition. `keep:
   * false` excludes a response.
   */
  kept?: A extends 'mailbox' ? boolean : never
  /** A working request, for the description; omitted fields are optional. */
  example?: { params?: Record<string, string>; query?: Record<string, string>; body?: z.input<B> }
  responses: R
  /** Besides those of `auth`, body and limits. */
  errors?: ErrorCode[]
  handler: (input: Input<A, z.output<P>, z.output<Q>, z.output<B>>, deps: D) => Promise<Answer<NoInfer<R>>>
}

/** A number, or one of the settings. */
type BodyLimit<D> = number | ((deps: D) => number)

/** A declared route; its types stay inside `run`. `D` are its handler's parts. */
export interface Route<D> {
  method: Method
  path: string
  operationId: string
  summary: string
  description: string | undefined
  tag: string
  auth: Auth
  scopes: readonly Scope[]
  rateLimited: boolean
  bodyLimit: BodyLimit<D>
  params: z.ZodObject | undefined
  query: z.ZodObject | undefined
  headers: Record<string, { description: string; schema: z.ZodType }>
  body: z.ZodObject | undefined
  example: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  responses: Record<number, ResponseSpec>
  errors: ErrorCode[]
  /**
   * @param raw decoded path segments and query parameters by name, parsed JSON body
   * @returns a cached response at once
   * @throws ServiceError `invalid_request` with `fields`; `not_found` for an impossible path parameter
   */
  run(raw: RawInput, deps: D): Maybe<HttpResponse>
}

/** A route with its handler's parts. */
export interface BoundRoute extends Omit<Route<never>, 'bodyLimit' | 'run'> {
  maxBodyBytes: number
  run(raw: RawInput): Maybe<HttpResponse>
}

export function bindRoutes<D>(routes: readonly Route<D>[], deps: D): BoundRoute[] {
  return routes.map((route) => ({
    ...route,
    maxBodyBytes: typeof route.bodyLimit === 'number' ? route.bodyLimit : route.bodyLimit(deps),
    run: (raw) => route.run(raw, deps),
  }))
}

/** The list of operations in the guide, for agents. */
export const API_INDEX_PATH = '/docs/api.md'

/** An operation's page in the guide, for agents. */
export function apiPagePath(operationId: string): string {
  return `/docs/api/${operationId}.md`
}

export interface RawInput {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  caller: Caller | undefined
  asker: Asker | undefined
  request: HttpRequest
  /** Records the call; without it, nothing is recorded. */
  audit?: AuditCall | undefined
}

const NOTHING = z.strictObject({})
const SMALL_BODY_BYTES = 16 * 1024

/**
 * `defineRoute` for routes with parts `D`, which are bound later, so that the API description needs no running parts.
 *
 * @param answerOnceOf keeps responses of `idempotent` routes; required for them
 * @param keptOf caches responses of `kept` routes by mailbox; without it nothing is cached
 * @example const defineRoute = routesWith<Parts>(({ mailboxes }) => mailboxes.answerOnce)
 */
export function routesWith<D>(
  answerOnceOf?: (deps: D) => AnswerOnce,
  keptOf?: (deps: D) => Remember<HttpResponse> | undefined,
) {
  return function defineRoute<
    A extends Auth,
    R extends Record<number, ResponseSpec>,
    P extends z.ZodObject = typeof NOTHING,
    Q extends z.ZodObject = typeof NOTHING,
    B extends z.ZodObject = typeof NOTHING,
  >(spec: Spec<A, P, Q, B, R, D>): Route<D> {
    const { params, query, body, idempotent } = spec
    const isFor = (caller: Caller | undefined): caller is CallerOf<A> & (Caller | undefined) =>
      spec.auth === 'none' ? caller === undefined : caller !== undefined
    return {
      ...spec,
      description: spec.description,
      scopes: scopesIn(spec.scope),
      rateLimited: spec.rateLimited ?? true,
      bodyLimit: spec.bodyLimit ?? SMALL_BODY_BYTES,
      params,
      query,
      headers: { ...(idempotent && IDEMPOTENCY_HEADER), ...spec.headers },
      body,
      example: spec.example ?? {},
      errors: [...(idempotent ? IDEMPOTENCY_ERRORS[idempotent] : []), ...(spec.errors ?? [])],
      run(raw, deps) {
        const { caller, request } = raw
        const remember = spec.kept && keptOf?.(deps)
        if (!remember || !caller) return make(raw, deps)
        const name = `${spec.operationId} ${request.path}?${request.query}`
        return remember(caller.mailboxId, name, () => make(raw, deps))
      },
    }

    async function read({ params: path, query: asked, body: sent, request, caller }: RawInput, deps: D) {
      const takeParams = () => parseParams(params, path)
      const takeQuery = () => parse(query, asked, 'query')
      const takeBody = () => parse(body, sent, 'body')
      const takeKey = () => idempotent && idempotencyKeyOf(request.headers)
      try {
        const given = { params: takeParams(), query: takeQuery(), body: takeBody(), idempotencyKey: takeKey() }
        spec.check?.(given.body, deps)
        return given
      } catch (error) {
        takeParams()
        if (!(error instanceof ServiceError) || !isFor(caller)) throw error
        const known = wellFormed(body, sent)
        let wrong = error
        try {
          checkAll(takeQuery, takeBody, takeKey, () => spec.check?.(known, deps))
        } catch (all) {
          if (!(all instanceof ServiceError)) throw all
          wrong = all
        }
        throw await withMore(wrong, () => spec.otherProblems?.(known, deps, caller))
      }
    }

    async function make(raw: RawInput, deps: D): Promise<HttpResponse> {
      const { caller, asker, request } = raw
      if (!isFor(caller)) throw new Error(`${spec.operationId} was called without its caller`)
      const { idempotencyKey, ...given } = await read(raw, deps)
      const change = async (making: Making, note?: Note) =>
        spec.handler({ ...given, caller, asker, request, idempotencyKey, making, note }, deps)
      const facts = { params: raw.params, body: given.body, caller, request }
      const handle = async (making: Making) =>
        raw.audit
          ? raw.audit(
              spec.operationId,
              facts,
              (note) => change(making, note),
              (answer) => ('json' in answer ? answer.json : undefined),
            )
          : change(making)
      if (idempotencyKey === undefined || idempotent === 'own') {
        const answer = await handle(MADE_NOW)
        const response = responseOf(answer)
        return spec.kept && !('keep' in answer && answer.keep === false) ? toKeep(response) : response
      }
      if (!answerOnceOf || !caller) throw new Error(`Nobody keeps the answers of ${spec.operationId}`)
      return answerOnceOf(deps)(
        caller.mailboxId,
        {
          key: idempotencyKey,
          request: [spec.operationId, raw.params, raw.query, raw.body],
          isSecret: idempotent === 'secret',
        },
        async (making) => jsonAnswer(await handle(making)),
      )
    }
  }
}

const IDEMPOTENCY_ERRORS: Record<Idempotent, ErrorCode[]> = {
  answer: ['idempotency_mismatch'],
  secret: ['idempotency_mismatch', 'secret_shown_once'],
  own: ['idempotency_mismatch'],
}

/** Without an idempotency key nothing can be repeated. */
const MADE_NOW: Making = { id: (prefix) => newId(prefix), again: false }

type AnyAnswer = { status: number; headers?: Record<string, string> } & (
  { json: unknown } | { body: NonNullable<HttpResponse['body']> }
)

function responseOf(answer: AnyAnswer): HttpResponse {
  if ('json' in answer) return jsonAnswer(answer)
  return { status: answer.status, headers: answer.headers ?? {}, body: answer.body }
}

/** An answer that can be kept. */
function jsonAnswer(answer: AnyAnswer): GivenAnswer {
  if (!('json' in answer)) throw new Error('Only answers in JSON can be kept for retries')
  return {
    status: answer.status,
    headers: { 'Content-Type': 'application/json', ...answer.headers },
    body: jsonText(answer.json),
  }
}

/** Without a schema the input is empty, as the defaults of `defineRoute` declare. */
function schemaOr<T extends z.ZodObject>(schema: T | undefined): T
function schemaOr(schema: z.ZodObject | undefined): z.ZodObject {
  return schema ?? NOTHING
}

/** Well-formed fields of a body, whatever the others are. */
function wellFormed<B extends z.ZodObject>(schema: B | undefined, sent: unknown): Partial<z.output<B>>
function wellFormed(schema: z.ZodObject | undefined, sent: unknown): Record<string, unknown> {
  if (!schema || typeof sent !== 'object' || sent === null) return {}
  const given = new Map(Object.entries(sent))
  const fields = Object.entries(schema.shape).flatMap(([name, field]): [string, unknown][] => {
    const result = z.safeParse(field, given.get(name))
    return result.success && result.data !== undefined ? [[name, result.data]] : []
  })
  return Object.fromEntries(fields)
}

/** An impossible id is like an unknown one. */
function parseParams<P extends z.ZodObject>(schema: P | undefined, raw: Record<string, string>): z.output<P> {
  const result = schemaOr(schema).safeParse(raw)
  if (result.success) return result.data
  throw notFound(
    String(result.error.issues[0]?.path[0] ?? 'path')
      .replace(/^id$/, 'object')
      .replace(/_id$/, ''),
  )
}

function parse<T extends z.ZodObject>(schema: T | undefined, raw: unknown, where: 'query' | 'body'): z.output<T> {
  const result = schemaOr(schema).safeParse(raw)
  if (result.success) return result.data
  const known = schema ? Object.keys(schema.shape) : []
  const fields = fieldProblems(result.error.issues, where, known)
  const names = [...new Set(fields.map((each) => each.field))].slice(0, 5).join(', ')
  throw invalidRequest(
    where === 'query' ? `The query can't be used: ${names}.` : `The body can't be used: ${names}.`,
    'Correct what `fields` lists and send the request again.',
    fields,
  )
}
