/** An SMTP session with a receiving server, used for several messages in sequence. */
import { isAscii, isUtf8 } from 'node:buffer'
import { SECOND } from '../../lib/clock.js'
import { asciiAddress } from '../../mime/address.js'
import { encodeXtext, type DsnRequest, type RecipientDsn } from '../../mime/dsn-request.js'
import { headerLength } from '../../mime/headers.js'
import { replyLine, type Outcome, type Outcomes } from '../outcome.js'
import type { Target } from '../routing/route.js'
import { WITHOUT_REQUIRE_TLS } from '../routing/tls-needs.js'
import { certificateProblem } from '../tls/security.js'
import type { FailureType } from '../tls/tls-results.js'
import { ConnectionError, type SmtpConnection } from './connection.js'
import { dataOf } from './data.js'
import { codeOf, describe, isBusy, isFailure } from './failures.js'
import { isAnswered, isDone, ProtocolError, type Reply } from './replies.js'

/** Notices that the author asked for; a server without DSN (RFC 3461) is not told. */
export interface DsnParameters extends Pick<DsnRequest, 'ret' | 'envelopeId'> {
  recipients: ReadonlyMap<string, RecipientDsn>
}

export interface Mail {
  from: string
  recipients: string[]
  raw: Buffer
  /** RFC 8689 §2: only to a server that offers REQUIRETLS. */
  requireTls?: boolean
  dsn?: DsnParameters
}

export type SendResult =
  /** `busy`: the server refused MAIL temporarily (RFC 5321 §4.2.2: 450, 451, 452). */
  | { kind: 'answered'; outcomes: Outcomes; busy?: boolean }
  /** This host can't take the message; another one may. */
  | { kind: 'unfit'; outcome: Outcome }
  /** The session ended without an answer. With `dataSent` the server may have accepted the message. */
  | { kind: 'lost'; detail: string; smtpCode: number | null; dataSent: boolean }

/** Offered extensions (RFC 5321 §4.1.1.1): parameters by keyword. */
export type Extensions = ReadonlyMap<string, string>

const QUIT_MS = 5 * SECOND

export class Session {
  readonly target: Target
  readonly encrypted: boolean
  /** The failure if TLS with a valid certificate were required; undefined if it would succeed. */
  readonly certificateProblem: FailureType | undefined
  readonly #connection: SmtpConnection
  readonly #extensions: Extensions
  /** Host and address, for display. */
  readonly #where: string
  #needsReset = false
  #sent = 0

  constructor(connection: SmtpConnection, target: Target, extensions: Extensions, where: string) {
    this.target = target
    this.encrypted = connection.isEncrypted
    this.certificateProblem = certificateProblem(connection.socket)
    this.#connection = connection
    this.#extensions = extensions
    this.#where = where
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  get sent(): number {
    return this.#sent
  }

  /** Resolves with each recipient's outcome; never rejects. */
  async send(mail: Mail): Promise<SendResult> {
    const unfit = await this.#unfitFor(mail)
    if (unfit !== undefined) return { kind: 'unfit', outcome: { kind: 'failed', smtpCode: null, detail: unfit } }
    let dataSent = false
    try {
      if (this.#needsReset && !isAnswered('RSET', 250, await this.#connection.ask('RSET')))
        throw new ProtocolError('RSET was refused')
      this.#sent++
      const result = await this.#transmit(mail, () => {
        dataSent = true
      })
      // RFC 5321 §3.8: it closes the session, with a reason.
      const { failure } = this.#connection
      if (failure instanceof ConnectionError && failure.smtpCode === 421) throw failure
      return result
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#connection.end(error)
      const status = error instanceof ProtocolError ? '4.5.0 ' : ''
      return { kind: 'lost', detail: `${status}${this.#where}: ${describe(error)}`, smtpCode: codeOf(error), dataSent }
    }
  }

  quit(): void {
    const ended = new ConnectionError('the session was ended')
    const timer = setTimeout(() => this.#connection.end(ended), QUIT_MS).unref()
    this.#connection.onEnd(() => clearTimeout(timer))
    this.#connection.ask('QUIT').then(
      () => this.#connection.end(ended),
      () => this.#connection.end(ended),
    )
  }

  destroy(): void {
    this.#connection.end(new ConnectionError('the session was ended'))
  }

