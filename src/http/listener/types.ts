/** The interface between the HTTP code and its drivers. */
import type { ServiceError } from '../../lib/errors.js'
import type { HostPort } from '../../lib/host-port.js'

export type DriverName = 'uws' | 'node'

/** An HTTP server library behind a common interface. */
export interface Driver {
  readonly name: DriverName
  /**
   * @param at port 0 takes a free one
   * @param onArrival called for each request, for those of one connection one after the other
   * @throws Error that says which address can't be listened on and why
   */
  listen(at: HostPort, onArrival: OnArrival): Promise<Listening>
}

export type OnArrival = (arrival: Arrival) => void

export interface Listening {
  readonly port: number
  /** Accepts no more connections; requests in progress continue. */
  stop(): void
  /** Closes every connection. Call it after `stop`. */
  closeAll(): Promise<void>
}

/** The head of a request. */
export interface Head {
  /** Upper case. */
  readonly method: string
  /** As sent, percent-encoded, without the query. */
  readonly path: string
  /** As sent, without the question mark; '' when there is none. */
  readonly query: string
  /** By lower-case name; a repeated field is joined with a comma (RFC 9110 §5.3). Has no prototype. */
  readonly headers: Readonly<Record<string, string>>
}

/** A request whose head has come. */
export interface Arrival {
  readonly head: Head
  /** Address of the connection's other end; IPv4 also where it came mapped into IPv6. */
  readonly peer: string
  /** Set when it must not be served: the response, after which the connection closes. */
  readonly fault: ServiceError | undefined
  /** Bytes of the body; undefined when unknown until its end. Also 0 when a fault leaves the body without a readable end. */
  readonly bodyLength: number | undefined
  /** The client sends its body only once `resume` has been called (RFC 9110 §10.1.1). */
  readonly awaitsContinue: boolean
  /**
   * The body as it comes. To be called within `onArrival` when `bodyLength` is not 0; what is there already may be given before `resume` is called.
   *
   * @param take a chunk is good until it returns
   * @param broken the body can't be read any further, and the connection not be used again
   */
  read(take: (chunk: Uint8Array, isLast: boolean) => void, broken: (error: ServiceError) => void): Flow
  /** Calls `fn` when the connection closes before the answer is whole. To be called once, within `onArrival`. */
  onGone(fn: () => void): void
  /** Reports the client's disconnect at once from now on. */
  watch(): void
  /**
   * Sends a whole answer.
   *
   * @param bytes nothing, or `head.length` octets
   * @param close whether the connection ends with it
   * @returns a promise that settles when the last octet has left the process, or the client is gone
   */
  send(head: AnswerHead, bytes: Uint8Array, close: boolean): Promise<void>
  /** Begins a streamed response. */
  stream(head: AnswerHead, close: boolean): Promise<Outgoing>
  /** Closes the connection at once. */
  cut(): void
}

export interface Flow {
  pause(): void
  resume(): void
}

export type Fields = readonly (readonly [name: string, value: string])[]

export interface AnswerHead {
  readonly status: number
  /** Without those of the connection and the length, which the driver writes. */
  readonly fields: Fields
  /** Content-Length; undefined when missing. */
  readonly length: number | undefined
}

export interface Outgoing {
  /** @returns a promise, when the client has yet to take what it was given: nothing more should be written until it settles */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** @returns a promise that settles when the last octet has left the process, or the client is gone */
  end(): Promise<void>
}
