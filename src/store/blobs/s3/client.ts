/**
 * Signed requests to a bucket. Each has a time limit, is tried again a few times if the failure may pass, and ends with an answer of success or an S3Error
 * that says what to do. All requests made here are idempotent. Redirects are not followed, TLS is verified, and no error contains a secret.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../../lib/clock.js'
import {
  AnswerTooLong,
  keepConnections,
  sendRequest,
  type Connections,
  type HttpAnswer,
} from '../../../lib/http-client.js'
import { messageOf } from '../../../lib/thrown.js'
import { readXml } from './answers.js'
import { failureInWords, isPassing, isPassingFailure, remedyOf, S3Error, type Refusal } from './errors.js'
import { createGate } from './gate.js'
import { digestOf } from './hashing.js'
import { queryOf, signedHeaders, type S3Credentials } from './signature.js'

export interface S3Options {
  /** Without a path: the server of all buckets. */
  endpoint: URL
  bucket: string
  region: string
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  pathStyle: boolean
  /** Certificates (PEM) to trust in place of those of the platform. */
  ca?: string | undefined
  /** Asked again after some minutes, so that renewed credentials are used without a restart. */
  credentials: () => Promise<S3Credentials>
  /** Called for each failed request that is tried again. */
  onRetry?: ((error: S3Error) => void) | undefined
  /** Limits of one request; smaller ones in tests. */
  limits?: Partial<S3Limits>
  /** The time to sign with; the system's by default. */
  now?: () => number
}

export interface S3Limits {
  /** How often a request is sent at most. */
  tries: number
  /** Time limit of one try, beside the time for its bytes. */
  timeoutMs: number
  /** Bytes that a connection has to carry in a millisecond; a slower one counts as none. */
  bytesPerMs: number
  /** Waits before the next try. */
  pause: (ms: number) => Promise<void>
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** The object; '' for the bucket. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  /** Max length of the answer's body. */
  maxBytes?: number
}

/** A server that does not answer fails a request within a minute or so. */
const LIMITS: S3Limits = { tries: 4, timeoutMs: 10 * SECOND, bytesPerMs: 512, pause: (ms) => sleep(ms) }
const NOTHING = new Uint8Array(0)
const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 5 * SECOND
const MAX_XML_BYTES = 4 * 1024 * 1024
const IDLE_MS = 20 * SECOND
const CREDENTIALS_MS = 5 * MINUTE
/** Requests at once. Each holds one piece of an object at most, so it also bounds memory. */
const MAX_REQUESTS = 16

export class S3Client {
  readonly #options: S3Options
  readonly #limits: S3Limits
  readonly #connections: Connections
  readonly #gate = createGate(MAX_REQUESTS)
  #credentials: { value: S3Credentials; until: number } | undefined

