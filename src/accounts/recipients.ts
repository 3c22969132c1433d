/** The daily limit of new recipients of an account (UTC): 25 × 2^trust by default. One partition and commit, so the count is exact for concurrent sends. */
import type { Fingerprint } from '../guard/text/similar.js'
import { type Clock, DAY } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { sha256Hex } from '../lib/ids.js'
import { addressKey } from '../mime/address.js'
import { decode, encode, key } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { dayOf } from './outcomes.js'
import { countSimilar } from './similar.js'
import { measure, STORY, type Measured, type Traits } from './story.js'
import { requireActive } from './refusals.js'
import { refuseSuppressed } from './suppressions.js'
import type { AccountRecord, Counted } from './types.js'

const COUNT = key('new-recipients')
/** The row of a known address. If a message was the first to reach it, the row has the message's id instead. */
const SEEN = encode(1)
/** Row of an address that the account has written to. @param hash of the address in its original spelling (mime/address.ts) */
export const knownKey = (hash: string): Uint8Array => key('known', hash)

interface Count {
  day: number
  used: number
}

/** Addresses by hash; `free` ones wrote first and never count as new. */
export type Candidates = Map<string, { address: string; free: boolean }>

/** End of the limit's day, in milliseconds since the epoch. */
export const resetsAt = (clock: Clock): number => (dayOf(clock) + 1) * DAY

export const dailyLimit = (perDay: number, trust: number): number => perDay * 2 ** trust

/** Distinct addresses, regardless of spelling. */
export function candidates(addresses: string[], free: string[]): Candidates {
  const wroteFirst = new Set(free.map(addressKey))
  const all: Candidates = new Map()
  for (const address of addresses) {
    const spelled = addressKey(address)
    all.set(sha256Hex(spelled), { address: spelled, free: wroteFirst.has(spelled) })
  }
  return all
}

export async function usedToday(view: View, clock: Clock): Promise<number> {
  return usedOn(await view.get(COUNT), clock)
}

function usedOn(row: Uint8Array | undefined, clock: Clock): number {
  const count = row && decode<Count>(row)
  return count?.day === dayOf(clock) ? count.used : 0
}

/** New recipients of a message, and what is left of the limit. */
export interface NewRecipients {
  /** The stored row of each recipient, in the order of the recipients; undefined for new ones. */
  known: (Uint8Array | undefined)[]
  /** Recipients that the account never wrote to and that did not write first. */
  fresh: string[]
  limit: number
  /** New recipients left today; negative when a reviewer's approval exceeded the limit. */
  left: number
  /** The account's story before, with a message of these traits; undefined without them. */
  measured: Measured | undefined
}

/** @throws ServiceError `recipient_suppressed`, or the reason why the account may not send */
export async function readNewRecipients(
  view: View,
  account: AccountRecord,
  recipients: Candidates,
  perDay: number,
  clock: Clock,
  traits?: Traits,
): Promise<NewRecipients> {
  requireActive(account)
  const hashes = [...recipients.keys()]
  // One request for all rows of the account, to a store that is elsewhere.
  const [[count, told, ...known]] = await Promise.all([
    view.getMany([COUNT, STORY, ...hashes.map(knownKey)]),
    refuseSuppressed(view, hashes),
  ])
  const fresh = [...recipients.values()].filter(({ free }, i) => !free && known[i] === undefined)
  const limit = dailyLimit(perDay, account.trust)
  const message = traits && { ...traits, recipients: recipients.size, newRecipients: fresh.length }
  return {
    known,
    fresh: fresh.map(({ address }) => address),
    limit,
    left: limit - usedOn(count, clock),
    measured: message && measure(account.id, told, message, clock.now()),
  }
}

/**
 * Checks the recipients of an outgoing message, and counts its fingerprint. New recipients are only charged by `charge`, and the story by `tell`.
 *
 * @throws ServiceError `recipient_suppressed`, `new_recipient_limit`, or the reason why the account may not send
 */
export async function countMessage(
  tx: Transaction,
  account: AccountRecord,
  {
    recipients,
    print,
    traits,
  }: { recipients: Candidates; print: Fingerprint | undefined; traits?: Traits | undefined },
  perDay: number,
  clock: Clock,
): Promise<Counted> {
  const found = await readNewRecipients(tx, account, recipients, perDay, clock, traits)
  const { known, fresh, limit, left, measured } = found
  if (fresh.length > left) throw limitReached(fresh.length, limit, left, clock)
  const firsts = new Set(fresh)
  // A recipient of two messages stays known when one of them is refunded.
  for (const [i, [hash, { address }]] of [...recipients].entries())
    if (!firsts.has(address) && !isSame(known[i], SEEN)) tx.put(knownKey(hash), SEEN)
  return {
    fresh,
    ...(print && { similar: await countSimilar(tx, print, fresh.length, clock.now()) }),
    ...(measured?.story && { story: measured.story }),
    ...(measured && { tell: (isGoing: boolean) => tx.put(STORY, measured.row(isGoing)) }),
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0
}

/** Charges the new recipients of a message that is sent, except those that another message has reached meanwhile. Never refused. */
export async function charge(
  tx: Transaction,
  messageId: string,
  fresh: readonly string[],
  clock: Clock,
): Promise<void> {
  const rows = fresh.map((address) => knownKey(sha256Hex(address)))
  const known = await tx.getMany(rows)
  const unknown = rows.filter((_, i) => known[i] === undefined)
  for (const row of unknown) tx.put(row, encode(messageId))
  await addToCount(tx, unknown.length, clock)
}

/**
 * Refunds `charge` for a message that is not sent after all. Its recipients are new again, except those that another message has reached since.
 *
 * @param day of the charge; a charge of another day no longer counts
 */
export async function giveBack(
  tx: Transaction,
  messageId: string,
  { fresh, day }: { fresh: readonly string[]; day: number },
  clock: Clock,
): Promise<void> {
  const rows = fresh.map((address) => knownKey(sha256Hex(address)))
  const known = await tx.getMany(rows)
  const own = encode(messageId)
  const returned = rows.filter((_, i) => isSame(known[i], own))
  for (const row of returned) tx.delete(row)
  if (day === dayOf(clock)) await addToCount(tx, -returned.length, clock)
}

async function addToCount(tx: Transaction, recipients: number, clock: Clock): Promise<void> {
  if (recipients === 0) return
  const used = Math.max(0, (await usedToday(tx, clock)) + recipients)
  tx.put(COUNT, encode({ day: dayOf(clock), used } satisfies Count))
}

export function limitReached(wanted: number, limit: number, left: number, clock: Clock): ServiceError {
  const hint =
    wanted > limit
      ? `Send to at most ${limit} new recipients at a time, and no more than that in a day.`
      : 'Write to people you have written to before, reply to those who wrote to you, or try again after the reset.'
  return new ServiceError(
    'new_recipient_limit',
    `This message goes to ${wanted} new recipients, and ${Math.max(0, left)} of today's ${limit} are left.`,
    `${hint} GET /v1/account/usage shows when the limit resets and what raises it.`,
    { retryAfterSeconds: Math.ceil((resetsAt(clock) - clock.now()) / 1000) },
  )
}
