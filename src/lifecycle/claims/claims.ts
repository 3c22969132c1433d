/** Claims: an address for an agent by proof of work, and its approval by a human within 24 hours. */
import { setImmediate as tick } from 'node:timers/promises'
import { timestamp } from '../../lib/clock.js'
import { notFound } from '../../lib/errors.js'
import { CLAIM_LIFE_MS, claimStateOf, type ClaimState } from '../../accounts/claim-status.js'
import type { Letters } from '../../accounts/letters.js'
import { SCOPES, type Accounts } from '../../accounts/types.js'
import type { Guard } from '../../guard/types.js'
import { CHALLENGES, isSpent, issueChallenge } from './challenge.js'
import {
  challengeUsed,
  checkRequest,
  difficultyRaised,
  makeClaim,
  proofInvalid,
  readProof,
  spendFor,
  type CheckedRequest,
  type ClaimStepsDeps,
  type MadeClaim,
  type Proof,
} from './claim.js'
import { createDeciding } from './approval.js'
import { createDifficulty, networkOf } from './difficulty.js'
import { expireClaim } from './expiry.js'
import { readInvites, targetOfToken } from './invite-record.js'
import { createInvites } from './invites.js'
import { reservedNames } from './names.js'
import { nextSteps } from './next-steps.js'
import { OPERATOR_NAMES } from './operator-mailbox.js'
import { listed, readClaim, type ClaimRecord } from './record.js'
import type { Audit, Note } from '../../audit/types.js'
import type { SharedCounts } from '../../store/nodes/shared-counts.js'
import type { Blobs } from '../../store/types.js'
import { addressOwner } from '../../mailbox/addresses.js'
import { META_PARTITION } from '../../mailbox/keys.js'
import { readMailbox } from '../../mailbox/record.js'
import type { ClaimResult, Claims, PendingClaim } from './types.js'

const CLAIMS_A_TICK = 100
const ANYBODY = { type: 'anonymous', id: null, name: null } as const

export interface ClaimsDeps extends Omit<ClaimStepsDeps, 'refuseReserved' | 'domains'> {
  domains: ClaimDomains
  blobs: Blobs
  accounts: Pick<Accounts, 'entering' | 'get' | 'findOwner'>
  letters: Letters
  guard: Guard
  /** URL of the HTTP service, without a final slash. */
  baseUrl: string
  limits: ClaimLimits
  /** Without it, rates are of this process. */
  shared?: SharedCounts | undefined
  /** Without it nothing is written down. */
  audit?: Pick<Audit, 'within' | 'record'> | undefined
}

interface ClaimDomains {
  /** With claimable addresses; the first is the default. */
  names: readonly string[]
  /** Names that nobody may claim. */
  reserved: readonly string[]
  isLocal: (domain: string) => boolean
}

export interface ClaimLimits {
  /** Leading zero bits of a challenge while few claim. */
  difficulty: number
  /** Max invites per hour, of the whole server. */
  invitesPerHour: number
}

