/** The humans behind mailboxes, the keys of their agents, and what they may use. */
import type { Fingerprint } from '../guard/text/similar.js'
import type { Transaction } from '../store/types.js'
import type { DayCounts, OutcomeCounts } from './outcomes.js'
import type { Similar } from './similar.js'
import type { ClaimStanding } from './claim-status.js'
import type { RaiseProgress, TrustLines, TrustState } from './trust.js'

/** What a key may do. */
export const SCOPES = ['mail:read', 'mail:send', 'mail:write', 'account:manage'] as const
export type Scope = (typeof SCOPES)[number]

export interface AccountRecord {
  id: string
  /** Verified email of its human, lower-cased; null for the operator's own account, and for one whose human has no verified email. */
  owner: string | null
  /** One that is suspended and about to be deleted is `deletion_pending`, and suspended again should that be cancelled. */
  status: 'active' | 'suspended' | 'deletion_pending'
  /** The reason is for its owner to read. By the operator, or by the service itself when a line of trust.ts was passed. */
  suspension: { at: number; reason: string; by?: 'service' } | null
  /** 0 to 6. */
  trust: number
  createdAt: number
}

/** The account of an owner as a transaction is to have it. */
export interface Entering {
  id: string
  /** To be named for the transaction. */
  partitions: readonly string[]
  /** Makes the account when it is missing. @returns undefined when it is another one by now: to be begun again, with `isSure` */
  enter(tx: Transaction): Promise<AccountRecord | undefined>
}

/** Who stands behind a bearer key. */
export interface Caller {
  keyId: string
  mailboxId: string
  /** Undefined while the mailbox is pending. */
  account: AccountRecord | undefined
  mailboxStatus: ClaimStanding
  scopes: readonly Scope[]
  /** When the key or token stops to work; missing: never. What is held open by it ends then, and nothing that it makes lasts longer. */
  endsAt?: number
  /** Set for a connection by OAuth, whose id stands in `keyId`: the resource its token is for (RFC 8707). Nothing else takes it. */
  audience?: string
}

/** A key as its owner sees it; its text is shown when it is made, and never again. */
export interface ApiKey {
  id: string
  mailboxId: string
  name: string
  scopes: Scope[]
  createdAt: number
  /** Exact to the hour. */
  lastUsedAt: number | null
  /** When it stops to work, or did; null: never. */
  expiresAt: number | null
}

export interface NewKey {
  key: ApiKey
  text: string
}

/** Who signed in, as the identity provider said. */
export interface SignedIn {
  provider: string
  subject: string
  username: string | null
  email: string | null
  emailVerified: boolean
}

/** A way to sign in to an account. */
export interface Identity extends SignedIn {
  firstAt: number
  lastAt: number
}

/** Whose access has ended: of one key or connection, or of all of an account. */
export type EndedAccess = { keyId: string } | { accountId: string }

export interface Usage {
  plan: string
  trust_level: number
  mailboxes: number
  storage: { used_bytes: number; limit_bytes: number }
  new_recipients: { used: number; limit: number; left: number; resets_at: string }
  messages: { sent: number; received: number; sent_today: number; received_today: number }
  complaints: { last_30_days: number }
  outcomes: { last_7_days: PeriodCounts; last_30_days: PeriodCounts }
  requests_per_minute: number
  limits: {
    recipients_per_message: number
    message_bytes: number
    attachments_per_message: number
    long_poll_seconds: number
  }
  trust: {
    is_pinned: boolean
    last_change: { at: string; from: number; to: number; by: 'service' | 'operator'; reason: string } | null
  }
  next_level: {
    level: number
    new_recipients_per_day: number
    requires: string
    needs: RaiseNeeds
    progress: RaiseProgress
  } | null
  suspension_lines: {
    days: number
    recipients: number
    min_recipients: number
    bounce_percent: number
    max_bounce_percent: number
    complaint_percent: number
    max_complaint_percent: number
  }
}

export interface PeriodCounts extends OutcomeCounts {
  active_days: number
}

/** What the next level takes; bounces have to stay under their share, complaints and blocks at none. */
export interface RaiseNeeds {
  active_days: number
  delivered: number
  under_bounce_percent: number
  complaints: number
  blocks: number
  within_days: number
}

/** How an account stands with its outcomes. */
export interface Trust {
  level: number
  state: TrustState
  /** Those that are kept, the oldest first. */
  days: DayCounts[]
  today: number
  lines: TrustLines
}

