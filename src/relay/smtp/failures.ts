/** Failures of a session, and what they say about the server. */
import { replyLine } from '../outcome.js'
import type { FailureType } from '../tls/tls-results.js'
import { ConnectionError } from './connection.js'
import { ProtocolError, type Reply } from './replies.js'

export class SessionError extends Error {
  constructor(
    detail: string,
    readonly smtpCode: number | null,
    /** The TLS handshake failed, so a try without TLS may work. */
    readonly inHandshake: boolean,
    readonly tlsFailure: FailureType | null = null,
  ) {
    super(detail)
    this.name = 'SessionError'
  }
}

export class RefusedError extends Error {
  constructor(
    readonly command: string,
    readonly reply: Reply,
  ) {
    super(reply.text)
    this.name = 'RefusedError'
  }
}

/** RFC 5321 §4.2.2: replies about the server, not the message, at connect, EHLO or MAIL. */
export function isBusy(smtpCode: number | null): boolean {
  return smtpCode === 421 || smtpCode === 450 || smtpCode === 451 || smtpCode === 452
}

export type Failure = ConnectionError | ProtocolError | RefusedError | SessionError

export function isFailure(error: unknown): error is Failure {
  return [ConnectionError, ProtocolError, RefusedError, SessionError].some((type) => error instanceof type)
}

export function failedWith(error: Failure, where: string): SessionError {
  const status = error instanceof ProtocolError ? '4.5.0 ' : ''
  return new SessionError(`${status}${where}: ${describe(error)}`, codeOf(error), false)
}

export function codeOf(error: Failure): number | null {
  if (error instanceof RefusedError) return error.reply.code
  return error instanceof ProtocolError ? null : error.smtpCode
}

export function systemCodeOf(error: Failure): string | undefined {
  return error instanceof ConnectionError ? error.code : undefined
}

export function describe(error: Failure): string {
  return replyLine(error.message)
}
