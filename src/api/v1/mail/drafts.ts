/** Drafts: mail composed in steps, or by one key and sent by another. */
import { z } from 'zod'
import { MAX_LABELS } from '../../../mailbox/labels.js'
import type { DraftChange } from '../../../mailbox/drafts/change.js'
import { checkAll } from '../../../lib/errors.js'
import { ok } from '../../../http/routing/route.js'
import { linkedDraftSchema, linkedSummarySchema, withReviewUrl } from '../approval.js'
import { defineMailRoute, forKeys, type MailParts } from '../parts.js'
import {
  addressList,
  changedAttachments,
  byId,
  flagQuery,
  idParams,
  labelSchema,
  listResponse,
  pageQuery,
  sendAtSchema,
  sendAttachments,
  subjectSchema,
} from '../schemas.js'
import {
  DRY_RUN_SHOWS,
  refuseNewRecipients,
  requireReading,
  shownDraft,
  shownDraftSchema,
  hidingRecipients,
  WITHOUT_READING,
} from '../shown.js'
import { checkAttachments, checkRecipientCount, optionsOf, outcome, SEND_ERRORS, sending } from './send.js'

const MAX_DRAFT_CHARACTERS = 1_000_000

const fields = {
  to: addressList.optional(),
  cc: addressList.optional(),
  bcc: addressList.optional(),
  reply_to: addressList.optional(),
  subject: subjectSchema.optional(),
  text: z.string().max(MAX_DRAFT_CHARACTERS).optional(),
  html: z.string().max(MAX_DRAFT_CHARACTERS).nullable().optional().describe('null: none'),
  labels: z.array(labelSchema).max(MAX_LABELS).optional(),
  require_tls: z.boolean().optional().describe('As in `POST /v1/send`'),
  send_at: sendAtSchema.nullable().optional(),
}

const createBody = z
  .strictObject({
    ...fields,
    attachments: sendAttachments,
    in_reply_to: z
      .string()
      .max(64)
      .optional()
      .describe(
        'msg_… that it answers: recipients, subject and conversation are those of a reply, where none are given',
      ),
    reply_all: z.boolean().optional().describe('With `in_reply_to`: everybody in To and Cc is answered too'),
  })
  .refine(({ in_reply_to, reply_all }) => in_reply_to !== undefined || reply_all === undefined, {
    path: ['reply_all'],
    message: 'It needs `in_reply_to`, the message to answer.',
  })
  .meta({ id: 'DraftRequest' })

const changeBody = z
  .strictObject({ ...fields, attachments: changedAttachments })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Give at least one field.')
  .meta({ id: 'DraftChange' })

const ADDRESS = { address: 'ada@example.org', name: 'Ada' }
const SUMMARY = {
  id: 'drf_01K7E8GQ5M1T9Q4Y7RZV3B2XNA',
  object: 'draft',
  mailbox_id: 'mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNB',
  thread_id: null,
  in_reply_to: null,
  to: [ADDRESS],
  cc: [],
  bcc: [],
  reply_to: [],
  from: null,
  subject: 'Friday',
  preview: 'Shall we say ten?',
  labels: [],
  attachments: [],
  require_tls: false,
  send_at: null,
  revision: 1,
  composed_by: 'agent',
  review: null,
  size_bytes: 412,
  created_at: '2026-01-01T09:00:00.000Z',
  updated_at: '2026-01-01T09:00:00.000Z',
  review_url: 'https://mail.agents.example/review/mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNB/drf_01K7E8GQ5M1T9Q4Y7RZV3B2XNA',
}
const DRAFT = { ...SUMMARY, text: 'Shall we say ten?', html: null }
const BODY = { to: 'Ada <ada@example.org>', subject: 'Friday', text: 'Shall we say ten?' }

type Given = Partial<z.output<typeof changeBody>>

/** Checks beyond the schemas. */
const refusing = {
  check({ to = [], cc = [], bcc = [], attachments = [] }: Given, { limits }: MailParts): void {
    checkAll(
      () => checkRecipientCount(limits, to.length + cc.length + bcc.length),
      () => checkAttachments(limits, attachments),
    )
  },
  otherProblems: (given: Given, { mailboxes }: MailParts) => mailboxes.drafts.check(changeOf(given)),
}

const bodyLimit = ({ limits }: MailParts): number => limits.bodyBytes

