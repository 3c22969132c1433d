/** The MX receiver: listens, hands sessions to their handlers, and ends them in order. It takes mail for local mailboxes and for nobody else. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createSecureContext } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { MINUTE } from '../../lib/clock.js'
import type { AddressResolver } from '../client.js'
import { createConnections } from '../limits/connections.js'
import type { Policy } from '../judging/decide.js'
import { createDnsbl } from '../limits/dnsbl.js'
import { createGuard, NO_LIMITS } from '../limits/session-limits.js'
import type { GuardLimits } from '../limits/session-limits.js'
import { reportRefusals } from './refusal-log.js'
import { createRetries } from '../limits/retries.js'
import { createSessions } from './session.js'
import type { SessionDeps } from './session.js'
import { createVisits } from '../limits/client-lookups.js'
import type { VisitsDeps } from '../limits/client-lookups.js'

export interface MxLimits {
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  /** Of one message. */
  maxRecipients: number
  maxConnections: number
  /** From one IPv4 address or one IPv6 /64. */
  maxConnectionsPerAddress: number
  /** From an IPv4 /24 or an IPv6 /48. */
  maxConnectionsPerNetwork?: number
  /** Received fields of a message. */
  maxReceived: number
  /** Memory for messages on their way in; 160 MiB, and at least four of the largest, when not given. */
  maxBufferedBytes?: number
}

export interface MxDeadlines {
  /** Without a byte from the client (RFC 5321 §4.5.3.2.7 asks for 5 minutes). */
  idleMs: number
  /** From a reply to the end of the next command, however its bytes drip. */
  commandMs: number
  /** From STARTTLS to the end of the handshake. */
  handshakeMs: number
  /** From MAIL to the last byte of the data. */
  transactionMs: number
  /** From the connection's start to its end; a transaction at work may end first. */
  sessionMs: number
  /** From the last byte of a message to its reply. */
  handlerMs: number
  /** How often transactions and sessions are looked at. */
  sweepMs: number
  /** From the last word to the end of a connection that is ended by us. */
  lingerMs: number
}

/** PEM texts. */
export interface KeyPair {
  key: string | Buffer
  cert: string | Buffer
}

export interface Certificate extends KeyPair {
  /** Shown in its place to clients that ask for one of these names (RFC 6066 §3), in lower case. */
  byName?: ReadonlyMap<string, KeyPair>
}

export interface MxServerDeps extends Pick<
  SessionDeps,
  | 'hostname'
  | 'mailboxes'
  | 'judge'
  | 'scanner'
  | 'maxHeaderBytes'
  | 'notices'
  | 'returns'
  | 'filter'
  | 'spamLines'
  | 'isLocalDomain'
  | 'primaryDomain'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'receipts'
  | 'dmarcResults'
  | 'disk'
  | 'greylist'
> {
  listen: { host: string; port: number }[]
  limits: MxLimits
  scanOnError: Policy['scanOnError']
  dmarcReject: Policy['dmarcReject']
  ownDomain: Policy['ownDomain']
  dnsFailure: Policy['dnsFailure']
  /** Without one STARTTLS is not offered. */
  tls?: Certificate | undefined
  /** Without them only the connections at once are limited. */
  guard?: GuardLimits | undefined
  /** Tells the names of clients; without one they have none. */
  resolver?: AddressResolver | undefined
  /** Without zones nobody is listed. */
  dnsbl?: { zones: readonly string[]; action: 'reject' | 'score' } | undefined
  /** For each of these look-ups; 3 seconds when not given. */
  lookupMs?: number
  deadlines?: Partial<MxDeadlines>
}

export interface MxServer {
  /** Resolves with the addresses it listens on, in the order of `deps.listen`. @throws when one of them can't be had; then it listens on none */
  listen(): Promise<{ host: string; port: number }[]>
  /** Takes over another certificate for the sessions to come; with undefined STARTTLS is not offered any more. @throws when it is unusable */
  setCertificate(certificate: Certificate | undefined): void
  /** Stops listening, lets messages that are being received or judged be answered, and ends what is left after `graceMs` (10 s). */
  close(graceMs?: number): Promise<void>
}

const MIB = 1024 * 1024
const DEADLINES: MxDeadlines = {
  idleMs: 5 * MINUTE,
  commandMs: 5 * MINUTE,
  handshakeMs: 30_000,
  transactionMs: 15 * MINUTE,
  sessionMs: 60 * MINUTE,
  handlerMs: 4 * MINUTE,
  sweepMs: 5000,
  lingerMs: 2000,
}

/** RFC 5321 §4.5.3.1.4 asks for 512 octets; SMTPUTF8, SIZE and others add to it (§4.1.1.11). */
const MAX_COMMAND_BYTES = 2048
/** Not for strangers: there is nobody to log in as, and the last three are jokes of the library. */
const DISABLED_COMMANDS = ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL']

