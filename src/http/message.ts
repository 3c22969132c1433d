/** Requests and responses as plain values, independent of the driver. */

export interface HttpRequest {
  /** Upper case. */
  readonly method: string
  /** As sent, percent-encoded, without the query. */
  readonly path: string
  /** As sent, without the question mark; '' when there is none. */
  readonly query: string
  /** By lower-case name; a repeated field is joined with a comma (RFC 9110 §5.3). Has no prototype. */
  readonly headers: Readonly<Record<string, string>>
  /** The peer's address as text; IPv4 also where it came mapped into IPv6. */
  readonly remoteAddress: string
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number
  /** Aborted when the client went away, with ClientGone as its reason; nothing that is answered then is sent. */
  readonly signal: AbortSignal
  /** Also aborted when the server stops: held requests then respond as at the end of their wait. */
  readonly holdSignal: AbortSignal
  /**
   * The whole body; to be called once. It is taken from the network only once this is called, so refuse a request before reading it.
   *
   * @param holder who it is held for: one has no more than a share of the room that there is for all
   * @throws ServiceError `payload_too_large` when it has more than `maxBytes`; `request_timeout` when it does not arrive in time;
   *   `unavailable` when too many bodies are held already, `rate_limited` when too many of them are the holder's
   * @throws ClientGone when the client went away before its end
   */
  readBody(maxBytes: number, holder?: string): Promise<Buffer>
  /** Calls `fn` once, when the last byte of the answer has left or the client is gone. */
  onEnd(fn: () => void): void
}

/** Cached forms of a response body, made once for all requests. */
export interface KeptForms {
  /** Hash of the body, as in an ETag. */
  readonly tag: string
  /** The body, compressed. */
  readonly coded: Partial<Record<'br' | 'gzip', Uint8Array>>
}

export interface HttpResponse {
  status: number
  headers?: Record<string, string | string[]>
  /** A string is sent as UTF-8. What is streamed has no Content-Length without `length`. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Octets of a streamed body; when it turns out to have another number of them, the connection is cut. */
  length?: number
  /** Set on a cached response; its body is then all of its bytes. */
  kept?: KeptForms
}

export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>

/** The client closed the connection before its request was complete. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection')
    this.name = 'ClientGone'
  }
}
