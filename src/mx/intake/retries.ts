/**
 * Retries of messages that some recipients already have. SMTP has one reply for all recipients: if one mailbox fails, or all is stored after the client was
 * told to come again, the sender repeats the whole message, and some would get it twice (RFC 1047). Only such retries are recognized: two deliveries that
 * both got 250 are two messages. In memory: after a crash a retry may deliver a second copy.
 */
import { createHash } from 'node:crypto'
import { type Clock, HOUR } from '../../lib/clock.js'

export type Retries = ReturnType<typeof createRetries>

export interface TransmittedMessage {
  /** Reverse-path. */
  from: string
  /** As received, without our trace fields. */
  raw: Buffer
}

/** Senders retry within minutes and give up after five days (RFC 5321 §4.5.4.1); most retries come within a day. */
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

export function createRetries({ clock }: { clock: Clock }) {
  /** Oldest first. */
  let answered: Answered[] = []

  const expire = (): void => {
    const now = clock.now()
    if (answered[0] && answered[0].until <= now) answered = answered.filter(({ until }) => until > now)
    answered = answered.slice(-MAX_MESSAGES)
  }

  const find = (message: TransmittedMessage): Answered | undefined => {
    expire()
    // Usually nothing is similar, and nothing is hashed.
    const alike = answered.filter(({ from, size }) => from === message.from && size === message.raw.length)
    if (alike.length === 0) return undefined
    const digest = digestOf(message.raw)
    return alike.find((known) => known.digest === digest)
  }

  return {
    /** Mailboxes that have this message although its sender was told to come again. */
    have: (message: TransmittedMessage): ReadonlySet<string> => find(message)?.mailboxIds ?? NOBODY,
    /** Records that these mailboxes have it, and the sender will retry. */
    remember(message: TransmittedMessage, mailboxIds: readonly string[]): void {
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
    /** Records that the sender knows these mailboxes have it: a repetition is another message. */
    settle(message: TransmittedMessage, mailboxIds: readonly string[]): void {
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
