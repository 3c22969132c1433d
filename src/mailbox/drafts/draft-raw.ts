/** A draft as a message for mail programs: as its program wrote it, or composed, with the same octets for the same revision (RFC 9051 §2.3.1.1). */
import { domainOf } from '../../mime/address.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Blobs, Store } from '../../store/types.js'
import { DraftChangedError, mustReadDraft, type StoredDraft } from '../draft.js'
import { mailboxPartition } from '../keys.js'
import type { MailWork } from '../mail-work/mail-work.js'
import { requireMailbox } from '../mailbox-rows.js'
import { readDraftFile, readDraftFiles } from '../sending/draft-files.js'

export interface DraftRawDeps {
  store: Store
  blobs: Pick<Blobs, 'stream'>
  work: Pick<MailWork, 'compose'>
  parseLimits: ParseLimits
}

export function createDraftRaw(deps: DraftRawDeps) {
  const { store, work, parseLimits } = deps

  /** @throws ServiceError `not_found`; `unavailable` if it changed meanwhile */
  return async (mailboxId: string, draftId: string): Promise<Buffer> => {
    const { stored, address } = await store.read(mailboxPartition(mailboxId), async (view) => ({
      stored: await mustReadDraft(view, draftId),
      address: (await requireMailbox(view)).address,
    }))
    const { raw } = stored.draft
    const kept = raw && (await readDraftFile(deps, mailboxId, raw))
    if (raw && !kept) throw new DraftChangedError()
    return kept ?? compose(mailboxId, address, stored)
  }

  async function compose(mailboxId: string, address: string, { draft, words }: StoredDraft): Promise<Buffer> {
    const attachments = await readDraftFiles(deps, mailboxId, draft)
    if (!attachments) throw new DraftChangedError()
    const { to, cc, bcc, replyTo, subject, answers, updatedAt: date } = draft
    const name = `${draft.id.slice('drf_'.length).toLowerCase()}.${draft.revision}`
    const composed = await work.compose(
      {
        message: {
          messageId: `${name}@${domainOf(address)}`,
          date,
          // The name of the mailbox changes without a revision of the draft.
          from: draft.from ?? { address, name: '' },
          ...{ to, cc, replyTo, subject, ...words },
          attachments: attachments.map(({ contentId, ...file }) => ({
            ...file,
            ...(contentId !== undefined && { contentId }),
          })),
          inReplyTo: answers?.inReplyTo ?? null,
          references: answers?.references ?? [],
          own: { bcc, boundary: name },
        },
        bcc,
        maxBytes: Infinity,
        now: date,
        limits: parseLimits,
      },
      { owner: mailboxId },
    )
    if (!('raw' in composed)) throw new Error('A draft was not composed')
    return composed.raw
  }
}
