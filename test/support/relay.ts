/** The parts of the relay, put together from one object of settings. */
import { Courier } from '../../src/relay/delivery/courier.js'
import { Deliverer, type DelivererOptions } from '../../src/relay/delivery/delivery.js'
import { createHandOver, type HandOverDeps } from '../../src/relay/delivery/hand-over.js'
import { LocalDelivery, type LocalDeliveryDeps } from '../../src/relay/delivery/local.js'
import type { Directory } from '../../src/mailbox/directory/directory.js'
import type { RelayChecks, RelayDeps, RelayLimits, RelayTiming } from '../../src/relay/delivery/relay.js'
import { createRouting, type RoutingDeps } from '../../src/relay/routing/routes.js'
import type { WorkQueue } from '../../src/queue/types.js'

interface Connecting {
  timeouts: { connectMs: number; responseMs: number }
  stopGraceMs?: number | undefined
}

export type RelaySettings = RoutingDeps &
  Omit<LocalDeliveryDeps, 'mailboxes'> &
  Omit<HandOverDeps, 'routing' | 'deliverer' | 'local'> &
  RelayChecks &
  RelayLimits &
  RelayTiming &
  Connecting &
  Pick<RelayDeps, 'queue' | 'senderNotices' | 'nodes' | 'metrics'> & {
    mailboxes: RelayDeps['mailboxes'] & {
      directory: LocalDeliveryDeps['mailboxes']['directory']
      delivery: Omit<LocalDeliveryDeps['mailboxes']['delivery'], 'deliver'>
    }
  }

/** Mail to a mailbox here comes through the relay's own commit, and never by `deliver`. */
const noDelivery = async (): Promise<never> => {
  throw new Error('the relay stores copies in the commit of the attempt')
}

export function relayDeps(settings: RelaySettings): RelayDeps {
  const { holds, endOfDeleted, concurrency, perDestination, stopGraceMs, showAfterMs, jitter, after } = settings
  const routing = createRouting(settings)
  const deliverer = new Deliverer(connectionOf(settings))
  const local = new LocalDelivery({
    ...settings,
    mailboxes: { ...settings.mailboxes, delivery: { ...settings.mailboxes.delivery, deliver: noDelivery } },
  })
  return {
    queue: settings.queue,
    mailboxes: settings.mailboxes,
    routing,
    deliverer,
    handOver: createHandOver({ ...settings, routing, deliverer, local }),
    checks: { holds, endOfDeleted },
    senderNotices: settings.senderNotices,
    limits: { concurrency, perDestination, stopGraceMs },
    timing: { showAfterMs, jitter, after },
    nodes: settings.nodes,
    clock: settings.clock,
    log: settings.log,
    metrics: settings.metrics,
  }
}

export type CourierSettings = RoutingDeps &
  Connecting &
  Pick<LocalDeliveryDeps, 'log'> & { queue: Pick<WorkQueue, 'run'>; local?: LocalDelivery | undefined }

export function courierOf(settings: CourierSettings): Courier {
  const { queue, local, stopGraceMs, log } = settings
  const connection = connectionOf(settings)
  return new Courier({ queue, routing: createRouting(settings), local, connection, stopGraceMs, log })
}

/** Mail from here to mailboxes of this server, none of which is scanned. */
export function unscannedLocal(
  settings: Omit<LocalDeliveryDeps, 'mailboxes' | 'scanner' | 'scanOnError' | 'parseLimits'> & {
    mailboxes: {
      directory: Pick<Directory, 'resolve'>
      delivery: Pick<LocalDeliveryDeps['mailboxes']['delivery'], 'deliver'>
    }
  },
): LocalDelivery {
  return new LocalDelivery({
    ...settings,
    mailboxes: {
      ...settings.mailboxes,
      directory: {
        async resolveFor(address) {
          const mailbox = await settings.mailboxes.directory.resolve(address)
          return mailbox && { mailbox, admission: 'usual' }
        },
        hasRoom: () => true,
      },
      delivery: { ...settings.mailboxes.delivery, prepare: noDelivery },
    },
    scanner: { enabled: false, scan: async () => ({ virus: 'unscanned', reason: 'off' }) },
    scanOnError: 'defer',
    parseLimits: { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 },
  })
}

function connectionOf({
  hostname,
  timeouts,
  attemptMs,
  tlsResults,
}: Pick<RoutingDeps, 'hostname' | 'tlsResults'> & Connecting & { attemptMs?: number | undefined }): DelivererOptions {
  const { connectMs, responseMs } = timeouts
  return { hostname, connectTimeoutMs: connectMs, responseTimeoutMs: responseMs, attemptMs, tlsResults }
}
