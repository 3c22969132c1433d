/**
 * A claim's record; each change of state includes all consequences in its transaction. pending → claimed or declined; pending or, after 24 hours, declined
 * → expired; then removed.
 */
import type { ClaimState } from '../../accounts/claim-status.js'
import { keyPartition } from '../../accounts/keys.js'
import { partitionOfAddress } from '../../mailbox/addresses.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { pagesOf } from '../../store/pages.js'

export interface ClaimRecord {
  id: string
  /** `expired`: the mailbox is being removed. */
  state: ClaimState
  /** Time of the last change of `state`. */
  stateAt: number
  mailboxId: string
  address: string
  agentName: string | null
  /** SHA-256 of the API key and of the claim link's token. */
  keyHash: string
  tokenHash: string
  createdAt: number
  expiresAt: number
  /** Owner after approval by the operator; null is the operator. */
  owner: string | null
  /** Account after approval by a signed-in human. Missing in older records. */
  accountId?: string | null
  /** Network of the client (`networkOf`). Missing in older records. */
  network?: string
  /** For `expired`: nobody decided in time. */
  unanswered?: true
}

const RECORD = key('claim')
const META = 'meta'
const TOKEN = key('claim')

export const claimPartition = (claimId: string): string => `claim/${claimId}`

/** Partitions that a decision may change beside an account: the claim first, its mailbox, its key, and its address. */
export function partitionsOf({ id, mailboxId, keyHash, address }: ClaimRecord): readonly string[] {
  return [claimPartition(id), mailboxPartition(mailboxId), keyPartition(keyHash), partitionOfAddress(address)]
}

export const pendingKey = (claimId: string): Uint8Array => key('pending-claim', claimId)

/** Within a read or a transaction of the claim. */
export const claimOf = (view: View): Promise<ClaimRecord | undefined> => readValue(view, RECORD)

export const readClaim = (store: Store, claimId: string): Promise<ClaimRecord | undefined> =>
  store.read(claimPartition(claimId), claimOf)

export function putClaim(tx: Transaction, claim: ClaimRecord): void {
  tx.put(RECORD, encode(claim))
}

export function dropClaim(tx: Transaction): void {
  tx.delete(RECORD)
}

/** Adds a claim to the list of pending ones, or removes it. */
export function listClaim(tx: Transaction, claimId: string, waits: boolean): void {
  const meta = tx.blind(META)
  if (waits) meta.put(pendingKey(claimId), encode(1))
  else meta.delete(pendingKey(claimId))
}

/** Ids of pending claims, oldest first. */
export async function listed(store: Store): Promise<string[]> {
  const ids: string[] = []
  for await (const page of pagesOf(store, META, prefixRange('pending-claim')))
    for (const [entry] of page) ids.push(String(keyParts(entry)[1]))
  return ids
}

/** Maps the hash of a claim_url's token to the claim, or removes it. */
export function leadToken(tx: Transaction, tokenHash: string, claimId: string | undefined): void {
  const token = tx.blind(`token/${tokenHash}`)
  if (claimId === undefined) token.delete(TOKEN)
  else token.put(TOKEN, encode({ claimId }))
}

export async function claimOfToken(store: Store, tokenHash: string): Promise<string | undefined> {
  const target = await store.read(`token/${tokenHash}`, (view) => readValue<{ claimId: string }>(view, TOKEN))
  return target?.claimId
}
