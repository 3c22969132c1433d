/** The steps of one claim, from a request to a pending mailbox. */
import type { Clock } from '../lib/clock.js'
import { HOUR, MINUTE } from '../lib/clock.js'
import { ServiceError, invalidRequest } from '../lib/errors.js'
import { newId, randomBase62, sha256Hex } from '../lib/ids.js'
import { CLAIM_KEY_NAME } from '../accounts/key-ring.js'
import { newKeyText, putKey, removeKey } from '../accounts/keys.js'
import { CLAIM_LIFE_MS } from '../accounts/claim-standing.js'
import { addressOwner, releaseAddress, reserveAddress } from '../mailbox/addresses.js'
import { createMailbox, removeMailbox } from '../mailbox/record.js'
import type { WorkQueue } from '../queue/types.js'
import type { Blobs, Store } from '../store/types.js'
import { readChallenge, solvedBits, spendChallenge } from './challenge.js'
import { checkAgentName, checkNameForm, nameTaken } from './names.js'
import { changeClaim, delist, enlist, putToken, removeToken } from './record.js'
import type { ClaimRecord } from './record.js'
import type { ClaimRequest, ClaimTask } from './types.js'

/** A claim that is not answered by then is taken for crashed, and given back. */
export const MAKING_LIFE_MS = MINUTE
/** How long after it ended a claim is cleaned up once more: whatever a stalled step made in between goes too. */
export const CLEAN_AGAIN_MS = HOUR

const RETRY = 'Fetch a fresh challenge with GET /v1/claim/challenge, solve it, and call POST /v1/claim again.'

export interface ClaimStepsDeps {
  store: Store
  blobs: Blobs
  queue: WorkQueue
  clock: Clock
  secret: Uint8Array
  domains: string[]
  /** @throws ServiceError `name_reserved` */
  refuseReserved: (name: string) => void
}

/** A request whose every field has the right form, and whose challenge is one of ours. */
export interface CheckedRequest {
  name: string
  address: string
  agentName: string | null
}

/** @throws ServiceError `invalid_request` for a malformed request, which costs no challenge */
export function checkRequest(request: ClaimRequest, domains: string[]): CheckedRequest {
  checkNameForm(request.name)
  const domain = (request.domain ?? domains[0] ?? '').toLowerCase()
  if (!domains.includes(domain)) {
    throw invalidRequest(`Addresses can't be claimed on that domain.`, `Choose one of: ${domains.join(', ')}.`, [
      { field: 'domain', problem: 'not one of the domains of GET /v1/claim/challenge' },
    ])
  }
  if (!/^[0-9]{1,32}$/.test(request.nonce)) {
    throw invalidRequest(
      'The nonce is not a decimal counter.',
      'Send it as a string of 1 to 32 digits, exactly as it was hashed.',
      [{ field: 'nonce', problem: '1 to 32 decimal digits' }],
    )
  }
  return { name: request.name, address: `${request.name}@${domain}`, agentName: checkAgentName(request.agentName) }
}

/**
 * Takes the proof of work. From here on the challenge is spent, whatever comes of the claim.
 *
 * @returns zero bits with which the digest starts, as many as the challenge asks for at least
 * @throws ServiceError `invalid_request` (not one of our challenges), `challenge_expired`, `challenge_used`, `proof_invalid`
 */
