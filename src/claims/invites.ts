/**
 * Asking a human by mail: an invite gets its place beside the claim first, and is then sent, each step idempotent by its id. What a crash cuts off
 * is finished by the claim's task or by the next call, so an invite that counts is one that is sent, once.
 */
import type { Letters } from '../accounts/letters.js'
import type { Guard } from '../guard/types.js'
import { timestamp } from '../lib/clock.js'
import type { Clock } from '../lib/clock.js'
import { ServiceError, invalidRequest } from '../lib/errors.js'
import { newId, sha256Hex } from '../lib/ids.js'
import { readMailbox } from '../mailbox/record.js'
import { createLine } from '../store/line.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store } from '../store/types.js'
import { MAKING_LIFE_MS } from './claim.js'
import { checkByGuard, checkNote, checkRecipient } from './invite-check.js'
import { inviteLetter } from './invite-letter.js'
import { createInviteLimits, humanOf } from './invite-limits.js'
import { dropInvite, inviteToken, markSent, MAX_INVITES, placeInvite, putInviteLink } from './invite-record.js'
import { readInviteLink, readInvites } from './invite-record.js'
import type { InviteRecord } from './invite-record.js'
import { readClaim } from './record.js'
import type { ClaimRecord } from './record.js'
import { networkOf } from './difficulty.js'
import type { Difficulty } from './difficulty.js'
import type { Claims, InviteRequest, InviteResult } from './types.js'

export interface InvitesDeps {
  store: Store
  queue: Pick<WorkQueue, 'reschedule'>
  clock: Clock
  secret: Uint8Array
  baseUrl: string
  letters: Letters
  guard: Guard
  isLocalDomain: (domain: string) => boolean
  /** Of the whole server, in an hour. */
  invitesPerHour: number
  difficulty: Pick<Difficulty, 'blame'>
}

export interface Invites extends Pick<Claims, 'notify' | 'refuse'> {
  /** Sends what a crash has left half-done. Idempotent. */
  finish(claim: ClaimRecord): Promise<void>
}

export function createInvites(deps: InvitesDeps): Invites {
  const { store, clock, letters } = deps
  const limits = createInviteLimits({ store, perHour: deps.invitesPerHour })
  const line = createLine()

  /** @throws ServiceError `rate_limited`; it has lost its place then */
  async function send(claim: ClaimRecord, invite: InviteRecord): Promise<void> {
    const { network } = invite
    const human = humanOf(invite.to)
    try {
      await limits.take({ inviteId: invite.id, at: invite.at, network, human })
    } catch (error) {
      if (error instanceof ServiceError) await dropInvite(store, claim.id, invite.id)
      throw error
    }
    const token = inviteToken(deps.secret, invite.id)
    const link = { claimId: claim.id, inviteId: invite.id, human, network, claimEndsAt: claim.expiresAt }
    await putInviteLink(store, token, link, invite.at)
    await letters.post(invite.id, inviteLetter({ claim, invite, url: `${deps.baseUrl}/claim/${token}` }))
    await markSent(store, claim.id, invite.id)
  }

  async function finish(claim: ClaimRecord): Promise<void> {
    for (const invite of await readInvites(store, claim.id)) {
      if (invite.state === 'sent') continue
      try {
        await send(claim, invite)
      } catch (error) {
        // A limit stood against it, and it has lost its place: nobody waits for the answer any more.
        if (!(error instanceof ServiceError)) throw error
      }
    }
  }

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

  /** One at a time for each claim. */
  async function invite(claimId: string, request: InviteRequest, client: string): Promise<InviteResult> {
    const claim = await readClaim(store, claimId)
    const now = clock.now()
    if (!claim || claim.state !== 'pending' || now >= claim.expiresAt) throw notWaiting(claim)
    const to = checkRecipient(request.to, deps)
    const note = checkNote(request.note)
    const keyHash = request.idempotencyKey === undefined ? null : sha256Hex(request.idempotencyKey)

    // Nobody else is at it: what is unsent was cut off by a crash. Who asks for the same again gets that one.
    const before = await readInvites(store, claimId)
    const cutOff = before.find((one) => one.state === 'sending' && one.to === to && one.note === note)
    await finish(claim)
    const placed = await readInvites(store, claimId)
    const repeated =
      (keyHash !== null ? placed.find((one) => one.keyHash === keyHash) : undefined) ??
      placed.find((one) => one.id === cutOff?.id)
    if (repeated) {
      if (repeated.to !== to || repeated.note !== note) throw mismatch()
      return answerFor(claim, repeated)
    }
    if (placed.length >= MAX_INVITES) throw inviteLimit()
    const network = claim.network ?? networkOf(client)
    if (await limits.isRefused(network, humanOf(to), now)) throw refusedBy(to)
    if (await letters.isRefused(to)) throw undeliverable(to)
    await checkByGuard(deps.guard, claim.agentName, note)

    const record: InviteRecord = { id: newId('inv', now), to, note, at: now, state: 'sending', network, keyHash }
    // Intent first: should we crash past the next commit, the task sends it.
    await deps.queue.reschedule('claim', claimId, now + MAKING_LIFE_MS)
    const place = await placeInvite(store, claimId, record, clock.now())
    if (place === 'full') throw inviteLimit()
    if (place === 'over') throw notWaiting(await readClaim(store, claimId))
    await send(claim, record)
    return answerFor(claim, record)
  }

  return {
    finish,

    async notify(mailboxId, request, client) {
      const mailbox = await readMailbox(store, mailboxId)
      if (!mailbox || mailbox.claimId === null) throw notWaiting(undefined)
      const { claimId } = mailbox
      return line.run(claimId, () => invite(claimId, request, client))
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

function notWaiting(claim: ClaimRecord | undefined): ServiceError {
  if (claim?.state === 'claimed' || !claim) {
    return invalidRequest(
      'This mailbox is approved already: there is nobody to ask.',
      'GET /v1/claim/status says what you can do with it.',
    )
  }
  return invalidRequest(
    claim.state === 'declined' ? 'A human has declined this claim.' : 'This claim has ended.',
    'Nobody is invited to it any more. Claim another address: GET /v1/claim/challenge, then POST /v1/claim.',
  )
}

function inviteLimit(): ServiceError {
  return new ServiceError(
    'invite_limit',
    `A claim has ${MAX_INVITES} invites, and this one has used them.`,
    'Give claim_url to your human yourself, and ask GET /v1/claim/status every minute or two.',
  )
}

function refusedBy(to: string): ServiceError {
  return new ServiceError(
    'recipient_suppressed',
    `${to} has said that such invites are not for them. Nothing was sent or counted.`,
    'Make sure that this is the address of your human, and give them claim_url yourself.',
    { fields: [{ field: 'to', problem: 'they want no invites' }] },
  )
}

function undeliverable(to: string): ServiceError {
  return new ServiceError(
    'recipient_suppressed',
    `Mail to ${to} was refused by its server within the last week. Nothing was sent or counted.`,
    'Check the address for a slip, or give claim_url to your human yourself.',
    { fields: [{ field: 'to', problem: 'its server refuses it' }] },
  )
}

function mismatch(): ServiceError {
  return new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for another invite.',
    'Use a new key for a new invite, and repeat a request unchanged.',
  )
}