export interface Accounts {
  /** Looks a bearer key up by its hash. Undefined when there is no such key, or its time is over. */
  authenticate(bearer: string): Promise<Caller | undefined>
  /** Keys of a mailbox that belongs to an account, the oldest first. @throws ServiceError `not_found` */
  keys(mailboxId: string): Promise<ApiKey[]>
  /** @throws ServiceError `invalid_request`, with all that is wrong with what a key is to be */
  checkKey(wanted: { name?: string | undefined; expiresAt?: number | undefined }): void
  /**
   * A further key for a mailbox; the text is shown this once. Without `scopes` it may do everything.
   *
   * @throws ServiceError `not_found`, `claim_pending`, `invalid_request` for a name, scopes or an end that can't be, and for one key too many
   */
  createKey(
    mailboxId: string,
    given?: {
      /** That of an earlier try whose answer nobody got: its key is replaced. */
      id?: string | undefined
      name?: string | undefined
      scopes?: string[] | undefined
      expiresAt?: number | undefined
    },
  ): Promise<NewKey>
  /** @throws ServiceError `not_found`, `invalid_request` for a name that can't be */
  renameKey(mailboxId: string, keyId: string, name: string): Promise<ApiKey>
  /** A new key of the same name, scopes and end; the old one ends at once. @throws ServiceError `not_found` */
  rotateKey(mailboxId: string, keyId: string): Promise<NewKey>
  /** Ends a key at once, and what it holds open. Idempotent. @throws ServiceError `not_found` when there is no such mailbox */
  revokeKey(mailboxId: string, keyId: string): Promise<void>
  /** Tells of every access that ends, so that what is open by it can be closed. @returns what ends the telling */
  onAccessEnd(listener: (ended: EndedAccess) => void): () => void
  /** Ends what keys of the account hold open; called after a change by which they may do nothing any more. */
  cutOff(accountId: string): void
  /** The same for a key, or a connection, that has ended. */
  cutOffKey(keyId: string): void
  get(accountId: string): Promise<AccountRecord | undefined>
  /**
   * Whose account a human has who signed in, made when missing. Provider and subject decide; an identity seen for the first time joins the
   * account of its verified email. What else the provider says of it is kept as it says it now.
   *
   * @throws ServiceError `invalid_request` when provider or subject can't be
   */
  signIn(identity: SignedIn): Promise<{ account: AccountRecord; isNew: boolean }>
  identities(accountId: string): Promise<Identity[]>
  /** Whether a human is of the staff of this server: by a verified email that the operator has named. */
  isStaff(identity: Pick<SignedIn, 'email' | 'emailVerified'>): boolean
  /** The account of an owner; undefined when there is none. @throws ServiceError `invalid_request` for what is no email */
  findOwner(email: string): Promise<AccountRecord | undefined>
  /** All accounts: the operator's own, then by owner, then those without one. */
  list(): AsyncIterable<AccountRecord>
  /**
   * Stops sending and keys at once; mail still arrives. What waits to be sent is held. Again it changes nothing.
   *
   * @throws ServiceError `not_found`, `invalid_request` for the operator's own account or a reason that can't be
   */
  suspend(accountId: string, reason: string): Promise<AccountRecord>
  /** Ends a suspension; what was held goes out, and what was counted before suspends no more. Idempotent. @throws ServiceError `not_found` */
  reinstate(accountId: string): Promise<AccountRecord>
  /**
   * Adds to the counts of a day, in a transaction for which the account's partition was named. The level moves with it, or
   * the account is suspended, where that follows. Nothing happens when the account is gone.
   *
   * @param at some time of that day, in milliseconds since the epoch; today when not given
   */
  countWithin(tx: Transaction, accountId: string, counts: OutcomeCounts, at?: number): Promise<void>
  /** @throws ServiceError `not_found` */
  trust(accountId: string): Promise<Trust>
  /**
   * Sets the level, or pins it: then it does not move by itself. What was counted so far lowers it no more.
   *
   * @throws ServiceError `not_found`, `invalid_request` for a level that there is not
   */
  setTrust(accountId: string, change: { level?: number | undefined; pinned?: boolean | undefined }): Promise<void>
  /** Account by the owner's email (null: the operator's own), made when missing. Idempotent. */
  ensure(owner: string | null): Promise<AccountRecord>
  /** The same within a transaction. */
  entering(owner: string | null, isSure: boolean): Promise<Entering>
  /** @param atMost how many the account may have with this one @throws ServiceError `limit_reached` */
  addMailbox(accountId: string, mailboxId: string, atMost?: number): Promise<void>
  /** Takes a mailbox that is gone off the list, with the entries of its keys. Idempotent. */
  forgetMailbox(accountId: string, mailboxId: string): Promise<void>
  /** Ids of the account's mailboxes. Beside the record, since that is read with every request and an account may have thousands. */
  mailboxes(accountId: string): Promise<string[]>
  /**
   * Looks at the recipients of a message that is being sent, within a transaction of the account, and counts how it reads. What its new recipients
   * cost is counted by `charge` (recipients.ts) where it leaves.
   *
   * @param free addresses that cost nothing: they wrote first
   * @param print how the message reads; it is counted with those that read nearly the same
   * @returns `fresh`: addresses that the account never wrote to; `similar`: what it sent in the last day that reads nearly the same, before this
   *   message, missing without `print`
   * @throws ServiceError `recipient_suppressed`, `new_recipient_limit` (nothing is counted then), `account_suspended`
   */
  countMessage(
    tx: Transaction,
    accountId: string,
    addresses: string[],
    free: string[],
    print?: Fingerprint,
  ): Promise<{ fresh: string[]; similar?: Similar }>
  /**
   * What `countMessage` would find, storing nothing. `left` is what today's limit has left before these: more `fresh` than that are refused.
   *
   * @throws ServiceError `recipient_suppressed`, with `refuses` also `new_recipient_limit`
   */
  previewRecipients(
    accountId: string,
    addresses: string[],
    free: string[],
    print?: Fingerprint,
    /** More than today's limit has left is refused, as `countMessage` would. */
    refuses?: boolean,
  ): Promise<{ fresh: string[]; left: number; similar?: Similar }>
  usage(accountId: string): Promise<Usage>
}
