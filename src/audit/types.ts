/** The audit log: who did what to whom, from where and by which key or session. Ids and names, never a secret and nothing of mail. */
import { z } from 'zod'
import type { Transaction } from '../store/types.js'

/** Whatever is written down, by what it is about. */
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
  'webhook.made',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.removed',
  'webhook.disabled',
  'sign_in.done',
  'sign_in.failed',
  'sign_in.link_made',
  'session.ended',
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
  id: z.string().nullable().describe('Of the key, connection or session; never the secret'),
  name: z.string().nullable().describe("A human's email address, or the operator's user on the server, as that says"),
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
  'export_id',
  'session_id',
  'address',
  'domain',
  'name',
] as const
export type SubjectField = (typeof SUBJECT_FIELDS)[number]
/** What it was done to, as far as that has such things. */
export type Subject = Partial<Record<SubjectField, string>>
export const subjectSchema = z.partialRecord(z.enum(SUBJECT_FIELDS), z.string())

export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string().describe('When it was begun'),
  action: z.string(),
  result: z
    .enum(['done', 'refused', 'failed', 'unknown'])
    .describe('unknown: the process ended in the middle, so it may have happened'),
  code: z.string().nullable().describe('Of the error, when it was refused or failed'),
  reason: z.string().nullable().describe('Why, where somebody gave a reason, or the service had one'),
  actor: actorSchema,
  from: z
    .object({ address: z.string(), user_agent: z.string().nullable() })
    .nullable()
    .describe('The client; null where it was done on the server'),
  request_id: z.string().nullable(),
  subject: subjectSchema,
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** What the service does by itself. */
export const BY_ITSELF: Actor = { type: 'system', id: null, name: null }

/** What is to be written down. */
export interface NewEntry {
  /** Names what happened, for what may be told twice: the same one is written once. A fresh one when not given. */
  id?: string
  /** Milliseconds since the epoch; now when not given. Has to be the same each time where `id` is given. */
  at?: number
  action: Action
  actor: Actor
  from?: AuditEntry['from']
  requestId?: string | undefined
  subject: Subject
  reason?: string | undefined
}

/** What is only known once it was done. */
export interface Outcome {
  subject?: Subject
  reason?: string
  /** Nothing came of it, as of a second approval: it is not kept. */
  isNothing?: boolean
}

/** An entry that is written by the transaction of what it is about. */
export interface Note {
  /** Once in the transaction, when it is known what comes of it. It is written blindly: its partition need not be named. */
  write(tx: Transaction, outcome?: Outcome): void
}

export interface AuditQuery {
  since?: number | undefined
  until?: number | undefined
  /** Of one action (`key.made`), or of all of one kind (`key`). */
  action?: string | undefined
  /** Ids, addresses and domains: of each list one has to be among the values of the subject. */
  subjects?: readonly (readonly string[])[] | undefined
  /** A type, an id or a name. */
  actor?: string | undefined
  limit: number
  cursor?: string | undefined
}

export interface AuditList {
  /** The newest first. */
  data: AuditEntry[]
  has_more: boolean
  next_cursor: string | null
  /** Entries of the days looked at that were not kept, because one account or network made too many. */
  not_kept: number
}

export interface Audit {
  /**
   * Writes down what has happened, or is sure to. Durable when it resolves. Given an `id`, the same entry is written once however often it is told.
   *
   * @throws Error when the store can't be written
   */
  record(entry: NewEntry): Promise<void>
  /**
   * Writes the entry first, then makes the change, then writes how it went: so whatever dies in between, no change is without its entry. Errors of
   * the change are passed on.
   */
  around<T>(entry: NewEntry, change: () => Promise<T>, made?: (result: T) => Outcome): Promise<T>
  /**
   * The same for a change that is one transaction, which writes its entry with it by `Note.write`: there is no change without its entry, and no
   * commit for that. A change that does not get so far leaves no entry, but for what the operator or the staff was refused.
   */
  within<T>(entry: NewEntry, change: (note: Note) => Promise<T>): Promise<T>
  /** @throws ServiceError `invalid_request` for a cursor of something else */
  list(query: AuditQuery): Promise<AuditList>
  /** How many there are; of more than `atMost` that. */
  count(atMost: number): Promise<number>
  /** Takes addresses, names and networks out of the entries of an account that is deleted; ids stay. Idempotent, in bounded steps. */
  forget(accountId: string, mailboxIds: readonly string[], signal?: AbortSignal): Promise<void>
  /** Drops the days that are past their time. @returns how many rows went */
  sweep(signal: AbortSignal): Promise<number>
}
