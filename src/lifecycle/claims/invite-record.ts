/** Stored invites: with the claim, which limits their number, and by their link's token, so that "this is not for me" works after the claim's end. */
import { DAY } from '../../lib/clock.js'
import { sha256Hex } from '../../lib/ids.js'
import { createExpiring, type Expiring } from '../../store/expiring.js'
import { encode, key, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readValues } from '../../store/values.js'
import { claimOfToken, claimPartition } from './record.js'

export const MAX_INVITES = 2
const LINK_LIFE_MS = 30 * DAY

export interface InviteRecord {
  id: string
  to: string
  note: string | null
  at: number
  /** Network of the claim. */
  network: string
  /** Hash of the caller's Idempotency-Key. */
  keyHash: string | null
}

export interface InviteLink {
  claimId: string
  inviteId: string
  /** Hash of the address it went to. */
  human: string
  /** Network of the claim. */
  network: string
  /** Until then the link leads to the claim as well. */
  claimEndsAt: number
}

const INVITES = prefixRange('invite')
const inviteKey = (id: string): Uint8Array => key('invite', id)

export const readInvites = (store: Store, claimId: string): Promise<InviteRecord[]> =>
  store.read(claimPartition(claimId), invitesOf)

/** Within a read or a transaction of the claim. */
export const invitesOf = (view: View): Promise<InviteRecord[]> => readValues(view, { ...INVITES, limit: MAX_INVITES })

export function putInvite(tx: Transaction, invite: InviteRecord): void {
  tx.put(inviteKey(invite.id), encode(invite))
}

/** Removes the invites of a claim, within a transaction of the claim. */
export async function dropInvites(tx: Transaction): Promise<void> {
  for (const [row] of await tx.range({ ...INVITES, limit: MAX_INVITES })) tx.delete(row)
}

const links = (store: Store): Expiring<InviteLink> => createExpiring<InviteLink>(store, 'invite')

export function putInviteLink(store: Store, tx: Transaction, token: string, link: InviteLink, at: number): void {
  links(store).enter(tx, sha256Hex(token), link, at + LINK_LIFE_MS)
}

const TOKEN_FORM = /^[0-9A-Za-z]{43}$/

export async function readInviteLink(store: Store, token: string, now: number): Promise<InviteLink | undefined> {
  return TOKEN_FORM.test(token) ? links(store).get(sha256Hex(token), now) : undefined
}

/** Target of a claim link's token: that of the claim_url, or that of an invite. */
export async function targetOfToken(
  store: Store,
  token: string,
  now: number,
): Promise<{ claimId: string; inviteId: string | null } | undefined> {
  if (!TOKEN_FORM.test(token)) return undefined
  const claimId = await claimOfToken(store, sha256Hex(token))
  if (claimId !== undefined) return { claimId, inviteId: null }
  const link = await readInviteLink(store, token, now)
  return link && now < link.claimEndsAt ? { claimId: link.claimId, inviteId: link.inviteId } : undefined
}
