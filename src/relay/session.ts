/** One SMTP session with a receiving server: opened, used for some messages, ended. nodemailer's client with promises around it. */
import { isAscii } from 'node:buffer'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import { SECOND } from '../lib/clock.js'
import { addressLiteral } from '../lib/ip.js'
import { asciiAddress } from '../mime/address.js'
import { replyLine } from './outcome.js'
import type { Outcome, Outcomes } from './outcome.js'
import type { Target } from './route.js'
import { certificateProblem, failureOf, isEncrypted, sessionProblem, tlsOptions } from './security.js'
import type { Security } from './security.js'
import { WITHOUT_REQUIRE_TLS } from './tls-needs.js'
import type { FailureType } from './tls-results.js'

export interface SessionOptions {
  /** Our name in EHLO. */
  hostname: string
  /** To connect, be greeted and agree on TLS. */
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

type ClientError = NonNullable<Parameters<Parameters<SMTPConnection['reset']>[0]>[0]>

const CHUNK_BYTES = 64 * 1024
const MAX_REPLY_BYTES = 64 * 1024
/** What the other side may take to say goodbye. */
const QUIT_MS = 5 * SECOND

/** @throws SessionError */
export async function openSession(
  target: Target,
  security: Security,
  options: SessionOptions,
  { signal, setupMs }: Waits,
): Promise<Session> {
  const connection = new SMTPConnection({
    host: target.address,
    port: target.port,
    name: options.hostname,
    connectionTimeout: options.connectTimeoutMs,
    greetingTimeout: options.connectTimeoutMs,
    socketTimeout: options.responseTimeoutMs,
    maxResponseSize: MAX_REPLY_BYTES,
    logger: false,
    ...tlsOptions(security, isIP(target.host) === 0 ? target.host : undefined),
  })
  const where = `${target.host} ${addressLiteral(target.address)}`
  let lastError: ClientError | undefined
  let isOpen = true
  connection.on('error', (error: ClientError) => {
    lastError = error
  })
  const destroy = (): void => {
    connection.close()
    if (connection._socket) connection._socket.destroy()
  }
  signal.addEventListener('abort', destroy)
  connection.on('end', () => {
    isOpen = false
    signal.removeEventListener('abort', destroy)
  })

  const failed = (failure: ClientError | undefined): SessionError => {
    const inHandshake = connection.upgrading === true || failure?.code === 'ETLS'
    const tlsFailure = tlsFailureOf(failure, inHandshake, security)
    const smtpCode = failureCode(failure)
    if (tlsFailure === null || !isEncrypted(security))
      return new SessionError(`${where}: ${describe(failure)}`, smtpCode, inHandshake, tlsFailure)
    return policyError(tlsFailure, describe(failure), smtpCode)
  }
  /** RFC 3463 §3.8: 4.7.4 for what the server can't do, 4.7.5 for what it does wrong. */
  const policyError = (failure: FailureType, detail: string, smtpCode: number | null = null): SessionError => {
    const status = failure === 'starttls-not-supported' ? '4.7.4' : '4.7.5'
    const because = security.because === undefined ? '' : ` by ${security.because}`
    return new SessionError(
      `${status} ${where}: TLS is required${because}, and fails: ${failure} (${detail})`,
      smtpCode,
      true,
      failure,
    )
  }
  const connect = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (error?: ClientError | null): void => {
        reject(failed(error ?? lastError))
        connection.close()
      }
      connection.once('error', fail)
      connection.once('end', () => fail())
      connection.connect((error) => (error ? fail(error) : resolve()))
      if (signal.aborted) destroy()
    })

  let announced = ''
  // The library counts how long the other side is silent, so one that says a byte now and then would never end.
  const timer = setTimeout(() => {
    lastError = new Error('the session took too long to come about')
    destroy()
  }, setupMs)
  try {
    await connect()
    announced = String(connection.lastServerResponse)
    const problem = sessionProblem(connection._socket, security)
    if (problem) throw policyError(problem.failure, problem.detail)
    if (security.auth) await logIn(connection, security.auth, where)
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
  const offers = (extension: string): boolean => new RegExp(`^250[ -]${extension}\\b`, 'im').test(announced)

  /** The session's end is told of by no call-back when it comes from our side. */
  const untilEnd = (finish: () => void): (() => void) => {
    const later = (): void => void setImmediate(finish)
    connection.once('end', later)
    return () => connection.removeListener('end', later)
  }
  let needsReset = false
  let sent = 0

  /** What the message needs and this server does not have. */
  function unfitFor({ from, recipients, raw, requireTls }: Mail): string | undefined {
    // RFC 8689 §4.2.1
    if (requireTls && !(connection.secure && offers('REQUIRETLS')))
      return `5.7.30 ${where} does not promise to keep to TLS (REQUIRETLS), which require_tls asks for; ${WITHOUT_REQUIRE_TLS}`
    // RFC 6531 §3.1: an address that is not ASCII goes only to a server that says it can.
    if (
      [from, ...recipients.map(asciiAddress)].some((address) => !isAscii(Buffer.from(address))) &&
      !offers('SMTPUTF8')
    )
      return `5.6.7 ${where} does not take addresses beyond ASCII`
    // RFC 6152 §3: no server is sent what it does not say it takes. Ours is 8-bit only where it forwards what is.
    if (!isAscii(raw) && !offers('8BITMIME')) return `5.6.3 ${where} does not take 8-bit messages`
    return undefined
  }

  function reset(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = untilEnd(() => resolve(false))
      connection.reset((error) => {
        settle()
        resolve(!error)
      })
    })
  }

  function transmit(mail: Mail): Promise<SendResult> {
    return new Promise((resolve) => {
      let dataSent = false
      const envelope = envelopeOf(mail)
      const lost = (error: ClientError | undefined): SendResult => ({
        kind: 'lost',
        detail: `${where}: ${describe(error)}`,
        smtpCode: failureCode(error),
        dataSent,
      })
      const settle = untilEnd(() => resolve(lost(lastError)))
      const body = bodyOf(mail.raw, () => {
        dataSent = true
      })
      connection.send(envelope, body, (error, info) => {
        settle()
        if (error && isLoss(error)) return resolve(lost(error))
        // A transaction that was refused before its data is still open on the other side.
        needsReset = error !== null
        const busy = error?.command === 'MAIL FROM' && isBusy(error.responseCode ?? null)
        const answer = error
          ? refusal(error)
          : { kind: 'delivered' as const, smtpCode: codeOf(info.response), detail: replyLine(info.response) }
        resolve({ kind: 'answered', outcomes: outcomesOf(mail.recipients, envelope, answer), busy })
      })
    })
  }

  return {
    target,
    encrypted: connection.secure,
    certificateProblem: certificateProblem(connection._socket),
    get isOpen() {
      return isOpen
    },
    get sent() {
      return sent
    },
    async send(mail) {
      const unfit = unfitFor(mail)
      if (unfit !== undefined) {
        return { kind: 'unfit', outcome: { kind: 'failed', smtpCode: null, detail: unfit } }
      }
      if (needsReset && !(await reset())) {
        return { kind: 'lost', detail: `${where}: ${describe(lastError)}`, smtpCode: null, dataSent: false }
      }
      needsReset = false
      sent++
      return transmit(mail)
    },
    quit() {
      const patience = setTimeout(destroy, QUIT_MS).unref()
      connection.once('end', () => clearTimeout(patience))
      connection.quit()
    },
    destroy,
  }
}

