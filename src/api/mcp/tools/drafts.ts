/** Tools for drafts: list_drafts, save_draft, send_draft. Drafts may quote others. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import { cut } from '../../../lib/text.js'
import type { Draft, DraftSummary, ShownReview } from '../../../mailbox/objects/draft-object.js'
import type { DraftChange } from '../../../mailbox/drafts/change.js'
import { checkAttachments } from '../../v1/mail/send.js'
import { subjectSchema } from '../../v1/schemas.js'
import { mayRead, refuseNewRecipients, hidingRecipients } from '../../v1/shown.js'
import { addresses, changedSendAt, draftFiles, orNull, textField } from './composing.js'
import type { Fence } from '../text/fence.js'
import { bodyLines, splitOwn } from '../text/own-words.js'
import { firstPeople, plural, toTheSecond } from '../text/people.js'
import { reviewUrl, sendingAs } from '../../v1/approval.js'
import { requiresApproval, sent, sentOutput } from './sending.js'
import { CHANGES, cursor, defineTool, idempotencyKey, messageId, pageLimit, READS, SENDS } from '../tool.js'

const MAX_PEOPLE = 20
const MAX_TEXT = 32_000

const draftOutput = z.strictObject({
  draft_id: z.string(),
  in_reply_to: z.string().optional(),
  updated_at: z.string(),
  send_at: z.string().optional(),
  untrusted: z.strictObject({
    to: z.array(z.string()),
    cc: z.array(z.string()).optional(),
    bcc: z.array(z.string()).optional(),
    subject: z.string(),
    text: z.string(),
    attachments: z.array(z.string()),
  }),
})
type DraftOutput = z.infer<typeof draftOutput>

function approvalOf({ status, reason, note }: ShownReview): string {
  if (status === 'waiting') return 'waits for your human'
  const why = reason === 'expired' ? 'nobody decided in time' : (note ?? 'without a note')
  return `returned by your human: ${why}`
}

/** Full text for a `Draft`, the preview for a summary. */
function draftResult(fence: Fence, draft: DraftSummary | Draft): DraftOutput {
  const people = (list: Draft['to']) => firstPeople(fence, list, MAX_PEOPLE)
  return {
    draft_id: draft.id,
    ...(draft.in_reply_to !== null && { in_reply_to: draft.in_reply_to }),
    updated_at: toTheSecond(draft.updated_at),
    ...(draft.send_at !== null && { send_at: draft.send_at }),
    untrusted: {
      to: people(draft.to),
      ...(draft.cc.length > 0 && { cc: people(draft.cc) }),
      ...(draft.bcc.length > 0 && { bcc: people(draft.bcc) }),
      subject: fence.inline(draft.subject, 500),
      text: 'text' in draft ? fence.wrap(cut(draft.text, MAX_TEXT)) : fence.inline(draft.preview),
      attachments: draft.attachments.map((each) => `${each.id} ${fence.inline(each.filename)}`),
    },
  }
}

function draftLines(fence: Fence, draft: DraftSummary | Draft): string {
  const { draft_id, in_reply_to, updated_at, send_at, untrusted: theirs } = draftResult(fence, draft)
  const marks = [
    updated_at,
    ...(in_reply_to === undefined ? [] : [`answers ${in_reply_to}`]),
    ...(send_at === undefined ? [] : [`to go at ${send_at}`]),
    ...(draft.composed_by === 'human' ? ['written by your human'] : []),
    ...(draft.review ? [approvalOf(draft.review)] : []),
    ...(theirs.attachments.length === 0 ? [] : [plural(theirs.attachments.length, 'file')]),
  ]
  const head = [
    ['To', theirs.to.join(', ')],
    ['Cc', theirs.cc?.join(', ')],
    ['Bcc', theirs.bcc?.join(', ')],
    ['Subject', theirs.subject],
    ['Attachments', theirs.attachments.join(', ')],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`${name}: ${value}`]))
  const title = `${draft_id} (${marks.join(', ')})`
  if (!('text' in draft)) return `${title}\n${fence.wrap([...head, '', theirs.text].join('\n'))}`
  const { own, quoted } = splitOwn(cut(draft.text, MAX_TEXT))
  return [title, fence.wrap(head.join('\n')), ...bodyLines(fence, own, quoted)].join('\n')
}

export const listDrafts = defineTool({
  name: 'list_drafts',
  title: 'List drafts',
  description: 'Lists drafts, newest first.',
  input: z.strictObject({
    draft_id: z.string().max(64).optional().describe('Only this draft, with its full text'),
    limit: pageLimit(50),
    cursor,
  }),
  output: z.strictObject({ drafts: z.array(draftOutput), next_cursor: z.string().optional() }),
  ...READS,
  async run({ mailboxes }, { draft_id: id, ...page }, { caller, fence }) {
    const { data, next_cursor } =
      id === undefined
        ? await mailboxes.drafts.list(caller.mailboxId, page)
        : { data: [await mailboxes.drafts.get(caller.mailboxId, id)], next_cursor: null }
    const drafts = data.map((draft) => draftResult(fence, draft))
    const structured = { drafts, ...(next_cursor !== null && { next_cursor }) }
    if (data.length === 0) return { text: 'No drafts. save_draft creates one.', structured, untrusted: false }
    const more = next_cursor === null ? '' : `\n\nMore: call again with cursor ${next_cursor}`
    return { text: `${data.map((draft) => draftLines(fence, draft)).join('\n\n')}${more}`, structured, untrusted: true }
  },
})

