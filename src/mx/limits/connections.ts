/**
 * The connections of the receiver: how many there may be, how long one may last, and how they end. The SMTP library leaves all three open:
 * a byte a second keeps its sessions alive for ever.
 */
import type { Socket } from 'node:net'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import type { SMTPServer } from 'smtp-server'
import type { Clock } from '../../lib/clock.js'
import { unmapped } from '../../lib/ip.js'
import type { Guard, Guarded } from './session-limits.js'
import { createNetworks } from './networks.js'
import { ADDRESS_CONNECTIONS, COMMAND_TOO_SLOW, MADE_ROOM, NETWORK_CONNECTIONS, SERVER_FULL } from './refusals.js'
import { replyText, SESSION_TOO_LONG, SHUTTING_DOWN } from '../../smtp/replies.js'
import type { Refusal, Reply } from '../../smtp/replies.js'
import { speakStrictly } from '../../smtp/verbs.js'
import type { VerbOptions } from '../../smtp/verbs.js'

export interface ConnectionLimits {
  maxConnections: number
  /** For one IPv4 address or one IPv6 /64. */
  maxConnectionsPerAddress: number
  /** For an IPv4 /24 or an IPv6 /48; never under that of one address. */
  maxConnectionsPerNetwork?: number
  /** From a reply to the end of the next command, whatever drips in between. */
  commandMs: number
  /** From STARTTLS to the end of the handshake. */
  handshakeMs: number
  /** From MAIL to the end of the data. */
  transactionMs: number
  /** From the connection's start; a transaction at work may end first. */
  sessionMs: number
  /** From the last word to the end of the connection, whether the client took it or not. */
  lingerMs: number
}

export interface Connections {
  /** Starts a session on the socket, or refuses it with a 421. */
  open(server: SMTPServer, socket: Socket, options: { id?: string } | undefined): void
  /** To be told by `onClose` of the library: the one event that comes whatever became of the socket. */
  closed(sessionId: string): void
  /** To be told of each step of a session: what may be interrupted, and by what, depends on it. */
  at(sessionId: string, phase: Phase): void
  /** What the session guard counts for a session; undefined once the session is over. */
  guarded(sessionId: string): Guarded | undefined
  /** Says a last word and ends the connection, whatever the client still sends. */
  cut(sessionId: string, reply: Reply): void
  /** Ends what has lasted too long. */
  sweep(): void
  /** Ends idle connections now, the others after their reply. */
  shutDown(): void
  destroyAll(): void
  readonly count: number
}

export interface ConnectionsDeps {
  limits: ConnectionLimits
  guard: Guard
  verbs: VerbOptions
  clock: Clock
  onError: (error: Error, sessionId: string) => void
  /** A connection that was turned away, or ended before its time. */
  onRefused: (refusal: Reply, ip: string) => void
  onReply: (code: number) => void
  /** A session begins. */
  onOpen?: (sessionId: string, ip: string) => void
}

/**
 * `idle` before MAIL and after the reply to the data; `envelope` from MAIL on; `data` from DATA to the last byte; `handling` from there to
 * the reply, a time that is ours, with a deadline of its own.
 */
export type Phase = 'idle' | 'envelope' | 'data' | 'handling'

interface Entry {
  connection: SMTPConnection
  guarded: Guarded
  address: string
  network: string
  ip: string
  openedAt: number
  /** When its last transaction began. */
  mailAt: number
  /** When it was last answered: from there on it is the client's turn. */
  repliedAt: number
  phase: Phase
  /** What is read in the phase that began then. */
  phaseAt: number
  bytesAtPhase: number
  /** The socket on top: during a TLS handshake the library still holds the one below. */
  top: Socket
  handshakeAt: number
  isEnding: boolean
}

/** So many clients that were refused may take their time to hear it; further ones are not told. */
const MAX_LINGERING = 200
/** Data that comes slower than this, after a start, is the first to go when there is no room. */
const SLOW_BYTES_PER_SECOND = 1024
const SLOW_AFTER_MS = 20_000

