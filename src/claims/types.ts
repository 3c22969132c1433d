/** Claiming an address by proof of work, and its approval by a human. */

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

/** Payload of a `claim` task; its id is the claim's. */
export interface ClaimTask {
  claim_id: string
}

export interface Claims {
  /** @param client network address of the asker, by which difficulty may rise */
  challenge(client: string): Promise<Challenge>
  /** @throws ServiceError `proof_invalid`, `challenge_expired`, `challenge_used`, `name_taken`, `name_reserved`, `invalid_request` */
  claim(request: ClaimRequest, client: string): Promise<ClaimResult>
  status(mailboxId: string): Promise<ClaimStatus>
  /** Pending claims, oldest first. */
  list(): Promise<PendingClaim[]>
  /** The claim behind the token of a `claim_url`, for the page that it opens. Undefined for a wrong token and a day after the claim was made. */
  describe(token: string): Promise<(PendingClaim & { status: ClaimState }) | undefined>
  /**
   * The mailbox joins the account of `owner` (an email address), made when missing; without `owner` the operator's own. Running it again after a
   * crash, or on an approved address, completes it and changes nothing else.
   *
   * @throws ServiceError `not_found`
   */
  approve(address: string, owner?: string): Promise<{ address: string; accountId: string; alreadyApproved: boolean }>
  /** The `claim` task: gives back a half-made claim's name; removes a mailbox nobody approved within 24 hours. Returns when to look again. */
  expire(claimId: string): Promise<{ done: true } | { done: false; retryAt: number }>
}
