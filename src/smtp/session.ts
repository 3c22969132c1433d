/** State of an SMTP session, and the handler that decides about its mail. */
import type { Clock } from '../lib/clock.js'
import type { Credentials } from './auth.js'
import type { TokenSasl } from './oauth-bearer.js'
import type { MailParameters, RcptParameters } from './parameters.js'
import type { Reply } from './replies.js'
import type { TlsContexts } from './tls.js'

export interface ConnectionOptions {
  /** This host, in the greeting. */
  hostname: string
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  maxRecipients: number
  /** True to announce DSN (RFC 3461). */
  dsn: boolean
  /** True to ask for AUTH before MAIL (RFC 6409 §4.3), which is taken under TLS only. */
  auth?: boolean
  /** Access tokens, which AUTH takes too; undefined: it takes none. */
  tokens?: TokenSasl | undefined
  /** Longest time ahead for which a message may be held (RFC 4865); undefined: not offered. */
  maxHoldMs?: number | undefined
  /** Max time without a byte from the client while it is its turn. */
  idleMs: number
  /** Called for each session, since certificates change; undefined: STARTTLS is not offered. */
  tls: () => TlsContexts | undefined
  clock: Clock
}

export interface ConnectionEvents {
  /** Called before each reply; a returned reply replaces it. */
  replied(code: number): Reply | undefined
  /** A fault of ours in a command, or of the socket. The session continues if it can. */
  failed(error: Error): void
  closed(): void
}

/** `envelope` from MAIL on; `data` from DATA to the last byte; `handling` until the reply. */
export type Phase = 'idle' | 'envelope' | 'data' | 'handling'

export interface Session {
  readonly id: string
  /** IPv4 addresses without their IPv6 mapping. */
  readonly clientAddress: string
  /** HELO or EHLO name in lower case; '' before. */
  helo: string
  greetedWith: 'HELO' | 'EHLO' | undefined
  /** Cipher suite and version; undefined without TLS. */
  tls: { name: string; version: string } | undefined
  isAuthenticated: boolean
  /** From an accepted MAIL to the reply to the data, RSET, EHLO or STARTTLS. */
  transaction: Transaction | undefined
}

export interface Recipient extends RcptParameters {
  address: string
}

export interface Transaction extends MailParameters {
  /** Reverse-path, '' for the null sender. */
  from: string
  /** Accepted so far; a repeated one replaces the earlier. */
  recipients: Recipient[]
}

export interface DataSink {
  /** A promise pauses the client until it settles. */
  write(data: Buffer): Promise<void> | undefined
  /** End of data; the reply ends the transaction. */
  end(): Promise<Reply>
  /** The connection ended before the data did. */
  abort(): void
}

type Answer = Reply | undefined | Promise<Reply | undefined>

/** A returned reply refuses; without one the protocol says 250. Commands come one at a time. */
export interface SessionHandler {
  /** Only where `ConnectionOptions.auth` is set. */
  authenticate?(credentials: Credentials): Answer
  mail(transaction: Transaction): Answer
  /** MAIL was refused for its SIZE, before `mail` was called. */
  mailTooLarge(from: string, refusal: Reply): void
  recipient(recipient: Recipient, transaction: Transaction): Answer
  data(transaction: Transaction): DataSink | Reply
}

/** Protocol name for a Received field (RFC 3848). */
export function protocolOf({ greetedWith, tls, isAuthenticated }: Session): string {
  return `${greetedWith === 'EHLO' ? 'E' : ''}SMTP${tls ? 'S' : ''}${isAuthenticated ? 'A' : ''}`
}