const ENHANCED_CODE = /^[245]\.\d{1,3}\.\d{1,3} /

export function createConnections(deps: ConnectionsDeps): Connections {
  const { limits, guard, clock } = deps
  const entries = new Map<string, Entry>()
  const networks = createNetworks<Entry>()
  const maxPerNetwork = Math.max(limits.maxConnectionsPerNetwork ?? Infinity, limits.maxConnectionsPerAddress)
  let lingering = 0
  let shuttingDown = false

  function refuse(socket: Socket, reply: Reply): void {
    socket.on('error', () => socket.destroy())
    deps.onRefused(reply, unmapped(socket.remoteAddress ?? ''))
    if (lingering >= MAX_LINGERING) {
      socket.destroy()
      return
    }
    lingering++
    const timer = setTimeout(() => socket.destroy(), limits.lingerMs).unref()
    socket.once('close', () => {
      lingering--
      clearTimeout(timer)
    })
    deps.onReply(reply.code)
    socket.end(`${reply.code} ${replyText(reply)}\r\n`)
    // Unread data would turn the close into a reset that takes the reply with it.
    socket.resume()
  }

  function end(entry: Entry, reply: Reply): void {
    if (entry.isEnding) return
    entry.isEnding = true
    // Within a handshake nothing can be said, and the socket below must not go first.
    if (entry.connection._upgrading) {
      entry.top.destroy()
      return
    }
    const socket = entry.connection._socket
    entry.connection.send(reply.code, replyText(reply))
    socket.destroySoon()
    // Who takes no reply does not take the last one either.
    const timer = setTimeout(() => socket.destroy(), limits.lingerMs).unref()
    socket.once('close', () => clearTimeout(timer))
  }

  function interrupt(entry: Entry, reply: Reply): void {
    if (entry.isEnding) return
    deps.onRefused(reply, entry.ip)
    end(entry, reply)
  }

  /** Ends a connection of the network that has the most, when that is not the newcomer's own. */
  function makeRoom(newcomer: Guarded): boolean {
    const members = networks.fullest()
    if (members.size <= networks.countNetwork(newcomer.network) + 1) return false
    const now = clock.now()
    let oldest: Entry | undefined
    for (const entry of members) {
      if (mayGo(entry, now) && (!oldest || entry.repliedAt < oldest.repliedAt)) oldest = entry
    }
    if (!oldest) return false
    interrupt(oldest, MADE_ROOM)
    forget(oldest)
    return true
  }

  /** Not what is at work for the client, nor data that comes at a decent pace. */
  function mayGo({ phase, phaseAt, bytesAtPhase, connection }: Entry, now: number): boolean {
    if (phase === 'handling') return false
    if (phase !== 'data') return !connection._handlerPending
    const ms = now - phaseAt
    return ms > SLOW_AFTER_MS && connection._socket.bytesRead - bytesAtPhase < (ms / 1000) * SLOW_BYTES_PER_SECOND
  }

  /** It takes no place any more, though it may not be closed yet. */
  function forget(entry: Entry): void {
    entries.delete(entry.connection.id)
    networks.delete(entry)
  }

  function admit(guarded: Guarded): Refusal | undefined {
    if (networks.countAddress(guarded.address) >= limits.maxConnectionsPerAddress) return ADDRESS_CONNECTIONS
    if (networks.countNetwork(guarded.network) >= maxPerNetwork) return NETWORK_CONNECTIONS
    if (entries.size >= limits.maxConnections && !makeRoom(guarded)) return SERVER_FULL
    return undefined
  }

  /** Replies carry our own status codes, and each one is counted: the guard may put an end in its place. */
  function watchReplies(entry: Entry): void {
    const { connection, guarded } = entry
    const send = connection.send.bind(connection)
    connection.send = (code, data, context) => {
      entry.repliedAt = clock.now()
      // The library ends a session at ten of its own; ours are counted by the guard, and can be set.
      connection._unrecognizedCommands = Number.NEGATIVE_INFINITY
      const refusal = guarded.replied(code)
      if (refusal) deps.onRefused(refusal, entry.ip)
      deps.onReply(refusal?.code ?? code)
      if (refusal) send(refusal.code, replyText(refusal), false)
      else send(code, data, typeof data === 'string' && ENHANCED_CODE.test(data) ? false : context)
    }
  }

  /** The library tells of a handshake only by arming a timer on the socket on top. */
  function watchHandshake(entry: Entry): void {
    const { connection } = entry
    const armTimeout = connection._armTimeout.bind(connection)
    connection._armTimeout = (socket) => {
      if (socket && socket !== entry.top) {
        entry.top = socket
        entry.handshakeAt = clock.now()
      }
      armTimeout(socket)
    }
  }

  function overdue(entry: Entry, now: number): Reply | undefined {
    const { connection, phase } = entry
    if (connection._upgrading) return now - entry.handshakeAt > limits.handshakeMs ? SESSION_TOO_LONG : undefined
    // RSET and EHLO end a transaction without our being told.
    const inTransaction = Boolean(connection.session.envelope?.mailFrom)
    const tooLong = inTransaction
      ? phase !== 'handling' && now - entry.mailAt > limits.transactionMs
      : now - entry.openedAt > limits.sessionMs
    if (tooLong) return SESSION_TOO_LONG
    // A client that does not take its replies is waited for too.
    const isOurs = connection._handlerPending && !connection._socket.writableNeedDrain
    const awaited = (phase === 'idle' || phase === 'envelope') && !isOurs
    return awaited && now - entry.repliedAt > limits.commandMs ? COMMAND_TOO_SLOW : undefined
  }

  return {
    open(server, socket, options) {
      if (socket.destroyed) return
      if (shuttingDown) return refuse(socket, SHUTTING_DOWN)
      const ip = unmapped(socket.remoteAddress ?? '')
      const arrival = guard.arrive(ip)
      const refusal = arrival.refusal ?? admit(arrival.guarded)
      if (refusal) return refuse(socket, refusal)
      const { guarded } = arrival
      const now = clock.now()
      const connection = new SMTPConnection(server, socket, options)
      const entry: Entry = {
        connection,
        guarded,
        address: guarded.address,
        network: guarded.network,
        ip,
        openedAt: now,
        mailAt: 0,
        repliedAt: now,
        phase: 'idle',
        phaseAt: now,
        bytesAtPhase: 0,
        top: socket,
        handshakeAt: 0,
        isEnding: false,
      }
      watchReplies(entry)
      watchHandshake(entry)
      speakStrictly(connection, deps.verbs)
      entries.set(connection.id, entry)
      networks.add(entry)
      server.connections.add(connection)
      connection.on('error', (error: Error) => deps.onError(error, connection.id))
      deps.onOpen?.(connection.id, ip)
      connection.init()
    },
    closed(sessionId) {
      const entry = entries.get(sessionId)
      if (entry) forget(entry)
    },
    at(sessionId, phase) {
      const entry = entries.get(sessionId)
      if (!entry) return
      entry.phase = phase
      entry.phaseAt = clock.now()
      entry.bytesAtPhase = entry.connection._socket.bytesRead
      if (phase === 'envelope') entry.mailAt = entry.phaseAt
      if (phase === 'idle' && shuttingDown) end(entry, SHUTTING_DOWN)
    },
    guarded: (sessionId) => entries.get(sessionId)?.guarded,
    cut(sessionId, reply) {
      const entry = entries.get(sessionId)
      if (entry) end(entry, reply)
    },
    sweep() {
      const now = clock.now()
      for (const entry of entries.values()) {
        const reply = overdue(entry, now)
        if (reply) interrupt(entry, reply)
      }
    },
    shutDown() {
      shuttingDown = true
      for (const entry of entries.values()) {
        if (entry.phase === 'idle' || entry.phase === 'envelope') end(entry, SHUTTING_DOWN)
      }
    },
    destroyAll() {
      for (const { connection, top } of entries.values()) (connection._upgrading ? top : connection._socket).destroy()
    },
    get count() {
      return entries.size
    },
  }
}
