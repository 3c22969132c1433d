/**
 * A message that quotes is judged as if all that it quotes were its own, since where it is judged nobody knows the mailboxes. If that refuses it or makes it
 * spam, the mailboxes are asked here for the message that it answers: what stands in that is history, the rest stays new.
 */
import type { SpamOpinion } from '../../guard/types.js'
import type { SpamScore } from '../judging/judge.js'
import type { Examined } from '../judging/types.js'
import type { Delivering, Envelope, IntakeDeps } from './types.js'

/** Larger ones take too long for the process that has the store, and no honest reply is. */
const MAX_CHARS = 64 * 1024
/** Mailboxes that are asked; a reply to more is rare. */
const MAX_ASKED = 10

export async function spamAsReply(
  {
    delivering,
    spamScore,
    clock,
  }: Pick<IntakeDeps, 'spamScore' | 'clock'> & { delivering: Pick<Delivering, 'mailboxes'> },
  {
    from,
    mailboxIds,
    clientAddress,
    client,
    helo,
  }: Pick<Envelope, 'from' | 'mailboxIds' | 'clientAddress' | 'client' | 'helo'>,
  { parsed, verification, spam, dependsOnParent }: Examined,
): Promise<SpamOpinion> {
  const { parentOf } = delivering.mailboxes.delivery
  if (!dependsOnParent || !spamScore || !parentOf) return spam
  const { text, html, extractedText, inReplyTo, references } = parsed
  if (text.length + (html?.length ?? 0) > MAX_CHARS) return spam
  const quoting = { text, html, extracted_text: extractedText, in_reply_to: inReplyTo, references }
  const message: Parameters<SpamScore>[0] = {
    parsed,
    auth: verification.results,
    envelopeFrom: from,
    client: { ...client, address: clientAddress, helo },
    now: clock.now(),
  }
  let best = spam
  for (const mailboxId of mailboxIds.slice(0, MAX_ASKED)) {
    const parentText = await parentOf(mailboxId, quoting)
    const opinion = parentText === undefined || parentText === '' ? spam : spamScore({ ...message, parentText })
    if (opinion.score < best.score) best = opinion
  }
  return best
}
