/**
 * Limits of what one client, and its network, may do. Counted is only what brings nothing: connections and commands without a message, unknown recipients. A
 * busy relay meets none of these limits, whatever its rate.
 */
import { HOUR, MINUTE, type Clock } from '../../lib/clock.js'
import { clientNetwork, widerNetwork } from '../../lib/ip.js'
import { createCounters, type Counters } from './counters.js'
import {
  CONNECTION_RATE,
  HARVESTING,
  MESSAGE_RATE,
  TOO_MANY_COMMANDS,
  TOO_MANY_ERRORS,
  TOO_MANY_TRANSACTIONS,
  TOO_MANY_UNKNOWN,
} from './refusals.js'
import type { Refusal } from '../../smtp/replies.js'

/** Per IPv4 address or IPv6 /64, and per IPv4 /24 or IPv6 /48. 0 is no limit. */
interface PerMinuteOrHour {
  address: number
  network: number
}

export interface GuardLimits {
  /** Connections without a message. */
  connectionsPerMinute: PerMinuteOrHour
  messagesPerMinute: PerMinuteOrHour
  /** Applies to clients that name more unknown recipients than known ones. */
  badRecipientsPerHour: PerMinuteOrHour
  badRecipientsPerSession: number
  /** Since the last accepted message. */
  commandErrors: number
  transactionsPerSession: number
}

export const NO_LIMITS: GuardLimits = {
  connectionsPerMinute: { address: 0, network: 0 },
  messagesPerMinute: { address: 0, network: 0 },
  badRecipientsPerHour: { address: 0, network: 0 },
  badRecipientsPerSession: 0,
  commandErrors: 0,
  transactionsPerSession: 0,
}

/** Session steps are reported here; a returned refusal replaces any other reply. */
export interface Guarded {
  /** `203.0.113.9` or `2001:db8:1:2::/64`. */
  readonly address: string
  /** `203.0.113.0/24` or `2001:db8:1::/48`. */
  readonly network: string
  mail(): Refusal | undefined
  /** Called before the look-up. */
  recipientNamed(): Refusal | undefined
  recipientTaken(): void
  recipientUnknown(): Refusal | undefined
  messageAccepted(): void
  replied(code: number): Refusal | undefined
}

export type Guard = ReturnType<typeof createGuard>

/** Per counter; a key with its window takes about 150 bytes. */
const MAX_KEYS = 50_000
/** Max commands of a session without a message. */
const MAX_COMMANDS_WITHOUT_MAIL = 10_000
/** Syntax, unknown commands, bad sequence, bad parameters (RFC 5321 §4.2.2); other refusals have their own counters. */
const ERROR_CODES = new Set([500, 501, 502, 503, 504, 553, 555])

export function createGuard({ limits, clock }: { limits: GuardLimits; clock: Clock }) {
  const counters = (windowMs: number): Counters => createCounters({ windowMs, maxKeys: MAX_KEYS, clock })
  const connections = counters(MINUTE)
  const messages = counters(MINUTE)
  const badRecipients = counters(HOUR)
  const goodRecipients = counters(HOUR)

  /** Counts for address and network; true if either exceeds its limit. */
  function isOver(counted: Counters, limit: PerMinuteOrHour, address: string, network: string): boolean {
    const overAddress = limit.address > 0 && counted.add(address) > limit.address
    const overNetwork = limit.network > 0 && counted.add(network) > limit.network
    return overAddress || overNetwork
  }

  function harvests(key: string, limit: number): boolean {
    if (limit === 0) return false
    const bad = badRecipients.count(key)
    return bad >= limit && bad > goodRecipients.count(key)
  }

  function guardSession(address: string, network: string): Guarded {
    const { badRecipientsPerHour: perHour } = limits
    let bad = 0
    let errors = 0
    let commands = 0
    let transactions = 0
    let isPaid = false

    const isHarvesting = (): boolean => harvests(address, perHour.address) || harvests(network, perHour.network)
    return {
      address,
      network,
      mail() {
        if (limits.transactionsPerSession > 0 && ++transactions > limits.transactionsPerSession)
          return TOO_MANY_TRANSACTIONS
        return isOver(messages, limits.messagesPerMinute, address, network) ? MESSAGE_RATE : undefined
      },
      // Before the look-up: harvesters must not learn which names exist.
      recipientNamed: () => (isHarvesting() ? HARVESTING : undefined),
      recipientTaken() {
        if (perHour.address > 0) goodRecipients.add(address)
        if (perHour.network > 0) goodRecipients.add(network)
      },
      recipientUnknown() {
        if (perHour.address > 0) badRecipients.add(address)
        if (perHour.network > 0) badRecipients.add(network)
        bad++
        return limits.badRecipientsPerSession > 0 && bad > limits.badRecipientsPerSession ? TOO_MANY_UNKNOWN : undefined
      },
      messageAccepted() {
        errors = 0
        commands = 0
        if (isPaid) return
        isPaid = true
        connections.takeBack(address)
        connections.takeBack(network)
      },
      replied(code) {
        if (code === 421) return undefined
        if (++commands > MAX_COMMANDS_WITHOUT_MAIL) return TOO_MANY_COMMANDS
        if (limits.commandErrors === 0 || !ERROR_CODES.has(code)) return undefined
        return ++errors >= limits.commandErrors ? TOO_MANY_ERRORS : undefined
      },
    }
  }

  return {
    /** Called for a new connection; a refusal ends it. */
    arrive(ip: string): { guarded: Guarded; refusal: Refusal | undefined } {
      const address = clientNetwork(ip)
      const network = widerNetwork(ip)
      const over = isOver(connections, limits.connectionsPerMinute, address, network)
      return { guarded: guardSession(address, network), refusal: over ? CONNECTION_RATE : undefined }
    },
    get remembered(): number {
      return connections.size + messages.size + badRecipients.size + goodRecipients.size
    },
  }
}
