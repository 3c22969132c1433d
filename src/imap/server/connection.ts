/**
 * A connection of a mail program: its socket, TLS and compression, and one command after the other. What the client sends while a command is carried out waits in the
 * socket.
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { asError } from '../../lib/thrown.js'
import type { TLSSocket } from 'node:tls'
import type { TlsContexts } from '../../smtp/tls.js'
import { parseCommand } from '../grammar/parse.js'
import { appendSeveral } from '../session/append.js'
import { execute } from '../session/commands.js'
import { capabilities } from '../session/capabilities.js'
import type { ImapParts } from '../session/parts.js'
import { ImapSession, type Wire } from '../session/session.js'
import { CommandReader, type ReaderEvent } from '../wire/command-reader.js'
import { LIMITS_BEFORE_SIGN_IN, LIMITS_SIGNED_IN } from '../wire/reader-limits.js'
import { BadCommand } from '../wire/refusal.js'
import { statusLine } from '../wire/status-line.js'
import { ConnectionGone, StreamOutput } from '../wire/output.js'
import { AppendIntake } from './append-intake.js'
import { CompressedStream } from './compressed-stream.js'

export interface ConnectionDeadlines {
  /** Until somebody has signed in. */
  signInMs: number
  /** For an announced message to arrive. */
  appendMs: number
  /** Without a command (RFC 9051 §5.4: 30 minutes at least). */
  idleMs: number
  /** A client that reads nothing. */
  stalledMs: number
}

export interface ConnectionOptions {
  parts: ImapParts
  tls: () => TlsContexts | undefined
  /** Starts the handshake. */
  startTls: (socket: Socket, contexts: TlsContexts) => TLSSocket
  deadlines: ConnectionDeadlines
  /** Commands that are not understood, after which the connection ends. */
  maxErrors: number
}

/** Of one connection. */
export interface Connected {
  id: string
  /** Of the client. */
  address: string
}

/** Octets that may wait to be read; then the socket does. */
const MAX_PENDING = 128 * 1024
const TOO_LONG = 'the message took too long'
const CONTINUE = Buffer.from('+ OK\r\n')
const isAppend = (name: string): boolean => name === 'APPEND'

/** It waits for days: what it keeps then is as little as can be, and nothing of a command (docs/benchmarks.md). */
export class ImapConnection implements Wire {
  readonly output: StreamOutput
  readonly address: string
  isTls = false
  isCompressed = false
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #reader = new CommandReader({ limits: LIMITS_BEFORE_SIGN_IN, decides: isAppend })
  readonly #id: string
  readonly #session: ImapSession
  #closing: AbortController | undefined
  #isClosed = false
  #stream: Duplex
  #isWorking = false
  #isEnding = false
  #errors = 0
  readonly #appends: AppendIntake
  #line: ((line: Buffer | undefined) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #onClosed: () => void = () => undefined

