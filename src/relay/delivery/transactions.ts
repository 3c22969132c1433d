/**
 * SMTP transactions for a message's recipients of one domain. Each recipient has its own return path (mailbox/delivery/bounce-proof.ts) and so its own
 * transaction, in the same session. If that repeats too many bytes, they share one.
 */
import type { Message } from '../../mailbox/objects/objects.js'
import type { OutboundMessage } from '../../mailbox/sending/outbound-mail.js'
import { wishesFor } from '../../mime/dsn-request.js'
import { sameForAll } from '../outcome.js'
import type { Attempt, Deliverer } from './delivery.js'
import type { Target } from '../routing/route.js'
import type { DsnParameters, Mail } from '../smtp/session.js'

/** Max bytes repeated per domain for separate return paths. */
export const MAX_REPEATED_BYTES = 10 * 1024 * 1024

export type ReturnPathFor = (message: Message, recipients: string[]) => string

/**
 * @param returnPath without it the author's address is the envelope sender of all
 * @returns mails in order; after an attempt that got stuck at a recipient, the next one is first
 */
export function transactionsOf(
  { message, dsn }: Pick<OutboundMessage, 'message' | 'dsn'>,
  recipients: string[],
  content: Pick<Mail, 'raw' | 'requireTls'>,
  returnPath: ReturnPathFor | undefined,
): Mail[] {
  const from = message.from?.address
  if (from === undefined) throw new Error(`${message.id} has no sender`)
  const mail = { ...content, ...(dsn && { dsn: parametersOf(message, dsn) }) }
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

/** RFC 3461 §5.2.1: what was asked for is passed on as it was said. */
function parametersOf({ recipients }: Message, dsn: NonNullable<OutboundMessage['dsn']>): DsnParameters {
  const { ret, envelopeId } = dsn
  return {
    ret,
    envelopeId,
    recipients: new Map(recipients.map(({ address }, place) => [address, wishesFor(dsn, place, address)])),
  }
}

/**
 * Runs the transactions in sequence. If the host is down or asks for a pause, the rest get the same answer; past `maxMs` they are deferred.
 *
 * @returns as of one attempt; without outcomes for those not reached when cut
 * @throws Error if cut before the first answer
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
      // Answers so far must be recorded, or the mail would be sent again.
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

/** The answer that applies to the rest too. */
function refusesAll({ destination, outcomes }: Attempt) {
  const last = [...outcomes.values()].at(-1)
  return destination !== 'fine' && last?.kind === 'deferred' ? last : undefined
}
