/** The audit log: who did what to whom, from where and by which key or session. Ids and names only, no secrets and no mail. */
import { z } from 'zod'
import type { Transaction } from '../store/types.js'

/** All actions, by subject. */
export const ACTIONS = [
  'claim.made',
  'claim.approved',
  'claim.declined',
  'claim.expired',
  'claim.invited',
  'key.made',
  'key.revoked',
  'key.rotated',
  'mailbox.made',
  'mailbox.removed',
  'alias.made',
  'alias.removed',
  'account.suspended',
  'account.reinstated',
  'account.trust_set',
  'account.deletion_scheduled',
  'account.deletion_cancelled',
  'account.deletion_finished',
  'export.asked',
  'export.downloaded',
  'connection.granted',
  'connection.revoked',
  'domain.added',
  'domain.verified',
  'domain.removed',
  'review.approved',
  'review.rejected',
  'review.appealed',
  'message.sent',
  'message.withdrawn',
  'message.recalled',
  'message.pictures_fetched',
  'draft.approved',
  'draft.discarded',
  'draft.returned',
  'key.changed',
  'mailbox.changed',
  'mailbox.paused',
  'mailbox.resumed',
  'mailbox.imported',
  'mailbox.mail_withdrawn',
  'webhook.made',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.removed',
  'webhook.disabled',
  'sign_in.done',
  'sign_in.failed',
  'sign_in.link_made',
  'session.ended',
  'passkey.added',
  'passkey.removed',
  'settings.reloaded',
  'queue.held',
  'queue.released',
  'queue.retried',
  'queue.deleted',
  'dkim.changed',
  'certificate.changed',
  'backup.made',
  'backup.restored',
  'store.repaired',
  'guard.changed',
] as const
export type Action = (typeof ACTIONS)[number]

export const ACTOR_TYPES = [
  'key',
  'connection',
  'session',
  'staff',
  'operator',
  'client',
  'anonymous',
  'system',
] as const

export const actorSchema = z.object({
  type: z
    .enum(ACTOR_TYPES)
    .describe(
      'key: an agent by its API key; connection: a client by OAuth; session: a human on the pages; staff: one of identity.staff; operator: a command on the server; anonymous: nobody known; system: the service by itself',
    ),
  id: z.string().nullable().describe('Id of the key, connection or session; never the secret'),
  name: z.string().nullable().describe('Email address of a human, or user name of the operator on the server'),
})
export type Actor = z.infer<typeof actorSchema>

const SUBJECT_FIELDS = [
  'account_id',
  'mailbox_id',
  'claim_id',
  'key_id',
  'connection_id',
  'webhook_id',
  'message_id',
  'draft_id',
  'export_id',
  'session_id',
  'address',
  'domain',
  'name',
  'recipients',
] as const
export type SubjectField = (typeof SUBJECT_FIELDS)[number]
/** Objects of the action. */
export type Subject = Partial<Record<SubjectField, string>>
export const subjectSchema = z.partialRecord(z.enum(SUBJECT_FIELDS), z.string())

export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string().describe('Start time'),
  action: z.string(),
  result: z
    .enum(['done', 'refused', 'failed', 'unknown'])
    .describe('unknown: the process ended before the result was known'),
  code: z.string().nullable().describe('Error code, if it was refused or failed'),
  reason: z.string().nullable().describe('Reason, if one was given'),
  actor: actorSchema,
  from: z
    .object({ address: z.string(), user_agent: z.string().nullable() })
    .nullable()
    .describe('Client address; null if done on the server'),
  request_id: z.string().nullable(),
  subject: subjectSchema,
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** Actor of automatic actions. */
export const BY_ITSELF: Actor = { type: 'system', id: null, name: null }

export interface NewEntry {
  /** Makes the entry idempotent: the same id is written once. By default a new id. */
  id?: string
  /** Milliseconds since the epoch; by default now. Has to be the same each time if `id` is given. */
  at?: number
  action: Action
  actor: Actor
  from?: AuditEntry['from']
  requestId?: string | undefined
  subject: Subject
  reason?: string | undefined
}

/** Details known only after the action. */
export interface Outcome {
  subject?: Subject
  reason?: string
  /** It changed nothing, like a second approval, and is not kept. */
  isNothing?: boolean
}

/** An entry that is written in the transaction of its action. */
export interface Note {
  /** To be called once in the transaction, when the outcome is known. A blind write: its partition need not be named. */
  write(tx: Transaction, outcome?: Outcome): void
}

export interface AuditQuery {
  since?: number | undefined
  until?: number | undefined
  /** One action (`key.made`), or all of one kind (`key`). */
  action?: string | undefined
  /** Ids, addresses and domains: the subject has to have at least one value of each list. */
  subjects?: readonly (readonly string[])[] | undefined
  /** A type, an id or a name. */
  actor?: string | undefined
  limit: number
  /** Max entries that are looked at for one page; 20,000 by default. */
  lookAt?: number | undefined
  cursor?: string | undefined
}

export interface AuditList {
  data: AuditEntry[]
  has_more: boolean
  next_cursor: string | null
  /** Entries of these days that were not kept, because one account or network made too many. */
  not_kept: number
}

export interface Audit {
  /**
   * Writes an entry for something that has happened, or certainly will. Durable when it resolves; idempotent if it has an `id`.
   *
   * @throws Error when the store can't be written
   */
  record(entry: NewEntry): Promise<void>
  /**
   * Writes the entry, then makes the change, then writes the result, so that a crash leaves no change without its entry. Errors of the change are
   * rethrown.
   */
  around<T>(entry: NewEntry, change: () => Promise<T>, made?: (result: T) => Outcome): Promise<T>
  /**
   * The same for a change of one transaction, which writes its entry by `Note.write` without another commit. A change that does not get so far leaves no
   * entry, unless the operator or the staff was refused.
   */
  within<T>(entry: NewEntry, change: (note: Note) => Promise<T>): Promise<T>
  /** @throws ServiceError `invalid_request` for a foreign cursor */
  list(query: AuditQuery): Promise<AuditList>
  /** Number of entries, up to `atMost`. */
  count(atMost: number): Promise<number>
  /** Removes addresses, names and networks from the entries of a deleted account; ids stay. Idempotent, in bounded steps. */
  forget(accountId: string, mailboxIds: readonly string[], signal?: AbortSignal): Promise<void>
  /** Drops days past their retention. @returns number of rows removed */
  sweep(signal: AbortSignal): Promise<number>
}
