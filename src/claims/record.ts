/**
 * The record of a claim, the one place where its fate is decided: each change of state is a commit in the claim's own partition, so
 * that of an approval and an expiry, or of a slow claim and its clean-up, exactly one wins. What has to follow in other partitions is
 * idempotent and is repeated by the `claim` task.
 *
 * making → pending → claimed; pending → declined; making, pending or, when its day is over, declined → expired. The record is removed an
 * hour after `expired`.
 */
import { decode, encode, key, keyAfter, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'

export interface ClaimRecord {
  id: string
  /** `making`: the claim has not been answered yet, and its parts may be there or not. */
  state: 'making' | 'pending' | 'claimed' | 'declined' | 'expired'
  /** When `state` was reached. */
  stateAt: number
  mailboxId: string
  address: string
  agentName: string | null
  /** SHA-256 of the API key and of the claim link's token. */
  keyHash: string
  tokenHash: string
  createdAt: number
  expiresAt: number
  /** Whom the mailbox goes to, once claimed by the operator's word; null is the operator. */
  owner: string | null
  /** Whose account it goes to, once claimed by a human who signed in. Missing in older records. */
  accountId?: string | null
  /** Where it was claimed from (`networkOf`). Missing in older records. */
  network?: string
  /** Of one that is `expired`: its day passed without an answer. */
  unanswered?: true
}

const RECORD = key('claim')
const META = 'meta'
const TOKEN = key('claim')
const PAGE = 500

export const claimPartition = (claimId: string): string => `claim/${claimId}`
export const pendingKey = (claimId: string): Uint8Array => key('pending-claim', claimId)

async function recordOf(view: View): Promise<ClaimRecord | undefined> {
  const bytes = await view.get(RECORD)
  return bytes && decode<ClaimRecord>(bytes)
}

export async function readClaim(store: Store, claimId: string): Promise<ClaimRecord | undefined> {
  return store.read(claimPartition(claimId), recordOf)
}

/**
 * One commit on a claim: `next` says from what is there what shall be there.
 *
 * @returns what is there after it
 */
export async function changeClaim(
  store: Store,
  claimId: string,
  next: (claim: ClaimRecord | undefined) => ClaimRecord | undefined,
): Promise<ClaimRecord | undefined> {
  return store.write(claimPartition(claimId), async (tx: Transaction) => {
    const before = await recordOf(tx)
    const after = next(before)
    if (after && after !== before) tx.put(RECORD, encode(after))
    if (!after && before) tx.delete(RECORD)
    return after
  })
}

/** One commit beside a claim that waits for its human; 'over' when it does not. */
export async function changeOpenClaim<T>(
  store: Store,
  claimId: string,
  now: number,
  fn: (tx: Transaction) => Promise<T>,
): Promise<T | 'over'> {
  return store.write(claimPartition(claimId), async (tx) => {
    const claim = await recordOf(tx)
    return claim?.state === 'pending' && now < claim.expiresAt ? fn(tx) : 'over'
  })
}

/** Enters a claim into the list of those that wait. An entry alone means nothing: readers ask the claim. */
export async function enlist(store: Store, claimId: string): Promise<void> {
  await store.write(META, (tx) => tx.put(pendingKey(claimId), encode(1)))
}

export async function delist(store: Store, claimId: string): Promise<void> {
  const listed = pendingKey(claimId)
  // Looked up first: `meta` is shared by everybody, and clean-ups are repeated.
  if (!(await store.read(META, (view) => view.get(listed)))) return
  await store.write(META, (tx) => tx.delete(listed))
}

/** Ids of claims that may be waiting, oldest first. */
export async function listed(store: Store): Promise<string[]> {
  const ids: string[] = []
  const { gte, lt } = prefixRange('pending-claim')
  for (let from = gte; ;) {
    const page = await store.read(META, (view) => view.range({ gte: from, lt, limit: PAGE }))
    for (const [entry] of page) ids.push(String(keyParts(entry)[1]))
    const last = page.at(-1)
    if (!last || page.length < PAGE) return ids
    from = keyAfter(last[0])
  }
}

/** Lets the token of a claim_url, known by its hash, lead to the claim. */
export async function putToken(store: Store, tokenHash: string, claimId: string): Promise<void> {
  await store.write(`token/${tokenHash}`, (tx) => tx.put(TOKEN, encode({ claimId })))
}

export async function claimOfToken(store: Store, tokenHash: string): Promise<string | undefined> {
  const bytes = await store.read(`token/${tokenHash}`, (view) => view.get(TOKEN))
  return bytes && decode<{ claimId: string }>(bytes).claimId
}

export async function removeToken(store: Store, tokenHash: string): Promise<void> {
  await store.write(`token/${tokenHash}`, (tx) => tx.delete(TOKEN))
}
