/** Claims: an address for an agent by proof of work, and its approval by a human within 24 hours. */
import { setImmediate as tick } from 'node:timers/promises'
import { timestamp } from '../lib/clock.js'
import { notFound } from '../lib/errors.js'
import { CLAIM_LIFE_MS, claimStanding } from '../accounts/claim-standing.js'
import type { Letters } from '../accounts/letters.js'
import { SCOPES } from '../accounts/types.js'
import type { Accounts } from '../accounts/types.js'
import type { Guard } from '../guard/types.js'
import { issueChallenge } from './challenge.js'
import {
  CLEAN_AGAIN_MS,
  checkRequest,
  makeClaim,
  MAKING_LIFE_MS,
  takeProof,
  unmakeClaim,
  difficultyRaised,
} from './claim.js'
import type { ClaimStepsDeps } from './claim.js'
import { completeApproval, completeDecline, createDeciding, settledMailbox } from './deciding.js'
import { createDifficulty, networkOf } from './difficulty.js'
import { dropInvites, readInvites, targetOfToken } from './invite-record.js'
import { createInvites } from './invites.js'
import { reservedNames } from './names.js'
import { nextSteps } from './next-steps.js'
import { OPERATOR_NAMES } from './operator.js'
import { changeClaim, listed, readClaim, removeToken } from './record.js'
import type { ClaimRecord } from './record.js'
import { BY_ITSELF } from '../audit/types.js'
import type { Audit, NewEntry } from '../audit/types.js'
import { derivedId } from '../lib/ids.js'
import type { Claims, ClaimState, PendingClaim } from './types.js'

const CLAIMS_A_TICK = 100
const ANYBODY = { type: 'anonymous', id: null, name: null } as const

const unansweredOf = ({ state }: ClaimRecord): { unanswered?: true } =>
  state === 'pending' ? { unanswered: true } : {}

/** Told once, however often the claim is cleaned up. */
function expired({ id, address, mailboxId, expiresAt }: ClaimRecord): NewEntry {
  return {
    id: derivedId('aud', `claim.expired ${id}`, expiresAt),
    at: expiresAt,
    action: 'claim.expired',
    actor: BY_ITSELF,
    subject: { claim_id: id, mailbox_id: mailboxId, address },
  }
}

export interface ClaimsDeps extends Omit<ClaimStepsDeps, 'refuseReserved'> {
  accounts: Pick<Accounts, 'ensure' | 'addMailbox' | 'adoptKey' | 'get' | 'findOwner'>
  letters: Letters
  guard: Guard
  isLocalDomain: (domain: string) => boolean
  /** Of the HTTP service, without a slash at its end. */
  baseUrl: string
  /** Leading zero bits of a challenge when few claim. */
  difficulty: number
  /** Of the whole server. */
  invitesPerHour: number
  /** Without it nothing is written down. */
  audit?: Pick<Audit, 'around' | 'record'> | undefined
  /** Names nobody may claim. */
  reserved: string[]
}

export function createClaims(given: ClaimsDeps): Claims {
  const { store, clock } = given
  const domains = given.domains.map((domain) => domain.toLowerCase())
  const deps: ClaimsDeps & ClaimStepsDeps = {
    ...given,
    domains,
    refuseReserved: reservedNames([...OPERATOR_NAMES, ...given.reserved]),
  }
  const difficulty = createDifficulty({ store, clock, base: given.difficulty })

  /** What a claim is to everybody outside: one that is past its day has expired, whether or not that is written down yet. */
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

  const deciding = createDeciding(deps)
  const invites = createInvites({ ...deps, difficulty })

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
      const bits = await takeProof(deps, request.challenge, request.nonce)
      const needed = await difficulty.admit(client, bits)
      if (needed !== undefined) throw difficultyRaised(needed)
      const make = () => makeClaim(deps, checked, networkOf(client))
      const { claim, apiKey, token } = await (deps.audit?.around(
        {
          action: 'claim.made',
          actor: ANYBODY,
          from: { address: client, user_agent: null },
          subject: { address: checked.address },
        },
        make,
        (made) => ({ subject: { claim_id: made.claim.id, mailbox_id: made.claim.mailboxId } }),
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
    },

    async status(mailboxId, scopes = SCOPES) {
      const mailbox = await settledMailbox(deps, mailboxId)
      if (!mailbox) throw notFound('mailbox')
      // As other calls are answered: an approval is several commits, the mailbox the last, and only then does its key work.
      const state = claimStanding(mailbox, clock.now())
      const account = mailbox.accountId === null ? undefined : await given.accounts.get(mailbox.accountId)
      return {
        status: state,
        address: mailbox.address,
        expires_at: state === 'pending' ? timestamp(mailbox.createdAt + CLAIM_LIFE_MS) : null,
        next_steps: nextSteps(state, { account, scopes }),
      }
    },

    mailbox: (mailboxId) => settledMailbox(deps, mailboxId),

    async list() {
      const pending: PendingClaim[] = []
      for (const [i, id] of (await listed(store)).entries()) {
        // After a flood there are many, and reads may answer within the tick.
        if (i % CLAIMS_A_TICK === CLAIMS_A_TICK - 1) await tick()
        const claim = await readClaim(store, id)
        if (claim?.state === 'pending' && stateOf(claim) === 'pending') pending.push(view(claim))
      }
      return pending
    },

    async describe(token) {
      const target = await targetOfToken(store, token, clock.now())
      const claim = target && (await readClaim(store, target.claimId))
      if (!claim || claim.state === 'making') return undefined
      const sent = target.inviteId === null ? [] : await readInvites(store, claim.id)
      const note = sent.find(({ id }) => id === target.inviteId)?.note ?? null
      return { ...view(claim), status: stateOf(claim), note, inviteId: target.inviteId }
    },

    ...deciding,
    notify: invites.notify,
    refuse: invites.refuse,

    async expire(claimId) {
      const now = clock.now()
      const claim = await changeClaim(store, claimId, (before) => {
        const over =
          (before?.state === 'making' && now >= before.stateAt + MAKING_LIFE_MS) ||
          ((before?.state === 'pending' || before?.state === 'declined') && now >= before.expiresAt)
        return before && over ? { ...before, state: 'expired', stateAt: now, ...unansweredOf(before) } : before
      })
      if (!claim) return { done: true }
      switch (claim.state) {
        case 'making':
          return { done: false, retryAt: claim.stateAt + MAKING_LIFE_MS }
        case 'pending':
          await invites.finish(claim)
          return { done: false, retryAt: claim.expiresAt }
        case 'declined':
          await completeDecline(deps, claim)
          return { done: false, retryAt: claim.expiresAt }
        case 'expired':
          await unmakeClaim(deps, claim)
          await dropInvites(store, claimId)
          if (claim.unanswered) await deps.audit?.record(expired(claim))
          if (now < claim.stateAt + CLEAN_AGAIN_MS) return { done: false, retryAt: claim.stateAt + CLEAN_AGAIN_MS }
          await changeClaim(store, claimId, () => undefined)
          return { done: true }
        case 'claimed':
          await completeApproval(deps, claim)
          if (now < claim.expiresAt) return { done: false, retryAt: claim.expiresAt }
          // Until now the link told its visitor that the mailbox is approved; from here on it is of no use.
          await removeToken(store, claim.tokenHash)
          await dropInvites(store, claimId)
          return { done: true }
      }
    },
  }
}
