/** Connections of the receiver: their number, time limits per phase, and which one yields to a newcomer. */
import type { Socket } from 'node:net'
import { unmapped } from '../../lib/ip.js'
import { SmtpConnection } from '../../smtp/connection.js'
import { replyLine, SESSION_TOO_LONG, SHUTTING_DOWN, type Refusal, type Reply } from '../../smtp/replies.js'
import type { ConnectionOptions, Session, SessionHandler } from '../../smtp/session.js'
import type { MxDeadlines, MxLimits } from './limits.js'
import { createNetworks } from './networks.js'
import { ADDRESS_CONNECTIONS, COMMAND_TOO_SLOW, MADE_ROOM, NETWORK_CONNECTIONS, SERVER_FULL } from './refusals.js'
import type { Guard, Guarded } from './session-limits.js'

export interface Visitor {
  session: Session
  guarded: Guarded
  /** Sends a last reply and ends the connection, whatever the client sends. */
  cut(reply: Reply): void
}

export interface VisitorHandler extends SessionHandler {
  closed(): void
}

export interface ConnectionsDeps {
  limits: MxLimits
  deadlines: MxDeadlines
  guard: Guard
  options: ConnectionOptions
  handlerFor: (visitor: Visitor) => VisitorHandler
  onError: (error: Error, sessionId: string) => void
  /** For connections refused or ended early. */
  onRefused: (refusal: Reply, ip: string) => void
  onReply: (code: number) => void
}

interface Entry {
  connection: SmtpConnection
  address: string
  network: string
}

/** Max refused clients that may read their reply slowly; further ones are dropped. */
const MAX_LINGERING = 200
/** Slower data, after a start, is dropped first when there is no room. */
const SLOW_BYTES_PER_SECOND = 1024
const SLOW_AFTER_MS = 20_000

export class Connections {
  readonly #entries = new Set<Entry>()
  readonly #networks = createNetworks<Entry>()
  #lingering = 0
  #shuttingDown = false

  constructor(private readonly deps: ConnectionsDeps) {}

  get count(): number {
    return this.#entries.size
  }

  /** Starts a session on the socket, or refuses it with 421. */
  open(socket: Socket): void {
    if (socket.destroyed) return
    if (this.#shuttingDown) return this.#refuse(socket, SHUTTING_DOWN)
    const { guard, options, handlerFor, onError, onReply, deadlines } = this.deps
    const { guarded, refusal } = guard.arrive(unmapped(socket.remoteAddress ?? ''))
    const problem = refusal ?? this.#admit(guarded)
    if (problem) return this.#refuse(socket, problem)
    const connection = new SmtpConnection(socket, options)
    const { session } = connection
    const entry: Entry = { connection, address: guarded.address, network: guarded.network }
    this.#entries.add(entry)
    this.#networks.add(entry)
    const handler = handlerFor({ session, guarded, cut: (reply) => connection.cut(reply, deadlines.lingerMs) })
    connection.start(handler, {
      replied: (code) => {
        const end = guarded.replied(code)
        if (end) this.deps.onRefused(end, session.clientAddress)
        onReply(end?.code ?? code)
        return end
      },
      failed: (error) => onError(error, session.id),
      closed: () => {
        this.#forget(entry)
        handler.closed()
      },
    })
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

  #admit(guarded: Guarded): Refusal | undefined {
    const { maxConnections, maxConnectionsPerAddress, maxConnectionsPerNetwork = Infinity } = this.deps.limits
    if (this.#networks.countAddress(guarded.address) >= maxConnectionsPerAddress) return ADDRESS_CONNECTIONS
    const inNetwork = this.#networks.countNetwork(guarded.network)
    if (inNetwork >= Math.max(maxConnectionsPerNetwork, maxConnectionsPerAddress)) return NETWORK_CONNECTIONS
    if (this.#entries.size >= maxConnections && !this.#makeRoom(guarded)) return SERVER_FULL
    return undefined
  }

  /** Ends a connection of the network with the most, unless it is the newcomer's. */
  #makeRoom(newcomer: Guarded): boolean {
    const members = this.#networks.fullest()
    if (members.size <= this.#networks.countNetwork(newcomer.network) + 1) return false
    const now = this.deps.options.clock.now()
    let oldest: Entry | undefined
    for (const entry of members) {
      if (!mayGo(entry.connection, now)) continue
      if (!oldest || entry.connection.repliedAt < oldest.connection.repliedAt) oldest = entry
    }
    if (!oldest) return false
    this.#interrupt(oldest, MADE_ROOM)
    this.#forget(oldest)
    return true
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

  /** Frees its place, though it may not be closed yet. */
  #forget(entry: Entry): void {
    this.#entries.delete(entry)
    this.#networks.delete(entry)
  }

  #refuse(socket: Socket, reply: Reply): void {
    socket.on('error', () => socket.destroy())
    this.deps.onRefused(reply, unmapped(socket.remoteAddress ?? ''))
    if (this.#lingering >= MAX_LINGERING) {
      socket.destroy()
      return
    }
    this.#lingering++
    const timer = setTimeout(() => socket.destroy(), this.deps.deadlines.lingerMs).unref()
    socket.once('close', () => {
      this.#lingering--
      clearTimeout(timer)
    })
    this.deps.onReply(reply.code)
    socket.end(replyLine(reply))
    // Unread data would turn the close into a reset that drops the reply.
    socket.resume()
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
