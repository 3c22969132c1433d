/** Time limits of a session and its phases, each declared only here. */
import { MINUTE, SECOND } from '../../lib/clock.js'

export interface Deadlines {
  /** Without a byte from the client (RFC 5321 §4.5.3.2.7 asks for 5 minutes). */
  idleMs: number
  /** From a reply to the end of the next command. */
  commandMs: number
  /** From STARTTLS to the end of the handshake. */
  handshakeMs: number
  /** From MAIL to the last byte of data. */
  transactionMs: number
  /** From connect to end; a running transaction may finish first. */
  sessionMs: number
  /** From the last byte of a message to its reply. */
  handlerMs: number
  sweepMs: number
  /** From our last reply to the forced end of a connection. */
  lingerMs: number
}

export const DEADLINES: Deadlines = {
  idleMs: 5 * MINUTE,
  commandMs: 5 * MINUTE,
  handshakeMs: 30 * SECOND,
  transactionMs: 15 * MINUTE,
  sessionMs: 60 * MINUTE,
  handlerMs: 4 * MINUTE,
  sweepMs: 5 * SECOND,
  lingerMs: 2 * SECOND,
}
