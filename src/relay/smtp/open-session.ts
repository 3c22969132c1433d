/** Opens an SMTP session: connect, greeting, TLS, login. */
import { isIP } from 'node:net'
import { addressLiteral } from '../../lib/ip.js'
import { replyLine } from '../outcome.js'
import type { Target } from '../routing/route.js'
import { failureOf, isEncrypted, sessionProblem, tlsOptions, type Security } from '../tls/security.js'
import type { FailureType } from '../tls/tls-results.js'
import { ConnectionError, SmtpConnection } from './connection.js'
import {
  codeOf,
  describe,
  failedWith,
  isBusy,
  isFailure,
  RefusedError,
  SessionError,
  systemCodeOf,
} from './failures.js'
import { logIn } from './login.js'
import { isAnswered, ProtocolError, type Reply } from './replies.js'
import { Session, type Extensions } from './session.js'

export interface SessionOptions {
  /** Our name in EHLO. */
  hostname: string
  connectTimeoutMs: number
  /** Per reply (RFC 5321 §4.5.3.2). */
  responseTimeoutMs: number
}

export interface Waits {
  signal: AbortSignal
  /** For everything before the first message. */
  setupMs: number
}

/** @throws SessionError */
export async function openSession(
  target: Target,
  security: Security,
  options: SessionOptions,
  { signal, setupMs }: Waits,
): Promise<Session> {
  const where = `${target.host} ${addressLiteral(target.address)}`
  const connection = new SmtpConnection({ host: target.address, port: target.port }, options.responseTimeoutMs)
  const destroy = (): void => connection.end(new ConnectionError('the session was ended'))
  signal.addEventListener('abort', destroy)
  connection.onEnd(() => signal.removeEventListener('abort', destroy))
  if (signal.aborted) destroy()
  // Each reply has a limit, but one that drips would never end.
  const timer = setTimeout(
    () => connection.end(new ConnectionError('the session took too long to come about')),
    Math.min(setupMs, 2 ** 31 - 1),
  )
  try {
    const extensions = await begin(connection, target, security, options, where)
    if (security.auth) {
      const mechanisms = (extensions.get('AUTH') ?? '').toUpperCase().split(/[\s=]+/)
      const refusal = await logIn(connection, mechanisms, security.auth)
      if (refusal) throw new SessionError(`${where} refuses our login: ${replyLine(refusal.text)}`, refusal.code, false)
    }
    return new Session(connection, target, extensions, where)
  } catch (error) {
    destroy()
    throw error instanceof SessionError || !isFailure(error) ? error : failedWith(error, where)
  } finally {
    clearTimeout(timer)
  }
}

/** Up to the reply to the final EHLO. @throws SessionError, ConnectionError, ProtocolError, RefusedError */
async function begin(
  connection: SmtpConnection,
  target: Target,
  security: Security,
  { hostname, connectTimeoutMs }: SessionOptions,
  where: string,
): Promise<Extensions> {
  const encrypt = async (): Promise<void> => {
    const name = isIP(target.host) === 0 ? target.host : undefined
    await inHandshake(security, where, () => connection.encrypt(tlsOptions(security, name), connectTimeoutMs))
  }
  await connection.connected(connectTimeoutMs)
  if (security.tls === 'implicit') await encrypt()
  // RFC 5321 §4.3.2: 220 opens a session, 554 and others refuse it.
  const greeting = await connection.greeting()
  if (!isAnswered('the connection', 220, greeting)) throw new RefusedError('the connection', greeting)
  let extensions = await hello(connection, hostname, security, where)
  const wantsTls = security.tls !== 'none' && !connection.isEncrypted
  if (wantsTls && (extensions.has('STARTTLS') || isEncrypted(security))) {
    const reply = await connection.ask('STARTTLS', { endsClear: true })
    await inHandshake(security, where, async () => {
      if (!isAnswered('STARTTLS', 220, reply)) throw new RefusedError('STARTTLS', reply)
    })
    await encrypt()
    // RFC 3207 §4.2: everything before is void.
    extensions = await hello(connection, hostname, security, where)
  }
  const problem = sessionProblem(connection.socket, security)
  if (problem) throw policyError(security, where, problem.failure, problem.detail)
  return extensions
}

async function hello(
  connection: SmtpConnection,
  hostname: string,
  security: Security,
  where: string,
): Promise<Extensions> {
  const reply = await connection.ask(`EHLO ${hostname}`)
  if (isAnswered('EHLO', 250, reply)) return extensionsOf(reply)
  const { code, text } = reply
  // A server without EHLO has no STARTTLS either.
  if (isEncrypted(security) && !connection.isEncrypted && !isBusy(code))
    throw policyError(security, where, 'starttls-not-supported', replyLine(text), code)
  // RFC 5321 §3.2: fall back to HELO.
  if (code < 500) throw new RefusedError('EHLO', reply)
  const old = await connection.ask(`HELO ${hostname}`)
  if (!isAnswered('HELO', 250, old)) throw new RefusedError('HELO', old)
  return new Map()
}

function extensionsOf({ lines }: Reply): Extensions {
  return new Map(
    lines.slice(1).map((line) => {
      const [keyword = '', ...parameters] = line.trim().split(/[\s=]+/)
      return [keyword.toUpperCase(), parameters.join(' ')]
    }),
  )
}

async function inHandshake(security: Security, where: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isFailure(error)) throw error
    const smtpCode = codeOf(error)
    const isRefused = error instanceof RefusedError || error instanceof ProtocolError || smtpCode !== null
    const failure = isRefused ? 'starttls-not-supported' : failureOf(systemCodeOf(error))
    if (isEncrypted(security) && isTlsFailure(security, failure))
      throw policyError(security, where, failure, describe(error), smtpCode)
    throw new SessionError(
      `${where}: ${describe(error)}`,
      smtpCode,
      true,
      isTlsFailure(security, failure) ? failure : null,
    )
  }
}

/** With implicit TLS, unspecific errors may be those of the connection. */
function isTlsFailure({ tls }: Security, failure: FailureType): boolean {
  return tls !== 'implicit' || failure !== 'validation-failure'
}

/** RFC 3463 §3.8: 4.7.4 for missing features, 4.7.5 for faults. */
function policyError(
  security: Security,
  where: string,
  failure: FailureType,
  detail: string,
  smtpCode: number | null = null,
): SessionError {
  const status = failure === 'starttls-not-supported' ? '4.7.4' : '4.7.5'
  const because = security.because === undefined ? '' : ` by ${security.because}`
  const text = `${status} ${where}: TLS is required${because}, and fails: ${failure} (${detail})`
  return new SessionError(text, smtpCode, true, failure)
}
