/** Humans, their accounts, and the keys of their agents. */
import type { Fingerprint } from '../guard/text/similar.js'
import type { Story } from '../guard/types.js'
import type { Maybe } from '../lib/maybe.js'
import type { Transaction, View } from '../store/types.js'
import type { DayCounts, OutcomeCounts } from './outcomes.js'
import type { Similar } from './similar.js'
import type { Traits } from './story.js'
import type { ClaimState } from './claim-status.js'
import type { RaiseProgress, TrustLines, TrustState } from './trust.js'

/** Permissions of an agent's key, for the API and MCP. */
export const AGENT_SCOPES = ['mail:read', 'mail:send', 'mail:write', 'account:manage'] as const
/** Permissions of an app password, a key that a person types into a mail program: IMAP, reading it only, and sending. */
export const PROGRAM_SCOPES = ['imap', 'imap:read', 'submission'] as const
/** Permissions of a key. */
export const SCOPES = [...AGENT_SCOPES, ...PROGRAM_SCOPES] as const
export type ProgramScope = (typeof PROGRAM_SCOPES)[number]
export type Scope = (typeof SCOPES)[number]

export interface AccountRecord {
  id: string
  /** Verified email of its human, lower-cased; null for the operator's own account, and if the human has no verified email. */
  owner: string | null
  /** A suspended account that is being deleted is `deletion_pending`, and suspended again if that is cancelled. */
  status: 'active' | 'suspended' | 'deletion_pending'
  /** The reason is for its owner. By the operator, or by the service itself when a limit of trust.ts was exceeded. */
  suspension: { at: number; reason: string; by?: 'service' } | null
  /** 0 to 6. */
  trust: number
  createdAt: number
}

/** A human has paused the agent of a mailbox. */
export interface Pause {
  /** `sending`: nothing is sent. `all`: no key and no connection works either. */
  what: 'sending' | 'all'
  /** Milliseconds since the epoch. */
  at: number
  by: 'human' | 'operator'
  /** Number of the newest event before it. Messages up to there wait; later ones are sent by the human. */
  seq: number
}

export interface Entering {
  id: string
  /** Must be named for the transaction. */
  partitions: readonly string[]
  /** Creates the account when missing. @returns undefined when another one exists by now: begin again, with `isSure` */
  enter(tx: Transaction): Promise<AccountRecord | undefined>
}

export interface Caller {
  keyId: string
  mailboxId: string
  /** Undefined while the mailbox is pending. */
  account: AccountRecord | undefined
  mailboxStatus: ClaimState
  scopes: readonly Scope[]
  /** Expiry of the key or token; missing: never. Streams that it opened end then, and nothing that it creates lasts longer. */
  endsAt?: number
  /** Its sends wait for the human's approval. */
  requiresApproval?: true
  paused?: Pause
  /** Only for a connection by OAuth (`keyId` is its id): the resource its token is valid for (RFC 8707). */
  audience?: string
}

/** A key as shown to its owner; its text is shown only when created. */
export interface ApiKey {
  id: string
  mailboxId: string
  name: string
  scopes: Scope[]
  createdAt: number
  /** Exact to the hour. */
  lastUsedAt: number | null
  /** Expiry, past or future; null: never. */
  expiresAt: number | null
  /** Its sends wait for the human's approval. */
  requiresApproval: boolean
}

export interface NewKey {
  key: ApiKey
  text: string
}

/** The person who signed in, by the identity provider. */
export interface SignedIn {
  provider: string
  subject: string
  username: string | null
  email: string | null
  emailVerified: boolean
}

export interface Identity extends SignedIn {
  firstAt: number
  lastAt: number
}

/** The access that has ended: of one key or connection, of a mailbox, or of a whole account. */
export type EndedAccess = { keyId: string } | { mailboxId: string } | { accountId: string }

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

