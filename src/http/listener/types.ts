/** The interface between HTTP code and servers. */
import type { ServiceError } from '../../lib/errors.js'
import type { HostPort } from '../../lib/host-port.js'
import type { Maybe } from '../../lib/maybe.js'

export type DriverName = 'uws' | 'node'

/** An HTTP server. Its peculiarities stay in its file. */
export interface Driver {
  readonly name: DriverName
  /**
   * @param at port 0 takes a free one
   * @param onArrival called for each request, in sequence per connection
   * @throws Error with the failing address and reason
   */
  listen(at: HostPort, onArrival: OnArrival): Promise<Listening>
}

export type OnArrival = (arrival: Arrival) => void

export interface Listening {
  readonly port: number
  /** Accepts no more connections; running requests continue. */
  stop(): void
  /** Closes every connection, after `stop`. */
  closeAll(): Promise<void>
}

/** The head of a request. */
export interface Head {
  /** Upper case. */
  readonly method: string
  /** As sent, percent-encoded, without the query. */
  readonly path: string
  /** As sent, without the question mark; '' if missing. */
  readonly query: string
  /** By lower-case name; a repeated field is joined with a comma (RFC 9110 §5.3). Has no prototype. */
  readonly headers: Readonly<Record<string, string>>
}

/** A request whose head has come. */
export interface Arrival {
  readonly head: Head
  /** Peer address; IPv4 if mapped into IPv6. Not to be asked for the first time once the response was sent. */
  readonly peer: string
  /** Why it must not be served. Sent as its response, which ends the connection. */
  readonly fault: ServiceError | undefined
  /** Bytes of the body; undefined if unknown. 0 if a fault leaves no readable end. */
  readonly bodyLength: number | undefined
  /** The client sends its body only after `resume` (RFC 9110 §10.1.1). */
  readonly awaitsContinue: boolean
  /**
   * Reads the body. Called within `onArrival` if `bodyLength` is not 0; available data may come before `resume`.
   *
   * @param take a chunk is valid until it returns
   * @param broken the body is unreadable, and the connection unusable
   */
  read(take: (chunk: Uint8Array, isLast: boolean) => void, broken: (error: ServiceError) => void): Flow
  /** Calls `fn` if the connection closes before the response is complete. Called once, within `onArrival`. */
  onGone(fn: () => void): void
  /** From now on a disconnect is noticed at once, since a caller waits for it. */
  watch(): void
  /**
   * Sends a whole response.
   *
   * @param bytes nothing, or `head.length` bytes
   * @param close true to end the connection
   * @returns a promise, unless it is done, that settles when the last byte left the process, or the client is gone
   */
  send(head: AnswerHead, bytes: Uint8Array, close: boolean): Maybe<void>
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
  /** At least one, without connection and length fields, which the driver writes. */
  readonly fields: Fields
  /** Written after them. The same array for many responses, so a driver may keep its written form. */
  readonly shared: Fields
  /** Content-Length; undefined when missing. */
  readonly length: number | undefined
}

export interface Outgoing {
  /** @returns a promise if the client is slow: write no more until it settles */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** @returns a promise, unless it is done, that settles when the last byte left the process, or the client is gone */
  end(): Maybe<void>
}