/** Without the text, which the caller has; recipients and subject of a reply come from its original. */
const savedOutput = draftOutput.extend({
  review_url: z.string(),
  untrusted: draftOutput.shape.untrusted.pick({ to: true, subject: true, attachments: true }),
})
const saveInput = z.strictObject({
  draft_id: z.string().max(64).optional().describe('Draft to change; omitted fields stay'),
  in_reply_to: messageId.optional().describe('New draft only: message to answer'),
  reply_all: z.boolean().optional(),
  to: addresses.optional(),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  subject: subjectSchema.optional(),
  text: textField.optional(),
  html: orNull(textField).optional().describe('Empty removes it'),
  attachments: draftFiles,
  send_at: orNull(changedSendAt).optional(),
  idempotency_key: idempotencyKey,
})
export const saveDraft = defineTool({
  name: 'save_draft',
  title: 'Save draft',
  description: 'Creates or changes a draft; your human can send it at review_url.',
  input: saveInput,
  output: savedOutput.partial({ untrusted: true }),
  annotations: { ...CHANGES.annotations, idempotentHint: false, destructiveHint: true },
  scope: 'mail:write',
  async run(deps, input, { caller, fence }) {
    const { draft_id: id, in_reply_to: inReplyTo, reply_all: replyAll, idempotency_key: idempotencyKey } = input
    checkAttachments(deps.limits, input.attachments ?? [])
    const change = changeOf(input)
    requireFitting(input, change)
    refuseNewRecipients(caller, input, id !== undefined || inReplyTo !== undefined)
    const { drafts } = deps.mailboxes
    const draft =
      id === undefined
        ? await drafts.create(caller.mailboxId, { ...change, inReplyTo, replyAll }, { idempotencyKey })
        : await drafts.update(caller.mailboxId, id, change)
    const url = reviewUrl(deps.baseUrl, draft)
    if (!mayRead(caller)) {
      const structured = { draft_id: draft.id, updated_at: toTheSecond(draft.updated_at), review_url: url }
      return {
        text: `Saved as ${draft.id}; send_draft sends it, or your human at ${url}.`,
        structured,
        untrusted: false,
      }
    }
    const { untrusted, ...own } = draftResult(fence, draft)
    const { to, subject, attachments } = untrusted
    const structured = { ...own, review_url: url, untrusted: { to, subject, attachments } }
    return {
      text: `Saved; send_draft sends it, or your human at ${url}.\n${draftLines(fence, draft)}`,
      structured,
      untrusted: true,
    }
  },
})

function changeOf(input: z.output<typeof saveInput>): DraftChange {
  const { to, cc, bcc, subject, text, html, attachments, send_at: sendAt } = input
  return { to, cc, bcc, subject, text, html: html === '' ? null : html, attachments, sendAt }
}

/** @throws ServiceError `invalid_request` for fields that do not apply to a new or changed draft */
function requireFitting(input: z.output<typeof saveInput>, change: DraftChange): void {
  const { draft_id: id, in_reply_to: inReplyTo, reply_all: replyAll } = input
  const wrong = (field: string, problem: string) =>
    invalidRequest(
      `The draft cannot be saved with these arguments.`,
      'Correct what this error names, then call save_draft again.',
      [{ field, problem }],
    )
  if (replyAll !== undefined && inReplyTo === undefined)
    throw wrong('reply_all', 'It needs in_reply_to, the message to answer.')
  if (id === undefined) return
  if (inReplyTo !== undefined) throw wrong('in_reply_to', 'The answered message cannot change: create another draft.')
  if (Object.values(change).every((value) => value === undefined)) throw wrong('draft_id', 'Give something to change.')
}

export const sendDraft = defineTool({
  name: 'send_draft',
  title: 'Send draft',
  description: 'Sends a draft.',
  input: z.strictObject({
    draft_id: z.string().max(64),
    requires_approval: requiresApproval,
    idempotency_key: idempotencyKey,
  }),
  output: sentOutput,
  ...SENDS,
  async run({ mailboxes, baseUrl }, input, { caller, asker, requestId }) {
    const { draft_id: id, idempotency_key: idempotencyKey, requires_approval: asks } = input
    const options = { idempotencyKey, requestId, asker, ...sendingAs(caller, asks) }
    return sent(await hidingRecipients(caller, mailboxes.sending.sendDraft(caller.mailboxId, id, options)), baseUrl)
  },
})
