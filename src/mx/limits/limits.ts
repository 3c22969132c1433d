/** Limits per message, client and session, each declared only here. */
import { MINUTE, SECOND } from '../../lib/clock.js'

export interface MxLimits {
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  maxHeaderBytes: number
  /** Per message. */
  maxRecipients: number
  maxConnections: number
  /** Per IPv4 address or IPv6 /64. */
  maxConnectionsPerAddress: number
  /** Per IPv4 /24 or IPv6 /48; at least that of one address. */
  maxConnectionsPerNetwork?: number
  maxReceived: number
  /** Memory for incoming messages of all connections; 160 MiB by default, and at least four of the largest. */
  maxBufferedBytes?: number
}

export interface MxDeadlines {
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

export const DEADLINES: MxDeadlines = {
  idleMs: 5 * MINUTE,
  commandMs: 5 * MINUTE,
  handshakeMs: 30 * SECOND,
  transactionMs: 15 * MINUTE,
  sessionMs: 60 * MINUTE,
  handlerMs: 4 * MINUTE,
  sweepMs: 5 * SECOND,
  lingerMs: 2 * SECOND,
}

const MIB = 1024 * 1024

export function bufferedBytes({ maxBufferedBytes, maxMessageBytes }: MxLimits): number {
  return maxBufferedBytes ?? Math.max(160 * MIB, 4 * maxMessageBytes)
}

/** The part of one of `count` processes, which still holds two of the largest messages. */
export function shareOf(bytes: number, count: number, maxMessageBytes: number): number {
  return Math.max(Math.ceil(bytes / count), 2 * maxMessageBytes)
}
