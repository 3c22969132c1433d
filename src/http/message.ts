/** A request and its response as plain values: everything the HTTP code knows of the server. */
import type { Maybe } from '../lib/maybe.js'
import type { Fields, Head } from './listener/types.js'

export interface HttpRequest extends Head {
  /** Peer address; IPv4 if mapped into IPv6. */
  readonly remoteAddress: string
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number
  /** Aborts with ClientGone when the client leaves; later responses are not sent. */
  readonly signal: AbortSignal
  /** Also aborts when the server stops: held requests then respond as after a timeout. */
  readonly holdSignal: AbortSignal
  /**
   * The whole body, once. It is read from the network only now, so refuse requests before.
   *
   * @param holder who it counts for: each has a share of the memory
   * @throws ServiceError `payload_too_large` over `maxBytes`; `request_timeout` if too slow; `unavailable` if too many bodies are held, `rate_limited` if too
   * many are the holder's
   * @throws ClientGone if the client left
   */
  readBody(maxBytes: number, holder?: string): Promise<Buffer>
  /** Calls `fn` once, when the last byte was sent or the client is gone. */
  onEnd(fn: () => void): void
}

/** Cached forms of a response body, made once for all requests. */
export interface KeptForms {
  /** Hash of the body, as in an ETag. */
  readonly tag: string
  readonly coded: Partial<Record<'br' | 'gzip', Uint8Array>>
}

export interface HttpResponse {
  status: number
  headers?: Record<string, string | string[]>
  /** A string is sent as UTF-8. Streams have no Content-Length without `length`. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Bytes of a streamed body; a mismatch cuts the connection. */
  length?: number
  /** For a cached response; its body is complete, and its headers are never changed. */
  kept?: KeptForms
  /** Fields of this request alone, written before the headers. They are not checked. */
  ownFields?: Fields
}

/** May throw, or reject: a ServiceError is the response, and anything else an internal error. */
export type HttpHandler = (request: HttpRequest) => Maybe<HttpResponse>

/** The client closed the connection early. There is nobody to respond to. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection')
    this.name = 'ClientGone'
  }
}
