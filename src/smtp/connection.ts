/** The dialogue of one SMTP connection: reads commands and data, answers them in order, and keeps the session's state. A `SessionHandler` decides. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { unmapped } from '../lib/ip.js'
import { SignIn, type AuthStep } from './auth.js'
import { MAX_COMMAND_BYTES, readCommand, readMail, readRcpt, verbs } from './commands.js'
import { createDotDecoder, type DotDecoder } from './dots.js'
import { LineReader, type CommandLine } from './line-reader.js'
import * as replies from './dialogue-replies.js'
import { extensionsOf, type Offer } from './parameters.js'
import { INTERNAL, reply, replyLine, type Reply } from './replies.js'
import type {
  ConnectionEvents,
  ConnectionOptions,
  DataSink,
  Phase,
  Recipient,
  Session,
  SessionHandler,
  Transaction,
} from './session.js'
import type { TlsContexts } from './tls.js'
import { Wire } from './wire.js'
import { asError } from '../lib/thrown.js'

/** Mail servers wait for the greeting; this is the time to detect early talkers. */
const GREETING_DELAY_MS = 100
/** A client left; reported only within a transaction. */
const QUIET_ERRORS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

export class SmtpConnection {
  readonly session: Session
  readonly openedAt: number
  /** Since then it is the client's turn. */
  repliedAt: number
  phase: Phase = 'idle'
  phaseAt: number
  /** When its last transaction began. */
  mailAt = 0
  handshakeAt: number | undefined

