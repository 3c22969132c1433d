/** The MX receiver: listens, starts sessions, shuts down in order. */
import type { Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import type { Meter } from '../../observe/metrics.js'
import type { ListenAddress } from '../../smtp/listener.js'
import { Connections } from '../../smtp/server/connections.js'
import { DEADLINES, type Deadlines } from '../../smtp/server/deadlines.js'
import type { Sessions } from '../../smtp/server/door.js'
import { reportRefusals } from '../../smtp/server/refusal-log.js'
import { createServing } from '../../smtp/server/serving.js'
import { NO_SESSION_LIMITS, type SessionLimits } from '../../smtp/server/session-limits.js'
import { tlsContexts, type Certificate } from '../../smtp/tls.js'
import type { AddressResolver } from '../client.js'
import type { Intake } from '../intake/types.js'
import type { Judging } from '../judging/types.js'
import { createClientLookups, type ClientLookupsDeps } from '../limits/client-lookups.js'
import { createDnsbl } from '../limits/dnsbl.js'
import type { MxLimits } from '../limits/limits.js'
import { Messages } from './messages.js'
import { refusalCounters } from './refusal-counters.js'
import { MxSession } from './session.js'

export interface ClientChecks {
  /** Looks up client names; without it they have none. */
  resolver?: AddressResolver | undefined
  dnsbl?: { zones: readonly string[]; action: 'reject' | 'score' } | undefined
  /** Per look-up; 3 seconds by default. */
  lookupMs?: number | undefined
}

export interface MxServerDeps {
  listen: ListenAddress[]
  /** Name of this host. */
  hostname: string
  limits: MxLimits
  sessionLimits?: SessionLimits | undefined
  deadlines?: Partial<Deadlines> | undefined
  clients: ClientChecks
  judging: Judging
  /** The intake for the sessions of this server. */
  intakeFor: (sessions: Sessions) => Intake
  /** True if delivery notices (RFC 3461) can be sent. */
  dsn: boolean
  keepsReceipts: boolean
  tls?: Certificate | undefined
  clock: Clock
  log: Log
  metrics?: Meter | undefined
}

export type MxServer = ReturnType<typeof createMxServer>

export function createMxServer(deps: MxServerDeps) {
  const { hostname, limits, clients, judging, keepsReceipts, clock, log, metrics } = deps
  const deadlines = { ...DEADLINES, ...deps.deadlines }
  let contexts = deps.tls && tlsContexts(deps.tls)
  const intake = deps.intakeFor({ makeRoom: (network) => connections.makeRoom(network) })
  const messages = new Messages({
    limits,
    deadlines,
    examining: { hostname, maxReceived: limits.maxReceived, judging },
    intake,
    log,
    metrics,
  })
  const { onRecipientRefused, ...refusals } = reportRefusals(log, refusalCounters(metrics))
  const session = {
    intake,
    lookups: createClientLookups(lookupsOf(clients, log)),
    messages,
    keepsReceipts,
    onRefused: onRecipientRefused,
    clock,
    log,
  }
  const connections = new Connections({
    door: intake,
    limits: deps.sessionLimits ?? NO_SESSION_LIMITS,
    deadlines,
    options: {
      hostname,
      maxMessageBytes: limits.maxMessageBytes,
      maxRecipients: limits.maxRecipients,
      dsn: deps.dsn,
      idleMs: deadlines.idleMs,
      tls: () => contexts,
      clock,
    },
    handlerFor: (visitor) => new MxSession(session, visitor),
    onError: (err, connection) => log.debug({ err, connection_id: connection }, 'connection failed'),
    ...refusals,
  })
  const { listen, close } = createServing({
    listen: deps.listen,
    connections,
    deadlines,
    settled: () => messages.settled(),
    onError: (err) => log.warn({ err }, 'receiver failed'),
  })

  return {
    listen,
    close,
    /** Uses another certificate for new sessions; undefined stops offering STARTTLS. @throws if unusable */
    setCertificate(certificate: Certificate | undefined): void {
      contexts = certificate && tlsContexts(certificate)
    },
  }
}

function lookupsOf({ dnsbl, resolver, lookupMs }: ClientChecks, log: Log): ClientLookupsDeps {
  const lists =
    dnsbl && dnsbl.zones.length > 0 && resolver ? createDnsbl({ zones: dnsbl.zones, resolver, log }) : undefined
  return { resolver, dnsbl: dnsbl && lists && { lists, action: dnsbl.action }, timeoutMs: lookupMs }
}