export function createClaims(given: ClaimsDeps): Claims {
  const { store, clock } = given
  const domains = given.domains.names.map((domain) => domain.toLowerCase())
  const deps = {
    ...given,
    domains,
    isLocalDomain: given.domains.isLocal,
    refuseReserved: reservedNames([...OPERATOR_NAMES, ...given.domains.reserved]),
  }
  const difficulty = createDifficulty({ store, clock, base: given.limits.difficulty, shared: given.shared })

  /** Public state of a claim: after its time it is expired, even if that is not stored yet. */
  const stateOf = (claim: ClaimRecord): ClaimState => {
    if (claim.state === 'claimed') return 'claimed'
    if (claim.state === 'declined' && clock.now() < claim.expiresAt) return 'declined'
    return claim.state === 'expired' || clock.now() >= claim.expiresAt ? 'expired' : 'pending'
  }

  const view = (claim: ClaimRecord): PendingClaim => ({
    address: claim.address,
    agentName: claim.agentName,
    createdAt: claim.createdAt,
    expiresAt: claim.expiresAt,
  })

  const underway = new Set<string>()

  async function prove(checked: CheckedRequest, { terms, bits }: Proof, client: string): Promise<ClaimResult> {
    const [isUsed, forBlame, owner] = await store.read(CHALLENGES, (view) =>
      Promise.all([isSpent(view, terms), difficulty.blameOf(view, client), addressOwner(view, checked.address)]),
    )
    if (isUsed) throw challengeUsed()
    if (bits < terms.difficulty) throw await spendFor(deps, terms, proofInvalid(terms))
    const needed = difficulty.admit(client, bits, forBlame)
    if (needed !== undefined) throw await spendFor(deps, terms, difficultyRaised(needed))
    const how = { terms, network: networkOf(client), isTaken: owner !== undefined }
    const make = (note?: Note): Promise<MadeClaim> => makeClaim(deps, checked, how, note)
    const { claim, apiKey, token } = await (deps.audit?.within(
      {
        action: 'claim.made',
        actor: ANYBODY,
        from: { address: client, user_agent: null },
        subject: { address: checked.address },
      },
      make,
    ) ?? make())
    return {
      address: claim.address,
      api_key: apiKey,
      claim_url: `${given.baseUrl}/claim/${token}`,
      expires_at: timestamp(claim.expiresAt),
      next_steps: [
        'Store api_key now: it is shown only this once and cannot be recovered.',
        `Give claim_url to the human who will own ${claim.address}, or have it mailed to them with POST /v1/claim/notify; they have to approve it by ${timestamp(claim.expiresAt)}, or it is deleted.`,
        'Poll GET /v1/claim/status with the header "Authorization: Bearer <api_key>" every minute or two until status is "claimed".',
        'Then use the same key: GET /v1/threads reads mail, POST /v1/send sends it, GET /v1/events?types=message.received&wait=30 waits for it.',
      ],
    }
  }

  const deciding = createDeciding(deps)
  const invites = createInvites({ ...deps, invitesPerHour: deps.limits.invitesPerHour, difficulty })

  return {
    async challenge(client) {
      const { challenge, terms } = issueChallenge(deps.secret, await difficulty.current(client), clock.now())
      return {
        challenge,
        difficulty: terms.difficulty,
        expires_at: timestamp(terms.expiresAt),
        domains,
        algorithm: 'sha256',
      }
    },

    async claim(request, client) {
      const checked = checkRequest(request, domains)
      const { challenge, nonce } = request
      // Two concurrent requests with it would raise the difficulty twice.
      if (underway.has(challenge)) throw challengeUsed()
      underway.add(challenge)
      try {
        return await prove(checked, readProof(deps, challenge, nonce), client)
      } finally {
        underway.delete(challenge)
      }
    },

    async status(mailboxId, scopes = SCOPES) {
      const { mailbox, account } = await store.read(META_PARTITION, async (view) => {
        const mailbox = await readMailbox(view, mailboxId)
        if (!mailbox) throw notFound('mailbox')
        const { accountId } = mailbox
        return { mailbox, account: accountId === null ? undefined : await given.accounts.get(accountId, view) }
      })
      const state = claimStateOf(mailbox, clock.now())
      return {
        status: state,
        address: mailbox.address,
        expires_at: state === 'pending' ? timestamp(mailbox.createdAt + CLAIM_LIFE_MS) : null,
        next_steps: nextSteps(state, account, scopes),
      }
    },

    async list() {
      const pending: PendingClaim[] = []
      for (const [i, id] of (await listed(store)).entries()) {
        // After a flood there are many, and reads may resolve within the tick.
        if (i % CLAIMS_A_TICK === CLAIMS_A_TICK - 1) await tick()
        const claim = await readClaim(store, id)
        if (claim?.state === 'pending' && stateOf(claim) === 'pending') pending.push(view(claim))
      }
      return pending
    },

    async describe(token) {
      const target = await targetOfToken(store, token, clock.now())
      const claim = target && (await readClaim(store, target.claimId))
      if (!claim) return undefined
      const sent = target.inviteId === null ? [] : await readInvites(store, claim.id)
      const note = sent.find(({ id }) => id === target.inviteId)?.note ?? null
      return { ...view(claim), status: stateOf(claim), note, inviteId: target.inviteId }
    },

    ...deciding,
    notify: invites.notify,
    refuse: invites.refuse,

    expire: (claimId) => expireClaim(deps, claimId),
  }
}
