/** What one message, one client and one session may take. Each limit is declared here, and nowhere else. */
import { MINUTE, SECOND } from '../../lib/clock.js'

export interface MxLimits {
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  maxHeaderBytes: number
  /** Of one message. */
  maxRecipients: number
  maxConnections: number
  /** From one IPv4 address or one IPv6 /64. */
  maxConnectionsPerAddress: number
  /** From an IPv4 /24 or an IPv6 /48; never under that of one address. */
  maxConnectionsPerNetwork?: number
  /** Received fields of a message. */
  maxReceived: number
  /** Memory for messages on their way in, of all connections together; 160 MiB, and at least four of the largest, when not given. */
  maxBufferedBytes?: number
}

export interface MxDeadlines {
  /** Without a byte from the client (RFC 5321 §4.5.3.2.7 asks for 5 minutes). */
  idleMs: number
  /** From a reply to the end of the next command, however its bytes drip. */
  commandMs: number
  /** From STARTTLS to the end of the handshake. */
  handshakeMs: number
  /** From MAIL to the last byte of the data. */
  transactionMs: number
  /** From the connection's start to its end; a transaction at work may end first. */
  sessionMs: number
  /** From the last byte of a message to its reply. */
  handlerMs: number
  /** How often transactions and sessions are looked at. */
  sweepMs: number
  /** From the last word to the end of a connection that is ended by us, whether the client took it or not. */
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
