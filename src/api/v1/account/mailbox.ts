/** The mailbox of the key: details and settings. */
import { z } from 'zod'
import type { Caller } from '../../../accounts/types.js'
import { notFound, ServiceError } from '../../../lib/errors.js'
import { autoLabelsSchema, mailboxSchema, toMailboxObject } from '../../../mailbox/settings/mailbox-object.js'
import { APPROVAL_DAYS } from '../../../mailbox/settings/settings.js'
import type { SettingsChange } from '../../../mailbox/objects/set-types.js'
import { mailboxExample } from './account-examples.js'
import { defineAccountRoute, forKeys } from '../parts.js'

/** The allow lists need account:manage: a confined agent must not lift its own restrictions. */
function requireManager(caller: Caller, field: string): void {
  if (caller.scopes.includes('account:manage')) return
  throw new ServiceError(
    'insufficient_scope',
    `This key lacks the scope account:manage, which ${field} takes.`,
    `Leave ${field} out, or ask your human to change it.`,
  )
}

const settingsBody = z
  .strictObject({
    display_name: z
      .string()
      .max(1000)
      .nullable()
      .optional()
      .describe('At most 100 characters on one line; null (or "") removes it'),
    signature: z
      .strictObject({
        text: z.string().max(10_000).describe('1 to 30 lines, at most 4 KiB'),
        html: z
          .string()
          .max(20_000)
          .nullable()
          .optional()
          .describe('At most 16 KiB; created from the text when omitted'),
      })
      .nullable()
      .optional()
      .describe('null removes it. `"signature": false` when sending leaves it out of that message'),
    auto_labels: autoLabelsSchema.optional(),
    receive_only_allowed: z
      .boolean()
      .optional()
      .describe('Needs the scope account:manage. Fill the list with POST /v1/lists/receive/allow first'),
    send_only_allowed: z
      .boolean()
      .optional()
      .describe('Needs the scope account:manage. Fill the list with POST /v1/lists/send/allow first'),
    requires_approval: z
      .boolean()
      .optional()
      .describe(
        'true: what is sent from here becomes a draft that waits for the human. Only the human ends that, on their page of the mailbox',
      ),
    approval_days: z
      .int()
      .min(APPROVAL_DAYS.min)
      .max(APPROVAL_DAYS.max)
      .optional()
      .describe('Needs the scope account:manage. Days that a draft waits before it is returned'),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'Give at least one of display_name, signature, auto_labels, receive_only_allowed, send_only_allowed, requires_approval, approval_days.',
  )
  .meta({ id: 'UpdateMailboxRequest' })

function changeOf(body: Partial<z.output<typeof settingsBody>>): SettingsChange {
  return {
    displayName: body.display_name === null ? '' : body.display_name,
    signature: body.signature,
    autoLabels: body.auto_labels?.map(({ subject_contains, has_attachment, mark_read, ...rule }) => ({
      ...rule,
      subjectContains: subject_contains,
      hasAttachment: has_attachment,
      markRead: mark_read,
    })),
    receiveOnlyAllowed: body.receive_only_allowed,
    sendOnlyAllowed: body.send_only_allowed,
    requiresApproval: body.requires_approval,
    approvalDays: body.approval_days,
  }
}

export const mailboxRoutes = [
  defineAccountRoute({
    method: 'GET',
    path: '/v1/mailbox',
    operationId: 'getMailbox',
    summary: 'Get the mailbox of this key',
    ...forKeys('Account', 'mail:read'),
    responses: { 200: { description: 'The mailbox of this key', schema: mailboxSchema, example: mailboxExample } },
    async handler({ caller }, { mailboxes }) {
      const mailbox = await mailboxes.directory.get(caller.mailboxId)
      if (!mailbox) throw notFound('mailbox')
      return { status: 200, json: toMailboxObject(mailbox, await mailboxes.settings.get(mailbox.id)) }
    },
  }),
  defineAccountRoute({
    method: 'PATCH',
    path: '/v1/mailbox',
    operationId: 'updateMailbox',
    summary: 'Set the name, signature and rules of the mailbox',
    description:
      'Omitted fields stay. `auto_labels` replaces all rules. An event `mailbox.updated` names what changed.',
    ...forKeys('Account', 'mail:write'),
    bodyLimit: 128 * 1024,
    body: settingsBody,
    example: {
      body: { display_name: mailboxExample.display_name, signature: { text: 'Scout, an agent of Ada Lovelace' } },
    },
    responses: { 200: { description: 'The changed mailbox', schema: mailboxSchema, example: mailboxExample } },
    otherProblems: (given, { mailboxes }, caller) => mailboxes.settings.check(caller.mailboxId, changeOf(given)),
    async handler({ body, caller }, { mailboxes }) {
      if (body.receive_only_allowed !== undefined) requireManager(caller, 'receive_only_allowed')
      if (body.send_only_allowed !== undefined) requireManager(caller, 'send_only_allowed')
      if (body.approval_days !== undefined) requireManager(caller, 'approval_days')
      const { mailbox, settings } = await mailboxes.settings.change(caller.mailboxId, changeOf(body))
      return { status: 200, json: toMailboxObject(mailbox, settings) }
    },
  }),
]