export async function takeProof(deps: ClaimStepsDeps, challenge: string, nonce: string): Promise<number> {
  const now = deps.clock.now()
  const terms = readChallenge(deps.secret, challenge)
  if (!terms) {
    throw invalidRequest('The challenge was not issued by this server.', `Send it exactly as it was given. ${RETRY}`, [
      { field: 'challenge', problem: 'the value of GET /v1/claim/challenge, unchanged' },
    ])
  }
  if (now >= terms.expiresAt) {
    throw new ServiceError('challenge_expired', 'The challenge is older than 10 minutes.', RETRY)
  }
  if (!(await spendChallenge(deps.store, terms, now))) {
    throw new ServiceError('challenge_used', 'The challenge was used before; each works once.', RETRY)
  }
  const bits = solvedBits(challenge, nonce)
  if (bits < terms.difficulty) {
    throw new ServiceError(
      'proof_invalid',
      `SHA-256("<challenge>:<nonce>") does not start with ${terms.difficulty} zero bits.`,
      `Hash the challenge's text, a colon and the nonce's decimal digits as ASCII. ${RETRY}`,
    )
  }
  return bits
}

/** The answer to a proof that did when its challenge was issued, and does no more. */
export function difficultyRaised(bits: number): ServiceError {
  return new ServiceError(
    'difficulty_raised',
    `Many addresses were claimed since this challenge was issued: a claim takes ${bits} zero bits now.`,
    RETRY,
  )
}

/**
 * Makes the pending mailbox. The `claim` task is queued first and the claim's record names everything that will be made, so that after
 * a crash at any line the name is given back; the last commit makes the claim stand, unless the task was faster.
 *
 * @throws ServiceError `name_taken`, `name_reserved`, `unavailable`
 */
export async function makeClaim(
  deps: ClaimStepsDeps,
  { name, address, agentName }: CheckedRequest,
  network: string,
): Promise<{ claim: ClaimRecord; apiKey: string; token: string }> {
  const { store } = deps
  deps.refuseReserved(name)
  if (await addressOwner(store, address)) throw nameTaken(address)

  const now = deps.clock.now()
  const apiKey = newKeyText('pending')
  const token = randomBase62(32)
  const making: ClaimRecord = {
    id: newId('clm', now),
    state: 'making',
    stateAt: now,
    mailboxId: newId('mbx', now),
    address,
    agentName,
    keyHash: sha256Hex(apiKey),
    tokenHash: sha256Hex(token),
    createdAt: now,
    expiresAt: now + CLAIM_LIFE_MS,
    owner: null,
    network,
  }
  const { id, mailboxId } = making
  await deps.queue.enqueue<ClaimTask>('claim', { id, payload: { claim_id: id }, due: now + MAKING_LIFE_MS })
  // Half of the task's minute is left for this commit, so that none comes after the task has looked and found nothing.
  const begun = await changeClaim(store, id, () => (deps.clock.now() < now + MAKING_LIFE_MS / 2 ? making : undefined))
  if (!begun) throw tooSlow()
  if (!(await reserveAddress(store, address, mailboxId, now))) throw nameTaken(address)
  await createMailbox(store, {
    id: mailboxId,
    address,
    agentName,
    claimId: id,
    status: 'pending',
    accountId: null,
    now,
  })
  await putKey(store, making.keyHash, { keyId: newId('key', now), mailboxId, createdAt: now, name: CLAIM_KEY_NAME })
  await putToken(store, making.tokenHash, id)
  await enlist(store, id)
  const claim = await changeClaim(store, id, (before) =>
    before?.state === 'making' ? { ...before, state: 'pending', stateAt: deps.clock.now() } : before,
  )
  if (claim?.state !== 'pending') throw tooSlow()
  return { claim, apiKey, token }
}

function tooSlow(): ServiceError {
  return new ServiceError('unavailable', 'The claim took too long and was given up.', RETRY, { retryAfterSeconds: 60 })
}

/** Removes everything that a claim made, its key first and its name last. Idempotent. */
export async function unmakeClaim(deps: Pick<ClaimStepsDeps, 'store' | 'blobs'>, claim: ClaimRecord): Promise<void> {
  const { store } = deps
  await removeKey(store, claim.keyHash)
  await removeToken(store, claim.tokenHash)
  await delist(store, claim.id)
  await removeMailbox(deps, claim.mailboxId)
  await releaseAddress(store, claim.address, claim.mailboxId)
}