  constructor(options: S3Options) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#connections = keepConnections({ idleMs: IDLE_MS, connectMs: this.#limits.timeoutMs, ca: options.ca })
  }

  /**
   * @param isGood judges an answer of success; what it throws counts as a failure on the way, and the request is tried again
   * @returns the answer, of success
   * @throws S3Error
   */
  async send(request: S3Request, isGood?: (answer: HttpAnswer) => void): Promise<HttpAnswer> {
    const payload = (await digestOf('sha256', request.body ?? NOTHING)).toString('hex')
    for (let tries = 1; ; tries++) {
      try {
        return await this.#gate(() => this.#try(request, payload, isGood))
      } catch (error) {
        if (!(error instanceof S3Error && error.mayPass) || tries >= this.#limits.tries) throw error
        this.#options.onRetry?.(error)
      }
      const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
      // Spread, so that requests that failed together do not come back together.
      await this.#limits.pause(longest * (0.5 + Math.random() / 2))
    }
  }

  close(): void {
    this.#connections.close()
  }

  async #try(request: S3Request, payload: string, isGood?: (answer: HttpAnswer) => void): Promise<HttpAnswer> {
    const credentials = await this.#currentCredentials(request)
    let answer: HttpAnswer
    try {
      answer = await this.#ask(request, payload, credentials)
    } catch (error) {
      throw this.#unanswered(request, error, isPassingFailure(error) && !(error instanceof AnswerTooLong))
    }
    const refusal = refusalIn(answer, request)
    if (refusal) {
      const mayPass =
        isPassing(refusal) || (isOfCredentials(refusal) && (await this.#haveChanged(request, credentials)))
      throw this.#refused(request, answer, refusal, mayPass)
    }
    try {
      isGood?.(answer)
    } catch (error) {
      throw this.#unanswered(request, error, true)
    }
    return answer
  }

  #ask(
    { method, key, query = {}, headers = {}, body, maxBytes = MAX_XML_BYTES }: S3Request,
    payload: string,
    credentials: S3Credentials,
  ) {
    const { endpoint, bucket, pathStyle, region, now = Date.now } = this.#options
    const host = pathStyle ? endpoint.origin : `${endpoint.protocol}//${bucket}.${endpoint.host}`
    const url = new URL(`${host}${pathStyle ? `/${bucket}` : ''}/${key}${queryOf(query)}`)
    return sendRequest({
      url,
      method,
      headers: signedHeaders({ method, url, headers, payload, region, at: now() }, credentials),
      body,
      timeoutMs: this.#limits.timeoutMs + Math.ceil(Math.max(body?.length ?? 0, maxBytes) / this.#limits.bytesPerMs),
      maxBytes,
      connections: this.#connections,
    })
  }

  async #currentCredentials(request: S3Request): Promise<S3Credentials> {
    const now = Date.now()
    if (this.#credentials && this.#credentials.until >= now) return this.#credentials.value
    try {
      const value = await this.#options.credentials()
      this.#credentials = { value, until: now + CREDENTIALS_MS }
      return value
    } catch (error) {
      throw new S3Error(`${this.#inWords(request)}: no credentials: ${messageOf(error)}`, { cause: error })
    }
  }

  /** True if the credentials are others by now. */
  async #haveChanged(request: S3Request, before: S3Credentials): Promise<boolean> {
    this.#credentials = undefined
    const now = await this.#currentCredentials(request)
    return JSON.stringify(now) !== JSON.stringify(before)
  }

  #unanswered(request: S3Request, cause: unknown, mayPass: boolean): S3Error {
    const { host } = this.#options.endpoint
    const remedy = mayPass
      ? `Check that ${host} (blobs.endpoint) can be reached and is an S3 server`
      : `Correct blobs.endpoint (${host}), or if its certificate is from a private CA, set blobs.ca_file`
    return new S3Error(`${this.#inWords(request)}: ${failureInWords(cause)}. ${remedy}`, { mayPass, cause })
  }

  #refused(request: S3Request, { status, headers, body }: HttpAnswer, refusal: Refusal, mayPass: boolean): S3Error {
    const { leaves } = readXml(body.toString())
    const remedy = remedyOf(refusal, leaves.Region ?? headers['x-amz-bucket-region'])
    const said = [refusal.code, shortened(leaves.Message ?? '')].filter((part) => part !== '').join(', ')
    return new S3Error(
      `${this.#inWords(request)}: the server answered ${status}${said === '' ? '' : ` (${said})`}${remedy === '' ? '' : `. ${remedy}`}`,
      { refusal, mayPass },
    )
  }

  #inWords({ method, key }: S3Request): string {
    return `S3 request ${method} s3://${this.#options.bucket}/${key} failed`
  }
}

/** The refusal in an answer, also in one that begins as a success: copies and completed uploads may end with an error in their body. */
function refusalIn({ status, body }: HttpAnswer, { method, key }: S3Request): Refusal | undefined {
  const isDone = status >= 200 && status < 300
  if (isDone && (method === 'HEAD' || method === 'DELETE' || (method === 'GET' && key !== ''))) return undefined
  const { root, leaves } = readXml(body.toString())
  if (root === 'Error') return { status: isDone ? 500 : status, code: leaves.Code ?? '' }
  return isDone ? undefined : { status, code: '' }
}

/** Also `ExpiredToken`, which comes with 400. */
function isOfCredentials({ status, code }: Refusal): boolean {
  return status === 403 || code === 'ExpiredToken' || code === 'InvalidToken'
}

const MAX_SAID = 200

/** A server's own words. */
function shortened(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').replace(/\.$/, '')
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line
}
