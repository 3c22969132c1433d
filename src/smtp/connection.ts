/**
 * One SMTP connection: reads commands and data, and answers in order. It keeps the session's state; policy is decided by its `SessionHandler`.
 *
 * Replies are buffered until all input is answered or a handler has to be awaited, so replies to a command group share a packet (RFC 2920 §3.2).
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../lib/clock.js'
import { unmapped } from '../lib/ip.js'
import { MAX_COMMAND_BYTES, readCommand, readMail, readRcpt, verbs } from './commands.js'
import { createDotDecoder, type DotDecoder } from './dots.js'
import { LineReader, type CommandLine } from './line-reader.js'
import type { Offer } from './parameters.js'
import { INTERNAL, reply, replyLine, type Reply } from './replies.js'
import type { DataSink, Recipient, Session, SessionHandler, Transaction } from './session.js'
import { startTls, type TlsContexts } from './tls.js'

export interface ConnectionOptions {
  /** Of this host, in the greeting. */
  hostname: string
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  /** Per message. */
  maxRecipients: number
  /** True to announce DSN (RFC 3461). */
  dsn: boolean
  /** Max silence of the client. */
  idleMs: number
  /** Undefined: no STARTTLS. Called each time, since certificates change. */
  tls: () => TlsContexts | undefined
  clock: Clock
}

export interface ConnectionEvents {
  /** Called for every reply; may replace it. */
  replied(code: number): Reply | undefined
  /** An internal fault in a command, or of the socket. The session continues if possible. */
  failed(error: Error): void
  /** Called once per connection. */
  closed(): void
}

/** `envelope` from MAIL on; `data` from DATA to the last byte; `handling` until the reply. */
export type Phase = 'idle' | 'envelope' | 'data' | 'handling'

/** Mail servers wait for the greeting; this is the time to detect early talkers. */
const GREETING_DELAY_MS = 100
/** Commands run before other connections get a turn. */
const COMMANDS_AT_A_STRETCH = 100
/** From our FIN to the client's. */
const HALF_CLOSED_MS = 5000
/** Normal ways for clients to leave; reported only within a transaction. */
const QUIET_ERRORS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

const TOO_EARLY = reply(421, '4.7.0', 'you talk before you are greeted; connect again and wait for 220')
const ENDLESS = reply(421, '4.7.0', 'command line does not end')
const IDLE = reply(421, '4.4.2', 'nothing came for too long, connect again')
const NO_MAIL = reply(503, '5.5.1', 'send MAIL first')
const NO_RCPT = reply(503, '5.5.1', 'no valid recipients; send RCPT first')
const NESTED_MAIL = reply(503, '5.5.1', 'a transaction is open; send RSET to begin another')
const TLS_ACTIVE = reply(503, '5.5.1', 'Error: TLS already active')
const TLS_READY = reply(220, '2.0.0', 'Ready to start TLS')
const NOT_VERIFIED = reply(252, '2.0.0', 'not told here; send RCPT to try an address')
const TOO_MANY_RECIPIENTS = reply(452, '4.5.3', 'too many recipients; send the others in another transaction')
const SENDER_OK = reply(250, '2.1.0', 'Accepted')
const RECIPIENT_OK = reply(250, '2.1.5', 'Accepted')
const SEND_DATA = reply(354, '', 'End data with <CR><LF>.<CR><LF>')
const OK = reply(250, '2.0.0', 'OK')
const FLUSHED = reply(250, '2.0.0', 'Flushed')
const BYE = reply(221, '2.0.0', 'Bye')

export class SmtpConnection {
  readonly session: Session
  readonly openedAt: number
  /** Time of the last reply: since then it is the client's turn. */
  repliedAt: number
  phase: Phase = 'idle'
  phaseAt: number
  /** Start of the last transaction. */
  mailAt = 0
  /** Start of an unfinished handshake. */
  handshakeAt: number | undefined

