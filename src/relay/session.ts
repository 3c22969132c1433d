/** One SMTP session with a receiving server: opened, used for some messages, ended. nodemailer's client with promises around it. */
import { isAscii } from 'node:buffer'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions, SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import { addressLiteral } from '../lib/ip.js'
import { asciiAddress } from '../mime/address.js'
import { replyLine, sameForAll } from './outcome.js'
import type { Outcome, Outcomes } from './outcome.js'
import type { Target } from './route.js'

export interface SessionOptions {
  /** Our name in EHLO. */
  hostname: string
  /** To connect, be greeted and agree on TLS. */
  connectTimeoutMs: number
  /** For each answer (RFC 5321 §4.5.3.2). */
  responseTimeoutMs: number
}

/**
 * `opportunistic`: TLS where it is offered, whatever the certificate, since without it the message would go in the clear (RFC 7435).
 * `required` and `implicit` (RFC 8314): TLS with a certificate that is valid for the host's name. `none`: in the clear.
 */
export type TlsPolicy = 'opportunistic' | 'required' | 'implicit' | 'none'

export interface Security {
  tls: TlsPolicy
  auth?: { user: string; password: string } | undefined
  /** Certificates to trust beside the usual ones (PEM). */
  ca?: string | undefined
}

export interface Mail {
  from: string
  recipients: string[]
  raw: Buffer
}

export type SendResult =
  | { kind: 'answered'; outcomes: Outcomes }
  /** The session ended without an answer. Once data has been sent the server may have taken it all the same. */
  | { kind: 'lost'; detail: string; smtpCode: number | null; dataSent: boolean }

export interface Session {
  readonly target: Target
  readonly encrypted: boolean
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
  ) {
    super(detail)
    this.name = 'SessionError'
  }
}

type ClientError = NonNullable<Parameters<Parameters<SMTPConnection['reset']>[0]>[0]>

const CHUNK_BYTES = 64 * 1024

/**
 * @param signal ends the session, at whatever stage it is
 * @throws SessionError
 */
export async function openSession(
  target: Target,
  security: Security,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const connection = new SMTPConnection({
    host: target.address,
    port: target.port,
    servername: isIP(target.host) === 0 ? target.host : undefined,
    name: options.hostname,
    connectionTimeout: options.connectTimeoutMs,
    greetingTimeout: options.connectTimeoutMs,
    socketTimeout: options.responseTimeoutMs,
    maxResponseSize: 64 * 1024,
    logger: false,
    ...tlsOptions(security),
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

  await new Promise<void>((resolve, reject) => {
    const fail = (error?: ClientError | null): void => {
      const failure = error ?? lastError
      const inHandshake =
        connection.upgrading === true || (failure?.code === 'ETLS' && failure.responseCode === undefined)
      connection.close()
      reject(new SessionError(`${where}: ${describe(failure)}`, failure?.responseCode ?? null, inHandshake))
    }
    connection.once('error', fail)
    connection.once('end', () => fail())
    connection.connect((error) => (error ? fail(error) : resolve()))
    if (signal.aborted) destroy()
  })
  const announced = String(connection.lastServerResponse)
  if (security.auth) await logIn(connection, security.auth, where)

  /** The session's end is told of by no call-back when it comes from our side. */
  const untilEnd = (finish: () => void): (() => void) => {
    const later = (): void => void setImmediate(finish)
    connection.once('end', later)
    return () => connection.removeListener('end', later)
  }
  let needsReset = false
  let sent = 0

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
        smtpCode: error?.responseCode ?? null,
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
        const answer = error
          ? refusal(error)
          : { kind: 'delivered' as const, smtpCode: codeOf(info.response), detail: replyLine(info.response) }
        resolve({ kind: 'answered', outcomes: outcomesOf(mail.recipients, envelope, answer) })
      })
    })
  }

  return {
    target,
    encrypted: connection.secure,
    get isOpen() {
      return isOpen
    },
    get sent() {
      return sent
    },
    async send(mail) {
      // RFC 6531 §3.1: an address that is not ASCII goes only to a server that says it can.
      const unsayable = [mail.from, ...mail.recipients.map(asciiAddress)].some(
        (address) => !/^[\x20-\x7e]*$/.test(address),
      )
      if (unsayable && !/[ -]SMTPUTF8\b/i.test(announced)) {
        const outcome: Outcome = {
          kind: 'failed',
          smtpCode: null,
          detail: `5.6.7 ${where} does not take addresses beyond ASCII`,
        }
        return { kind: 'answered', outcomes: sameForAll(mail.recipients, outcome) }
      }
      if (needsReset && !(await reset())) {
        return { kind: 'lost', detail: `${where}: ${describe(lastError)}`, smtpCode: null, dataSent: false }
      }
      needsReset = false
      sent++
      return transmit(mail)
    },
    quit: () => connection.quit(),
    destroy,
  }
}

function tlsOptions({ tls, auth, ca }: Security): SMTPConnectionOptions {
  // A password is told to nobody but the host it is for.
  const rejectUnauthorized = auth !== undefined || tls === 'required' || tls === 'implicit'
  return {
    secure: tls === 'implicit',
    ignoreTLS: tls === 'none',
    requireTLS: tls === 'required',
    opportunisticTLS: tls === 'opportunistic',
    tls: { rejectUnauthorized, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) },
  }
}

function logIn(connection: SMTPConnection, auth: { user: string; password: string }, where: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error?: ClientError | null): void => {
      connection.close()
      reject(
        new SessionError(
          `${where} refuses our login: ${describe(error ?? undefined)}`,
          error?.responseCode ?? null,
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

function envelopeOf({ from, recipients, raw }: Mail): TrackedEnvelope {
  return { from, to: recipients.map(asciiAddress), size: raw.length, use8BitMime: !isAscii(raw) }
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
  return (
    error.responseCode === 421 ||
    (error.responseCode === undefined && !['EMESSAGE', 'EENVELOPE'].includes(error.code ?? ''))
  )
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
