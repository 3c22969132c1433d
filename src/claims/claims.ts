/** Claims: an address for an agent by proof of work, and its approval by a human within 24 hours. */
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { sha256Hex } from '../lib/ids.js'
import { ownerEmail } from '../accounts/accounts.js'
import type { Accounts } from '../accounts/types.js'
import { addressOwner } from '../mailbox/addresses.js'
import { claimMailbox, readMailbox } from '../mailbox/record.js'
import { issueChallenge } from './challenge.js'
import { CLEAN_AGAIN_MS, checkRequest, makeClaim, MAKING_LIFE_MS, takeProof, unmakeClaim } from './claim.js'
import type { ClaimStepsDeps } from './claim.js'
import { createDifficulty } from './difficulty.js'
import { reservedNames } from './names.js'
import { OPERATOR_NAMES } from './operator.js'
import { changeClaim, claimOfToken, delist, listed, readClaim, removeToken } from './record.js'
import type { ClaimRecord } from './record.js'
import type { Claims, ClaimState, PendingClaim } from './types.js'

export interface ClaimsDeps extends Omit<ClaimStepsDeps, 'refuseReserved'> {
  accounts: Pick<Accounts, 'ensure' | 'addMailbox'>
  /** Of the HTTP service, without a slash at its end. */
  baseUrl: string
  /** Leading zero bits of a challenge when few claim. */
  difficulty: number
  /** Names nobody may claim. */
  reserved: string[]
}

const TOKEN_FORM = /^[0-9A-Za-z]{43}$/

