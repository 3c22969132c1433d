/** One SMTP session with a receiving server: opened, used for some messages, ended. */
import { isAscii } from 'node:buffer'
import { isIP } from 'node:net'
import { SECOND } from '../../lib/clock.js'
import { addressLiteral } from '../../lib/ip.js'
import { asciiAddress } from '../../mime/address.js'
import { replyLine } from '../outcome.js'
import type { Outcome, Outcomes } from '../outcome.js'
import type { Target } from '../routing/route.js'
import { certificateProblem, failureOf, isEncrypted, sessionProblem, tlsOptions } from '../tls/security.js'
import type { Security } from '../tls/security.js'
import { ConnectionError, SmtpConnection } from './connection.js'
import { dataOf } from './data.js'
import { logIn } from './login.js'
import { isAnswered, isDone, ProtocolError } from './replies.js'
import type { Reply } from './replies.js'
import { WITHOUT_REQUIRE_TLS } from '../routing/tls-needs.js'
import type { FailureType } from '../tls/tls-results.js'

export interface SessionOptions {
  /** Our name in EHLO. */
  hostname: string
  /** To connect, to agree on TLS. */
  connectTimeoutMs: number
  /** For each answer (RFC 5321 §4.5.3.2). */
  responseTimeoutMs: number
}

export interface Waits {
  /** Ends the session, at whatever stage it is. */
  signal: AbortSignal
  /** All that comes before the first message, whatever the other side does to draw it out. */
  setupMs: number
}

export interface Mail {
  from: string
  recipients: string[]
  raw: Buffer
  /** RFC 8689 §2: only to a server that promises to go on with TLS. */
  requireTls?: boolean
}

export type SendResult =
  /** `busy`: the server took no sender now (RFC 5321 §4.2.2: 450, 451, 452). */
  | { kind: 'answered'; outcomes: Outcomes; busy?: boolean }
  /** This host can't have the message; another one may. */
  | { kind: 'unfit'; outcome: Outcome }
  /** The session ended without an answer. Once data has been sent the server may have taken it all the same. */
  | { kind: 'lost'; detail: string; smtpCode: number | null; dataSent: boolean }

export interface Session {
  readonly target: Target
  readonly encrypted: boolean
  /** What would be wrong if TLS with a certificate for the host's name were required. */
  readonly certificateProblem: FailureType | undefined
  readonly isOpen: boolean
  /** Messages sent so far. */
  readonly sent: number
  /** Resolves with what became of each recipient; never rejects. */
  send(mail: Mail): Promise<SendResult>
  /** Ends an idle session politely. */
  quit(): void
  destroy(): void
}

/** No session came about. */
export class SessionError extends Error {
  constructor(
    detail: string,
    readonly smtpCode: number | null,
    /** The TLS handshake itself failed, so that another try without TLS may work. */
    readonly inHandshake: boolean,
    /** How TLS failed, when that is why. */
    readonly tlsFailure: FailureType | null = null,
  ) {
    super(detail)
    this.name = 'SessionError'
  }
}

/** The server refuses a command that a session begins with. */
class RefusedError extends Error {
  constructor(
    readonly command: string,
    readonly reply: Reply,
  ) {
    super(reply.text)
    this.name = 'RefusedError'
  }
}

/** What a server offers (RFC 5321 §4.1.1.1): parameters by keyword. */
type Extensions = ReadonlyMap<string, string>

/** What the other side may take to say goodbye. */
const QUIT_MS = 5 * SECOND

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
  // Each answer has its time, but one that comes byte by byte would never end.
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
    return sessionOver(connection, target, extensions, where)
  } catch (error) {
    destroy()
    throw error instanceof SessionError || !isFailure(error) ? error : failedWith(error, where)
  } finally {
    clearTimeout(timer)
  }
}

/** Up to the reply to the EHLO that counts. @throws SessionError, ConnectionError, ProtocolError, RefusedError */
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
    // RFC 3207 §4.2: what was said before counts for nothing.
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
  // RFC 5321 §3.2: an old server is asked with HELO.
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

/** What fails in here is a failure of TLS. */
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

/** With TLS from the first byte on, errors that tell nothing may be those of the connection. */
function isTlsFailure({ tls }: Security, failure: FailureType): boolean {
  return tls !== 'implicit' || failure !== 'validation-failure'
}