  constructor(socket: Socket, options: ConnectionOptions, { id, address }: Connected) {
    this.#socket = socket
    this.#stream = socket
    this.#options = options
    this.#id = id
    this.address = address
    this.output = new StreamOutput(socket, options.deadlines.stalledMs)
    this.#session = new ImapSession(options.parts, this)
    this.#appends = new AppendIntake(this.#session, this.#reader, () =>
      this.#limit(options.deadlines.appendMs, TOO_LONG),
    )
  }

  /** @param contexts TLS from the first byte */
  start(contexts: TlsContexts | undefined, onClosed: () => void): void {
    this.#onClosed = onClosed
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.once('close', () => this.#end())
    this.#rest()
    if (contexts) this.#secure(contexts, () => this.#greet())
    else {
      this.#listen(this.#socket)
      this.#greet()
    }
  }

  get isSignedIn(): boolean {
    return this.#session.user !== undefined
  }

  /** Says BYE and closes, whatever the client sends. */
  bye(text: string, code?: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    try {
      void this.output.write([statusLine(undefined, { status: 'BYE', text, ...(code !== undefined && { code }) })])
      this.output.flush()
    } catch (error) {
      if (!(error instanceof ConnectionGone)) throw error
    }
    this.#finish()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #greet(): void {
    if (this.#stream.destroyed) return
    const text = 'Restante'
    void this.output.write([
      statusLine(undefined, { status: 'OK', code: `CAPABILITY ${capabilities(this.#session)}`, text }),
    ])
  }

  #listen(stream: Duplex): void {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk)
      if (this.#reader.pendingBytes > MAX_PENDING) stream.pause()
      if (this.#line) this.#readLine()
      this.#pump()
    })
    stream.on('error', () => this.#socket.destroy())
    // A client that has said all it had to say gets its answers: before the stream's own listener, after which it takes no more.
    stream.prependListener('end', () => {
      this.output.flush()
      if (!this.#isWorking) this.#finishInTurn()
    })
  }

  /** Carries out what has arrived, one command at a time. */
  #pump(): void {
    if (this.#isWorking || this.#isEnding || this.#line) return
    this.#isWorking = true
    void this.#work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isWorking = false
        if (this.#stream.readableEnded) this.#finishInTurn()
      })
  }

  #fail(error: unknown): void {
    if (error instanceof ConnectionGone) {
      // After BYE the client has a moment to read it.
      if (!this.#isEnding) this.#socket.destroy()
      return
    }
    this.#options.parts.log.error({ connection_id: this.#id, err: asError(error) }, 'a command failed')
    this.bye('something went wrong here; try again later', 'UNAVAILABLE')
  }

  async #work(): Promise<void> {
    while (!this.#isEnding && !this.#line) {
      const event = this.#appends.next()
      if (!event) break
      await this.#session.inTurn(() => this.#take(event))
    }
    if (this.#reader.pendingBytes <= MAX_PENDING) this.#stream.resume()
  }

  async #take(event: ReaderEvent): Promise<void> {
    switch (event.kind) {
      case 'command':
        this.#rest()
        await this.#run(event)
        return
      case 'continue':
        await this.output.write([CONTINUE])
        return
      case 'announced':
        this.#appends.decide(event.segments, event.literal)
        return
      case 'refused':
        this.#rest()
        this.#appends.giveBack()
        await this.#refuse(event.tag, event.refusal)
        return
      case 'fatal':
        this.bye(event.text, event.code)
        return
      case 'line':
      case 'bad-line':
      case 'piece':
        throw new Error('nothing asked for that')
    }
  }

  async #run({ segments }: ReaderEvent & { kind: 'command' }): Promise<void> {
    let { taken } = this.#appends
    try {
      const command = parseCommand(segments, { utf8: this.#session.utf8 })
      const further = command.name === 'APPEND' ? this.#appends.further() : undefined
      if (command.name === 'APPEND' && further && further.appends.length > 0) {
        taken = further.taken
        this.#rest()
        await appendSeveral(this.#session, [command, ...further.appends])
      } else if (!(await execute(this.#session, command))) this.#finish()
    } catch (error) {
      if (!(error instanceof BadCommand)) throw error
      await this.#refuse(error.tag, error.refusal)
    } finally {
      this.#appends.giveBack(taken)
    }
  }

  /** The line that a command waits for, while it is carried out. */
  #readLine(): void {
    const event = this.#reader.next()
    if (!event) return
    const answer = this.#line
    this.#line = undefined
    if (event.kind === 'line') answer?.(event.octets)
    // No answer to anything.
    else answer?.(Buffer.from('*'))
    if (event.kind === 'fatal') this.bye(event.text, event.code)
  }

  async #refuse(
    tag: string | undefined,
    refusal: { status: 'NO' | 'BAD'; code?: string; text: string },
  ): Promise<void> {
    await this.output.write([statusLine(tag, refusal)])
    if (refusal.status === 'BAD' && ++this.#errors >= this.#options.maxErrors) this.bye('too many errors')
  }

  get canStartTls(): boolean {
    return this.#options.tls() !== undefined
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  closed(): AbortSignal {
    this.#closing ??= new AbortController()
    if (this.#isClosed) this.#closing.abort(new ConnectionGone())
    return this.#closing.signal
  }

  takeLine(answer: (line: Buffer | undefined) => void): void {
    if (this.#isClosed) {
      answer(undefined)
      return
    }
    this.#line = answer
    this.#reader.expectLine()
    this.#readLine()
  }

  readLine(): Promise<Buffer | undefined> {
    return new Promise((resolve) => this.takeLine(resolve))
  }

  signedIn(): void {
    this.#reader.setLimits(LIMITS_SIGNED_IN)
    this.#rest()
  }

  beside(work: Promise<void>): void {
    void work.catch((error: unknown) => this.#fail(error))
  }

  /** RFC 9051 §11.1: what was sent before the handshake is not executed after it. */
  startTls(): void {
    const contexts = this.#options.tls()
    if (!contexts) return this.bye('there is no certificate')
    this.#reader.takePending()
    this.output.flush()
    this.#socket.removeAllListeners('data')
    this.#socket.removeAllListeners('end')
    this.#secure(contexts, () => undefined)
  }

  #secure(contexts: TlsContexts, ready: () => void): void {
    const secure = this.#options.startTls(this.#socket, contexts)
    secure.on('error', () => this.#socket.destroy())
    this.output.use(secure)
    secure.once('secure', () => {
      this.isTls = true
      this.#listen(secure)
      ready()
    })
  }

  /** RFC 4978. */
  compress(): void {
    const below = this.#stream
    this.output.flush()
    below.removeAllListeners('data')
    below.removeAllListeners('end')
    const stream = new CompressedStream(below, this.#reader.takePending())
    this.isCompressed = true
    this.output.use(stream)
    this.#listen(stream)
  }

  /** Starts the time without a command anew. */
  #rest(): void {
    const { signInMs, idleMs } = this.#options.deadlines
    if (this.isSignedIn) {
      this.#limit(idleMs, 'no command for half an hour')
    } else this.#timer ??= setTimeout(() => this.bye('nobody signed in'), signInMs).unref()
  }

  #limit(ms: number, text: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(expire, ms, this, text).unref()
  }

  /** Once what is under way is answered. */
  #finishInTurn(): void {
    this.beside(this.#session.inTurn(async () => this.#finish()))
  }

  /** Closes once all that was written has gone; a client that does not read it is cut off. */
  #finish(): void {
    this.#isEnding = true
    this.output.flush()
    this.#stream.end()
    const timer = setTimeout(() => this.#socket.destroy(), 2000).unref()
    this.#socket.once('close', () => clearTimeout(timer))
    this.#stream.resume()
  }

  #end(): void {
    this.#isEnding = true
    clearTimeout(this.#timer)
    // What a command still does for this client ends with that.
    this.#isClosed = true
    this.#closing?.abort(new ConnectionGone())
    this.#line?.(undefined)
    this.#line = undefined
    this.#appends.giveBack()
    this.#session.end()
    this.#onClosed()
  }
}

/** Not a closure, which a connection that waits would keep. */
function expire(connection: ImapConnection, text: string): void {
  connection.bye(text)
}