function logIn(connection: SMTPConnection, auth: { user: string; password: string }, where: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error?: ClientError | null): void => {
      reject(
        new SessionError(
          `${where} refuses our login: ${describe(error ?? undefined)}`,
          failureCode(error ?? undefined),
          false,
        ),
      )
    }
    connection.once('error', fail)
    connection.login({ user: auth.user, pass: auth.password }, (error) => (error ? fail(error) : resolve()))
  })
}

/** What the client library keeps of each recipient stands in the envelope it was handed, also when the message as a whole failed. */
type TrackedEnvelope = SMTPEnvelope & { to: string[]; rejectedErrors?: ClientError[] }

function envelopeOf({ from, recipients, raw, requireTls = false }: Mail): TrackedEnvelope {
  return {
    from,
    to: recipients.map(asciiAddress),
    size: raw.length,
    use8BitMime: !isAscii(raw),
    requireTLSExtensionEnabled: requireTls,
  }
}

function outcomesOf(recipients: string[], envelope: TrackedEnvelope, answer: Outcome): Outcomes {
  const refused = new Map((envelope.rejectedErrors ?? []).map((error) => [error.recipient, error]))
  return new Map(
    recipients.map((recipient) => {
      const error = refused.get(asciiAddress(recipient))
      return [recipient, error ? refusal(error) : answer]
    }),
  )
}