/** RFC 3463 §3.8: 4.7.4 for what the server can't do, 4.7.5 for what it does wrong. */
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

/** The session itself, over a connection on which both sides are ready. */
function sessionOver(connection: SmtpConnection, target: Target, extensions: Extensions, where: string): Session {
  let needsReset = false
  let sent = 0

  /** What the message needs and this server does not have. */
  function unfitFor({ from, recipients, raw, requireTls }: Mail): string | undefined {
    // RFC 8689 §4.2.1
    if (requireTls && !(connection.isEncrypted && extensions.has('REQUIRETLS')))
      return `5.7.30 ${where} does not promise to keep to TLS (REQUIRETLS), which require_tls asks for; ${WITHOUT_REQUIRE_TLS}`
    const addresses = [from, ...recipients.map(asciiAddress)]
    if (addresses.some((address) => /[\r\n<>\0]/.test(address))) return '5.1.3 the envelope has what is no address'
    // RFC 6531 §3.1: an address that is not ASCII goes only to a server that says it can.
    if (!addresses.every(isAsciiText) && !extensions.has('SMTPUTF8'))
      return `5.6.7 ${where} does not take addresses beyond ASCII`
    // RFC 6152 §3: no server is sent what it does not say it takes. Ours is 8-bit only where it forwards what is.
    if (!isAscii(raw) && !extensions.has('8BITMIME')) return `5.6.3 ${where} does not take 8-bit messages`
    // RFC 1870 §6.1: 0 is no limit.
    const most = Number(extensions.get('SIZE') ?? '')
    if (most > 0 && raw.length > most) return `5.3.4 ${where} takes messages of up to ${most} octets`
    return undefined
  }

  function mailCommand({ from, recipients, raw, requireTls }: Mail): string {
    const parameters = [
      ...([from, ...recipients.map(asciiAddress)].every(isAsciiText) ? [] : ['SMTPUTF8']),
      ...(isAscii(raw) ? [] : ['BODY=8BITMIME']),
      ...(extensions.has('SIZE') ? [`SIZE=${raw.length}`] : []),
      ...(requireTls ? ['REQUIRETLS'] : []),
    ]
    return [`MAIL FROM:<${from}>`, ...parameters].join(' ')
  }

  /** RFC 2920 §3.1: all in one group where the server can take it; every reply is looked at. */
  async function envelope(mail: Mail): Promise<Envelope> {
    const rcpts = mail.recipients.map((recipient) => `RCPT TO:<${asciiAddress(recipient)}>`)
    const group = extensions.has('PIPELINING')
      ? connection.askAll([mailCommand(mail), ...rcpts, 'DATA'])
      : [connection.ask(mailCommand(mail))]
    const replyTo = (command: string, index: number): Promise<Reply> => group[index] ?? connection.ask(command)
    const isGrouped = group.length > 1

    const refused: Outcomes = new Map()
    const from = await replyTo('MAIL', 0)
    const isFromTaken = isDone('MAIL', from)
    if (!isFromTaken && !isGrouped) return { from, refused, accepted: [], data: undefined }
    const accepted: string[] = []
    for (const [index, recipient] of mail.recipients.entries()) {
      const reply = await replyTo(rcpts[index] ?? '', index + 1)
      if (isDone('RCPT', reply)) accepted.push(recipient)
      else refused.set(recipient, refusal(reply))
    }
    if (accepted.length === 0 && !isGrouped) return { refused, accepted, data: undefined }
    const data = await replyTo('DATA', rcpts.length + 1)
    return { ...(isFromTaken ? {} : { from }), refused, accepted, data }
  }

  async function transmit(mail: Mail, onData: () => void): Promise<SendResult> {
    needsReset = true
    const { from, refused, accepted, data } = await envelope(mail)
    // RFC 5321 §3.3: 354 alone opens data, whatever else the server means.
    const isOpenForData = data !== undefined && isAnswered('DATA', 354, data)
    const answered = (answer: Outcome, busy = false): SendResult => ({
      kind: 'answered',
      outcomes: new Map(mail.recipients.map((recipient) => [recipient, refused.get(recipient) ?? answer])),
      busy,
    })
    if (from) {
      const answer = refusal(from)
      // It has no transaction that could be ended; what would it do with an empty message?
      if (isOpenForData) connection.end(new ProtocolError('DATA was taken after MAIL was refused'))
      const outcomes = new Map(mail.recipients.map((recipient) => [recipient, answer]))
      return { kind: 'answered', outcomes, busy: isBusy(from.code) }
    }
    if (accepted.length === 0) {
      // RFC 2920 §3.1: a server that opened data for nobody gets an empty message, which it has to refuse.
      if (isOpenForData && (await connection.ask('.')).code < 400)
        connection.end(new ProtocolError('a message for nobody was taken'))
      return { kind: 'answered', outcomes: refused, busy: false }
    }
    if (!isOpenForData) {
      if (!data) throw new Error('DATA was not sent')
      return answered(refusal(data))
    }
    onData()
    const reply = await connection.sendMessage(dataOf(mail.raw))
    needsReset = false
    if (!isDone('the message', reply)) return answered(refusal(reply))
    return answered({ kind: 'delivered', smtpCode: reply.code, detail: replyLine(reply.text) })
  }

  return {
    target,
    encrypted: connection.isEncrypted,
    certificateProblem: certificateProblem(connection.socket),
    get isOpen() {
      return connection.isOpen
    },
    get sent() {
      return sent
    },
    async send(mail) {
      const unfit = unfitFor(mail)
      if (unfit !== undefined) return { kind: 'unfit', outcome: { kind: 'failed', smtpCode: null, detail: unfit } }
      let dataSent = false
      try {
        if (needsReset && !isAnswered('RSET', 250, await connection.ask('RSET')))
          throw new ProtocolError('RSET was refused')
        sent++
        const result = await transmit(mail, () => {
          dataSent = true
        })
        // RFC 5321 §3.8: it closes the session, and will have said why.
        const { failure } = connection
        if (failure instanceof ConnectionError && failure.smtpCode === 421) throw failure
        return result
      } catch (error) {
        if (!isFailure(error)) throw error
        connection.end(error)
        const status = error instanceof ProtocolError ? '4.5.0 ' : ''
        return { kind: 'lost', detail: `${status}${where}: ${describe(error)}`, smtpCode: codeOf(error), dataSent }
      }
    },
    quit() {
      const ended = new ConnectionError('the session was ended')
      const timer = setTimeout(() => connection.end(ended), QUIT_MS).unref()
      connection.onEnd(() => clearTimeout(timer))
      connection.ask('QUIT').then(
        () => connection.end(ended),
        () => connection.end(ended),
      )
    },
    destroy: () => connection.end(new ConnectionError('the session was ended')),
  }
}