  /** Requirement of the message that this server does not meet. */
  async #unfitFor({ from, recipients, raw, requireTls }: Mail): Promise<string | undefined> {
    // RFC 8689 §4.2.1
    if (requireTls && !(this.#connection.isEncrypted && this.#extensions.has('REQUIRETLS')))
      return `5.7.30 ${this.#where} does not promise to keep to TLS (REQUIRETLS), which require_tls asks for; ${WITHOUT_REQUIRE_TLS}`
    const addresses = [from, ...recipients.map(asciiAddress)]
    if (addresses.some((address) => /[\r\n<>\0]/.test(address))) return '5.1.3 the envelope has what is no address'
    if (!this.#extensions.has('SMTPUTF8')) {
      // RFC 6531 §3.1, §3.5: addresses beyond ASCII need SMTPUTF8, those of the header too.
      if (!addresses.every(isAsciiText))
        return `5.6.7 ${this.#where} does not take addresses beyond ASCII (SMTPUTF8); use an ASCII address of the recipient`
      if (await namesUtf8Address(raw))
        return `5.6.7 ${this.#where} does not take mail that names an address beyond ASCII (SMTPUTF8); send it without those addresses, or apart from them`
    }
    // RFC 6152 §3: 8-bit data needs 8BITMIME. Ours is 8-bit only when forwarding such mail.
    if (!isAscii(raw) && !this.#extensions.has('8BITMIME')) return `5.6.3 ${this.#where} does not take 8-bit messages`
    // RFC 1870 §6.1: 0 is no limit.
    const most = Number(this.#extensions.get('SIZE') ?? '')
    if (most > 0 && raw.length > most) return `5.3.4 ${this.#where} takes messages of up to ${most} octets`
    return undefined
  }

  #mailCommand({ from, recipients, raw, requireTls, dsn }: Mail): string {
    const { ret, envelopeId } = (this.#extensions.has('DSN') && dsn) || {}
    const parameters = [
      ...(this.#needsUtf8({ from, recipients, raw }) ? ['SMTPUTF8'] : []),
      ...(isAscii(raw) ? [] : ['BODY=8BITMIME']),
      ...(this.#extensions.has('SIZE') ? [`SIZE=${raw.length}`] : []),
      ...(requireTls ? ['REQUIRETLS'] : []),
      ...(ret ? [`RET=${ret}`] : []),
      ...(envelopeId === undefined ? [] : [`ENVID=${encodeXtext(envelopeId)}`]),
    ]
    return [`MAIL FROM:<${from}>`, ...parameters].join(' ')
  }

  #rcptCommand(recipient: string, dsn: DsnParameters | undefined): string {
    const { notify, original } = (this.#extensions.has('DSN') && dsn?.recipients.get(recipient)) || {}
    const at = original?.indexOf(';') ?? -1
    return [
      `RCPT TO:<${asciiAddress(recipient)}>`,
      ...(notify ? [`NOTIFY=${notify.join(',')}`] : []),
      ...(original === undefined ? [] : [`ORCPT=${original.slice(0, at)};${encodeXtext(original.slice(at + 1))}`]),
    ].join(' ')
  }

  /** RFC 6531 §3.4: addresses beyond ASCII need SMTPUTF8; it is said for other UTF-8 in the header too, where the server knows it. */
  #needsUtf8({ from, recipients, raw }: Pick<Mail, 'from' | 'recipients' | 'raw'>): boolean {
    if (![from, ...recipients.map(asciiAddress)].every(isAsciiText)) return true
    if (isAscii(raw) || !this.#extensions.has('SMTPUTF8')) return false
    const header = raw.subarray(0, headerLength(raw))
    return !isAscii(header) && isUtf8(header)
  }

  /** RFC 2920 §3.1: one group if the server supports it; every reply is checked. */
  async #envelope(mail: Mail): Promise<Envelope> {
    const rcpts = mail.recipients.map((recipient) => this.#rcptCommand(recipient, mail.dsn))
    const group = this.#extensions.has('PIPELINING')
      ? this.#connection.askAll([this.#mailCommand(mail), ...rcpts, 'DATA'])
      : [this.#connection.ask(this.#mailCommand(mail))]
    const replyTo = (command: string, index: number): Promise<Reply> => group[index] ?? this.#connection.ask(command)
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

  async #transmit(mail: Mail, onData: () => void): Promise<SendResult> {
    this.#needsReset = true
    const { from, refused, accepted, data } = await this.#envelope(mail)
    // RFC 5321 §3.3: only 354 starts data.
    const isOpenForData = data !== undefined && isAnswered('DATA', 354, data)
    const answered = (answer: Outcome, busy = false): SendResult => ({
      kind: 'answered',
      outcomes: new Map(mail.recipients.map((recipient) => [recipient, refused.get(recipient) ?? answer])),
      busy,
    })
    if (from) {
      const answer = refusal(from)
      // Without a transaction it has no defined way to end data.
      if (isOpenForData) this.#connection.end(new ProtocolError('DATA was taken after MAIL was refused'))
      const outcomes = new Map(mail.recipients.map((recipient) => [recipient, answer]))
      return { kind: 'answered', outcomes, busy: isBusy(from.code) }
    }
    if (accepted.length === 0) {
      // RFC 2920 §3.1: a server that started data without recipients gets an empty message, which it must refuse.
      if (isOpenForData && (await this.#connection.ask('.')).code < 400)
        this.#connection.end(new ProtocolError('a message for nobody was taken'))
      return { kind: 'answered', outcomes: refused, busy: false }
    }
    if (!isOpenForData) {
      if (!data) throw new Error('DATA was not sent')
      return answered(refusal(data))
    }
    onData()
    const reply = await this.#connection.sendMessage(dataOf(mail.raw))
    this.#needsReset = false
    if (!isDone('the message', reply)) return answered(refusal(reply))
    const confirms = this.#extensions.has('DSN') ? {} : { confirms: 'relayed' as const }
    return answered({ kind: 'delivered', smtpCode: reply.code, detail: replyLine(reply.text), ...confirms })
  }
}

interface Envelope {
  /** If MAIL was refused. */
  from?: Reply
  refused: Outcomes
  accepted: string[]
  /** If DATA was sent. */
  data: Reply | undefined
}

async function namesUtf8Address(raw: Buffer): Promise<boolean> {
  if (isAscii(raw.subarray(0, headerLength(raw)))) return false
  const { hasUtf8Address } = await import('../../mime/parse/parse.js')
  return hasUtf8Address(raw)
}

function isAsciiText(text: string): boolean {
  return isAscii(Buffer.from(text))
}

/** RFC 5321 §4.2.1: 4yz is temporary, 5yz permanent. 503 is about the session, not the message. */
function refusal({ code, text }: Reply): Outcome {
  const kind = code >= 500 && code !== 503 ? 'failed' : 'deferred'
  return { kind, smtpCode: code, detail: replyLine(text) }
}
