/** A mailbox as shown to its agent and owner, and in exports. */
import { z } from 'zod'
import { timestamp } from '../../lib/clock.js'
import { MAX_RULE_LABELS, MAX_RULES } from './auto-labels.js'
import { LABEL } from '../labels.js'
import { timeSchema } from '../objects/objects.js'
import { shownText } from '../message.js'
import type { MailboxSettings } from '../objects/set-types.js'
import type { MailboxRecord } from '../mailbox-record.js'

const pattern = z.string().max(320)

export const signatureSchema = z
  .object({
    text: z.string().describe('Goes under the words of what is sent, behind a line `-- `, and above what is quoted'),
    html: z.string().nullable().describe('The same for HTML; null: it is made from the text'),
  })
  .meta({ id: 'Signature' })

export const autoLabelSchema = z
  .strictObject({
    from: pattern.optional().describe('`ada@example.org`, `example.org`, or `*.example.org` with all below it'),
    to: pattern.optional().describe('The same of To, Cc, or the address it came to, such as `agent+orders@…`'),
    subject_contains: z.string().max(1000).optional().describe('In any case of letters'),
    has_attachment: z.boolean().optional(),
    labels: z
      .array(z.string().regex(LABEL, 'It must have 1 to 64 characters of a-z, 0-9 and - _ . / : only.'))
      .max(MAX_RULE_LABELS)
      .default([]),
    mark_read: z.boolean().default(false),
  })
  .meta({
    id: 'AutoLabel',
    description: 'Labels mail as it comes in. All conditions that are given have to hold, and one has to be given',
  })

export const autoLabelsSchema = z.array(autoLabelSchema).max(MAX_RULES)

export const mailboxSchema = z
  .object({
    id: z.string(),
    object: z.literal('mailbox'),
    address: z.string(),
    aliases: z.array(z.string()).describe('Further addresses that lead here; see GET /v1/aliases'),
    display_name: z.string().nullable().describe('Stands beside the address in From; null when there is none'),
    agent_name: z.string().nullable(),
    status: z.enum(['pending', 'claimed']),
    signature: signatureSchema.nullable(),
    auto_labels: autoLabelsSchema,
    receive_only_allowed: z.boolean().describe('Mail from others than those on the list `receive/allow` is refused'),
    send_only_allowed: z.boolean().describe('Mail to others than those on the list `send/allow` is refused'),
    paused: z
      .object({
        what: z.enum(['sending', 'all']).describe('all: no key and no connection works either'),
        since: timeSchema,
        by: z.enum(['human', 'operator']),
      })
      .nullable()
      .describe('A human has paused the mailbox, which no key can do or end; null: it is not paused'),
    requires_approval: z.boolean().describe('What is sent becomes a draft that waits for the human'),
    approval_days: z.int().describe('Days that such a draft waits before it is returned'),
    message_count: z.int().describe('Those in the trash too'),
    received_count: z.int(),
    sent_count: z.int(),
    used_bytes: z.int().describe('What is in the trash counts until it is gone'),
    last_event_seq: z.int().describe('`after` for GET /v1/events to see only what comes from now on'),
    created_at: timeSchema,
    claimed_at: timeSchema.nullable(),
  })
  .meta({ id: 'Mailbox' })

export function toMailboxObject(mailbox: MailboxRecord, settings: MailboxSettings): z.infer<typeof mailboxSchema> {
  return {
    id: mailbox.id,
    object: 'mailbox' as const,
    address: mailbox.address,
    aliases: (mailbox.aliases ?? []).map(({ address }) => address),
    display_name: shownText(mailbox.displayName),
    agent_name: mailbox.agentName,
    status: mailbox.status,
    signature: settings.signature,
    auto_labels: settings.autoLabels.map(({ subjectContains, hasAttachment, labels, markRead, ...rule }) => ({
      ...rule,
      ...(subjectContains !== undefined && { subject_contains: subjectContains }),
      ...(hasAttachment !== undefined && { has_attachment: hasAttachment }),
      labels,
      mark_read: markRead,
    })),
    receive_only_allowed: settings.receiveOnlyAllowed,
    send_only_allowed: settings.sendOnlyAllowed,
    paused: mailbox.paused
      ? { what: mailbox.paused.what, since: timestamp(mailbox.paused.at), by: mailbox.paused.by }
      : null,
    requires_approval: settings.requiresApproval,
    approval_days: settings.approvalDays,
    message_count: mailbox.messageCount,
    received_count: mailbox.receivedCount,
    sent_count: mailbox.sentCount,
    used_bytes: mailbox.usedBytes,
    last_event_seq: mailbox.seq,
    created_at: timestamp(mailbox.createdAt),
    claimed_at: mailbox.claimedAt === null ? null : timestamp(mailbox.claimedAt),
  }
}
