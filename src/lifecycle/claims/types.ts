import type { ClaimState } from '../../accounts/claim-status.js'
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

/** Contents of the page of a claim link. */
export interface ClaimView extends PendingClaim {
  status: ClaimState
  /** The agent's note in the invite of this link; null for the claim_url, and for an invite without a note. */
  note: string | null
  /** Null for the claim_url, which was not mailed and has no "this is not for me". */
  inviteId: string | null
}

export interface Approval {
  address: string
  mailboxId: string
  /** `taken`: another account was faster. */
  outcome: 'approved' | 'already_yours' | 'taken' | 'declined' | 'expired'
}

export interface Decline {
  address: string
  mailboxId: string
  /** `taken`: it is approved already. */
  outcome: 'declined' | 'already_declined' | 'taken' | 'expired'
}

export interface InviteRequest {
  to: string
  note?: string | undefined
  idempotencyKey?: string | undefined
}

export interface InviteResult {
  id: string
  to: string
  note: string | null
  sent_at: string
  expires_at: string
  invites_left: number
  next_steps: string[]
}

/** Payload of a `claim` task; its id is the claim's. */
export interface ClaimTask {
  claim_id: string
}

export interface Claims {
  /** @param client network address of the client, which may raise the difficulty */
  challenge(client: string): Promise<Challenge>
  /** @throws ServiceError `proof_invalid`, `challenge_expired`, `challenge_used`, `difficulty_raised`, `name_taken`, `name_reserved`, `invalid_request` */
  claim(request: ClaimRequest, client: string): Promise<ClaimResult>
  /** @param scopes of the key, for its next steps; by default all */
  status(mailboxId: string, scopes?: readonly Scope[]): Promise<ClaimStatus>
  list(): Promise<PendingClaim[]>
  /** The claim of a `claim_url`'s token, for its page. Undefined for a wrong token and a day after the claim. */
  describe(token: string): Promise<ClaimView | undefined>
  /**
   * Sends the claim link to a human by mail, at most twice per claim.
   *
   * @param client network address of the client
   * @throws ServiceError `invite_limit`, `invalid_request`, `rate_limited`, `recipient_suppressed`, `idempotency_mismatch`; nothing is counted then
   */
  notify(mailboxId: string, invite: InviteRequest, client: string): Promise<InviteResult>
  /**
   * "This is not for me" by the recipient of an invite: for a while no more invites go to that address from that network, and the network's challenges get
   * harder. The claim stays pending. Idempotent, and works for 30 days; `address` is null once the claim is over. Undefined for any other token.
   */
  refuse(inviteToken: string): Promise<{ address: string | null } | undefined>
  /**
   * Adds the mailbox to the account of `owner` (an email address), created if missing; by default to the operator's own. Idempotent.
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
   * Adds the mailbox to the account of a signed-in human with a claim link. Repeated, it returns `already_yours`.
   *
   * @throws ServiceError `not_found` for a wrong token or account, `account_suspended`, `account_deletion_pending`
   */
  approveAs(token: string, accountId: string, note?: Note): Promise<Approval>
  /**
   * Declines a pending claim: its name is free at once, mail to it is refused, and its key can read the outcome until it expires.
   *
   * @throws ServiceError `not_found` for a wrong token, or an address without a claim
   */
  decline(which: { token: string } | { address: string }, note?: Note): Promise<Decline>
  /** The `claim` task: removes a mailbox that was not approved within 24 hours. Returns when to check again. */
  expire(claimId: string): Promise<{ done: true } | { done: false; retryAt: number }>
}
