/** Sends invites: record, link and mail are one transaction, so each counted invite is sent exactly once. */
import type { Letters } from '../../accounts/letters.js'
import type { Guard } from '../../guard/types.js'
import { timestamp, type Clock } from '../../lib/clock.js'
import { ServiceError, invalidRequest } from '../../lib/errors.js'
import { newId, randomBase62, sha256Hex } from '../../lib/ids.js'
import { readMailbox } from '../../mailbox/record.js'
import type { Store } from '../../store/types.js'
import { checkByGuard, checkNote, checkRecipient } from './invite-check.js'
import { inviteLetter } from './invite-letter.js'
import { createInviteLimits, humanOf, INVITES } from './invite-limits.js'
import {
  invitesOf,
  MAX_INVITES,
  putInvite,
  putInviteLink,
  readInviteLink,
  readInvites,
  type InviteRecord,
} from './invite-record.js'
import { claimOf, claimPartition, readClaim, type ClaimRecord } from './record.js'
import { networkOf, type Difficulty } from './difficulty.js'
import type { Claims, InviteRequest, InviteResult } from './types.js'

export interface InvitesDeps {
  store: Store
  clock: Clock
  baseUrl: string
  letters: Letters
  guard: Guard
  isLocalDomain: (domain: string) => boolean
  /** Limit of the whole server. */
  invitesPerHour: number
  difficulty: Pick<Difficulty, 'blame'>
}

export function createInvites(deps: InvitesDeps): Pick<Claims, 'notify' | 'refuse'> {
  const { store, clock, letters } = deps
  const limits = createInviteLimits({ store, perHour: deps.invitesPerHour })

  async function answerFor(claim: ClaimRecord, invite: InviteRecord): Promise<InviteResult> {
    const left = MAX_INVITES - (await readInvites(store, claim.id)).length
    return {
      id: invite.id,
      to: invite.to,
      note: invite.note,
      sent_at: timestamp(invite.at),
      expires_at: timestamp(claim.expiresAt),
      invites_left: left,
      next_steps: [
        `Tell your human to look for a mail about ${claim.address}, and to approve it by ${timestamp(claim.expiresAt)}.`,
        'Poll GET /v1/claim/status every minute or two, until status is "claimed".',
      ],
    }
  }

  async function invite(claimId: string, request: InviteRequest, client: string): Promise<InviteResult> {
    const claim = await readClaim(store, claimId)
    const now = clock.now()
    if (!isOpen(claim, now)) throw notWaiting(claim)
    const to = checkRecipient(request.to, deps)
    const note = checkNote(request.note)
    const keyHash = request.idempotencyKey === undefined ? null : sha256Hex(request.idempotencyKey)

    const before = await readInvites(store, claimId)
    const first = repeatedOf(before, keyHash, to, note)
    if (first) return answerFor(claim, first)
    if (before.length >= MAX_INVITES) throw inviteLimit()
    const network = claim.network ?? networkOf(client)
    const human = humanOf(to)
    if (await limits.isRefused(network, human, now))
      throw new ServiceError(
        'recipient_suppressed',
        `${to} has said that such invites are not for them. Nothing was sent or counted.`,
        'Make sure that this is the address of your human, and give them claim_url yourself.',
        { fields: [{ field: 'to', problem: 'they want no invites' }] },
      )
    if (await letters.isRefused(to))
      throw new ServiceError(
        'recipient_suppressed',
        `Mail to ${to} was refused by its server within the last week. Nothing was sent or counted.`,
        'Check the address for a typo, or give claim_url to your human yourself.',
        { fields: [{ field: 'to', problem: 'its server refuses it' }] },
      )
    await checkByGuard(deps.guard, claim.agentName, note)

    const record: InviteRecord = { id: newId('inv', now), to, note, at: now, network, keyHash }
    const token = randomBase62(32)
    const link = { claimId, inviteId: record.id, human, network, claimEndsAt: claim.expiresAt }
    const post = await letters.compose(
      record.id,
      inviteLetter({ claim, invite: record, url: `${deps.baseUrl}/claim/${token}` }),
    )
    const placed = await store.write([claimPartition(claimId), INVITES], async (tx) => {
      const current = await claimOf(tx)
      if (!isOpen(current, clock.now())) throw notWaiting(current)
      const others = await invitesOf(tx)
      const earlier = repeatedOf(others, keyHash, to, note)
      if (earlier) return earlier
      if (others.length >= MAX_INVITES) throw inviteLimit()
      await limits.take(tx.in(INVITES), { inviteId: record.id, at: now, network, human })
      putInvite(tx, record)
      putInviteLink(store, tx, token, link, now)
      post(tx)
      return record
    })
    return answerFor(claim, placed)
  }

  return {
    async notify(mailboxId, request, client) {
      const mailbox = await readMailbox(store, mailboxId)
      if (!mailbox || mailbox.claimId === null) throw notWaiting(undefined)
      return invite(mailbox.claimId, request, client)
    },

    async refuse(token) {
      const now = clock.now()
      const link = await readInviteLink(store, token, now)
      if (!link) return undefined
      await limits.refuse(link.network, link.human, now)
      await deps.difficulty.blame(link.network, link.inviteId)
      const claim = now < link.claimEndsAt ? await readClaim(store, link.claimId) : undefined
      return { address: claim?.address ?? null }
    },
  }
}

function isOpen(claim: ClaimRecord | undefined, now: number): claim is ClaimRecord {
  return claim?.state === 'pending' && now < claim.expiresAt
}

/** The invite of an earlier call with the same Idempotency-Key. @throws ServiceError `idempotency_mismatch` */
function repeatedOf(
  invites: InviteRecord[],
  keyHash: string | null,
  to: string,
  note: string | null,
): InviteRecord | undefined {
  const found = keyHash === null ? undefined : invites.find((one) => one.keyHash === keyHash)
  if (found && (found.to !== to || found.note !== note))
    throw new ServiceError(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another invite.',
      'Use a new key for a new invite, and repeat a request unchanged.',
    )
  return found
}

function notWaiting(claim: ClaimRecord | undefined): ServiceError {
  if (claim?.state === 'claimed' || !claim) {
    return invalidRequest(
      'This mailbox is already approved and needs no invite.',
      'GET /v1/claim/status shows what you can do with it.',
    )
  }
  return invalidRequest(
    claim.state === 'declined' ? 'A human has declined this claim.' : 'This claim has ended.',
    'No more invites are sent for it. Claim another address: GET /v1/claim/challenge, then POST /v1/claim.',
  )
}

function inviteLimit(): ServiceError {
  return new ServiceError(
    'invite_limit',
    `A claim has ${MAX_INVITES} invites, and this one has used them.`,
    'Give claim_url to your human yourself, and poll GET /v1/claim/status every minute or two.',
  )
}
