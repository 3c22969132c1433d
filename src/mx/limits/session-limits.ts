/**
 * The session guard: how much one client, and the network it is in, may ask for. It counts; `connections.ts` and `mx/session/session.ts` tell it what
 * happens and give its refusals to the client.
 *
 * What is counted against a client is what brings nothing: connections and commands without a message, recipients that don't exist. A busy
 * relay that delivers mail meets none of these limits, whatever its pace.
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

/** For one IPv4 address or IPv6 /64, and for the IPv4 /24 or IPv6 /48 around it. 0 is no limit. */
interface PerMinuteOrHour {
  address: number
  network: number
}

export interface GuardLimits {
  /** Of connections that brought no message. */
  connectionsPerMinute: PerMinuteOrHour
  messagesPerMinute: PerMinuteOrHour
  /** Holds for who names more of these than of recipients that exist. */
  badRecipientsPerHour: PerMinuteOrHour
  badRecipientsPerSession: number
  /** Since the last message that was accepted. */
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

/** What a session says is told here, step by step; what comes back is to be answered in place of anything else. */
export interface Guarded {
  /** `203.0.113.9` or `2001:db8:1:2::/64`. */
  readonly address: string
  /** `203.0.113.0/24` or `2001:db8:1::/48`. */
  readonly network: string
  mail(): Refusal | undefined
  /** Before a recipient is looked up. */
  recipientNamed(): Refusal | undefined
  recipientTaken(): void
  /** There is no such mailbox. */
  recipientUnknown(): Refusal | undefined
  messageAccepted(): void
  /** A reply is on its way out, each passes here. */
  replied(code: number): Refusal | undefined
}

export interface Guard {
  /** A connection has come in; a refusal ends it. */
  arrive(ip: string): { guarded: Guarded; refusal: Refusal | undefined }
  /** Clients and networks that are remembered, for tests and operators. */
  readonly remembered: number
}

/** Of each kind of count. A key and its window take about 150 bytes. */
const MAX_KEYS = 50_000
/** A session that asks and asks, and brings nothing. */
const MAX_COMMANDS_WITHOUT_MAIL = 10_000
/** Syntax, unknown commands, bad order, bad parameters (RFC 5321 §4.2.2); other refusals are counted for what they are. */
const ERROR_CODES = new Set([500, 501, 502, 503, 504, 553, 555])

export function createGuard({ limits, clock }: { limits: GuardLimits; clock: Clock }): Guard {
  const counters = (windowMs: number): Counters => createCounters({ windowMs, maxKeys: MAX_KEYS, clock })
  const connections = counters(MINUTE)
  const messages = counters(MINUTE)
  const badRecipients = counters(HOUR)
  const goodRecipients = counters(HOUR)

  /** Counts for address and network; true when one of them is over its limit with it. */
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
      // Before the look-up: who harvests must not learn which names exist.
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
    arrive(ip) {
      const address = clientNetwork(ip)
      const network = widerNetwork(ip)
      const over = isOver(connections, limits.connectionsPerMinute, address, network)
      return { guarded: guardSession(address, network), refusal: over ? CONNECTION_RATE : undefined }
    },
    get remembered() {
      return connections.size + messages.size + badRecipients.size + goodRecipients.size
    },
  }
}