  readonly #options: ConnectionOptions
  readonly #wire: Wire
  #handler: SessionHandler | undefined
  #events: ConnectionEvents | undefined
  #isGreeted = false
  #lines = new LineReader(MAX_COMMAND_BYTES)
  #bytesAtPhase = 0
  #dots: DotDecoder | undefined
  #sink: DataSink | undefined
  readonly #signIn: SignIn
  /** Index in the transaction's recipients by address in lower case. */
  readonly #places = new Map<string, number>()
  /** Said after the reply to the current message. */
  #finalReply: { reply: Reply; lingerMs: number } | undefined

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#wire = new Wire(
      socket,
      {
        read: () => this.#read(),
        idle: () => {
          this.#say(replies.IDLE)
          this.#wire.flush()
        },
        failed: (error) => {
          if (QUIET_ERRORS.has(error.code ?? '') && !this.session.transaction) this.#wire.end()
          else this.#events?.failed(error)
        },
        closed: () => this.#closed(),
      },
      options.idleMs,
    )
    this.#options = options
    this.#signIn = new SignIn(options.tokens)
    this.openedAt = this.repliedAt = this.phaseAt = options.clock.now()
    this.session = {
      id: randomBytes(8).toString('hex'),
      clientAddress: unmapped(socket.remoteAddress ?? ''),
      helo: '',
      greetedWith: undefined,
      tls: undefined,
      isAuthenticated: false,
      transaction: undefined,
    }
  }

  /** @param contexts for TLS from the first byte (RFC 8314 §3.3) */
  start(handler: SessionHandler, events: ConnectionEvents, contexts?: TlsContexts): void {
    this.#handler = handler
    this.#events = events
    this.#wire.start()
    if (contexts) this.#secure(contexts, () => this.#welcome())
    else this.#welcome()
  }

  #welcome(): void {
    setTimeout(() => {
      if (!this.#wire.isOpen) return
      this.#isGreeted = true
      this.#say(reply(220, '', `${this.#options.hostname} ESMTP`))
      this.#wire.flush()
    }, GREETING_DELAY_MS).unref()
  }

  /** True while a handler is at work, unless the client does not take its replies. */
  get isWorking(): boolean {
    return this.#wire.isHeld && !this.#wire.isClogged
  }

  get isEnding(): boolean {
    return this.#wire.isEnding
  }

  get bytesInPhase(): number {
    return this.#wire.bytesRead - this.#bytesAtPhase
  }

  /** Sends a last reply and ends the connection, whatever the client does. */
  cut(reply: Reply, lingerMs: number): void {
    // During a handshake nothing can be said, and the socket below must not go first.
    if (!this.#wire.isOpen && !this.#wire.isEnding) return this.destroy()
    this.#say(reply)
    this.#wire.cut(lingerMs)
  }

  /** Ends the connection now, or after the reply to the current message. */
  finish(reply: Reply, lingerMs: number): void {
    if (this.phase === 'idle' || this.phase === 'envelope') this.cut(reply, lingerMs)
    else this.#finalReply = { reply, lingerMs }
  }

  destroy(): void {
    this.#wire.destroy()
  }

  #closed(): void {
    if (this.phase === 'data') this.#sink?.abort()
    this.#sink = undefined
    this.#events?.closed()
  }

  #read(): void {
    const { chunk, at } = this.#wire
    if (!chunk) return
    if (this.#dots) return this.#readData(this.#dots, chunk.subarray(at))
    const line = this.#lines.read(chunk, at)
    this.#wire.readTo(line?.end ?? chunk.length)
    if (line) this.#execute(line)
    else if (this.#lines.isEndless) this.#say(replies.ENDLESS)
  }

  #execute({ line, defect }: CommandLine): void {
    if (!this.#isGreeted) return this.#say(replies.TOO_EARLY)
    const { session } = this
    if (this.#signIn.isOpen) return this.#authenticate(this.#signIn.answer(line, defect))
    const offered = { startTls: this.#options.tls() !== undefined, auth: this.#options.auth === true }
    const command = readCommand(line, defect, { ...offered, greeted: session.greetedWith !== undefined })
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
        return this.#say(replies.FLUSHED)
      case 'NOOP':
        return this.#say(replies.OK)
      case 'QUIT':
        this.#say(replies.BYE)
        return this.#wire.end()
      case 'STARTTLS':
        return this.#startTls()
      case 'AUTH':
        return this.#authenticate(this.#signIn.begin(argument, session))
      case 'VRFY':
        return this.#say(replies.NOT_VERIFIED)
      case 'HELP':
        return this.#say(reply(214, '2.0.0', `commands: ${verbs(offered).join(' ')}`))
    }
  }

  #greet(verb: 'EHLO' | 'HELO', argument: string): void {
    const { session } = this
    const { hostname } = this.#options
    session.greetedWith = verb
    session.helo = argument.trim().toLowerCase()
    // RFC 5321 §4.1.4: like RSET.
    this.#endTransaction()
    const offer = this.#offer()
    if (!offer) return this.#say(reply(250, '', hostname))
    const extensions = extensionsOf(offer)
    const last = extensions.pop() ?? ''
    this.#say(reply(250, '', last), [hostname, ...extensions].map((line) => `250-${line}\r\n`).join(''))
  }

  #offer(): Offer | undefined {
    if (this.session.greetedWith !== 'EHLO') return undefined
    const { maxMessageBytes, dsn, tls, auth = false, tokens, maxHoldMs, clock } = this.#options
    const hold = maxHoldMs === undefined ? undefined : { now: clock.now(), maxMs: maxHoldMs }
    const { tls: secured } = this.session
    return {
      maxMessageBytes,
      dsn,
      secure: secured !== undefined,
      startTls: tls() !== undefined,
      auth,
      tokens,
      hold,
    }
  }

  #authenticate(step: AuthStep): void {
    if (step.kind === 'challenge') return this.#say(reply(334, '', step.text))
    if (step.kind === 'refused') return this.#say(step.reply)
    const { credentials } = step
    this.#ask(
      () => this.#handler?.authenticate?.(credentials),
      (refusal) => {
        if (refusal) return this.#authenticate(this.#signIn.refuse(credentials, refusal))
        this.session.isAuthenticated = true
        this.#say(replies.SIGNED_IN)
      },
    )
  }

  #mail(argument: string): void {
    if (this.#options.auth && !this.session.isAuthenticated)
      return this.#say(this.session.tls ? replies.SIGN_IN_FIRST : replies.TLS_FIRST)
    if (this.session.transaction) return this.#say(replies.NESTED_MAIL)
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
        this.#say(replies.SENDER_OK)
      },
    )
  }

  #recipient(argument: string): void {
    const { transaction } = this.session
    if (!transaction) return this.#say(replies.NO_MAIL)
    const rcpt = readRcpt(argument, this.#offer(), transaction)
    if (rcpt.kind === 'refused') return this.#say(rcpt.reply)
    const { recipient } = rcpt
    const key = recipient.address.toLowerCase()
    const place = this.#places.get(key)
    if (place === undefined && transaction.recipients.length >= this.#options.maxRecipients)
      return this.#say(replies.TOO_MANY_RECIPIENTS)
    this.#ask(
      () => this.#handler?.recipient(recipient, transaction),
      (refusal) => this.#say(refusal ?? this.#accept(recipient, transaction, key)),
    )
  }

  /** A recipient that is named again takes the place of the one before. */
  #accept(recipient: Recipient, { recipients }: Transaction, key: string): Reply {
    const place = this.#places.get(key)
    if (place === undefined) this.#places.set(key, recipients.push(recipient) - 1)
    else recipients[place] = recipient
    return replies.RECIPIENT_OK
  }

  #data(): void {
    const { transaction } = this.session
    if (!transaction) return this.#say(replies.NO_MAIL)
    if (transaction.recipients.length === 0) return this.#say(replies.NO_RCPT)
    this.#ask(
      () => this.#handler?.data(transaction),
      (sink) => {
        if (!sink || 'code' in sink) return this.#say(sink ?? INTERNAL)
        this.#sink = sink
        this.#dots = createDotDecoder()
        this.#enter('data')
        this.#say(replies.SEND_DATA)
      },
    )
  }

  #readData(dots: DotDecoder, chunk: Buffer): void {
    const { data, rest } = dots.push(chunk)
    this.#wire.readTo(this.#wire.at + chunk.length - (rest?.length ?? 0))
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
        if (this.#finalReply) this.cut(this.#finalReply.reply, this.#finalReply.lingerMs)
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
    this.#bytesAtPhase = this.#wire.bytesRead
  }

  /** Asks the handler, which answers at once or later; nothing is read until then. A fault of ours ends neither the session nor the process. */
  #ask<T>(question: () => T | Promise<T>, use: (answer: T) => void): void {
    let answer
    try {
      answer = question()
    } catch (error) {
      return this.#fault(error)
    }
    if (!(answer instanceof Promise)) return use(answer)
    this.#wire.isHeld = true
    answer
      .then(
        (value) => this.#answered(() => use(value)),
        (error: unknown) => this.#answered(() => this.#fault(error)),
      )
      .catch((error: unknown) => this.#events?.failed(asError(error)))
  }

  #answered(use: () => void): void {
    this.#wire.isHeld = false
    if (this.#wire.isEnding) return
    use()
    // `use` may have asked again.
    if (!this.#wire.isHeld) this.#wire.run()
  }

  #fault(error: unknown): void {
    this.#events?.failed(asError(error))
    // Within the data no reply can be given, and the data read so far is unreliable.
    if (this.phase === 'data') return this.#say({ ...INTERNAL, code: 421 })
    if (this.phase === 'handling') this.#endTransaction()
    this.#say(INTERNAL)
  }

  #startTls(): void {
    const contexts = this.#options.tls()
    if (this.session.tls || !contexts) return this.#say(replies.TLS_ACTIVE)
    this.#say(replies.TLS_READY)
    if (!this.#wire.isOpen) return
    this.#secure(contexts)
    // RFC 3207 §4.2: all that was said before is forgotten.
    this.#lines = new LineReader(MAX_COMMAND_BYTES)
    this.#endTransaction()
    this.session.greetedWith = undefined
    this.session.helo = ''
  }

  #secure(contexts: TlsContexts, secured?: () => void): void {
    this.handshakeAt = this.#options.clock.now()
    this.#wire.startTls(contexts, ({ name, version }) => {
      this.session.tls = { name, version }
      this.handshakeAt = undefined
      this.repliedAt = this.#options.clock.now()
      secured?.()
    })
  }

  /** @param before further lines of the reply, in front of its last one */
  #say(answer: Reply, before = ''): void {
    if (this.#wire.isEnding) return
    this.repliedAt = this.#options.clock.now()
    const instead = this.#events?.replied(answer.code)
    this.#wire.write(instead ? replyLine(instead) : before + replyLine(answer))
    if ((instead ?? answer).code === 421) this.#wire.end()
  }
}
