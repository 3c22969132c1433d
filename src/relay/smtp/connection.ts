/** A connection to an SMTP server: commands are sent in groups, replies come in order, and unsolicited ones end it. It knows no envelopes; session.ts does. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { createReplyReader, ProtocolError, type Reply, type ReplyReader } from './replies.js'

export class ConnectionError extends Error {
  constructor(
    message: string,
    /** The server's code, if it gave one: a 421. */
    readonly smtpCode: number | null = null,
    /** Error code of the system or the TLS library. */
    readonly code?: string,
  ) {
    super(message)
    this.name = 'ConnectionError'
  }
}

export interface Address {
  host: string
  port: number
}

interface Waiter {
  resolve: (reply: Reply) => void
  reject: (error: Error) => void
}

const MAX_REPLY_BYTES = 64 * 1024
const KEEP_ALIVE_MS = 30_000

export class SmtpConnection {
  /** The TLS socket after the handshake. */
  socket: Socket
  isEncrypted = false
  failure: Error | undefined
  private reader: ReplyReader = createReplyReader(MAX_REPLY_BYTES)
  private readonly waiters: Waiter[] = []
  private readonly endings: (() => void)[] = []
  private isUpgrading = false
  /** While a message is sent: its reply, if it came early. */
  private body: { early?: Reply } | undefined
  private progress: (() => void) | undefined

  /** @param responseTimeoutMs max silence while waiting for the server */
  constructor(
    private readonly address: Address,
    private readonly responseTimeoutMs: number,
  ) {
    this.socket = connect(address)
    this.listen()
  }

  get isOpen(): boolean {
    return this.failure === undefined
  }

  /** Called once. */
  onEnd(call: () => void): void {
    if (this.failure) call()
    else this.endings.push(call)
  }

  /** @throws ConnectionError */
  connected(timeoutMs: number): Promise<void> {
    return this.until('connect', timeoutMs, 'connecting')
  }

  /** Starts TLS; unread plain data is discarded (CVE-2011-0411). @throws ConnectionError */
  async encrypt(options: ConnectionOptions, timeoutMs: number): Promise<void> {
    this.isUpgrading = false
    this.reader = createReplyReader(MAX_REPLY_BYTES)
    const plain = this.socket
    for (const event of ['data', 'timeout', 'end', 'close']) plain.removeAllListeners(event)
    plain.setTimeout(0)
    const secure: TLSSocket = connectTls({ ...options, socket: plain, host: this.address.host })
    this.socket = secure
    this.listen()
    await this.until('secureConnect', timeoutMs, 'the TLS handshake')
    this.isEncrypted = true
  }

  greeting(): Promise<Reply> {
    return this.next()
  }

  /** Sends one command. @param endsClear for STARTTLS: nothing is read after a 220 */
  ask(command: string, { endsClear = false } = {}): Promise<Reply> {
    this.isUpgrading = endsClear
    return this.askAll([command])[0] ?? Promise.reject(new Error('no command'))
  }

  /** Sends several commands in one packet (RFC 2920 §3.1). @returns their replies, each rejected with ConnectionError or ProtocolError */
  askAll(commands: string[]): Promise<Reply>[] {
    const replies = commands.map(() => this.next())
    if (this.isOpen) this.socket.write(commands.map((command) => `${command}\r\n`).join(''))
    return replies
  }

  /** Sends a message after 354. @returns the reply; an early one, a refusal, ends the connection @throws ConnectionError, ProtocolError */
  async sendMessage(data: Iterable<Buffer>): Promise<Reply> {
    const body: { early?: Reply } = {}
    this.body = body
    let held: Buffer | undefined
    for (const chunk of data) {
      if (held && !this.socket.write(held)) await this.drained()
      if (this.failure) throw this.failure
      if (body.early) return this.refusedEarly(body.early)
      held = chunk
    }
    this.body = undefined
    // The last piece and the dot share a packet.
    this.socket.cork()
    if (held) this.socket.write(held)
    const reply = this.ask('.')
    this.socket.uncork()
    return reply
  }

  end(error: Error): void {
    if (this.failure) return
    this.failure = error
    this.socket.destroy()
    for (const { reject } of this.waiters.splice(0)) reject(error)
    this.progress?.()
    for (const call of this.endings.splice(0)) call()
  }

  private refusedEarly(reply: Reply): Reply {
    const error = new ProtocolError(`"${reply.text}" came before the end of the message`)
    this.end(error)
    if (reply.code < 400) throw error
    return reply
  }

  private next(): Promise<Reply> {
    const reply = new Promise<Reply>((resolve, reject) => {
      if (this.failure) reject(this.failure)
      else this.waiters.push({ resolve, reject })
    })
    // Only the first reply of a failed group is examined.
    reply.catch(() => undefined)
    return reply
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      this.progress = resolve
      this.socket.once('drain', resolve)
    })
  }

  private async until(event: 'connect' | 'secureConnect', timeoutMs: number, what: string): Promise<void> {
    const { socket } = this
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => this.end(new ConnectionError(`${what} took too long`, null, 'ETIMEDOUT')),
        timeoutMs,
      )
      this.onEnd(() => {
        clearTimeout(timer)
        reject(this.failure ?? new ConnectionError('the connection was closed'))
      })
      socket.once(event, () => {
        clearTimeout(timer)
        resolve()
      })
    })
    socket.setTimeout(this.responseTimeoutMs)
  }

  private listen(): void {
    const { socket } = this
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.on('data', (chunk: Buffer) => this.receive(chunk))
    socket.on('timeout', () => this.end(new ConnectionError('no answer in time', null, 'ETIMEDOUT')))
    socket.on('error', (error: NodeJS.ErrnoException) => this.end(new ConnectionError(error.message, null, error.code)))
    socket.on('close', () => this.closed())
    socket.on('end', () => this.closed())
  }

  private closed(): void {
    const { rest } = this.reader
    this.end(new ConnectionError(`the connection was closed${rest === '' ? '' : ` after "${rest}"`}`))
  }

  private receive(chunk: Buffer): void {
    try {
      for (const reply of this.reader.push(chunk)) {
        this.take(reply)
        if (this.failure) return
        if (this.isUpgrading && reply.code === 220) return
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.end(error)
    }
  }

  private take(reply: Reply): void {
    const waiter = this.waiters.shift()
    if (waiter) waiter.resolve(reply)
    else if (this.body && !this.body.early) {
      this.body.early = reply
      this.progress?.()
    } else if (reply.code !== 421) throw new ProtocolError(`"${reply.text}" answers nothing`)
    // RFC 5321 §3.8: it closes the connection, whatever it answers.
    if (reply.code === 421) this.end(new ConnectionError(reply.text, 421))
  }
}
