/** The IMAP server: listens with STARTTLS and with TLS from the first byte, starts sessions within limits, ends them in order. */
import type { Socket } from 'node:net'
import { MINUTE, SECOND } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { unmapped } from '../../lib/ip.js'
import type { Meter } from '../../observe/metrics.js'
import { Listener, openAll, type ListenAddress } from '../../smtp/listener.js'
import { createAccountSessions } from '../../smtp/server/account-sessions.js'
import { createAdmissions, type ConnectionLimits } from '../../smtp/server/admissions.js'
import type { Sessions } from '../../smtp/server/door.js'
import { createLingering } from '../../smtp/server/lingering.js'
import { startTls, tlsContexts, type Certificate } from '../../smtp/tls.js'
import type { ReadsWith } from '../../mailbox/search/message-reads.js'
import type { ImapParts } from '../session/parts.js'
import { statusLine } from '../wire/status-line.js'
import { ByteBudget } from '../wire/byte-budget.js'
import type { ConnectionDeadlines, ImapConnection } from './connection.js'
import type { connectionsOf } from './open.js'

export interface ImapServerDeps extends Omit<ImapParts, 'onSignIn' | 'accounts' | 'memory' | 'limits' | 'searching'> {
  readsWith: ReadsWith
  listen: ListenAddress[]
  /** TLS from the first byte. */
  listenTls: ListenAddress[]
  limits: ImapParts['limits'] &
    ConnectionLimits & {
      maxConnectionsPerAccount: number
      /** Of messages that are being appended, of all sessions. */
      maxAppendBytes: number
      maxErrors: number
    }
  deadlines?: Partial<ConnectionDeadlines> | undefined
  tls?: Certificate | undefined
  metrics?: Meter | undefined
}

/** RFC 9051 §5.4: 30 minutes at least; some programs say something each 29. */
const DEADLINES: ConnectionDeadlines = {
  signInMs: MINUTE,
  appendMs: 10 * MINUTE,
  idleMs: 31 * MINUTE,
  stalledMs: MINUTE,
}

/** For a client that is not let in to read why. */
const LINGER_MS = 2 * SECOND

export function createImapServer(deps: ImapServerDeps) {
  const { limits, log, metrics } = deps
  const deadlines = { ...DEADLINES, ...deps.deadlines }
  let contexts = deps.tls && tlsContexts(deps.tls)
  const signIns = metrics?.counter(
    'imap_sign_ins_total',
    'Passwords and access tokens of mail programs that were checked, one for each LOGIN and AUTHENTICATE, by the outcome.',
    ['outcome'],
  )
  const refusals = metrics?.counter(
    'imap_refused_connections_total',
    'Connections of mail programs that were refused.',
    [],
  )
  const parts: Omit<ImapParts, 'searching'> = {
    ...deps,
    accounts: createAccountSessions(limits.maxConnectionsPerAccount),
    memory: new ByteBudget(limits.maxAppendBytes),
    onSignIn: (outcome) => signIns?.inc({ outcome }),
  }
  const admissions = createAdmissions({ limits })
  metrics?.gauge('imap_connections', 'Open connections of mail programs that read mail.', () => admissions.count)
  const open = new Map<string, ImapConnection>()
  let isClosing = false
  let allClosed: (() => void) | undefined
  // A session waits for days: none yields to a newcomer.
  const sessions: Sessions = { makeRoom: () => undefined }

  const how = { deadlines, startTls, tls: () => contexts, maxErrors: limits.maxErrors }
  let opening: Promise<ReturnType<typeof connectionsOf>> | undefined
  // Loaded only where it is used.
  const opener = (): NonNullable<typeof opening> =>
    (opening ??= import('./open.js').then((loaded) => loaded.connectionsOf(parts, deps.readsWith, how)))

  const lingering = createLingering(LINGER_MS)

  async function accept(socket: Socket, from: 'plain' | 'tls'): Promise<void> {
    socket.on('error', () => socket.destroy())
    const address = unmapped(socket.remoteAddress ?? '')
    const id = newId('req')
    const refusal = isClosing ? { text: 'shutting down' } : await admissions.arrive(id, address, sessions)
    if (refusal) {
      refusals?.inc({})
      // A client that expects TLS understands nothing else.
      if (from === 'plain')
        lingering.close(socket, statusLine(undefined, { status: 'BYE', code: 'UNAVAILABLE', text: refusal.text }))
      else socket.destroy()
      return
    }
    const openConnection = await opener()
    if (socket.destroyed || isClosing || (from === 'tls' && !contexts)) {
      admissions.left(id)
      socket.destroy()
      return
    }
    const connection = openConnection(socket, { id, address })
    open.set(id, connection)
    connection.start(from === 'tls' ? contexts : undefined, () => {
      open.delete(id)
      admissions.left(id)
      if (open.size === 0) allClosed?.()
    })
  }

  const listener = (addresses: ListenAddress[], from: 'plain' | 'tls'): Listener =>
    new Listener(
      addresses,
      (socket) =>
        void accept(socket, from).catch((err: unknown) => {
          socket.destroy()
          log.error({ err }, 'a connection could not be accepted')
        }),
      (err) => log.warn({ err }, 'IMAP server failed'),
    )
  const plain = listener(deps.listen, 'plain')
  const tls = listener(deps.listenTls, 'tls')

  return {
    /** Resolves with the addresses, in the order of `listen` and then `listenTls`. @throws if one is not available; then it listens on none */
    listen: (): Promise<ListenAddress[]> => openAll([plain, tls]),

    /** Stops listening and says BYE to all; cuts who is left after `graceMs`. */
    async close(graceMs = 10 * SECOND): Promise<void> {
      isClosing = true
      const closed = Promise.all([plain.close(), tls.close()])
      for (const connection of open.values()) connection.bye('shutting down; connect again in a moment')
      if (open.size > 0) {
        const timer = setTimeout(() => {
          for (const connection of open.values()) connection.destroy()
        }, graceMs)
        await new Promise<void>((resolve) => (allClosed = resolve))
        clearTimeout(timer)
      }
      await closed
    },

    /** Uses another certificate for new sessions. @throws if unusable */
    setCertificate(certificate: Certificate | undefined): void {
      contexts = certificate && tlsContexts(certificate)
    },
  }
}
