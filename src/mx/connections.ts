/**
 * The connections of the receiver: how many there may be, how long one may last, and how they end. The SMTP library leaves all three open:
 * a byte a second keeps its sessions alive for ever.
 */
import type { Socket } from 'node:net'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import type { SMTPServer } from 'smtp-server'
import type { Clock } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'
import { replyText, SESSION_TOO_LONG, SHUTTING_DOWN, TOO_MANY_CONNECTIONS } from './replies.js'
import type { Reply } from './replies.js'
import { speakStrictly } from './verbs.js'
import type { VerbOptions } from './verbs.js'

export interface ConnectionLimits {
  maxConnections: number
  /** For one IPv4 address or one IPv6 /64. */
  maxConnectionsPerAddress: number
  /** From MAIL to the end of the data. */
  transactionMs: number
  /** From the connection's start; a transaction at work may end first. */
  sessionMs: number
}

export interface Connections {
  /** Starts a session on the socket, or refuses it with a 421. */
  open(server: SMTPServer, socket: Socket, options: { id?: string } | undefined): void
  /** To be told by `onClose` of the library: the one event that comes whatever became of the socket. */
  closed(sessionId: string): void
  /** To be told of each step of a session: what may be interrupted, and by what, depends on it. */
  at(sessionId: string, phase: Phase): void
  /** Says a last word and ends the connection, whatever the client still sends. */
  cut(sessionId: string, reply: Reply): void
  /** Ends what has lasted too long. */
  sweep(): void
  /** Ends idle connections now, the others after their reply. */
  shutDown(): void
  destroyAll(): void
  readonly count: number
}

/**
 * `idle` before MAIL and after the reply to the data; `envelope` from MAIL on; `data` from DATA to the last byte; `handling` from there to
 * the reply, a time that is ours, with a deadline of its own.
 */
export type Phase = 'idle' | 'envelope' | 'data' | 'handling'

interface Entry {
  connection: SMTPConnection
  network: string
  openedAt: number
  /** When its last transaction began. */
  mailAt: number
  phase: Phase
}

/** A client that is refused gets so long to take the reply. */
const REFUSAL_LINGER_MS = 2000

const ENHANCED_CODE = /^[245]\.\d{1,3}\.\d{1,3} /

export function createConnections({
  limits,
  verbs,
  clock,
  onError,
}: {
  limits: ConnectionLimits
  verbs: VerbOptions
  clock: Clock
  onError: (error: Error, sessionId: string) => void
}): Connections {
  const entries = new Map<string, Entry>()
  const perNetwork = new Map<string, number>()
  let shuttingDown = false

  function refuse(socket: Socket, reply: Reply): void {
    socket.on('error', () => socket.destroy())
    socket.setTimeout(REFUSAL_LINGER_MS, () => socket.destroy())
    socket.end(`${reply.code} ${replyText(reply)}\r\n`)
    // Unread data would turn the close into a reset that takes the reply with it.
    socket.resume()
  }

  function end(entry: Entry, reply: Reply): void {
    entry.connection.send(reply.code, replyText(reply))
    entry.connection._socket.destroySoon()
  }

  return {
    open(server, socket, options) {
      if (socket.destroyed) return
      const network = clientNetwork(socket.remoteAddress ?? '')
      const sameNetwork = perNetwork.get(network) ?? 0
      if (shuttingDown) return refuse(socket, SHUTTING_DOWN)
      if (entries.size >= limits.maxConnections || sameNetwork >= limits.maxConnectionsPerAddress) {
        return refuse(socket, TOO_MANY_CONNECTIONS)
      }
      const connection = new SMTPConnection(server, socket, options)
      useOwnStatusCodes(connection)
      speakStrictly(connection, verbs)
      perNetwork.set(network, sameNetwork + 1)
      entries.set(connection.id, { connection, network, openedAt: clock.now(), mailAt: 0, phase: 'idle' })
      server.connections.add(connection)
      connection.on('error', (error: Error) => onError(error, connection.id))
      connection.init()
    },
    closed(sessionId) {
      const entry = entries.get(sessionId)
      if (!entry) return
      entries.delete(sessionId)
      const left = (perNetwork.get(entry.network) ?? 1) - 1
      if (left > 0) perNetwork.set(entry.network, left)
      else perNetwork.delete(entry.network)
    },
    at(sessionId, phase) {
      const entry = entries.get(sessionId)
      if (!entry) return
      entry.phase = phase
      if (phase === 'envelope') entry.mailAt = clock.now()
      if (phase === 'idle' && shuttingDown) end(entry, SHUTTING_DOWN)
    },
    cut(sessionId, reply) {
      const entry = entries.get(sessionId)
      if (entry) end(entry, reply)
    },
    sweep() {
      const now = clock.now()
      for (const entry of entries.values()) {
        // RSET and EHLO end a transaction without our being told.
        const inTransaction = Boolean(entry.connection.session.envelope?.mailFrom)
        const tooLong = inTransaction
          ? entry.phase !== 'handling' && now - entry.mailAt > limits.transactionMs
          : now - entry.openedAt > limits.sessionMs
        if (tooLong) end(entry, SESSION_TOO_LONG)
      }
    },
    shutDown() {
      shuttingDown = true
      for (const entry of entries.values()) {
        if (entry.phase === 'idle' || entry.phase === 'envelope') end(entry, SHUTTING_DOWN)
      }
    },
    destroyAll() {
      for (const { connection } of entries.values()) connection._socket.destroy()
    },
    get count() {
      return entries.size
    },
  }
}

/**
 * The library takes the enhanced status code from the reply code alone, and `550` is "5.1.1 no such mailbox" to it whatever the reason.
 * Replies of ours begin with their own code.
 */
function useOwnStatusCodes(connection: SMTPConnection): void {
  const send = connection.send.bind(connection)
  connection.send = (code, data, context) => {
    send(code, data, typeof data === 'string' && ENHANCED_CODE.test(data) ? false : context)
  }
}
