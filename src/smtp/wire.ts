/**
 * The socket of an SMTP connection: unread input, unsent replies, pausing, STARTTLS, and the close.
 *
 * Replies are collected until all that was received is answered or a handler is waited for, so that the replies to pipelined commands leave in one
 * packet (RFC 2920 §3.2).
 */
import type { Socket } from 'node:net'
import type { CipherNameAndProtocol, TLSSocket } from 'node:tls'
import { startTls, type TlsContexts } from './tls.js'

export interface WireReader {
  /** Reads one step of `wire.chunk` from `wire.at` on: a command, or data. */
  read(): void
  idle(): void
  failed(error: NodeJS.ErrnoException): void
  closed(): void
}

/** Commands read before other connections get a turn. */
const STEPS_AT_A_STRETCH = 100
/** From our end of the connection to the client's. */
const HALF_CLOSED_MS = 5000

export class Wire {
  /** A handler is at work: nothing is read, and the client may stay idle. */
  isHeld = false
  /** Offset of the first unread byte in `chunk`. */
  at = 0
  /** From STARTTLS on that of TLS. */
  #socket: Socket | TLSSocket
  readonly #reader: WireReader
  readonly #idleMs: number
  #state: 'open' | 'handshake' | 'ending' | 'closed' = 'open'
  #incoming: Buffer[] = []
  #outgoing = ''
  #flushesSoon = false
  /** Nothing more is read now: a handler is at work, other connections have their turn, or the client does not take its replies. */
  #isBusy = false
  #endTimer: NodeJS.Timeout | undefined

  constructor(socket: Socket, reader: WireReader, idleMs: number) {
    this.#socket = socket
    this.#reader = reader
    this.#idleMs = idleMs
  }

  start(): void {
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#listen()
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  get isEnding(): boolean {
    return this.#state === 'ending' || this.#state === 'closed'
  }

  get isClogged(): boolean {
    return this.#socket.writableNeedDrain
  }

  get bytesRead(): number {
    return this.#socket.bytesRead
  }

  /** The first chunk that is not read to its end. */
  get chunk(): Buffer | undefined {
    return this.#incoming[0]
  }

  /** Marks the chunk as read up to an offset. */
  readTo(offset: number): void {
    this.at = offset
    if (offset < (this.#incoming[0]?.length ?? 0)) return
    this.#incoming.shift()
    this.at = 0
  }

  write(text: string): void {
    this.#outgoing += text
  }

  flush(): void {
    if (this.#outgoing === '' || this.#state === 'handshake') return
    const text = this.#outgoing
    this.#outgoing = ''
    if (this.#socket.writable) this.#socket.write(text)
  }

  /** Reads on until nothing is left or something has to be waited for. */
  run(): void {
    this.#isBusy = true
    for (let count = 0; this.#incoming.length > 0;) {
      this.#reader.read()
      if (this.isHeld) return this.#flushSoon()
      if (this.#state !== 'open') return this.flush()
      if (++count === STEPS_AT_A_STRETCH) break
    }
    this.flush()
    const goOn = (): void => (this.#incoming.length > 0 ? this.run() : this.#rest())
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', goOn)
    else if (this.#incoming.length > 0) setImmediate(goOn)
    else this.#rest()
  }

  /** Sends what is left and waits for the client to end its side; nothing is read any more. */
  end(): void {
    if (this.isEnding) return
    this.flush()
    const wasHandshake = this.#state === 'handshake'
    this.#state = 'ending'
    this.#incoming = []
    if (wasHandshake) return this.destroy()
    if (this.#socket.writable) this.#socket.end()
    // Unread data would turn the close into a reset that takes the last reply with it.
    this.#socket.resume()
    this.#destroyAfter(HALF_CLOSED_MS)
  }

  /** Ends the connection, whether or not the client ends its side. */
  cut(lingerMs: number): void {
    if (this.#state === 'closed') return
    this.end()
    this.#socket.destroySoon()
    this.#destroyAfter(lingerMs)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  startTls(contexts: TlsContexts, secured: (cipher: CipherNameAndProtocol) => void): void {
    this.flush()
    const plain = this.#socket
    this.#state = 'handshake'
    // Plain-text input after STARTTLS is dropped (CVE-2011-0411).
    this.#incoming = []
    this.at = 0
    plain.removeAllListeners('data').removeAllListeners('timeout').removeAllListeners('close')
    plain.setTimeout(0)
    plain.pause()
    const secure = startTls(plain, contexts)
    this.#socket = secure
    this.#listen()
    // Only once: a client of TLS 1.2 may renegotiate.
    secure.once('secure', () => {
      if (this.#state !== 'handshake') return
      secured(secure.getCipher())
      this.#state = 'open'
      this.#isBusy = false
      secure.on('data', (chunk: Buffer) => this.#receive(chunk))
    })
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('error', (error) => this.#reader.failed(error))
    socket.once('close', () => this.#closed())
    socket.setTimeout(this.#idleMs)
    socket.on('timeout', () => this.#timedOut())
  }

  #timedOut(): void {
    if (this.#state === 'ending' || this.#state === 'handshake') return this.destroy()
    // RFC 5321 §4.5.3.2 has clients wait minutes for a reply.
    if (this.isHeld) this.#socket.setTimeout(this.#idleMs)
    else this.#reader.idle()
  }

  #closed(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    clearTimeout(this.#endTimer)
    this.#incoming = []
    this.#reader.closed()
  }

  #receive(chunk: Buffer): void {
    if (this.#state !== 'open') return
    this.#incoming.push(chunk)
    if (this.#isBusy) this.#socket.pause()
    else this.run()
  }

  #rest(): void {
    this.#isBusy = false
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  /** RFC 2920 §3.2: at the end of the turn, while a handler is at work. */
  #flushSoon(): void {
    if (this.#outgoing === '' || this.#flushesSoon) return
    this.#flushesSoon = true
    setImmediate(() => {
      this.#flushesSoon = false
      this.flush()
    })
  }

  #destroyAfter(ms: number): void {
    clearTimeout(this.#endTimer)
    this.#endTimer = setTimeout(() => this.destroy(), ms).unref()
  }
}
