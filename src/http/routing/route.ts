/** A route, declared once: what it takes, what it answers, who may call it. Its checks and its part of the API description come from this. */
import { z } from 'zod'
import type { Caller, Scope } from '../../accounts/types.js'
import { checkAll, invalidRequest, notFound, ServiceError, withMore, type ErrorCode } from '../../lib/errors.js'
import type { Asker } from '../../lib/thread-pool.js'
import { newId } from '../../lib/ids.js'
import type { AnswerOnce, GivenAnswer, Making } from '../../mailbox/sending/idempotent-requests.js'
import type { Note } from '../../audit/types.js'
import type { AuditCall } from '../limits/audited.js'
import { scopesIn, type Auth, type NeededScope } from '../limits/authorize.js'
import { IDEMPOTENCY_HEADER, idempotencyKeyOf } from './idempotency.js'
import type { HttpRequest, HttpResponse } from '../message.js'
import { fieldProblems } from './zod-problems.js'
import { toKeep } from '../answers/read-cache.js'
import type { Remember } from '../../store/versioned-cache.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** An answer with a JSON body, or one of another media type. The example of a JSON body is one that the schema takes; a test sees to it. */
export type ResponseSpec = { description: string; headers?: Record<string, string>; example?: unknown } & (
  | {
      schema: z.ZodType
      contentType?: undefined
      /** The same as a stream, for those who ask for that media type; its handler answers with a body then. */
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

type CallerOf<A extends Auth> = A extends 'none' ? undefined : Caller

export interface Input<A extends Auth, P, Q, B> {
  params: P
  query: Q
  body: B
  caller: CallerOf<A>
  /** The caller as one who waits for work in threads. */
  asker: Asker | undefined
  request: HttpRequest
  /** The idempotency key; undefined when not given, or when the route takes none. */
  idempotencyKey: string | undefined
  /** Ids for what the request makes. Those of an `idempotent` route are the same at each retry. */
  making: Making
  /** Its entry in the audit log, where the change is to write it with its transaction. */
  note: Note | undefined
}

/**
 * How a route keeps its word on retries. `answer`: its answer is kept here, and its handler makes what it makes under an id of `making`, or finds it
 * there. `secret`: the same, and the answer itself is not kept. `own`: its handler keeps the answer in the commit of what it makes.
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
  /** `/v1/threads/{id}`; a name in braces stands for one segment. */
  path: string
  operationId: string
  summary: string
  description?: string
  tag: string
  auth: A
  /** The scope needed. A route of an approved mailbox without one is refused to all callers. */
  scope?: NeededScope
  /** Default is 16 KiB, enough for everything but mail. */
  bodyLimit?: (deps: D) => number
  /** False for what is asked by machines that watch the service. */
  rateLimited?: boolean
  params?: P
  query?: Q
  /** Header fields the handler reads, for the description. */
  headers?: Record<string, { description: string; schema: z.ZodType }>
  body?: B
  /** Looks at the fields of the body by what only the server knows, such as its limits; of a request that is wrong elsewhere at those that are well-formed. */
  check?: (given: Partial<z.output<B>>, deps: D) => void
  /**
   * What the handler itself would find wrong with the fields. It is asked only when something is wrong already, so that one answer says all, and does
   * nothing.
   */
  alsoWrong?: (given: Partial<z.output<B>>, deps: D, caller: CallerOf<A>) => unknown
  /** It takes an `Idempotency-Key`, which goes into the description by itself. */
  idempotent?: A extends 'none' ? never : Idempotent
  /**
   * Its answer follows from its path and query and from the mailbox of its caller, and may be given until one of them changes: from nothing else of the
   * request, no clock, and no other partition. One that is not to be kept all the same says `keep: false`.
   */
  kept?: A extends 'mailbox' ? boolean : never
  /** A request that works, for the description: what is left out of the query or the body is not needed. */
  example?: { params?: Record<string, string>; query?: Record<string, string>; body?: z.input<B> }
  responses: R
  /** Beside those that follow from `auth`, the body and the limits. */
  errors?: ErrorCode[]
  handler: (input: Input<A, z.output<P>, z.output<Q>, z.output<B>>, deps: D) => Promise<Answer<NoInfer<R>>>
}

/** A declared route; its types stay inside `run`. `D` is what its handler works with. */
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
  bodyLimit: (deps: D) => number
  params: z.ZodObject | undefined
  query: z.ZodObject | undefined
  headers: Record<string, { description: string; schema: z.ZodType }>
  body: z.ZodObject | undefined
  example: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  responses: Record<number, ResponseSpec>
  errors: ErrorCode[]
  /**
   * @param raw decoded path segments by name, query parameters by name, the parsed JSON body
   * @throws ServiceError `invalid_request` with `fields`; `not_found` for a path parameter that nothing can have
   */
  run(raw: RawInput, deps: D): Promise<HttpResponse>
}

/** A route with what its handler works with. */
export interface BoundRoute extends Omit<Route<never>, 'bodyLimit' | 'run'> {
  maxBodyBytes: number
  /** See `Route.run`. */
  run(raw: RawInput): Promise<HttpResponse>
}

export function bindRoutes<D>(routes: readonly Route<D>[], deps: D): BoundRoute[] {
  return routes.map((route) => ({
    ...route,
    maxBodyBytes: route.bodyLimit(deps),
    run: (raw) => route.run(raw, deps),
  }))
}

/** Path of the list of all operations in the guide, for agents. */
export const API_INDEX_PATH = '/docs/api.md'

/** Path of an operation's page in the guide, for agents. */
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
  /** Writes down what is done; nothing is without it. */
  audit?: AuditCall | undefined
}

const NOTHING = z.strictObject({})
const SMALL_BODY_BYTES = 16 * 1024

/**
 * The `defineRoute` of routes that work with `D`. Routes are declared without it, so that the API description needs no running parts.
 *
 * @param answerOnceOf stores the responses of `idempotent` routes; required for them
 * @param keptOf caches the responses of `kept` routes by mailbox; without it nothing is cached
 * @example
 * const defineRoute = routesWith<Parts>(({ mailboxes }) => mailboxes.answerOnce)
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
      bodyLimit: spec.bodyLimit ?? (() => SMALL_BODY_BYTES),
      params,
      query,
      headers: { ...(idempotent && IDEMPOTENCY_HEADER), ...spec.headers },
      body,
      example: spec.example ?? {},
      errors: [...(idempotent ? IDEMPOTENCY_ERRORS[idempotent] : []), ...(spec.errors ?? [])],
      async run(raw, deps) {
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
        throw await withMore(wrong, () => spec.alsoWrong?.(known, deps, caller))
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

/** For a request without an idempotency key: nothing can be repeated. */
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
    body: JSON.stringify(answer.json),
  }
}

/** A route without a schema takes nothing: that is what the defaults of `defineRoute` say of its type. */
function schemaOr<T extends z.ZodObject>(schema: T | undefined): T
function schemaOr(schema: z.ZodObject | undefined): z.ZodObject {
  return schema ?? NOTHING
}

/** The fields of a body that are what they should be, whatever is wrong with the others. */
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

/** An id that nothing can have is the same as one that nothing has. */
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
