/** Connections of one process: time limits per phase, and which one yields to a newcomer. Whether a client may connect is the door's decision. */
import type { Socket } from 'node:net'
import { unmapped, widerNetwork } from '../../lib/ip.js'
import { asError } from '../../lib/thrown.js'
import { SmtpConnection } from '../connection.js'
import { replyLine, SESSION_TOO_LONG, SHUTTING_DOWN, type Reply } from '../replies.js'
import type { ConnectionOptions, Session, SessionHandler } from '../session.js'
import type { TlsContexts } from '../tls.js'
import type { Deadlines } from './deadlines.js'
import type { Door } from './door.js'
import { COMMAND_TOO_SLOW, MADE_ROOM } from './refusals.js'
import { countSession, type SessionCounts, type SessionLimits } from './session-limits.js'
import { createLingering } from './lingering.js'

export interface Visitor {
  session: Session
  counts: SessionCounts
  /** Sends a last reply and ends the connection, whatever the client sends. */
  cut(reply: Reply): void
}

export interface VisitorHandler extends SessionHandler {
  closed(): void
}

export interface ConnectionsDeps {
  door: Door
  limits: SessionLimits
  deadlines: Deadlines
  options: ConnectionOptions
  handlerFor: (visitor: Visitor) => VisitorHandler
  onError: (error: Error, sessionId: string | undefined) => void
  /** For connections refused or ended early. */
  onRefused: (refusal: Reply, ip: string) => void
  onReply: (code: number) => void
}

interface Entry {
  connection: SmtpConnection
  /** The IPv4 /24 or IPv6 /48 of the client. */
  network: string
}

/** Slower data, after a start, is dropped first when there is no room. */
const SLOW_BYTES_PER_SECOND = 1024
const SLOW_AFTER_MS = 20_000

export class Connections {
  readonly #entries = new Set<Entry>()
  readonly #lingering: ReturnType<typeof createLingering>
  #shuttingDown = false

  constructor(private readonly deps: ConnectionsDeps) {
    this.#lingering = createLingering(deps.deadlines.lingerMs)
  }

  /** Starts a session on the socket, or refuses it with 421. @param from its first bytes: `tls` without STARTTLS (RFC 8314 §3.3) */
  open(socket: Socket, from: 'plain' | 'tls' = 'plain'): void {
    const contexts = from === 'tls' ? this.deps.options.tls() : undefined
    // Without a certificate there is nothing to say to a client that speaks TLS.
    if (from === 'tls' && !contexts) {
      socket.destroy()
      return
    }
    void this.#open(socket, contexts).catch((error: unknown) => {
      socket.destroy()
      this.deps.onError(asError(error), undefined)
    })
  }

  async #open(socket: Socket, contexts: TlsContexts | undefined): Promise<void> {
    if (socket.destroyed) return
    if (this.#shuttingDown) return this.#refuse(socket, SHUTTING_DOWN)
    const { door, limits, options, handlerFor, onError, onReply, deadlines } = this.deps
    const connection = new SmtpConnection(socket, options)
    const { session } = connection
    const destroy = (): unknown => socket.destroy()
    socket.on('error', destroy)
    const refusal = await door.arrive(session.id, session.clientAddress)
    if (refusal) return this.#refuse(socket, refusal)
    if (socket.destroyed || this.#shuttingDown) {
      door.left(session.id)
      return socket.destroyed ? undefined : this.#refuse(socket, SHUTTING_DOWN)
    }
    socket.off('error', destroy)
    const entry: Entry = { connection, network: widerNetwork(session.clientAddress) }
    this.#entries.add(entry)
    const counts = countSession(limits)
    const handler = handlerFor({ session, counts, cut: (reply) => connection.cut(reply, deadlines.lingerMs) })
    connection.start(
      handler,
      {
        replied: (code) => {
          const end = counts.replied(code)
          if (end) this.deps.onRefused(end, session.clientAddress)
          onReply(end?.code ?? code)
          return end
        },
        failed: (error) => onError(error, session.id),
        closed: () => {
          this.#entries.delete(entry)
          door.left(session.id)
          handler.closed()
        },
      },
      contexts,
    )
  }

  /** Ends the connection of a network that has waited longest for its client. @returns its session's id; undefined if none may go */
  makeRoom(network: string): string | undefined {
    const now = this.deps.options.clock.now()
    let oldest: Entry | undefined
    for (const entry of this.#entries) {
      if (entry.network !== network || !mayGo(entry.connection, now)) continue
      if (!oldest || entry.connection.repliedAt < oldest.connection.repliedAt) oldest = entry
    }
    if (!oldest) return undefined
    this.#interrupt(oldest, MADE_ROOM)
    this.#entries.delete(oldest)
    return oldest.connection.session.id
  }

  /** Ends connections past their time limits. */
  sweep(): void {
    const now = this.deps.options.clock.now()
    for (const entry of this.#entries) {
      const reply = this.#overdue(entry.connection, now)
      if (reply) this.#interrupt(entry, reply)
    }
  }

  /** Ends idle connections now, others after their reply. */
  shutDown(): void {
    this.#shuttingDown = true
    for (const { connection } of this.#entries) connection.finish(SHUTTING_DOWN, this.deps.deadlines.lingerMs)
  }

  destroyAll(): void {
    for (const { connection } of this.#entries) connection.destroy()
  }

  #overdue(connection: SmtpConnection, now: number): Reply | undefined {
    const { commandMs, handshakeMs, transactionMs, sessionMs } = this.deps.deadlines
    const { phase, handshakeAt } = connection
    if (handshakeAt !== undefined) return now - handshakeAt > handshakeMs ? SESSION_TOO_LONG : undefined
    if (phase === 'handling') return undefined
    const tooLong = phase === 'idle' ? now - connection.openedAt > sessionMs : now - connection.mailAt > transactionMs
    if (tooLong) return SESSION_TOO_LONG
    const isTheirs = phase !== 'data' && !connection.isWorking
    return isTheirs && now - connection.repliedAt > commandMs ? COMMAND_TOO_SLOW : undefined
  }

  #interrupt({ connection }: Entry, reply: Reply): void {
    if (connection.isEnding) return
    this.deps.onRefused(reply, connection.session.clientAddress)
    connection.cut(reply, this.deps.deadlines.lingerMs)
  }

  #refuse(socket: Socket, reply: Reply): void {
    socket.on('error', () => socket.destroy())
    this.deps.onRefused(reply, unmapped(socket.remoteAddress ?? ''))
    if (this.#lingering.close(socket, replyLine(reply))) this.deps.onReply(reply.code)
  }
}

/** False for connections being served, or sending data at a decent rate. */
function mayGo(connection: SmtpConnection, now: number): boolean {
  const { phase, phaseAt, bytesInPhase } = connection
  if (phase === 'handling') return false
  if (phase !== 'data') return !connection.isWorking
  const ms = now - phaseAt
  return ms > SLOW_AFTER_MS && bytesInPhase < (ms / 1000) * SLOW_BYTES_PER_SECOND
}
