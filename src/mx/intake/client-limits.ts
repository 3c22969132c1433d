/**
 * Limits of what one client, and its network, may do over all its sessions. Counted is only what brings nothing: connections without a message, unknown
 * recipients. A busy relay meets none of these limits, whatever its rate.
 */
import { HOUR, MINUTE, type Clock } from '../../lib/clock.js'
import type { Refusal } from '../../smtp/replies.js'
import type { Client } from '../../smtp/server/networks.js'
import { CONNECTION_RATE, HARVESTING, MESSAGE_RATE } from '../limits/refusals.js'
import { NOT_SHARED, type SharedCounts } from '../../store/nodes/shared-counts.js'
import { createCounters, sharedCounters, type Counters } from './counters.js'

/** Per IPv4 address or IPv6 /64, and per IPv4 /24 or IPv6 /48. 0 is no limit. */
interface PerMinuteOrHour {
  address: number
  network: number
}

export interface ClientRates {
  /** Connections without a message. */
  connectionsPerMinute: PerMinuteOrHour
  messagesPerMinute: PerMinuteOrHour
  /** Applies to clients that name more unknown recipients than known ones. */
  badRecipientsPerHour: PerMinuteOrHour
}

export const NO_RATES: ClientRates = {
  connectionsPerMinute: { address: 0, network: 0 },
  messagesPerMinute: { address: 0, network: 0 },
  badRecipientsPerHour: { address: 0, network: 0 },
}

export type ClientLimits = ReturnType<typeof createClientLimits>

/** Per counter; a key with its window takes about 150 bytes. */
const MAX_KEYS = 50_000

export function createClientLimits({
  rates,
  clock,
  shared = NOT_SHARED,
}: {
  rates: ClientRates
  clock: Clock
  shared?: SharedCounts | undefined
}) {
  const counters = (name: string, windowMs: number): Counters =>
    sharedCounters(createCounters({ windowMs, maxKeys: MAX_KEYS, clock }), shared, `smtp ${name}`)
  const connections = counters('connections', MINUTE)
  const messages = counters('messages', MINUTE)
  const badRecipients = counters('unknown recipients', HOUR)
  const goodRecipients = counters('known recipients', HOUR)
  const { connectionsPerMinute, messagesPerMinute, badRecipientsPerHour: perHour } = rates

  /** Counts for address and network; true if either exceeds its limit. */
  function isOver(counted: Counters, limit: PerMinuteOrHour, { address, network }: Client): boolean {
    const overAddress = limit.address > 0 && counted.add(address) > limit.address
    const overNetwork = limit.network > 0 && counted.add(network) > limit.network
    return overAddress || overNetwork
  }

  function countRecipient(counted: Counters, { address, network }: Client): void {
    if (perHour.address > 0) counted.add(address)
    if (perHour.network > 0) counted.add(network)
  }

  function harvests(key: string, limit: number): boolean {
    if (limit === 0) return false
    const bad = badRecipients.count(key)
    return bad >= limit && bad > goodRecipients.count(key)
  }

  return {
    connection: (client: Client): Refusal | undefined =>
      isOver(connections, connectionsPerMinute, client) ? CONNECTION_RATE : undefined,
    /** The first message of a connection: the connection does not count. */
    connectionPaid({ address, network }: Client): void {
      connections.takeBack(address)
      connections.takeBack(network)
    },
    mail: (client: Client): Refusal | undefined =>
      isOver(messages, messagesPerMinute, client) ? MESSAGE_RATE : undefined,
    /** Called before the look-up: harvesters must not learn which names exist. */
    recipientNamed: ({ address, network }: Client): Refusal | undefined =>
      harvests(address, perHour.address) || harvests(network, perHour.network) ? HARVESTING : undefined,
    recipientTaken: (client: Client): void => countRecipient(goodRecipients, client),
    recipientUnknown: (client: Client): void => countRecipient(badRecipients, client),
    get remembered(): number {
      return connections.size + messages.size + badRecipients.size + goodRecipients.size
    },
  }
}
