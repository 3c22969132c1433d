/**
 * A connection of a mail program: its socket, TLS and compression, and one command after the other. What the client sends while a command is carried out waits in the
 * socket.
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../../lib/errors.js'
import { asError } from '../../lib/thrown.js'
import type { TLSSocket } from 'node:tls'
import type { TlsContexts } from '../../smtp/tls.js'
import { parseAppendUpToLiteral, parseCommand } from '../grammar/parse.js'
import { execute } from '../session/commands.js'
import { capabilities } from '../session/capabilities.js'
import { refusalOf } from '../session/completion.js'
import type { ImapParts } from '../session/parts.js'
import { ImapSession, type Wire } from '../session/session.js'
import { CommandReader, type ReaderEvent } from '../wire/command-reader.js'
import { LIMITS_BEFORE_SIGN_IN, LIMITS_SIGNED_IN } from '../wire/reader-limits.js'
import { BadCommand } from '../wire/refusal.js'
import { statusLine } from '../wire/status-line.js'
import type { LiteralSegment, Segment } from '../wire/segments.js'
import { ConnectionGone, StreamOutput } from '../wire/output.js'
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
  id: string
  address: string
}

/** Memory of one connection for APPEND, in messages of the largest size. */
const MESSAGES_AT_ONCE = 2
/** Octets that may wait to be read; then the socket does. */
const MAX_PENDING = 128 * 1024
const CONTINUE = Buffer.from('+ OK\r\n')