/** Requirements of the next level; bounces must stay below their share, complaints and blocks at zero. */
export interface RaiseNeeds {
  active_days: number
  delivered: number
  under_bounce_percent: number
  complaints: number
  blocks: number
  within_days: number
}

export interface Trust {
  level: number
  state: TrustState
  days: DayCounts[]
  today: number
  lines: TrustLines
}

/** Fingerprint and traits of a message, which are counted beside its recipients. */
export interface MessageTraits {
  print?: Fingerprint | undefined
  traits?: Traits | undefined
}

/** The result of counting a message in its account. */
export interface Counted {
  /** Addresses that the account never wrote to. */
  fresh: string[]
  /** Nearly identical messages sent before; missing when the message has no fingerprint. */
  similar?: Similar
  /** How it departs from what the account usually sends; missing when it does not. */
  story?: Story
  /** Counts the message in the account's story, in the same transaction, once it is known whether it goes or is held. */
  tell?: (isGoing: boolean) => void
}

export interface Accounts {
  /** Looks up a bearer key by its hash; a recent one at once. Undefined when missing or expired. */
  authenticate(bearer: string): Maybe<Caller | undefined>
  /** Keys of a mailbox that belongs to an account, the oldest first. @throws ServiceError `not_found` */
  keys(mailboxId: string): Promise<ApiKey[]>
  /** @throws ServiceError `invalid_request`, with all problems of the wanted key */
  checkKey(wanted: { name?: string | undefined; expiresAt?: number | undefined }): void
  /**
   * Creates a further key for a mailbox; the text is shown this once. Without `scopes` it has all of an agent.
   *
   * @throws ServiceError `not_found`, `claim_pending`, `invalid_request` for an invalid name, scope or end, and for one key too many
   */
  createKey(
    mailboxId: string,
    given?: {
      /** Id from an earlier attempt whose response was lost: its key is replaced. */
      id?: string | undefined
      name?: string | undefined
      scopes?: string[] | undefined
      expiresAt?: number | undefined
      requiresApproval?: boolean | undefined
    },
  ): Promise<NewKey>
  /**
   * Renames a key, or sets whether what it sends waits for approval; omitted fields stay.
   *
   * @throws ServiceError `not_found`, `invalid_request` for an invalid name
   */
  changeKey(
    mailboxId: string,
    keyId: string,
    change: { name?: string | undefined; requiresApproval?: boolean | undefined },
  ): Promise<ApiKey>
  /** A new key with the same name, scopes, end and need of approval; the old one ends at once. @throws ServiceError `not_found` */
  rotateKey(mailboxId: string, keyId: string): Promise<NewKey>
  /** Ends a key at once, with the streams that it opened. Idempotent. @throws ServiceError `not_found` when there is no such mailbox */
  revokeKey(mailboxId: string, keyId: string): Promise<void>
  /** Notifies of each access that ends, so that its streams can be closed. @returns a function that removes the listener */
  onAccessEnd(listener: (ended: EndedAccess) => void): () => void
  /**
   * The ones whose access was ended since they were authenticated, by whatever process: the key is gone, the mailbox paused, the account not active, or another
   * one.
   *
   * @param callers as `authenticate` returned them; others are not looked at
   */
  findEnded(callers: readonly Caller[]): Promise<Caller[]>
  /** Closes the streams of an account's keys; called after a change that revokes their permissions. */
  cutOff(accountId: string): void
  /** The same for a key or a connection that has ended. */
  cutOffKey(keyId: string): void
  /** The same for all keys and connections of a mailbox that was paused. */
  cutOffMailbox(mailboxId: string): void
  /** @param view a read in progress, of which it becomes a part */
  get(accountId: string, view?: View): Promise<AccountRecord | undefined>
  /**
   * The account of a human who signed in, created when missing. Provider and subject decide; a new identity joins the account of its verified email.
   * The provider's other claims are updated on each sign-in.
   *
   * @throws ServiceError `invalid_request` for an invalid provider or subject
   */
  signIn(identity: SignedIn): Promise<{ account: AccountRecord; isNew: boolean }>
  identities(accountId: string): Promise<Identity[]>
  /** True if a human is on the staff of this server: by a verified email that the operator configured. */
  isStaff(identity: Pick<SignedIn, 'email' | 'emailVerified'>): boolean
  /** The account of an owner; undefined for none. @throws ServiceError `invalid_request` for an invalid email */
  findOwner(email: string): Promise<AccountRecord | undefined>
  /** All accounts: the operator's own, then by owner, then those without one. */
  list(): AsyncIterable<AccountRecord>
  /**
   * Blocks sending and keys at once; mail still arrives. Queued mail is held. Idempotent.
   *
   * @throws ServiceError `not_found`, `invalid_request` for the operator's own account or an invalid reason
   */
  suspend(accountId: string, reason: string): Promise<AccountRecord>
  /** Ends a suspension; held mail is sent, and earlier counts cannot suspend again. Idempotent. @throws ServiceError `not_found` */
  reinstate(accountId: string): Promise<AccountRecord>
  /**
   * Adds to the counts of a day, in a transaction that includes the account's partition. May move the level or suspend the account. Does nothing when
   * the account is gone.
   *
   * @param at any time of that day, in milliseconds since the epoch; today by default
   */
  countWithin(tx: Transaction, accountId: string, counts: OutcomeCounts, at?: number): Promise<void>
  /** @throws ServiceError `not_found` */
  trust(accountId: string): Promise<Trust>
  /**
   * Sets the level, or pins it, which stops automatic changes. Earlier outcomes lower it no more.
   *
   * @throws ServiceError `not_found`, `invalid_request` for an invalid level
   */
  setTrust(accountId: string, change: { level?: number | undefined; pinned?: boolean | undefined }): Promise<void>
  /** Account by the owner's email (null: the operator's own), created when missing. Idempotent. */
  ensure(owner: string | null): Promise<AccountRecord>
  /** The same within a transaction. */
  entering(owner: string | null, isSure: boolean): Promise<Entering>
  /** @param atMost max mailboxes of the account, including this one @throws ServiceError `limit_reached` */
  addMailbox(accountId: string, mailboxId: string, atMost?: number): Promise<void>
  /** Removes a deleted mailbox from the list, with the entries of its keys. Idempotent. */
  forgetMailbox(accountId: string, mailboxId: string): Promise<void>
  mailboxes(accountId: string): Promise<string[]>
  /**
   * Checks the recipients of an outgoing message, within a transaction of the account, and counts its fingerprint. `charge` (recipients.ts) charges
   * its new recipients when it is sent, and `tell` of the result counts it in the account's story.
   *
   * @param free addresses that cost nothing: they wrote first
   * @param message its fingerprint, counted with nearly identical messages, and its traits, for the account's story
   * @returns `fresh`: addresses that the account never wrote to; `similar`: nearly identical messages of the last day before this one, missing
   *   without `print`; `story`: how it departs from what is usual
   * @throws ServiceError `recipient_suppressed`, `new_recipient_limit` (nothing is counted then), `account_suspended`
   */
  countMessage(
    tx: Transaction,
    accountId: string,
    addresses: string[],
    free: string[],
    message?: MessageTraits,
  ): Promise<Counted>
  /**
   * The result of `countMessage` without storing anything. `left` is what today's limit has left before these: more `fresh` than that are refused.
   *
   * @throws ServiceError `recipient_suppressed`, with `refuses` also `new_recipient_limit`
   */
  previewRecipients(
    accountId: string,
    addresses: string[],
    free: string[],
    message?: MessageTraits,
    how?: {
      /** True to refuse more than today's limit, as `countMessage` does. */
      refuses?: boolean
      /** A read in progress, of which it becomes a part. */
      view?: View
    },
  ): Promise<{ fresh: string[]; left: number; similar?: Similar; story?: Story }>
  usage(accountId: string): Promise<Usage>
}
