/** The MX receiver: listens, starts sessions, shuts down in order. */
import type { Clock } from '../../lib/clock.js'
import type { Disk } from '../../observe/disk.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { Receipts } from '../../receipts/types.js'
import type { DmarcResults } from '../../reporting/sent/dmarc-counts.js'
import { Listener, type ListenAddress } from '../../smtp/listener.js'
import { tlsContexts, type Certificate } from '../../smtp/tls.js'
import type { AddressResolver } from '../client.js'
import type { Delivering, Judging, Names } from '../judging/types.js'
import { createClientLookups, type ClientLookupsDeps } from '../limits/client-lookups.js'
import { Connections } from '../limits/connections.js'
import { createDnsbl } from '../limits/dnsbl.js'
import { createGatekeeper } from '../limits/gatekeeper.js'
import type { Greylist } from '../limits/greylist.js'
import { DEADLINES, type MxDeadlines, type MxLimits } from '../limits/limits.js'
import { createRetries } from '../limits/retries.js'
import { createGuard, NO_LIMITS, type GuardLimits } from '../limits/session-limits.js'
import { Messages } from './messages.js'
import { reportRefusals } from './refusal-log.js'
import { MxSession } from './session.js'

export interface ClientChecks {
  /** Without it only concurrent connections are limited. */
  guard?: GuardLimits | undefined
  /** Looks up client names; without it they have none. */
  resolver?: AddressResolver | undefined
  dnsbl?: { zones: readonly string[]; action: 'reject' | 'score' } | undefined
  /** Per look-up; 3 seconds by default. */
  lookupMs?: number | undefined
  greylist?: Greylist | undefined
  disk?: Pick<Disk, 'isLow'> | undefined
}

export interface Records {
  receipts?: Pick<Receipts, 'add' | 'addWithin'> | undefined
  dmarcResults?: DmarcResults | undefined
}

export interface MxServerDeps {
  listen: ListenAddress[]
  names: Names
  limits: MxLimits
  deadlines?: Partial<MxDeadlines>
  clients: ClientChecks
  judging: Judging
  delivering: Delivering
  records: Records
  tls?: Certificate | undefined
  clock: Clock
  log: Log
  metrics?: Metrics | undefined
}

export type MxServer = ReturnType<typeof createMxServer>

export function createMxServer(deps: MxServerDeps) {
  const { names, limits, clients, judging, delivering, records, clock, log, metrics } = deps
  const deadlines = { ...DEADLINES, ...deps.deadlines }
  let contexts = deps.tls && tlsContexts(deps.tls)
  const messages = new Messages({
    limits,
    deadlines,
    incoming: {
      names,
      judging,
      delivering,
      maxReceived: limits.maxReceived,
      retries: createRetries({ clock }),
      clock,
    },
    dmarcResults: records.dmarcResults,
    log,
    metrics,
  })
  const session = {
    names,
    delivering,
    gate: createGatekeeper({
      log,
      metrics,
      disk: clients.disk,
      mailboxes: delivering.mailboxes,
      greylist: clients.greylist,
    }),
    lookups: createClientLookups(lookupsOf(clients, log)),
    messages,
    receipts: records.receipts,
    clock,
    log,
  }
  const connections = new Connections({
    limits,
    deadlines,
    guard: createGuard({ limits: clients.guard ?? NO_LIMITS, clock }),
    options: {
      hostname: names.hostname,
      maxMessageBytes: limits.maxMessageBytes,
      maxRecipients: limits.maxRecipients,
      // Delivery notices can be promised only if mail can be sent.
      dsn: delivering.notices !== undefined,
      idleMs: deadlines.idleMs,
      tls: () => contexts,
      clock,
    },
    handlerFor: (visitor) => new MxSession(session, visitor),
    onError: (err, connection) => log.debug({ err, connection_id: connection }, 'connection failed'),
    ...reportRefusals(log, metrics),
  })
  metrics?.gauge('mx_connections', 'Open connections to the receiver.', () => connections.count)
  const listener = new Listener(
    deps.listen,
    (socket) => connections.open(socket),
    (err) => log.warn({ err }, 'receiver failed'),
  )
  let sweeper: NodeJS.Timeout | undefined

  return {
    /** Resolves with the addresses, in the order of `deps.listen`. @throws if one is not available; then it listens on none */
    async listen(): Promise<ListenAddress[]> {
      const addresses = await listener.open()
      sweeper = setInterval(() => connections.sweep(), deadlines.sweepMs).unref()
      return addresses
    },
    /** Uses another certificate for new sessions; undefined stops offering STARTTLS. @throws if unusable */
    setCertificate(certificate: Certificate | undefined): void {
      contexts = certificate && tlsContexts(certificate)
    },
    /** Stops listening, lets messages in progress get their reply, and cuts the rest after `graceMs`. */
    async close(graceMs = 10_000): Promise<void> {
      clearInterval(sweeper)
      const closed = listener.close()
      connections.shutDown()
      let grace: NodeJS.Timeout | undefined
      const expired = new Promise<void>((resolve) => {
        grace = setTimeout(() => {
          connections.destroyAll()
          resolve()
        }, graceMs)
      })
      await Promise.race([messages.settled(), expired])
      await closed
      clearTimeout(grace)
    },
  }
}

function lookupsOf({ dnsbl, resolver, lookupMs }: ClientChecks, log: Log): ClientLookupsDeps {
  const lists =
    dnsbl && dnsbl.zones.length > 0 && resolver ? createDnsbl({ zones: dnsbl.zones, resolver, log }) : undefined
  return { resolver, dnsbl: dnsbl && lists && { lists, action: dnsbl.action }, timeoutMs: lookupMs }
}
