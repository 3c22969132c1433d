/**
 * Accepting mail: the request is checked (send-checks.ts) and composed (prepare.ts), the guard decides (fate.ts), and one transaction stores it
 * (commit.ts). A message that needs a slow second opinion is stored as `checking` with a `check` task.
 */
import { domainOf } from '../../mime/address.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { Signature } from '../../mime/reply/signature.js'
import type { Address } from '../../mime/types.js'
import { isOwnAddress } from '../addresses.js'
import { DraftChangedError, draftOfHuman, isOfHuman, mustReadDraft, submittedFile } from '../draft.js'
import { mailboxPartition } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { mustReadUntrashed } from '../message-rows.js'
import type { StoredMessage } from '../message.js'
import { requireMailbox, readMailbox } from '../record.js'
import { readSettings } from '../settings/settings.js'
import { askApproval } from './asking.js'
import { commit } from './commit.js'
import { readDraftFile, readDraftFiles } from './draft-files.js'
import { dryRun } from './dry-run.js'
import { earlierAnswer, retryOf } from './retries/idempotency.js'
import { draftMail, forwardMail, newMail, replyMail, signed, type Outgoing } from './outgoing.js'
import { prepare } from './prepare.js'
import type {
  Accepted,
  DryRun,
  ForwardRequest,
  ReplyRequest,
  RequestFields,
  SendOptions,
  SendRequest,
  Submission,
  Waiting,
} from './requests.js'
import { checkFields, firstAuthor, mustBeAllowed, refuseManyForwarded, refusePaused } from './send-checks.js'
import { isTooSoon } from './scheduled.js'
import type { SendDeps } from './send-deps.js'
import { checkRecipients, keptMail, receiptCannotWait, submissionKey, submittedMail } from './submission.js'

