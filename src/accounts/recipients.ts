/**
 * How many people an account may write to for the first time in a day (UTC): 25 × 2^trust by default. Everything stands in the
 * account's own partition and changes in one commit, so that the count is exact however many sends run at once.
 */
import type { Fingerprint } from '../guard/similar.js'
import type { Clock } from '../lib/clock.js'
import { DAY } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { sha256Hex } from '../lib/ids.js'
import { addressKey } from '../mime/address.js'
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { dayOf } from './outcomes.js'
import { countSimilar } from './similar.js'
import type { Similar } from './similar.js'
import { requireActive } from './standing.js'
import { refuseSuppressed } from './suppressions.js'
import type { AccountRecord } from './types.js'

/** How long a message's reservation is remembered: past the 7 days in which a person may decide about it, and every retry of the task that made it. */
const RESERVATION_DAYS = 8
/** Old reservations a new one clears away; more than it adds, so that they can't pile up. */
const SWEPT_AT_ONCE = 10

const COUNT = key('new-recipients')
/** The row of an address that stays known. The row of one that a message was the first to reach has the message's id. */
const SEEN = encode(1)
/** Row of an address that the account has written to. @param hash of the address as it is spelled (mime/address.ts) */
export const knownKey = (hash: string): Uint8Array => key('known', hash)
const reservationKey = (messageId: string): Uint8Array => key('reserved', messageId)
const ageKey = (day: number, messageId: string): Uint8Array => key('reserved-on', day, messageId)

interface Count {
  day: number
  used: number
}

/** Addresses by the hash under which they are remembered; `free` ones wrote first and are never fresh. */
export type Candidates = Map<string, { address: string; free: boolean }>

/** When the day of the limit ends, in milliseconds since the epoch. */
export const resetsAt = (clock: Clock): number => (dayOf(clock) + 1) * DAY

export const dailyLimit = (perDay: number, trust: number): number => perDay * 2 ** trust

/** Each address once, however it is spelled. */
export function candidates(addresses: string[], free: string[]): Candidates {
  const wroteFirst = new Set(free.map(addressKey))
  const all: Candidates = new Map()
  for (const address of addresses) {
    const spelled = addressKey(address)
    all.set(sha256Hex(spelled), { address: spelled, free: wroteFirst.has(spelled) })
  }
  return all
}

/** How many new recipients the account has had today. */
export async function usedToday(view: View, clock: Clock): Promise<number> {
  const bytes = await view.get(COUNT)
  if (!bytes) return 0
  const count = decode<Count>(bytes)
  return count.day === dayOf(clock) ? count.used : 0
}

/** Those of the candidates that the account never wrote to and that did not write first. */
export async function freshOnes(view: View, recipients: Candidates): Promise<string[]> {
  const hashes = [...recipients.keys()]
  const known = await view.getMany(hashes.map(knownKey))
  return [...recipients.values()].filter(({ free }, i) => !free && known[i] === undefined).map(({ address }) => address)
}

/** What a message came to when its recipients were counted. */
export interface Reserved {
  fresh: string[]
  /** What was sent before and reads nearly the same; missing when the message has no fingerprint. */
  similar?: Similar
}

/** As stored. */
interface Reservation extends Reserved {
  /** Its new recipients were given back: it is held, was blocked, or was cancelled before it left. */
  returned?: true
}

/**
 * Counts and remembers. A message that has its reservation already gets the same answer and counts nothing.
 *
 * @throws ServiceError `recipient_suppressed`, `new_recipient_limit`, or why the account may not send
 */
