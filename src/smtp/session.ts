/** State of an SMTP session, and the handler that decides about its mail. */
import type { MailParameters, RcptParameters } from './parameters.js'
import type { Reply } from './replies.js'

export interface Session {
  /** For logs. */
  readonly id: string
  /** IPv4 addresses without their IPv6 mapping. */
  readonly clientAddress: string
  /** HELO or EHLO name in lower case; '' before. */
  helo: string
  greetedWith: 'HELO' | 'EHLO' | undefined
  /** Cipher suite and version; undefined without TLS. */
  tls: { name: string; version: string } | undefined
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

/** Receives the decoded data of one message. */
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
  mail(transaction: Transaction): Answer
  /** MAIL was refused for its SIZE, before `mail` was called. */
  mailTooLarge(from: string, refusal: Reply): void
  recipient(recipient: Recipient, transaction: Transaction): Answer
  data(transaction: Transaction): DataSink | Reply
}

/** Protocol name for a Received field (RFC 3848). */
export function protocolOf({ greetedWith, tls }: Session): string {
  return `${greetedWith === 'EHLO' ? 'E' : ''}SMTP${tls ? 'S' : ''}`
}
