/**
 * Invites as they are stored: beside the claim, in its partition, so that their number is decided in one commit; and under the hash of their
 * link's token, where they outlive the claim, so that "this is not for me" still works when the mail is read late.
 */
import { createHmac } from 'node:crypto'
import { DAY } from '../lib/clock.js'
import { base62, sha256Hex } from '../lib/ids.js'
import { createExpiring } from '../store/expiring.js'
import type { Expiring } from '../store/expiring.js'
import { decode, encode, key, prefixRange } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import { changeOpenClaim, claimOfToken, claimPartition } from './record.js'

export const MAX_INVITES = 2
const LINK_LIFE_MS = 30 * DAY

export interface InviteRecord {
  id: string
  to: string
  note: string | null
  at: number
  /** `sending`: it has its place, and is sure to be sent unless a limit stands against it. */
  state: 'sending' | 'sent'
  /** Where the claim came from. */
  network: string
  /** Of the caller's Idempotency-Key. */
  keyHash: string | null
}

export interface InviteLink {
  claimId: string
  inviteId: string
  /** Hash of the address it went to. */
  human: string
  /** Where the claim came from. */
  network: string
  /** Until then the link leads to the claim as well. */
  claimEndsAt: number
}

const INVITES = prefixRange('invite')
const inviteKey = (id: string): Uint8Array => key('invite', id)

export async function readInvites(store: Store, claimId: string): Promise<InviteRecord[]> {
  return store.read(claimPartition(claimId), invitesOf)
}

async function invitesOf(view: View): Promise<InviteRecord[]> {
  const rows = await view.range({ ...INVITES, limit: MAX_INVITES })
  return rows.map(([, value]) => decode<InviteRecord>(value))
}

/** Gives an invite its place among those of a claim that waits. @returns why not, when it has none */
export async function placeInvite(
  store: Store,
  claimId: string,
  invite: InviteRecord,
  now: number,
): Promise<'placed' | 'full' | 'over'> {
  return changeOpenClaim(store, claimId, now, async (tx) => {
    if ((await invitesOf(tx)).length >= MAX_INVITES) return 'full'
    tx.put(inviteKey(invite.id), encode(invite))
    return 'placed'
  })
}

/** Nothing happens when it has lost its place meanwhile. */
export async function markSent(store: Store, claimId: string, inviteId: string): Promise<void> {
  await store.write(claimPartition(claimId), async (tx) => {
    const bytes = await tx.get(inviteKey(inviteId))
    if (bytes) tx.put(inviteKey(inviteId), encode({ ...decode<InviteRecord>(bytes), state: 'sent' }))
  })
}

export async function dropInvite(store: Store, claimId: string, inviteId: string): Promise<void> {
  await store.write(claimPartition(claimId), (tx) => tx.delete(inviteKey(inviteId)))
}

/** Forgets whom a claim wrote to. */
export async function dropInvites(store: Store, claimId: string): Promise<void> {
  await store.write(claimPartition(claimId), async (tx) => {
    for (const [row] of await tx.range({ ...INVITES, limit: MAX_INVITES })) tx.delete(row)
  })
}

const links = (store: Store): Expiring<InviteLink> => createExpiring<InviteLink>(store, 'invite')

/** Follows from the invite's id, so that an invite that a crash cut off is finished with the link it would have had. */
export function inviteToken(secret: Uint8Array, inviteId: string): string {
  return base62(createHmac('sha256', secret).update('invite link\0').update(inviteId).digest())
}

export async function putInviteLink(store: Store, token: string, link: InviteLink, at: number): Promise<void> {
  await links(store).put(sha256Hex(token), link, at + LINK_LIFE_MS)
}

const TOKEN_FORM = /^[0-9A-Za-z]{43}$/

export async function readInviteLink(store: Store, token: string, now: number): Promise<InviteLink | undefined> {
  return TOKEN_FORM.test(token) ? links(store).get(sha256Hex(token), now) : undefined
}

/** What the token of a claim link leads to: that of the claim_url, or that of an invite. */
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