export class ImapConnection {
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #reader = new CommandReader({ limits: LIMITS_BEFORE_SIGN_IN, decides: (name) => name === 'APPEND' })
  readonly #output: StreamOutput
  readonly #session: ImapSession
  readonly #closed = new AbortController()
  #stream: Duplex
  #isTls = false
  #isCompressed = false
  #isWorking = false
  #isEnding = false
  #errors = 0
  /** Memory of messages that the current command has. */
  #taken = 0
  #line: ((line: Buffer | undefined) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #onClosed: () => void = () => undefined

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket
    this.#stream = socket
    this.#options = options
    this.#output = new StreamOutput(socket, options.deadlines.stalledMs)
    this.#session = new ImapSession(options.parts, this.#wire())
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
      void this.#output.write([statusLine(undefined, { status: 'BYE', text, ...(code !== undefined && { code }) })])
      this.#output.flush()
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
    void this.#output.write([
      statusLine(undefined, { status: 'OK', code: `CAPABILITY ${capabilities(this.#session)}`, text }),
    ])
  }

  #listen(stream: Duplex): void {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk)
      if (this.#reader.pendingBytes > MAX_PENDING) stream.pause()
      if (this.#line) this.#takeLine()
      else this.#pump()
    })
    stream.on('error', () => this.#socket.destroy())
    // A client that has said all it had to say gets its answers.
    stream.on('end', () => {
      if (!this.#isWorking) this.#finish()
    })
  }

  /** Carries out what has arrived, one command at a time. */
  #pump(): void {
    if (this.#isWorking || this.#isEnding) return
    this.#isWorking = true
    void this.#work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isWorking = false
        if (this.#stream.readableEnded) this.#finish()
      })
  }

  #fail(error: unknown): void {
    if (error instanceof ConnectionGone) {
      // After BYE the client has a moment to read it.
      if (!this.#isEnding) this.#socket.destroy()
      return
    }
    this.#options.parts.log.error({ connection_id: this.#options.id, err: asError(error) }, 'a command failed')
    this.bye('something went wrong here; try again later', 'UNAVAILABLE')
  }

  async #work(): Promise<void> {
    while (!this.#isEnding) {
      const event = this.#reader.next()
      if (!event) break
      await this.#session.inTurn(() => this.#take(event))
    }
    if (this.#reader.pendingBytes <= MAX_PENDING) this.#stream.resume()
  }

  async #take(event: ReaderEvent): Promise<void> {
    switch (event.kind) {
      case 'command':
        this.#rest()
        try {
          await this.#run(event)
        } finally {
          this.#giveBack()
        }
        return
      case 'continue':
        await this.#output.write([CONTINUE])
        return
      case 'announced':
        this.#decide(event.segments, event.literal)
        return
      case 'refused':
        this.#rest()
        this.#giveBack()
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
    try {
      const command = parseCommand(segments, { utf8: this.#session.utf8 })
      if (!(await execute(this.#session, command))) this.#finish()
    } catch (error) {
      if (!(error instanceof BadCommand)) throw error
      await this.#refuse(error.tag, error.refusal)
    }
  }

  /** The line that a command waits for, while it is carried out. */
  #takeLine(): void {
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
    await this.#output.write([statusLine(tag, refusal)])
    if (refusal.status === 'BAD' && ++this.#errors >= this.#options.maxErrors) this.bye('too many errors')
  }

  /** Whether a message that APPEND announces is taken. */
  #decide(segments: readonly Segment[], literal: LiteralSegment): void {
    const { parts } = this.#options
    const { user } = this.#session
    try {
      const meant = parseAppendUpToLiteral(segments, { utf8: this.#session.utf8 })
      if (!user) this.#reader.refuse({ status: 'BAD', text: 'sign in first' })
      else if (meant.kind === 'mailbox name') this.#reader.accept({ maxBytes: 1000, stream: false })
      else if (user.isReadOnly)
        this.#reader.refuse({ status: 'NO', code: 'NOPERM', text: 'this program may only read' })
      else if (!this.#mayWork()) return
      else if (literal.size > parts.limits.maxMessageBytes)
        this.#reader.accept({ maxBytes: parts.limits.maxMessageBytes, stream: false })
      else if (this.#taken + literal.size > MESSAGES_AT_ONCE * parts.limits.maxMessageBytes)
        this.#reader.refuse({ status: 'NO', code: 'TOOBIG', text: 'too much at once: use several commands' })
      else if (!parts.memory.take(literal.size))
        this.#reader.refuse({
          status: 'NO',
          code: 'UNAVAILABLE',
          text: 'the server is busy with other messages: try again in a minute',
        })
      else {
        this.#taken += literal.size
        this.#limit(this.#options.deadlines.appendMs, 'the message took too long')
        this.#reader.accept({ maxBytes: parts.limits.maxMessageBytes, stream: false })
      }
    } catch (error) {
      if (!(error instanceof BadCommand)) throw error
      this.#reader.refuse(error.refusal)
    }
  }

  /** Refuses the command when its caller is over a limit of requests. */
  #mayWork(): boolean {
    try {
      this.#session.mustHaveRate()
      return true
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.#reader.refuse(refusalOf(error))
      return false
    }
  }

  #giveBack(): void {
    this.#options.parts.memory.give(this.#taken)
    this.#taken = 0
  }

  #wire(): Wire {
    const is = {
      tls: () => this.#isTls,
      compressed: () => this.#isCompressed,
      certified: () => this.#options.tls() !== undefined,
    }
    return {
      output: this.#output,
      address: this.#options.address,
      get isTls() {
        return is.tls()
      },
      get isCompressed() {
        return is.compressed()
      },
      get canStartTls() {
        return is.certified()
      },
      readLine: () =>
        new Promise((resolve) => {
          if (this.#closed.signal.aborted) {
            resolve(undefined)
            return
          }
          this.#line = resolve
          this.#reader.expectLine()
          this.#takeLine()
        }),
      startTls: () => this.#startTls(),
      compress: () => this.#compress(),
      signedIn: () => {
        this.#reader.setLimits(LIMITS_SIGNED_IN)
        this.#rest()
      },
      bye: (text, code) => this.bye(text, code),
      closed: this.#closed.signal,
      beside: (work) => void work.catch((error: unknown) => this.#fail(error)),
    }
  }

  /** RFC 9051 §11.1: what was sent before the handshake is not executed after it. */
  #startTls(): void {
    const contexts = this.#options.tls()
    if (!contexts) return this.bye('there is no certificate')
    this.#reader.takePending()
    this.#output.flush()
    this.#socket.removeAllListeners('data')
    this.#socket.removeAllListeners('end')
    this.#secure(contexts, () => undefined)
  }

  #secure(contexts: TlsContexts, ready: () => void): void {
    const secure = this.#options.startTls(this.#socket, contexts)
    secure.on('error', () => this.#socket.destroy())
    this.#output.use(secure)
    secure.once('secure', () => {
      this.#isTls = true
      this.#listen(secure)
      ready()
    })
  }

  /** RFC 4978. */
  #compress(): void {
    const below = this.#stream
    this.#output.flush()
    below.removeAllListeners('data')
    below.removeAllListeners('end')
    const stream = new CompressedStream(below, this.#reader.takePending())
    this.#isCompressed = true
    this.#output.use(stream)
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
    this.#timer = setTimeout(() => this.bye(text), ms).unref()
  }

  /** Closes once all that was written has gone; a client that does not read it is cut off. */
  #finish(): void {
    this.#isEnding = true
    this.#output.flush()
    this.#stream.end()
    const timer = setTimeout(() => this.#socket.destroy(), 2000).unref()
    this.#socket.once('close', () => clearTimeout(timer))
    this.#stream.resume()
  }

  #end(): void {
    this.#isEnding = true
    clearTimeout(this.#timer)
    // What a command still does for this client ends with that.
    this.#closed.abort(new ConnectionGone())
    this.#line?.(undefined)
    this.#line = undefined
    this.#giveBack()
    this.#session.end()
    this.#onClosed()
  }
}