export function createClaims(given: ClaimsDeps): Claims {
  const { store, clock, accounts } = given
  const domains = given.domains.map((domain) => domain.toLowerCase())
  const deps: ClaimStepsDeps = {
    ...given,
    domains,
    refuseReserved: reservedNames([...OPERATOR_NAMES, ...given.reserved]),
  }
  const difficulty = createDifficulty({ clock, base: given.difficulty })

  /** What a claim is to everybody outside: one that is past its day has expired, whether or not that is written down yet. */
  const stateOf = (claim: ClaimRecord): ClaimState => {
    if (claim.state === 'claimed') return 'claimed'
    return claim.state === 'expired' || clock.now() >= claim.expiresAt ? 'expired' : 'pending'
  }

  const view = (claim: ClaimRecord): PendingClaim => ({
    address: claim.address,
    agentName: claim.agentName,
    createdAt: claim.createdAt,
    expiresAt: claim.expiresAt,
  })

  /** What follows an approval; done again it changes nothing. */
  async function completeApproval(claim: ClaimRecord): Promise<string | undefined> {
    const mailbox = await readMailbox(store, claim.mailboxId)
    let accountId = mailbox?.accountId ?? undefined
    // The mailbox last: once it is claimed, everything else is in place. One that is gone was deleted since, and stays so.
    if (mailbox && mailbox.status === 'pending') {
      accountId = (await accounts.ensure(claim.owner)).id
      await accounts.addMailbox(accountId, claim.mailboxId)
      await claimMailbox(store, claim.mailboxId, accountId, clock.now())
    }
    await delist(store, claim.id)
    return accountId
  }

  return {
    async challenge(client) {
      const { challenge, terms } = issueChallenge(deps.secret, difficulty.current(client), clock.now())
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
      await takeProof(deps, request.challenge, request.nonce)
      difficulty.record(client)
      const { claim, apiKey, token } = await makeClaim(deps, checked)
      return {
        address: claim.address,
        api_key: apiKey,
        claim_url: `${given.baseUrl}/claim/${token}`,
        expires_at: timestamp(claim.expiresAt),
        next_steps: [
          'Store api_key now: it is shown only this once and cannot be recovered.',
          `Give claim_url to the human who will own ${claim.address}; they have to approve it by ${timestamp(claim.expiresAt)}, or it is deleted.`,
          'Poll GET /v1/claim/status with the header "Authorization: Bearer <api_key>" every minute or two until status is "claimed".',
          'Then use the same key: GET /v1/threads reads mail, POST /v1/send sends it, GET /v1/events?wait=30 waits for it.',
        ],
      }
    },

    async status(mailboxId) {
      const mailbox = await readMailbox(store, mailboxId)
      if (!mailbox) throw noClaim()
      const claim = mailbox.claimId === null ? undefined : await readClaim(store, mailbox.claimId)
      const state = mailbox.status === 'claimed' ? 'claimed' : claim ? stateOf(claim) : 'expired'
      return {
        status: state,
        address: mailbox.address,
        expires_at: state === 'pending' && claim ? timestamp(claim.expiresAt) : null,
        next_steps: stepsIn(state),
      }
    },

    async list() {
      const pending: PendingClaim[] = []
      for (const id of await listed(store)) {
        const claim = await readClaim(store, id)
        if (claim?.state === 'pending' && stateOf(claim) === 'pending') pending.push(view(claim))
      }
      return pending
    },

    async describe(token) {
      if (!TOKEN_FORM.test(token)) return undefined
      const id = await claimOfToken(store, sha256Hex(token))
      const claim = id === undefined ? undefined : await readClaim(store, id)
      return claim && claim.state !== 'making' ? { ...view(claim), status: stateOf(claim) } : undefined
    },

    async approve(address, owner) {
      const ownerOrOperator = owner === undefined ? null : ownerEmail(owner)
      const mailboxId = await addressOwner(store, address.trim())
      const mailbox = mailboxId === undefined ? undefined : await readMailbox(store, mailboxId)
      if (!mailbox) throw noClaim()
      if (mailbox.status === 'claimed' && mailbox.accountId !== null) {
        if (mailbox.claimId !== null) await delist(store, mailbox.claimId)
        return { address: mailbox.address, accountId: mailbox.accountId, alreadyApproved: true }
      }
      if (mailbox.claimId === null) throw noClaim()

      const now = clock.now()
      // Intent first: should we crash past the next commit, the task completes the approval.
      await deps.queue.reschedule('claim', mailbox.claimId, now + MAKING_LIFE_MS)
      let approvedHere = false
      const claim = await changeClaim(store, mailbox.claimId, (before) => {
        approvedHere = before?.state === 'pending' && clock.now() < before.expiresAt
        return approvedHere && before ? { ...before, state: 'claimed', stateAt: now, owner: ownerOrOperator } : before
      })
      if (claim?.state !== 'claimed') throw noClaim()
      const accountId = await completeApproval(claim)
      if (accountId === undefined) throw noClaim()
      return { address: claim.address, accountId, alreadyApproved: !approvedHere }
    },

    async expire(claimId) {
      const now = clock.now()
      const claim = await changeClaim(store, claimId, (before) => {
        const over =
          (before?.state === 'making' && now >= before.stateAt + MAKING_LIFE_MS) ||
          (before?.state === 'pending' && now >= before.expiresAt)
        return before && over ? { ...before, state: 'expired', stateAt: now } : before
      })
      if (!claim) return { done: true }
      switch (claim.state) {
        case 'making':
          return { done: false, retryAt: claim.stateAt + MAKING_LIFE_MS }
        case 'pending':
          return { done: false, retryAt: claim.expiresAt }
        case 'expired':
          await unmakeClaim(deps, claim)
          if (now < claim.stateAt + CLEAN_AGAIN_MS) return { done: false, retryAt: claim.stateAt + CLEAN_AGAIN_MS }
          await changeClaim(store, claimId, () => undefined)
          return { done: true }
        case 'claimed':
          await completeApproval(claim)
          if (now < claim.expiresAt) return { done: false, retryAt: claim.expiresAt }
          // Until now the link told its visitor that the mailbox is approved; from here on it is of no use.
          await removeToken(store, claim.tokenHash)
          return { done: true }
      }
    },
  }
}

function noClaim(): ServiceError {
  return new ServiceError(
    'not_found',
    'No claim waits for this address.',
    'See what waits with `restante claim list`. A claim that nobody approves ends after 24 hours; start over with GET /v1/claim/challenge.',
  )
}

function stepsIn(state: ClaimState): string[] {
  switch (state) {
    case 'pending':
      return [
        'Ask the human to open claim_url and approve the mailbox.',
        'Poll GET /v1/claim/status again in a minute or two, until status is "claimed".',
      ]
    case 'claimed':
      return [
        'Read mail with GET /v1/threads and wait for more with GET /v1/events?wait=30.',
        'Send with POST /v1/send; see your limits with GET /v1/account/usage.',
      ]
    case 'declined':
    case 'expired':
      return ['Claim another address: GET /v1/claim/challenge, then POST /v1/claim.']
  }
}