/** RFC 5321 §4.2.1: 4yz may work later, 5yz will not. 503 tells of the session and not of the message. */
function refusal(error: ClientError): Outcome {
  const smtpCode = error.responseCode ?? null
  const detail = replyLine(error.response ?? error.message)
  if (smtpCode === null) {
    // Refused by the client library before it was sent: larger than the SIZE announced (RFC 1870 §6.1), or no address at all.
    const status = error.code === 'EMESSAGE' ? '5.3.4' : '5.1.3'
    return { kind: 'failed', smtpCode, detail: `${status} ${detail}` }
  }
  return { kind: error.permanent ? 'failed' : 'deferred', smtpCode, detail }
}

/** Whether the error ended the session and says nothing of the message. RFC 5321 §3.8: after a 421 the server closes. */
function isLoss(error: ClientError): boolean {
  if (error.responseCode === 421 || error.code === 'EPROTOCOL') return true
  return error.responseCode === undefined && !['EMESSAGE', 'EENVELOPE'].includes(error.code ?? '')
}

/** RFC 5321 §4.2.2: replies that tell of a server, and not of a message, when they are to the connection, to EHLO or to MAIL. */
export function isBusy(smtpCode: number | null): boolean {
  return smtpCode === 421 || smtpCode === 450 || smtpCode === 451 || smtpCode === 452
}

/** The library also gives the codes of replies that came at the wrong time, such as a 250. */
function failureCode(error: ClientError | undefined): number | null {
  const code = error?.responseCode
  return code !== undefined && code >= 400 && code <= 599 ? code : null
}

function tlsFailureOf(error: ClientError | undefined, inHandshake: boolean, security: Security): FailureType | null {
  // The server's own words, so there was no handshake.
  if (error?.responseCode !== undefined) {
    const refusesTls =
      error.code === 'ETLS' || (error.command === 'EHLO' && isEncrypted(security) && !isBusy(error.responseCode))
    return refusesTls ? 'starttls-not-supported' : null
  }
  const failure = failureOf(error?.originalCode ?? error?.code)
  if (inHandshake) return failure
  // With TLS from the first byte on, other errors may be those of the connection.
  return security.tls === 'implicit' && failure !== 'validation-failure' ? failure : null
}

function describe(error: ClientError | undefined): string {
  return replyLine(error?.response ?? error?.message ?? 'the connection was closed')
}

function codeOf(reply: string): number | null {
  const code = /^\d{3}/.exec(reply)?.[0]
  return code === undefined ? null : Number(code)
}

/** In pieces, since the library looks at every byte of a chunk at one go. */
function bodyOf(raw: Buffer, onStart: () => void): Readable {
  let at = 0
  return new Readable({
    read() {
      if (at === 0) onStart()
      this.push(at < raw.length ? raw.subarray(at, at + CHUNK_BYTES) : null)
      at += CHUNK_BYTES
    },
  })
}
