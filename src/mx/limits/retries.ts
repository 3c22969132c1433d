/**
 * Retries of messages that some of their recipients have already. SMTP has one reply for all recipients: when one of several mailboxes fails,
 * or all is stored after the client was told to come again, the sender repeats the whole message, and those who have it would have it twice
 * (RFC 1047).
 *
 * What is remembered is who has a message that was answered with "come again", by its reverse-path and its bytes as they came. It is consulted
 * for such a retry only: two deliveries of the same message that were both answered with 250 are two messages. It is in memory, so after a
 * crash a retry is delivered to everybody, twice to some: a copy too many, and never one too few.
 */
import { createHash } from 'node:crypto'
import { type Clock, HOUR } from '../../lib/clock.js'

export interface Retries {
  /** The mailboxes that have this message although its sender was told to come again. */
  have(message: TransmittedMessage): ReadonlySet<string>
  /** The sender comes again, and these mailboxes have it. */
  remember(message: TransmittedMessage, mailboxIds: readonly string[]): void
  /** The sender knows that these mailboxes have it: what comes now is another message. */
  settle(message: TransmittedMessage, mailboxIds: readonly string[]): void
}

export interface TransmittedMessage {
  /** Reverse-path. */
  from: string
  /** As it came, without our trace. */
  raw: Buffer
}

/** Senders try again within minutes and give up after five days at the latest (RFC 5321 §4.5.4.1); most retries come within a day. */
const REMEMBERED_MS = 24 * HOUR
const MAX_MESSAGES = 2000
const NOBODY: ReadonlySet<string> = new Set()

interface Answered {
  from: string
  size: number
  digest: string
  until: number
  mailboxIds: Set<string>
}

export function createRetries({ clock }: { clock: Clock }): Retries {
  /** The oldest first. */
  let answered: Answered[] = []

  const expire = (): void => {
    const now = clock.now()
    if (answered[0] && answered[0].until <= now) answered = answered.filter(({ until }) => until > now)
    answered = answered.slice(-MAX_MESSAGES)
  }

  const find = (message: TransmittedMessage): Answered | undefined => {
    expire()
    // As a rule there is nothing like it, and then nothing is hashed.
    const alike = answered.filter(({ from, size }) => from === message.from && size === message.raw.length)
    if (alike.length === 0) return undefined
    const digest = digestOf(message.raw)
    return alike.find((known) => known.digest === digest)
  }

  return {
    have: (message) => find(message)?.mailboxIds ?? NOBODY,
    remember(message, mailboxIds) {
      if (mailboxIds.length === 0) return
      const known = find(message)
      answered = answered.filter((other) => other !== known)
      answered.push({
        from: message.from,
        size: message.raw.length,
        digest: known?.digest ?? digestOf(message.raw),
        until: clock.now() + REMEMBERED_MS,
        mailboxIds: new Set([...(known?.mailboxIds ?? []), ...mailboxIds]),
      })
      expire()
    },
    settle(message, mailboxIds) {
      const known = find(message)
      if (!known) return
      for (const id of mailboxIds) known.mailboxIds.delete(id)
      if (known.mailboxIds.size === 0) answered = answered.filter((other) => other !== known)
    },
  }
}

function digestOf(raw: Buffer): string {
  return createHash('sha256').update(raw).digest('base64')
}
