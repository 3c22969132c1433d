/** The MX receiver: listens, hands sessions to their handlers, and ends them in order. It takes mail for local mailboxes and for nobody else. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { MINUTE } from '../lib/clock.js'
import type { ParseLimits } from '../mime/types.js'
import { createConnections } from './connections.js'
import type { Policy } from './decide.js'
import { createSessions } from './session.js'
import type { SessionDeps } from './session.js'

export interface MxLimits {
  /** Announced as SIZE (RFC 1870). */
  maxMessageBytes: number
  /** Of one message. */
  maxRecipients: number
  maxConnections: number
  /** From one IPv4 address or one IPv6 /64. */
  maxConnectionsPerAddress: number
  /** Received fields of a message. */
  maxReceived: number
  /** Memory for messages on their way in; 256 MiB, and at least four of the largest, when not given. */
  maxBufferedBytes?: number
}

export interface MxDeadlines {
  /** Without a byte from the client (RFC 5321 §4.5.3.2.7 asks for 5 minutes). */
  idleMs: number
  /** From MAIL to the last byte of the data. */
  transactionMs: number
  /** From the connection's start to its end; a transaction at work may end first. */
  sessionMs: number
  /** From the last byte of a message to its reply. */
  handlerMs: number
  /** How often transactions and sessions are looked at. */
  sweepMs: number
}

/** PEM texts. */
export interface Certificate {
  key: string | Buffer
  cert: string | Buffer
}

export interface MxServerDeps extends Pick<
  SessionDeps,
  | 'hostname'
  | 'mailboxes'
  | 'authenticator'
  | 'scanner'
  | 'spamScore'
  | 'filter'
  | 'isLocalDomain'
  | 'primaryDomain'
  | 'clock'
  | 'log'
  | 'metrics'
> {
  listen: { host: string; port: number }[]
  parseLimits: ParseLimits
  limits: MxLimits
  scanOnError: Policy['scanOnError']
  dmarcReject: Policy['dmarcReject']
  dnsFailure: Policy['dnsFailure']
  /** Without one STARTTLS is not offered. */
  tls?: Certificate | undefined
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
  transactionMs: 15 * MINUTE,
  sessionMs: 60 * MINUTE,
  handlerMs: 4 * MINUTE,
  sweepMs: 5000,
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
    clock: deps.clock,
    onError: (err, session) => log.debug({ err, session }, 'connection failed'),
  })
  const sessions = createSessions({
    ...deps,
    connections,
    maxReceived: limits.maxReceived,
    maxMessageBytes: limits.maxMessageBytes,
    maxBufferedBytes: limits.maxBufferedBytes ?? Math.max(256 * MIB, 4 * limits.maxMessageBytes),
    handlerMs: deadlines.handlerMs,
    policy: { scanOnError: deps.scanOnError, dmarcReject: deps.dmarcReject, dnsFailure: deps.dnsFailure },
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
      // DSN and REQUIRETLS are promises about passing mail on, and here it ends.
      hideDSN: true,
      hideREQUIRETLS: true,
      // The name behind an address decides nothing here, and asking for it would hold up every greeting.
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

/**
 * The library has a certificate built in, whose key is public. It is never shown: without one of ours STARTTLS is disabled. RFC 8996: TLS 1.0
 * and 1.1 are gone.
 */
function tlsOptions(certificate: Certificate | undefined) {
  const disabledCommands = certificate ? DISABLED_COMMANDS : [...DISABLED_COMMANDS, 'STARTTLS']
  return { ...certificate, minVersion: 'TLSv1.2' as const, disabledCommands }
}

function boundAddress(address: AddressInfo | string | null): { host: string; port: number } {
  if (address === null || typeof address === 'string') throw new Error('not listening on a network address')
  return { host: address.address, port: address.port }
}
