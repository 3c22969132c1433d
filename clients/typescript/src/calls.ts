/** One call of the service: its address, its key, and sending it again where that does no harm. */
import { setTimeout as wait } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { errorOf, type RestanteError } from './errors.js'
import { OPERATIONS, type Operations } from './operations.js'

export interface RestanteOptions {
  /** `https://mail.example.com`; by default the environment's `RESTANTE_URL`. */
  baseUrl?: string | undefined
  /** By default the environment's `RESTANTE_API_KEY`; null: calls without a key. */
  apiKey?: string | null | undefined
  /** How often a call that the service could not take is sent again; 3. Only a call that can be repeated without harm is. */
  retries?: number
}

export type OperationName = keyof Operations

/** Of any call, beside what it says. */
export interface CallSettings {
  /**
   * For a call that creates or sends: the same key never acts twice within 24 hours. Each call has a key of its own; with one of yours, retries of your program
   * are safe too.
   */
  idempotencyKey?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

export type CallOptions<N extends OperationName> = Omit<Operations[N], 'response'> & CallSettings

export interface LooseOptions extends CallSettings {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
}

const MAX_PAUSE_SECONDS = 60

/** Where the service is, and with which key it is called. @throws TypeError without an address */
export class Connection {
  readonly #base: string
  readonly #apiKey: string | null
  readonly #retries: number

  constructor({ baseUrl, apiKey, retries = 3 }: RestanteOptions) {
    this.#base = serviceUrl(baseUrl)
    this.#apiKey = apiKey === undefined ? (process.env['RESTANTE_API_KEY'] ?? null) : apiKey
    this.#retries = retries
  }

  /** @throws RestanteError */
  async request(name: OperationName, options: LooseOptions): Promise<Response> {
    const { method, path, isKeyed } = OPERATIONS[name]
    const url = this.#base + filled(path, options.params ?? {}) + queryOf(options.query ?? {})
    const headers: Record<string, string> = { accept: 'application/json, */*', ...options.headers }
    if (this.#apiKey !== null) headers['authorization'] = `Bearer ${this.#apiKey}`
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    if (isKeyed) headers['Idempotency-Key'] ??= options.idempotencyKey ?? randomUUID()
    const init: RequestInit = {
      method,
      headers,
      // The service never redirects.
      redirect: 'error',
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.signal && { signal: options.signal }),
    }
    const repeatable = method === 'GET' || 'Idempotency-Key' in headers
    for (let tries = 0; ; tries++) {
      const answer = await fetch(url, init).catch((error: unknown) => {
        if (options.signal?.aborted || !repeatable || tries >= this.#retries) throw error
        return undefined
      })
      if (answer?.ok) return answer
      const error = answer && (await errorOf(answer))
      if (error && !mayTryAgain(error, repeatable, tries < this.#retries)) throw error
      const seconds = error?.retryAfterSeconds ?? 2 ** tries * (0.5 + Math.random() / 2)
      await wait(seconds * 1000, undefined, options.signal && { signal: options.signal })
    }
  }
}

/** The address of the service without a slash at its end. @throws TypeError when neither the program nor the environment says it */
function serviceUrl(given: string | undefined): string {
  const url = given ?? process.env['RESTANTE_URL']
  if (url === undefined || url === '') throw new TypeError('Give baseUrl, or set RESTANTE_URL in the environment')
  return url.replace(/\/+$/, '')
}

/** A refusal for now is no harm to repeat; a fault only where the call is one. A day's limit is for the caller to wait for. */
function mayTryAgain({ status, retryAfterSeconds }: RestanteError, repeatable: boolean, triesLeft: boolean): boolean {
  if (!triesLeft || (retryAfterSeconds ?? 0) > MAX_PAUSE_SECONDS) return false
  return status === 429 || (repeatable && status >= 500 && status !== 507)
}

function filled(path: string, params: object): string {
  const values = new Map(Object.entries(params))
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
}

function queryOf(query: object): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) words.append(name, String(value))
  return words.size === 0 ? '' : `?${words.toString()}`
}
