/** The humans behind mailboxes, the keys of their agents, and what they may use. */

export interface AccountRecord {
  id: string
  /** Email of the human who approved; null for the operator's own account. */
  owner: string | null
  status: 'active' | 'suspended' | 'deletion_pending'
  /** 0 to 6. */
  trust: number
  createdAt: number
}

/** Who stands behind a bearer key. */
export interface Caller {
  keyId: string
  mailboxId: string
  /** Undefined while the mailbox is pending. */
  account: AccountRecord | undefined
  mailboxStatus: 'pending' | 'claimed'
}

export interface Usage {
  plan: string
  trust_level: number
  mailboxes: number
  storage: { used_bytes: number; limit_bytes: number }
  new_recipients: { used: number; limit: number; left: number; resets_at: string }
  messages: { sent: number; received: number; sent_today: number; received_today: number }
  complaints: { last_30_days: number }
  requests_per_minute: number
  limits: {
    recipients_per_message: number
    message_bytes: number
    attachments_per_message: number
    long_poll_seconds: number
  }
  next_level: { level: number; new_recipients_per_day: number; requires: string } | null
}

export interface Accounts {
  /** Looks a bearer key up by its hash. Undefined when there is no such key. */
  authenticate(bearer: string): Promise<Caller | undefined>
  /** A further key for a mailbox; the text is shown this once. */
  createKey(mailboxId: string): Promise<{ keyId: string; key: string }>
  get(accountId: string): Promise<AccountRecord | undefined>
  /** Account by the owner's email (null: the operator's own), made when missing. Idempotent. */
  ensure(owner: string | null): Promise<AccountRecord>
  addMailbox(accountId: string, mailboxId: string): Promise<void>
  /** Ids of the account's mailboxes. Beside the record, since that is read with every request and an account may have thousands. */
  mailboxes(accountId: string): Promise<string[]>
  /**
   * Counts the addresses this account has never written to against today's limit, and remembers them. Idempotent by `messageId`.
   *
   * @param free addresses that cost nothing: they wrote first
   * @throws ServiceError `recipient_suppressed`, `new_recipient_limit` (nothing is counted then), `account_suspended`
   */
  reserveRecipients(
    accountId: string,
    messageId: string,
    addresses: string[],
    free: string[],
  ): Promise<{ fresh: string[] }>
  /**
   * What `reserveRecipients` would find, storing nothing. `left` is what today's limit has left before these: more `fresh` than that are refused.
   *
   * @throws ServiceError `recipient_suppressed`
   */
  previewRecipients(accountId: string, addresses: string[], free: string[]): Promise<{ fresh: string[]; left: number }>
  usage(accountId: string): Promise<Usage>
}