  readonly #options: ConnectionOptions
  /** The top layer: TLS from the start of a handshake on. */
  #socket: Socket | TLSSocket
  #handler: SessionHandler | undefined
  #events: ConnectionEvents | undefined
  #state: 'greeting' | 'open' | 'handshake' | 'ending' | 'closed' = 'greeting'
  #lines = new LineReader(MAX_COMMAND_BYTES)
  /** Unread input, and the offset in its first chunk. */
  #incoming: Buffer[] = []
  #at = 0
  /** Unsent replies. */
  #outgoing = ''
  #flushesSoon = false
  /** Input is paused: a handler runs, other connections have their turn, or the client does not read. */
  #isBusy = false
  #isWorking = false
  #bytesAtPhase = 0
  #dots: DotDecoder | undefined
  #sink: DataSink | undefined
  /** Index in the transaction's recipients, by lower-case address. */
  readonly #places = new Map<string, number>()
  /** Reply to end with after the current message. */
  #lastWord: { reply: Reply; lingerMs: number } | undefined
  #endTimer: NodeJS.Timeout | undefined

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.openedAt = this.repliedAt = this.phaseAt = options.clock.now()
    this.session = {
      id: randomBytes(8).toString('hex'),
      clientAddress: unmapped(socket.remoteAddress ?? ''),
      helo: '',
      greetedWith: undefined,
      tls: undefined,
      transaction: undefined,
    }
  }

  start(handler: SessionHandler, events: ConnectionEvents): void {
    this.#handler = handler
    this.#events = events
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#listen()
    setTimeout(() => {
      if (this.#state !== 'greeting') return
      this.#state = 'open'
      this.#say(reply(220, '', `${this.#options.hostname} ESMTP`))
      this.#flush()
    }, GREETING_DELAY_MS).unref()
  }

  /** True while a handler works for the client; false if the client does not read its replies. */
  get isWorking(): boolean {
    return this.#isWorking && !this.#socket.writableNeedDrain
  }

  /** True after the last reply, while waiting for the client to close. */
  get isEnding(): boolean {
    return this.#state === 'ending' || this.#state === 'closed'
  }

  /** Bytes received in the current phase. */
  get bytesInPhase(): number {
    return this.#socket.bytesRead - this.#bytesAtPhase
  }

  /** Sends a last reply and ends the connection, whatever the client does. */
  cut(reply: Reply, lingerMs: number): void {
    if (this.#state === 'closed') return
    // Nothing can be sent within a handshake, and the plain socket must not close first.
    if (this.#state === 'handshake') return this.destroy()
    if (this.#state !== 'ending') this.#say(reply)
    this.#end()
    this.#socket.destroySoon()
    this.#destroyAfter(lingerMs)
  }

  /** Ends the connection now, or after the reply to the current message. */
  finish(reply: Reply, lingerMs: number): void {
    if (this.phase === 'idle' || this.phase === 'envelope') this.cut(reply, lingerMs)
    else this.#lastWord = { reply, lingerMs }
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (QUIET_ERRORS.has(error.code ?? '') && !this.session.transaction) this.#end()
      else this.#events?.failed(error)
    })
    socket.once('close', () => this.#closed())
    socket.setTimeout(this.#options.idleMs)
    socket.on('timeout', () => this.#timedOut())
  }

  #timedOut(): void {
    if (this.#state === 'ending' || this.#state === 'handshake') return this.destroy()
    // RFC 5321 §4.5.3.2: clients wait minutes for a reply.
    if (this.#isWorking) this.#socket.setTimeout(this.#options.idleMs)
    else this.#sayAtOnce(IDLE)
  }

  #closed(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    clearTimeout(this.#endTimer)
    this.#incoming = []
    if (this.phase === 'data') this.#sink?.abort()
    this.#sink = undefined
    this.#events?.closed()
  }

  #receive(chunk: Buffer): void {
    if (this.#state !== 'open' && this.#state !== 'greeting') return
    this.#incoming.push(chunk)
    if (this.#isBusy) this.#socket.pause()
    else this.#run()
  }

  /** Processes input until it is empty or a handler has to be awaited. */
  #run(): void {
    this.#isBusy = true
    for (let count = 0; this.#incoming.length > 0;) {
      this.#readOn()
      if (this.#isWorking) return this.#flushSoon()
      if (this.#state !== 'open' && this.#state !== 'greeting') return this.#flush()
      if (++count === COMMANDS_AT_A_STRETCH) break
    }
    this.#flush()
    const goOn = (): void => (this.#incoming.length > 0 ? this.#run() : this.#rest())
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', goOn)
    else if (this.#incoming.length > 0) setImmediate(goOn)
    else this.#rest()
  }

  #rest(): void {
    this.#isBusy = false
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  /** Processes one command, or the data in the first chunk. */
  #readOn(): void {
    const [chunk] = this.#incoming
    if (!chunk) return
    if (this.#dots) return this.#readData(this.#dots, chunk.subarray(this.#at))
    const line = this.#lines.read(chunk, this.#at)
    this.#at = line?.end ?? chunk.length
    if (this.#at === chunk.length) this.#dropChunk()
    if (line) this.#obey(line)
    else if (this.#lines.isEndless) this.#say(ENDLESS)
  }

  #dropChunk(): void {
    this.#incoming.shift()
    this.#at = 0
  }

  #obey({ line, defect }: CommandLine): void {
    if (this.#state === 'greeting') return this.#say(TOO_EARLY)
    const { session } = this
    const startTls = this.#options.tls() !== undefined
    const command = readCommand(line, defect, { startTls, greeted: session.greetedWith !== undefined })
    if (command.kind === 'refused') return this.#say(command.reply)
    const { verb, argument } = command
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return this.#greet(verb, argument)
      case 'MAIL':
        return this.#mail(argument)
      case 'RCPT':
        return this.#recipient(argument)
      case 'DATA':
        return this.#data()
      case 'RSET':
        this.#endTransaction()
        return this.#say(FLUSHED)
      case 'NOOP':
        return this.#say(OK)
      case 'QUIT':
        this.#say(BYE)
        return this.#end()
      case 'STARTTLS':
        return this.#startTls()
      case 'VRFY':
        return this.#say(NOT_VERIFIED)
      case 'HELP':
        return this.#say(reply(214, '2.0.0', `commands: ${verbs(startTls).join(' ')}`))
    }
  }

  #greet(verb: 'EHLO' | 'HELO', argument: string): void {
    const { session } = this
    const { hostname, maxMessageBytes } = this.#options
    session.greetedWith = verb
    session.helo = argument.trim().toLowerCase()
    // RFC 5321 §4.1.4: like RSET.
    this.#endTransaction()
    const offer = this.#offer()
    if (!offer) return this.#say(reply(250, '', hostname))
    const extensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES']
    if (offer.dsn) extensions.push('DSN')
    if (offer.secure) extensions.push('REQUIRETLS')
    else if (offer.startTls) extensions.push('STARTTLS')
    extensions.push(`SIZE ${maxMessageBytes}`)
    const last = extensions.pop() ?? ''
    this.#say(reply(250, '', last), [hostname, ...extensions].map((line) => `250-${line}\r\n`).join(''))
  }

  #offer(): Offer | undefined {
    if (this.session.greetedWith !== 'EHLO') return undefined
    const { maxMessageBytes, dsn, tls } = this.#options
    return { maxMessageBytes, dsn, secure: this.session.tls !== undefined, startTls: tls() !== undefined }
  }

  #mail(argument: string): void {
    if (this.session.transaction) return this.#say(NESTED_MAIL)
    const mail = readMail(argument, this.#offer())
    if (mail.kind === 'refused') {
      if (mail.reply.code === 552 && mail.from !== undefined) this.#handler?.mailTooLarge(mail.from, mail.reply)
      return this.#say(mail.reply)
    }
    const { transaction } = mail
    this.#ask(
      () => this.#handler?.mail(transaction),
      (refusal) => {
        if (refusal) return this.#say(refusal)
        this.#places.clear()
        this.session.transaction = transaction
        this.#enter('envelope')
        this.mailAt = this.phaseAt
        this.#say(SENDER_OK)
      },
    )
  }

  #recipient(argument: string): void {
    const { transaction } = this.session
    if (!transaction) return this.#say(NO_MAIL)
    const rcpt = readRcpt(argument, this.#offer(), transaction)
    if (rcpt.kind === 'refused') return this.#say(rcpt.reply)
    const { recipient } = rcpt
    const key = recipient.address.toLowerCase()
    const place = this.#places.get(key)
    if (place === undefined && transaction.recipients.length >= this.#options.maxRecipients)
      return this.#say(TOO_MANY_RECIPIENTS)
    this.#ask(
      () => this.#handler?.recipient(recipient, transaction),
      (refusal) => this.#say(refusal ?? this.#accept(recipient, transaction, key)),
    )
  }

  /** A repeated recipient replaces the earlier one. */
  #accept(recipient: Recipient, { recipients }: Transaction, key: string): Reply {
    const place = this.#places.get(key)
    if (place === undefined) this.#places.set(key, recipients.push(recipient) - 1)
    else recipients[place] = recipient
    return RECIPIENT_OK
  }

  #data(): void {
    const { transaction } = this.session
    if (!transaction) return this.#say(NO_MAIL)
    if (transaction.recipients.length === 0) return this.#say(NO_RCPT)
    this.#ask(
      () => this.#handler?.data(transaction),
      (sink) => {
        if (!sink || 'code' in sink) return this.#say(sink ?? INTERNAL)
        this.#sink = sink
        this.#dots = createDotDecoder()
        this.#enter('data')
        this.#say(SEND_DATA)
      },
    )
  }

  #readData(dots: DotDecoder, chunk: Buffer): void {
    const { data, rest } = dots.push(chunk)
    this.#dropChunk()
    if (rest?.length) this.#incoming.unshift(rest)
    if (rest !== undefined) this.#dots = undefined
    this.#ask(
      () => (data.length > 0 ? this.#sink?.write(data) : undefined),
      () => {
        if (rest !== undefined) this.#endData()
      },
    )
  }

  #endData(): void {
    this.#enter('handling')
    this.#ask(
      () => this.#sink?.end(),
      (answer) => {
        this.#endTransaction()
        this.#say(answer ?? INTERNAL)
        if (this.#lastWord) this.cut(this.#lastWord.reply, this.#lastWord.lingerMs)
      },
    )
  }

  #endTransaction(): void {
    this.session.transaction = undefined
    this.#sink = undefined
    this.#enter('idle')
  }

  #enter(phase: Phase): void {
    this.phase = phase
    this.phaseAt = this.#options.clock.now()
    this.#bytesAtPhase = this.#socket.bytesRead
  }

  /** Calls a handler, which may answer later; input is paused until then. Faults end neither session nor process. */
  #ask<T>(question: () => T | Promise<T>, use: (answer: T) => void): void {
    let answer
    try {
      answer = question()
    } catch (error) {
      return this.#fault(error)
    }
    if (!(answer instanceof Promise)) return use(answer)
    this.#isWorking = true
    answer
      .then(
        (value) => this.#answered(() => use(value)),
        (error: unknown) => this.#answered(() => this.#fault(error)),
      )
      .catch((error: unknown) => this.#events?.failed(asError(error)))
  }

  #answered(use: () => void): void {
    this.#isWorking = false
    if (this.#state === 'closed' || this.#state === 'ending') return
    use()
    // `use` may have called another handler.
    if (!this.#isWorking) this.#run()
  }

  #fault(error: unknown): void {
    this.#events?.failed(asError(error))
    // Within data no reply is possible, and what was read is unreliable.
    if (this.phase === 'data') return this.#say({ ...INTERNAL, code: 421 })
    if (this.phase === 'handling') this.#endTransaction()
    this.#say(INTERNAL)
  }

  #startTls(): void {
    const contexts = this.#options.tls()
    if (this.session.tls || !contexts) return this.#say(TLS_ACTIVE)
    this.#say(TLS_READY)
    if (this.#state !== 'open') return
    this.#flush()
    const plain = this.#socket
    this.#state = 'handshake'
    this.handshakeAt = this.#options.clock.now()
    // Plain input after STARTTLS is dropped (CVE-2011-0411), and RFC 3207 §4.2 resets the session.
    this.#incoming = []
    this.#at = 0
    this.#lines = new LineReader(MAX_COMMAND_BYTES)
    this.#endTransaction()
    this.session.greetedWith = undefined
    this.session.helo = ''
    plain.removeAllListeners('data').removeAllListeners('timeout').removeAllListeners('close')
    plain.setTimeout(0)
    plain.pause()
    const secure = startTls(plain, contexts)
    this.#socket = secure
    this.#listen()
    // TLS 1.2 clients may renegotiate, which emits it again.
    secure.once('secure', () => this.#secured(secure))
  }

  #secured(secure: TLSSocket): void {
    if (this.#state !== 'handshake') return
    const { name, version } = secure.getCipher()
    this.session.tls = { name, version }
    this.handshakeAt = undefined
    this.repliedAt = this.#options.clock.now()
    this.#state = 'open'
    this.#isBusy = false
    secure.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** @param before earlier lines of the reply */
  #say(answer: Reply, before = ''): void {
    if (this.#state === 'ending' || this.#state === 'closed') return
    this.repliedAt = this.#options.clock.now()
    const instead = this.#events?.replied(answer.code)
    this.#outgoing += instead ? replyLine(instead) : before + replyLine(answer)
    if ((instead ?? answer).code === 421) this.#end()
  }

  #sayAtOnce(answer: Reply): void {
    this.#say(answer)
    this.#flush()
  }

  /** RFC 2920 §3.2: at the end of the turn, while a handler works. */
  #flushSoon(): void {
    if (this.#outgoing === '' || this.#flushesSoon) return
    this.#flushesSoon = true
    setImmediate(() => {
      this.#flushesSoon = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#outgoing === '' || this.#state === 'handshake') return
    const text = this.#outgoing
    this.#outgoing = ''
    if (this.#socket.writable) this.#socket.write(text)
  }

  /** Sends pending replies and waits for the client to close; its input is ignored. */
  #end(): void {
    if (this.#state === 'ending' || this.#state === 'closed') return
    this.#flush()
    const wasHandshake = this.#state === 'handshake'
    this.#state = 'ending'
    this.#incoming = []
    if (wasHandshake) return this.destroy()
    if (this.#socket.writable) this.#socket.end()
    // Unread data would turn the close into a reset that drops the last reply.
    this.#socket.resume()
    this.#destroyAfter(HALF_CLOSED_MS)
  }

  #destroyAfter(ms: number): void {
    clearTimeout(this.#endTimer)
    this.#endTimer = setTimeout(() => this.destroy(), ms).unref()
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('fault without an error', { cause: error })
}