export async function reserve(
  tx: Transaction,
  account: AccountRecord,
  messageId: string,
  { recipients, print }: { recipients: Candidates; print: Fingerprint | undefined },
  perDay: number,
  clock: Clock,
): Promise<Reserved> {
  requireActive(account)
  const reserved = await tx.get(reservationKey(messageId))
  if (reserved) {
    const { returned: _returned, ...answer } = decode<Reservation>(reserved)
    await charge(tx, messageId, clock)
    return answer
  }
  await refuseSuppressed(tx, [...recipients.keys()])

  const fresh = await freshOnes(tx, recipients)
  const used = await usedToday(tx, clock)
  const limit = dailyLimit(perDay, account.trust)
  if (used + fresh.length > limit) throw limitReached(fresh.length, limit, limit - used, clock)

  const day = dayOf(clock)
  const firsts = new Set(fresh)
  for (const [hash, { address }] of recipients)
    // Whom two messages have reached stays known when one of them gives back what it cost.
    tx.put(knownKey(hash), firsts.has(address) ? encode(messageId) : SEEN)
  if (fresh.length > 0) tx.put(COUNT, encode({ day, used: used + fresh.length } satisfies Count))
  const answer: Reserved = { fresh }
  if (print) answer.similar = await countSimilar(tx, print, fresh.length, clock.now())
  tx.put(reservationKey(messageId), encode(answer))
  tx.put(ageKey(day, messageId), SEEN)
  await sweepReservations(tx, day)
  return answer
}

/**
 * Gives back what a message cost that does not leave: it is held, or blocked. Its recipients are new again, but for those that another message has
 * reached since. Done again it changes nothing.
 */
export async function giveBack(tx: Transaction, messageId: string, clock: Clock): Promise<void> {
  const bytes = await tx.get(reservationKey(messageId))
  const reservation = bytes && decode<Reservation>(bytes)
  if (!reservation || reservation.returned) return
  const hashes = reservation.fresh.map(sha256Hex)
  const known = await tx.getMany(hashes.map(knownKey))
  const own = hashes.filter((_, i) => known[i] !== undefined && decode<unknown>(known[i]) === messageId)
  for (const hash of own) tx.delete(knownKey(hash))
  // What was counted on another day is no longer counted.
  if (await tx.get(ageKey(dayOf(clock), messageId))) await addToCount(tx, -own.length, clock)
  tx.put(reservationKey(messageId), encode({ ...reservation, returned: true } satisfies Reservation))
}

/** Counts again what was given back, once the message may leave after all; never refused. Done again it changes nothing. */
export async function charge(tx: Transaction, messageId: string, clock: Clock): Promise<void> {
  const bytes = await tx.get(reservationKey(messageId))
  const reservation = bytes && decode<Reservation>(bytes)
  if (!reservation?.returned) return
  const { returned: _returned, ...again } = reservation
  const hashes = again.fresh.map(sha256Hex)
  const known = await tx.getMany(hashes.map(knownKey))
  const unknown = hashes.filter((_, i) => known[i] === undefined)
  for (const hash of unknown) tx.put(knownKey(hash), encode(messageId))
  await addToCount(tx, unknown.length, clock)
  tx.put(reservationKey(messageId), encode(again satisfies Reservation))
  tx.put(ageKey(dayOf(clock), messageId), SEEN)
}

async function addToCount(tx: Transaction, recipients: number, clock: Clock): Promise<void> {
  if (recipients === 0) return
  const used = Math.max(0, (await usedToday(tx, clock)) + recipients)
  tx.put(COUNT, encode({ day: dayOf(clock), used } satisfies Count))
}

async function sweepReservations(tx: Transaction, today: number): Promise<void> {
  const all = prefixRange('reserved-on')
  const old = await tx.range({
    gte: all.gte,
    lt: key('reserved-on', Math.max(0, today - RESERVATION_DAYS)),
    limit: SWEPT_AT_ONCE,
  })
  for (const [ageing] of old) {
    const messageId = keyParts(ageing)[2]
    if (typeof messageId === 'string') tx.delete(reservationKey(messageId))
    tx.delete(ageing)
  }
}

export function limitReached(wanted: number, limit: number, left: number, clock: Clock): ServiceError {
  const hint =
    wanted > limit
      ? `Send to at most ${limit} people you have never written to at a time, and no more than that in a day.`
      : 'Write to people you have written to before, answer those who wrote to you, or try again after the reset.'
  return new ServiceError(
    'new_recipient_limit',
    `This message goes to ${wanted} new recipients, and ${Math.max(0, left)} of today's ${limit} are left.`,
    `${hint} GET /v1/account/usage says when the limit resets and what raises it.`,
    { retryAfterSeconds: Math.ceil((resetsAt(clock) - clock.now()) / 1000) },
  )
}