export function createSending(deps: SendDeps) {
  const { store, clock, contents, composing } = deps

  const original = (mailboxId: string, messageId: string): Promise<StoredMessage> =>
    store.read(mailboxPartition(mailboxId), (view) => mustReadUntrashed(view, messageId))

  /** Common steps of all sends; `request` identifies retries. */
  const accept = async (
    mailboxId: string,
    request: unknown,
    { from, options }: { from?: Address | undefined; options: SendOptions },
    mailFor: (
      mailbox: MailboxRecord,
      signature: Signature | null,
      asker: Asker,
    ) => Promise<Outgoing & { from?: Address }>,
  ): Promise<Accepted | DryRun | Waiting> => {
    const { requiresApproval: isAsked, by } = options
    const retry =
      options.idempotencyKey === undefined || options.dryRun
        ? undefined
        : await retryOf(options.idempotencyKey, isAsked ? [request, 'requires_approval'] : request)
    const { mailbox, domain, settings, account, answer } = await store.read(
      mailboxPartition(mailboxId),
      async (view) => {
        const mailbox = await requireMailbox(view)
        const account = await mustBeAllowed(deps, mailbox, view)
        const answer = retry && (await earlierAnswer<Accepted | Waiting>(view, retry, clock.now()))
        const domain = await deps.domains.own?.(domainOf(mailbox.address), view)
        return { mailbox, domain, settings: await readSettings(view), account, answer }
      },
    )
    if (answer) return answer
    refusePaused(mailbox, by)
    const asker = options.asker ?? { owner: account.id }
    const outgoing = await mailFor(mailbox, settings.signature, asker)
    const fixed = outgoing.draft?.from
    const fields = { ...outgoing, from: from ?? fixed ?? outgoing.from ?? outgoing.author }
    const { recipients, author: checked = firstAuthor(domain, mailbox) } = await checkFields(deps, mailbox, fields)
    const author = fixed ?? checked
    const sendAt = outgoing.sendAt ?? (options.undoMs === undefined ? undefined : clock.now() + options.undoMs)
    const mail = { ...outgoing, author, sendAt }
    const prepared = await prepare(deps, { mailbox, settings, account }, mail, { recipients, asker })
    const isWaiting = outgoing.draft?.review?.status === 'waiting'
    const mustWait = isAsked || by?.requiresApproval || settings.requiresApproval || isWaiting
    const waits = !options.approved && Boolean(mustWait)
    if (options.dryRun) return dryRun(deps, prepared, waits)
    if (waits && outgoing.submitted?.nullSender) throw receiptCannotWait()
    if (waits) return askApproval(deps, prepared, { retry, by, settings, asker })
    const isApproved = options.approved !== undefined && !options.approved.isOwn
    return commit(deps, prepared, { retry, by, requestId: options.requestId, isApproved, note: options.note })
  }

  return {
    /** Checks the fields of an already invalid request, to report everything at once. @throws ServiceError `invalid_request`, `payload_too_large` */
    async check(mailboxId: string, given: RequestFields): Promise<void> {
      const mailbox = await readMailbox(store, mailboxId)
      if (mailbox) await checkFields(deps, mailbox, given)
    },

    send: (mailboxId: string, request: SendRequest, options: SendOptions) =>
      accept(mailboxId, ['send', request], { from: request.from, options }, async (_mailbox, signature) =>
        newMail(request.signature === false ? request : signed(request, signature)),
      ),

    /** Checks recipients of a mail program before their message is there. @throws ServiceError as `submit` would */
    checkRecipients: (mailboxId: string, recipients: string[], isLater: boolean) =>
      checkRecipients(deps, mailboxId, recipients, isLater),

    /**
     * Sends a message as a mail program wrote it. The same bytes to the same recipients again, within the time of idempotent requests, get the first answer.
     *
     * @throws ServiceError `invalid_request` with the field `from` for a foreign author
     */
    async submit(
      mailboxId: string,
      submission: Submission,
      options: Pick<SendOptions, 'by' | 'asker'>,
    ): Promise<Accepted | Waiting> {
      const key = await submissionKey(submission)
      const sent = await accept(
        mailboxId,
        key,
        { options: { ...options, idempotencyKey: key } },
        async (mailbox, _signature, asker) => submittedMail(deps, mailbox, submission, asker),
      )
      if ('dry_run' in sent) throw new Error('a submission is no dry run')
      return sent
    },

    reply: (mailboxId: string, messageId: string, request: ReplyRequest, options: SendOptions) =>
      accept(mailboxId, ['reply', messageId, request], { from: request.from, options }, async (mailbox, signature) =>
        replyMail(
          await original(mailboxId, messageId),
          request.signature === false ? request : signed(request, signature),
          ({ address }) => isOwnAddress(mailbox, address),
          ({ address }) => isOwnAddress(mailbox, address) && !isOwnAddress({ address: mailbox.address }, address),
        ),
      ),

    /** Sends a draft with the same checks; it is deleted in the message's commit. @throws ServiceError `not_found`, `invalid_request`, `draft_of_human` */
    sendDraft: (mailboxId: string, draftId: string, options: SendOptions) =>
      accept(mailboxId, ['draft', draftId], { options }, async (mailbox, signature, asker) => {
        const stored = await store.read(mailboxPartition(mailboxId), (view) => mustReadDraft(view, draftId))
        if (!options.approved && isOfHuman(stored.draft)) throw draftOfHuman()
        if (options.approved && options.approved.revision !== stored.draft.revision) throw new DraftChangedError()
        const files = await readDraftFiles({ store, blobs: contents.blobs }, mailboxId, stored.draft)
        if (!files) throw new DraftChangedError()
        const composed = draftMail(stored, files)
        const kept = submittedFile(stored.draft)
        const raw = kept && (await readDraftFile({ store, blobs: contents.blobs }, mailboxId, kept))
        if (kept && !raw) throw new DraftChangedError()
        const mail = raw ? await keptMail(deps, mailbox, composed, raw, asker) : composed
        const timed = options.approved && !options.approved.isOwn ? soonEnough(mail, clock.now()) : mail
        return stored.draft.signed ? timed : signed(timed, signature)
      }),

    forward: (mailboxId: string, messageId: string, request: ForwardRequest, options: SendOptions) =>
      accept(
        mailboxId,
        ['forward', messageId, request],
        { from: request.from, options },
        async (_mailbox, signature, asker) => {
          const message = await original(mailboxId, messageId)
          // Before reading the raw message, which its author may have made costly.
          if (request.includeAttachments) refuseManyForwarded(message.content.attachments.length, deps.limits)
          const words = request.signature === false ? null : signature
          const files = async (parts: number[]): Promise<Map<number, Buffer>> =>
            composing.work.files(
              await contents.raws.read(mailboxId, message.state),
              parts,
              composing.parseLimits,
              asker,
            )
          return forwardMail(message, files, request, words)
        },
      ),
  }
}

/** The time for which it was scheduled may have passed while it waited: then it goes at once. */
function soonEnough(mail: Outgoing, now: number): Outgoing {
  return mail.sendAt !== undefined && isTooSoon(mail.sendAt, now) ? { ...mail, sendAt: undefined } : mail
}
