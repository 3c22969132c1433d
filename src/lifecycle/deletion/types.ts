/** Deletion of an account: it can be cancelled for 30 days, then everything is removed. */

/** Origin of a request: an agent by its key, a human by a session, the operator. */
export type By = { kind: 'key'; id: string } | { kind: 'session'; id: string } | { kind: 'operator' }

export interface PendingDeletion {
  startedAt: number
  /** Time of the removal, unless cancelled. */
  endsAt: number
  by: By
}

/** Payload of a `deletion` task. */
export interface DeletionTask {
  account_id: string
  /** Identifies the deletion of the account. */
  started_at: number
  step: 'start' | 'cancel'
  /** The owner and the mailboxes were notified. */
  told?: true
  /** Everything was removed once. */
  ended?: true
}

/** Payload of a `deletion-webhook` task; its id goes out as that of the call. */
export interface DeletionWebhookTask {
  account_id: string
  /** Milliseconds since the epoch. */
  deleted_at: number
}

export interface Deletion {
  /**
   * Starts the 30 days; sending and keys stop at once, mail still arrives. Idempotent.
   *
   * @throws ServiceError `not_found`, `invalid_request` for the operator's own account
   */
  start(accountId: string, by: By): Promise<PendingDeletion>
  /**
   * Cancels it: keys work again, OAuth grants stay revoked. Allowed for any session of the owner, the operator, and the key that started it. Does nothing
   * if no deletion is pending.
   *
   * @throws ServiceError `account_deletion_pending` when this key may not, or the 30 days are over
   */
  cancel(accountId: string, by: By): Promise<void>
  pending(accountId: string): Promise<PendingDeletion | undefined>
}
