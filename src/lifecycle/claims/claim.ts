/** The steps of one claim, from a request to a pending mailbox. */
import type { Clock } from '../../lib/clock.js'
import { ServiceError, invalidRequest } from '../../lib/errors.js'
import { newId, randomBase62, sha256Hex } from '../../lib/ids.js'
import { CLAIM_KEY_NAME } from '../../accounts/key-ring.js'
import { enterKey, newKeyText } from '../../accounts/keys.js'
import { CLAIM_LIFE_MS } from '../../accounts/claim-status.js'
import type { Note } from '../../audit/types.js'
import { partitionOfAddress, takeAddress } from '../../mailbox/addresses.js'
import { enterMailbox } from '../../mailbox/record.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import { CHALLENGES, readChallenge, solvedBits, spendChallenge, type Terms } from './challenge.js'
import { checkAgentName, checkNameForm, nameTaken } from './names.js'
import { claimPartition, leadToken, listClaim, putClaim, type ClaimRecord } from './record.js'
import type { ClaimRequest, ClaimTask } from './types.js'

const RETRY = 'Fetch a fresh challenge with GET /v1/claim/challenge, solve it, and call POST /v1/claim again.'

export interface ClaimStepsDeps {
  store: Store
  queue: Pick<WorkQueue, 'add'>
  clock: Clock
  secret: Uint8Array
  domains: string[]
  /** @throws ServiceError `name_reserved` */
  refuseReserved: (name: string) => void
}

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

export interface Proof {
  terms: Terms
  /** Number of leading zero bits of the digest: fewer than the difficulty are no proof. */
  bits: number
}

/** @throws ServiceError `invalid_request` (not one of our challenges), `challenge_expired` */
export function readProof(deps: Pick<ClaimStepsDeps, 'secret' | 'clock'>, challenge: string, nonce: string): Proof {
  const terms = readChallenge(deps.secret, challenge)
  if (!terms) {
    throw invalidRequest('The challenge was not issued by this server.', `Send it exactly as it was issued. ${RETRY}`, [
      { field: 'challenge', problem: 'the value of GET /v1/claim/challenge, unchanged' },
    ])
  }
  if (deps.clock.now() >= terms.expiresAt) {
    throw new ServiceError('challenge_expired', 'The challenge is older than 10 minutes.', RETRY)
  }
  return { terms, bits: solvedBits(challenge, nonce) }
}

/** Uses up the challenge of a refused claim. @returns the refusal @throws ServiceError `challenge_used` */
export async function spendFor(deps: ClaimStepsDeps, terms: Terms, refusal: ServiceError): Promise<ServiceError> {
  const spent = await deps.store.write(CHALLENGES, (tx) => spendChallenge(tx, terms, deps.clock.now()))
  return spent ? refusal : challengeUsed()
}

export function challengeUsed(): ServiceError {
  return new ServiceError('challenge_used', 'The challenge was used before; each works once.', RETRY)
}

export function proofInvalid({ difficulty }: Terms): ServiceError {
  return new ServiceError(
    'proof_invalid',
    `SHA-256("<challenge>:<nonce>") does not start with ${difficulty} zero bits.`,
    `Hash the challenge's text, a colon and the nonce's decimal digits as ASCII. ${RETRY}`,
  )
}

/** Refusal of a proof that was sufficient when its challenge was issued, and no longer is. */
export function difficultyRaised(bits: number): ServiceError {
  return new ServiceError(
    'difficulty_raised',
    `Many addresses were claimed since this challenge was issued: a claim takes ${bits} zero bits now.`,
    RETRY,
  )
}

export interface MadeClaim {
  claim: ClaimRecord
  apiKey: string
  token: string
}

/**
 * Uses up the challenge and creates the pending mailbox with its address, key, link and expiry task, in one transaction.
 *
 * @param isTaken true if the address was found to be another mailbox's
 * @param note its entry in the audit log
 * @throws ServiceError `name_taken`, `name_reserved` (the challenge is spent then too), `challenge_used`
 */
export async function makeClaim(
  deps: ClaimStepsDeps,
  { name, address, agentName }: CheckedRequest,
  { terms, network, isTaken }: { terms: Terms; network: string; isTaken: boolean },
  note: Note | undefined,
): Promise<MadeClaim> {
  const { store, queue } = deps
  try {
    deps.refuseReserved(name)
  } catch (error) {
    throw error instanceof ServiceError ? await spendFor(deps, terms, error) : error
  }
  if (isTaken) throw await spendFor(deps, terms, nameTaken(address))

  const now = deps.clock.now()
  const apiKey = newKeyText('pending')
  const token = randomBase62(32)
  const mailboxId = newId('mbx', now)
  const claim: ClaimRecord = {
    id: newId('clm', now),
    state: 'pending',
    stateAt: now,
    mailboxId,
    address,
    agentName,
    keyHash: sha256Hex(apiKey),
    tokenHash: sha256Hex(token),
    createdAt: now,
    expiresAt: now + CLAIM_LIFE_MS,
    owner: null,
    network,
  }
  const { id, keyHash, tokenHash, expiresAt } = claim
  const place = partitionOfAddress(address)
  const refusal = await store.write([CHALLENGES, place, claimPartition(id)], async (tx) => {
    if (!(await spendChallenge(tx, terms, now))) return challengeUsed()
    if (!(await takeAddress(tx.in(place), mailboxId, now))) return nameTaken(address)
    enterMailbox(tx, { id: mailboxId, address, agentName, claimId: id, status: 'pending', accountId: null, now })
    enterKey(tx, keyHash, { keyId: newId('key', now), mailboxId, createdAt: now, name: CLAIM_KEY_NAME })
    leadToken(tx, tokenHash, id)
    listClaim(tx, id, true)
    putClaim(tx.in(claimPartition(id)), claim)
    queue.add<ClaimTask>(tx, 'claim', { id, payload: { claim_id: id }, due: expiresAt })
    note?.write(tx, { subject: { claim_id: id, mailbox_id: mailboxId } })
    return undefined
  })
  if (refusal) throw refusal
  return { claim, apiKey, token }
}
