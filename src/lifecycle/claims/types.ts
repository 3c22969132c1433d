/** Claiming an address by proof of work, and its approval by a human. */
import type { Scope } from '../../accounts/types.js'
import type { Note } from '../../audit/types.js'

export interface Challenge {
  challenge: string
  /** Leading zero bits of SHA-256("<challenge>:<nonce>"). */
  difficulty: number
  expires_at: string
  /** Domains on which addresses can be claimed; the first is the default. */
  domains: string[]
  algorithm: 'sha256'
}

export interface ClaimRequest {
  name: string
  /** One of the challenge's domains; the first when not given. */
  domain?: string | undefined
  challenge: string
  /** Decimal counter. */
  nonce: string
  agentName?: string | undefined
}

export interface ClaimResult {
  address: string
  /** Shown this once; only its hash is stored. */
  api_key: string
  claim_url: string
  expires_at: string
  next_steps: string[]
}

export type ClaimState = 'pending' | 'claimed' | 'declined' | 'expired'

export interface ClaimStatus {
  status: ClaimState
  address: string
  expires_at: string | null
  next_steps: string[]
}

export interface PendingClaim {
  address: string
  agentName: string | null
  createdAt: number
  expiresAt: number
}

/** What the page of a claim link shows. */
export interface ClaimView extends PendingClaim {
  status: ClaimState
  /** What the agent wrote into the invite whose link this is; null for the claim_url, and for an invite without a note. */
  note: string | null
  /** Null for the claim_url, which nobody was mailed: there is no "this is not for me" then. */
  inviteId: string | null
}

export interface Approval {
  address: string
  mailboxId: string
  /** `taken`: somebody else was faster. */
  outcome: 'approved' | 'already_yours' | 'taken' | 'declined' | 'expired'
}

export interface Decline {
  address: string
  mailboxId: string
  /** `taken`: it is approved already. */
  outcome: 'declined' | 'already_declined' | 'taken' | 'expired'
}

export interface InviteRequest {
  /** Whom to ask for approval, by mail. */
  to: string
  note?: string | undefined
  idempotencyKey?: string | undefined
}

export interface InviteResult {
  id: string
  to: string
  note: string | null
  sent_at: string
  /** When the link in it stops to work. */
  expires_at: string
  invites_left: number
  next_steps: string[]
}

/** Payload of a `claim` task; its id is the claim's. */
export interface ClaimTask {
  claim_id: string
}

export interface Claims {
  /** @param client network address of the asker, by which difficulty may rise */
  challenge(client: string): Promise<Challenge>
  /** @throws ServiceError `proof_invalid`, `challenge_expired`, `challenge_used`, `difficulty_raised`, `name_taken`, `name_reserved`, `invalid_request` */
  claim(request: ClaimRequest, client: string): Promise<ClaimResult>
  /** @param scopes of the key that asks; next steps are what it may do. All of them when not given */
  status(mailboxId: string, scopes?: readonly Scope[]): Promise<ClaimStatus>
  /** Pending claims, oldest first. */
  list(): Promise<PendingClaim[]>
  /** The claim behind the token of a `claim_url`, for the page that it opens. Undefined for a wrong token and a day after the claim was made. */
  describe(token: string): Promise<ClaimView | undefined>
  /**
   * Sends the claim link to a human by mail: two a claim at most.
   *
   * @param client network address of the asker
   * @throws ServiceError `invite_limit`, `invalid_request`, `rate_limited`, `recipient_suppressed`, `idempotency_mismatch`; nothing is counted then
   */
  notify(mailboxId: string, invite: InviteRequest, client: string): Promise<InviteResult>
  /**
   * "This is not for me", said by somebody who got an invite: no more of them to that address from that network for a while, whoever claims, and
   * the network's challenges get harder. The claim itself goes on waiting. Idempotent, and works for 30 days; `address` is
   * null once the claim is over. Undefined for a token that is no invite's.
   */
  refuse(inviteToken: string): Promise<{ address: string | null } | undefined>
  /**
   * The mailbox joins the account of `owner` (an email address), made when missing; without `owner` the operator's own. Again, or on an approved
   * address, it changes nothing.
   *
   * @param note its entry in the audit log
   * @throws ServiceError `not_found`
   */
  approve(
    address: string,
    owner?: string,
    note?: Note,
  ): Promise<{ address: string; accountId: string; alreadyApproved: boolean }>
  /**
   * The mailbox joins the account of a human who signed in and came by a claim link. Again it says `already_yours`.
   *
   * @throws ServiceError `not_found` for a wrong token or account, `account_suspended`, `account_deletion_pending`
   */
  approveAs(token: string, accountId: string, note?: Note): Promise<Approval>
  /**
   * A pending claim is declined: its name is free at once, mail to it is refused, and its key reads so until its day is over.
   *
   * @throws ServiceError `not_found` for a wrong token, or an address that nobody has claimed
   */
  decline(which: { token: string } | { address: string }, note?: Note): Promise<Decline>
  /** The `claim` task: removes a mailbox that nobody approved within 24 hours. Returns when to look again. */
  expire(claimId: string): Promise<{ done: true } | { done: false; retryAt: number }>
}