export const draftRoutes = [
  defineMailRoute({
    method: 'POST',
    path: '/v1/drafts',
    operationId: 'createDraft',
    summary: 'Create a draft',
    description: `It may be incomplete: what a message needs is required when it is sent. A mailbox has at most 200 drafts, and they count towards its storage. Give \`review_url\` to your human, who can read, change and send it there. ${WITHOUT_READING}`,
    ...forKeys('Drafts', 'mail:write'),
    idempotent: 'own',
    bodyLimit,
    body: createBody,
    example: { body: BODY },
    responses: { 201: { description: 'The draft', schema: shownDraftSchema, example: DRAFT } },
    errors: ['not_found', 'quota_exceeded'],
    ...refusing,
    async handler({ body, caller, idempotencyKey }, { mailboxes, baseUrl }) {
      const { in_reply_to: inReplyTo, reply_all: replyAll, ...given } = body
      refuseNewRecipients(caller, given, inReplyTo !== undefined)
      const draft = { ...changeOf(given), inReplyTo, replyAll }
      const made = await mailboxes.drafts.create(caller.mailboxId, draft, { idempotencyKey })
      return { status: 201, json: shownDraft(withReviewUrl(baseUrl, made), caller) }
    },
  }),
  defineMailRoute({
    method: 'GET',
    path: '/v1/drafts',
    operationId: 'listDrafts',
    summary: 'List drafts',
    description: 'Newest first, without their text.',
    ...forKeys('Drafts', 'mail:read'),
    query: z.strictObject(pageQuery),
    responses: listResponse('A page of drafts', 'DraftList', linkedSummarySchema, SUMMARY),
    async handler({ query, caller }, { mailboxes, baseUrl }) {
      const page = await mailboxes.drafts.list(caller.mailboxId, query)
      return ok({ ...page, data: page.data.map((draft) => withReviewUrl(baseUrl, draft)) })
    },
  }),
  defineMailRoute({
    method: 'GET',
    path: '/v1/drafts/{id}',
    operationId: 'getDraft',
    summary: 'Read a draft',
    ...forKeys('Drafts', 'mail:read'),
    ...byId(SUMMARY.id),
    responses: { 200: { description: 'The draft', schema: linkedDraftSchema, example: DRAFT } },
    handler: async ({ params, caller }, { mailboxes, baseUrl }) =>
      ok(withReviewUrl(baseUrl, await mailboxes.drafts.get(caller.mailboxId, params.id))),
  }),
  defineMailRoute({
    method: 'PATCH',
    path: '/v1/drafts/{id}',
    operationId: 'updateDraft',
    summary: 'Change a draft',
    description: `Omitted fields stay. The answered message cannot change: create another draft. One that waits for approval goes on waiting, and its human approves the new revision. Changing recipients needs the scope mail:read. ${WITHOUT_READING}`,
    ...forKeys('Drafts', 'mail:write'),
    bodyLimit,
    params: idParams,
    body: changeBody,
    example: { params: { id: SUMMARY.id }, body: { text: 'Shall we say ten?' } },
    responses: { 200: { description: 'The changed draft', schema: shownDraftSchema, example: DRAFT } },
    errors: ['quota_exceeded', 'draft_of_human'],
    ...refusing,
    async handler({ params, body, caller }, { mailboxes, baseUrl }) {
      refuseNewRecipients(caller, body, true)
      const changed = await mailboxes.drafts.update(caller.mailboxId, params.id, changeOf(body))
      return { status: 200, json: shownDraft(withReviewUrl(baseUrl, changed), caller) }
    },
  }),
  defineMailRoute({
    method: 'DELETE',
    path: '/v1/drafts/{id}',
    operationId: 'deleteDraft',
    summary: 'Delete a draft',
    description: `At once and for good. ${WITHOUT_READING}`,
    ...forKeys('Drafts', 'mail:write'),
    ...byId(SUMMARY.id),
    responses: { 200: { description: 'The deleted draft', schema: shownDraftSchema, example: DRAFT } },
    errors: ['draft_of_human'],
    async handler({ params, caller }, { mailboxes, baseUrl }) {
      const deleted = await mailboxes.drafts.delete(caller.mailboxId, params.id)
      return ok(shownDraft(withReviewUrl(baseUrl, deleted), caller))
    },
  }),
  defineMailRoute({
    ...sending,
    method: 'POST',
    path: '/v1/drafts/{id}/send',
    operationId: 'sendDraft',
    summary: 'Send a draft',
    description:
      'Takes no body. The same checks as in `POST /v1/send`; the draft becomes the message, or waits for approval. A refused draft stays as it is. A dry run also needs `mail:read`.',
    tag: 'Drafts',
    query: sending.query.extend({
      requires_approval: flagQuery('1: the draft waits for your human, who can change, send or return it'),
    }),
    ...byId(SUMMARY.id),
    errors: [...SEND_ERRORS, 'draft_of_human', 'payload_too_large', 'unavailable'],
    async handler(input, { mailboxes, baseUrl }) {
      const { params, query, caller } = input
      const options = optionsOf(input, query.requires_approval)
      if (query.dry_run) requireReading(caller, DRY_RUN_SHOWS)
      const sent = await hidingRecipients(caller, mailboxes.sending.sendDraft(caller.mailboxId, params.id, options))
      return outcome(sent, baseUrl)
    },
  }),
]

function changeOf({ reply_to: replyTo, require_tls: requireTls, send_at: sendAt, ...given }: Given): DraftChange {
  return { ...given, replyTo, requireTls, sendAt }
}