export function createMxServer(deps: MxServerDeps): MxServer {
  const { limits, log } = deps
  const deadlines = { ...DEADLINES, ...deps.deadlines }
  const connections = createConnections({
    limits: { ...limits, ...deadlines },
    verbs: {
      maxMessageBytes: limits.maxMessageBytes,
      maxRecipients: limits.maxRecipients,
      dsn: deps.notices !== undefined,
      roomFor: (session) => sessions.roomFor(session),
      onTooLarge: (session, sender, refusal) => sessions.mailRefused(session, sender, refusal),
    },
    guard: createGuard({ limits: deps.guard ?? NO_LIMITS, clock: deps.clock }),
    clock: deps.clock,
    onError: (err, connection) => log.debug({ err, connection_id: connection }, 'connection failed'),
    onOpen: (session, ip) => visits.begin(session, ip),
    ...reportRefusals(deps),
  })
  const visits = createVisits({ resolver: deps.resolver, dnsbl: blocklists(deps), timeoutMs: deps.lookupMs })
  const sessions = createSessions({
    ...deps,
    connections,
    retries: createRetries(deps),
    visits,
    maxReceived: limits.maxReceived,
    maxMessageBytes: limits.maxMessageBytes,
    maxBufferedBytes: limits.maxBufferedBytes ?? Math.max(160 * MIB, 4 * limits.maxMessageBytes),
    handlerMs: deadlines.handlerMs,
    policy: {
      scanOnError: deps.scanOnError,
      dmarcReject: deps.dmarcReject,
      ownDomain: deps.ownDomain,
      dnsFailure: deps.dnsFailure,
    },
  })
  deps.metrics?.gauge('mx_connections', 'Open connections to the receiver.', () => connections.count)

  const servers = deps.listen.map(() => {
    const server = new SMTPServer({
      name: deps.hostname,
      ...tlsOptions(deps.tls),
      size: limits.maxMessageBytes,
      maxRecipients: limits.maxRecipients,
      maxCommandLength: MAX_COMMAND_BYTES,
      socketTimeout: deadlines.idleMs,
      hideENHANCEDSTATUSCODES: false,
      // A promise to tell of a delivery is made only where mail can go out.
      hideDSN: deps.notices === undefined,
      // Announced within TLS only, and easily kept: from here a message goes nowhere else.
      hideREQUIRETLS: false,
      // The library would hold up every greeting for it; `visits` asks meanwhile.
      disableReverseLookup: true,
      heloResponse: '%s',
      logger: false,
      ...sessions.handlers,
    })
    server.connect = (socket, options) => connections.open(server, socket, options ?? undefined)
    server.on('error', (err) => log.warn({ err }, 'receiver failed'))
    return server
  })
  let sweeper: NodeJS.Timeout | undefined

  function stopListening(): Promise<unknown> {
    return Promise.all(
      servers.map((server) =>
        server.server.listening ? new Promise<void>((done) => server.server.close(() => done())) : undefined,
      ),
    )
  }

  return {
    async listen() {
      try {
        for (const [i, server] of servers.entries()) {
          const listener = server.listen({ ...deps.listen[i], backlog: 511 })
          if (!listener.listening) await once(listener, 'listening')
        }
      } catch (error) {
        await stopListening()
        throw error
      }
      sweeper = setInterval(() => connections.sweep(), deadlines.sweepMs).unref()
      return servers.map((server) => boundAddress(server.server.address()))
    },
    setCertificate(certificate) {
      // The library throws its old context away before it looks at the new certificate.
      for (const { key, cert } of certificate ? [certificate, ...(certificate.byName?.values() ?? [])] : [])
        createSecureContext({ key, cert })
      for (const server of servers) {
        const { disabledCommands, ...tls } = tlsOptions(certificate)
        if (certificate) server.updateSecureContext(tls)
        server.options.disabledCommands = disabledCommands
      }
    },
    async close(graceMs = 10_000) {
      clearInterval(sweeper)
      const closed = stopListening()
      connections.shutDown()
      let grace: NodeJS.Timeout | undefined
      const expired = new Promise<void>((resolve) => {
        grace = setTimeout(() => {
          connections.destroyAll()
          resolve()
        }, graceMs)
      })
      await Promise.race([sessions.settled(), expired])
      await closed
      clearTimeout(grace)
    },
  }
}

function blocklists({ dnsbl, resolver, log }: MxServerDeps): VisitsDeps['dnsbl'] {
  if (!dnsbl || dnsbl.zones.length === 0 || !resolver) return undefined
  return { lists: createDnsbl({ zones: dnsbl.zones, resolver, log }), action: dnsbl.action }
}

/**
 * The library has a certificate built in, whose key is public. It is never shown: without one of ours STARTTLS is disabled. RFC 8996: TLS 1.0
 * and 1.1 are gone.
 */
function tlsOptions(certificate: Certificate | undefined) {
  const disabledCommands = certificate ? DISABLED_COMMANDS : [...DISABLED_COMMANDS, 'STARTTLS']
  const minVersion = 'TLSv1.2' as const
  if (!certificate) return { minVersion, disabledCommands }
  const { key, cert, byName = new Map<string, KeyPair>() } = certificate
  const sniOptions = new Map([...byName].map(([name, pair]) => [name, { key: pair.key, cert: pair.cert, minVersion }]))
  return { key, cert, sniOptions, minVersion, disabledCommands }
}

function boundAddress(address: AddressInfo | string | null): { host: string; port: number } {
  if (address === null || typeof address === 'string') throw new Error('not listening on a network address')
  return { host: address.address, port: address.port }
}
