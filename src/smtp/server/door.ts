/** Whether a client may connect. Connections are named by the id of their session. */
import type { Refusal } from '../replies.js'

/** An answer at once, or a later one. */
export type Answer<T> = T | Promise<T>

export interface Door {
  /** A client connected. @returns the refusal that ends the connection; otherwise it counts until `left` */
  arrive(connection: string, ip: string): Answer<Refusal | undefined>
  left(connection: string): void
}

/** The sessions of one process. */
export interface Sessions {
  /** Ends one connection from a network with many, if one has nothing at work. @returns its id */
  makeRoom(network: string): Answer<string | undefined>
}
