/** Approval by the human: which sends wait for it, how a waiting draft is answered, and what a key in need of it may not do. */
import { z } from 'zod'
import type { Caller } from '../../accounts/types.js'
import { ServiceError } from '../../lib/errors.js'
import { draftReviewSchema, draftSchema, draftSummarySchema } from '../../mailbox/objects/draft-object.js'
import type { SendOptions, Waiting } from '../../mailbox/sending/requests.js'

export const requiresApprovalSchema = z.boolean().optional().describe('Your human approves it first')

const reviewUrlSchema = z.string().describe('Page for its owner')

/** Page of a draft for the owner of its mailbox. */
export function reviewUrl(baseUrl: string, { mailbox_id: mailboxId, id }: { mailbox_id: string; id: string }): string {
  return `${baseUrl}/review/${mailboxId}/${id}`
}

export const withReviewUrl = <D extends { mailbox_id: string; id: string }>(
  baseUrl: string,
  draft: D,
): D & { review_url: string } => ({ ...draft, review_url: reviewUrl(baseUrl, draft) })

export const linkedDraftSchema = draftSchema.extend({ review_url: reviewUrlSchema }).meta({ id: 'Draft' })
export const linkedSummarySchema = draftSummarySchema
  .extend({ review_url: reviewUrlSchema })
  .meta({ id: 'DraftSummary' })

/** The answer to a send that waits. */
export const waitingSchema = z
  .object({
    id: z.string().describe('drf_…'),
    object: z.literal('draft'),
    mailbox_id: z.string(),
    thread_id: draftSchema.shape.thread_id,
    revision: draftSchema.shape.revision,
    review: draftReviewSchema,
    review_url: reviewUrlSchema,
  })
  .meta({
    id: 'WaitingDraft',
    description: 'Nothing is sent yet: `draft.approved`, `draft.returned` or `draft.discarded` tells the decision',
  })

export function waitingAnswer(baseUrl: string, waiting: Waiting): z.output<typeof waitingSchema> {
  return withReviewUrl(baseUrl, waiting)
}

/** Who sends. Every route and tool that sends passes this on. @param asks the request has `requires_approval` */
export function sendingAs(caller: Caller, asks?: boolean): Pick<SendOptions, 'by' | 'requiresApproval'> {
  const { keyId: id, audience, requiresApproval = false } = caller
  return {
    by: { type: audience === undefined ? 'key' : 'connection', id, requiresApproval },
    ...(asks && { requiresApproval: true }),
  }
}

/** A key whose mail needs approval must not give anybody the right to send without it. @throws ServiceError `insufficient_scope` */
export function refuseFreeing({ requiresApproval }: Caller, isFreeing: boolean, what: string): void {
  if (!requiresApproval || !isFreeing) return
  throw new ServiceError(
    'insufficient_scope',
    `What this key sends needs the human's approval, so it can't ${what}.`,
    'Ask your human to do it on their account page.',
  )
}
