/**
 * The SMTP transactions that take one message to its recipients of one domain. Each recipient has a return path of its own, so that what comes
 * back can only be about the one who got it (mailbox/delivery/bounce-proof.ts); and one return path is one MAIL command, so each has a transaction of its own,
 * all over the same session. Where that would send very much again they share one.
 */
import type { Message } from '../../mailbox/objects/objects.js'
import { sameForAll } from '../outcome.js'
import type { Attempt, Deliverer } from './delivery.js'
import type { Target } from '../routing/route.js'
import type { Mail } from '../smtp/session.js'

/** Octets that are sent more than once, over all recipients of a domain, for the sake of return paths of their own. */
export const MAX_REPEATED_BYTES = 10 * 1024 * 1024

export type ReturnPathFor = (message: Message, recipients: string[]) => string

/**
 * @param returnPath without one the author's address is the envelope sender of all
 * @returns the mails in the order in which they go; after a try that got stuck at one recipient the next one comes first
 */
export function transactionsOf(
  message: Message,
  recipients: string[],
  mail: Pick<Mail, 'raw' | 'requireTls'>,
  returnPath: ReturnPathFor | undefined,
): Mail[] {
  const from = message.from?.address
  if (from === undefined) throw new Error(`${message.id} has no sender`)
  if (!returnPath) return [{ ...mail, from, recipients }]
  if (mail.raw.length * (recipients.length - 1) > MAX_REPEATED_BYTES)
    return [{ ...mail, from: returnPath(message, recipients), recipients }]
  const attempts = message.recipients.filter(({ address }) => recipients.includes(address)).map((one) => one.attempts)
  const first = Math.max(0, ...attempts) % recipients.length
  return [...recipients.slice(first), ...recipients.slice(0, first)].map((recipient) => ({
    ...mail,
    from: returnPath(message, [recipient]),
    recipients: [recipient],
  }))
}

/**
 * Makes the transactions one after the other. When the host is down, or asks to be left alone, those that are left have the same answer; past
 * `maxMs` they are deferred.
 *
 * @returns as of one attempt; without outcomes for those whose turn had not come when it was cut
 * @throws Error when it was cut before the first answer
 */
export async function deliverAll(
  deliverer: Pick<Deliverer, 'attempt'>,
  targets: Target[],
  mails: Mail[],
  maxMs: number,
): Promise<Attempt> {
  const until = performance.now() + maxMs
  let made: Attempt | undefined
  for (const mail of mails) {
    if (made && performance.now() >= until) {
      add(made, sameForAll(mail.recipients, TOO_LONG))
      continue
    }
    const answer = made && refusesAll(made)
    if (made && answer) {
      add(made, sameForAll(mail.recipients, answer))
      continue
    }
    try {
      const attempt = await deliverer.attempt(targets, mail)
      made = { ...attempt, outcomes: new Map([...(made?.outcomes ?? []), ...attempt.outcomes]) }
    } catch (error) {
      // What was answered so far has to be written down, or it would be sent once more.
      if (!made) throw error
      return made
    }
  }
  if (!made) throw new Error('a message without recipients')
  return made
}

const TOO_LONG = {
  kind: 'deferred' as const,
  smtpCode: null,
  detail: '4.4.2 the attempt took too long; the other recipients came first',
}

function add({ outcomes }: Attempt, more: Attempt['outcomes']): void {
  for (const [recipient, outcome] of more) outcomes.set(recipient, outcome)
}

/** What the others would be told as well. */
function refusesAll({ destination, outcomes }: Attempt) {
  const last = [...outcomes.values()].at(-1)
  return destination !== 'fine' && last?.kind === 'deferred' ? last : undefined
}