interface Envelope {
  /** When MAIL was refused. */
  from?: Reply
  refused: Outcomes
  accepted: string[]
  /** When DATA was sent. */
  data: Reply | undefined
}

function isAsciiText(text: string): boolean {
  return isAscii(Buffer.from(text))
}

/** RFC 5321 §4.2.1: 4yz may work later, 5yz will not. 503 tells of the session and not of the message. */
function refusal({ code, text }: Reply): Outcome {
  const kind = code >= 500 && code !== 503 ? 'failed' : 'deferred'
  return { kind, smtpCode: code, detail: replyLine(text) }
}

/** RFC 5321 §4.2.2: replies that tell of a server, and not of a message, when they are to the connection, to EHLO or to MAIL. */
export function isBusy(smtpCode: number | null): boolean {
  return smtpCode === 421 || smtpCode === 450 || smtpCode === 451 || smtpCode === 452
}

type Failure = ConnectionError | ProtocolError | RefusedError | SessionError

function isFailure(error: unknown): error is Failure {
  return [ConnectionError, ProtocolError, RefusedError, SessionError].some((type) => error instanceof type)
}

function failedWith(error: Failure, where: string): SessionError {
  const status = error instanceof ProtocolError ? '4.5.0 ' : ''
  return new SessionError(`${status}${where}: ${describe(error)}`, codeOf(error), false)
}

function codeOf(error: Failure): number | null {
  if (error instanceof RefusedError) return error.reply.code
  return error instanceof ProtocolError ? null : error.smtpCode
}

function systemCodeOf(error: Failure): string | undefined {
  return error instanceof ConnectionError ? error.code : undefined
}

function describe(error: Failure): string {
  return replyLine(error.message)
}
