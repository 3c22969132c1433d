/** The end of an account: 30 days in which it can be taken back, and then the removal of everything. */

/** Who asks: an agent by its key, a human by a session, the operator. */
export type By = { kind: 'key'; id: string } | { kind: 'session'; id: string } | { kind: 'operator' }

export interface PendingDeletion {
  startedAt: number
  /** When everything goes, unless it was cancelled. */
  endsAt: number
  by: By
}

/** Payload of a `deletion` task: what follows the start of a deletion, or its being taken back. */
export interface DeletionTask {
  account_id: string
  /** Which deletion of the account it is about. */
  started_at: number
  step: 'start' | 'cancel'
  /** The owner and the mailboxes were told. */
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
   * Starts the 30 days; sending and keys stop at once, mail still arrives. Again changes nothing.
   *
   * @throws ServiceError `not_found`, `invalid_request` for the operator's own account
   */
  start(accountId: string, by: By): Promise<PendingDeletion>
  /**
   * Takes it back: keys work again, OAuth grants stay revoked. Any session of the owner may, and the operator; of the keys only the one that
   * started it. Not pending: nothing happens.
   *
   * @throws ServiceError `account_deletion_pending` when this key may not, or the 30 days are over
   */
  cancel(accountId: string, by: By): Promise<void>
  pending(accountId: string): Promise<PendingDeletion | undefined>
}
