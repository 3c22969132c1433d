/** Outcomes of the mail of an account, counted by day (UTC). Each day has a row in the account's partition. */
import { type Clock, DAY } from '../lib/clock.js'

export interface OutcomeCounts {
  /** External recipients with a final outcome of any kind. */
  sent: number
  /** Recipients of `sent` whose server accepted the message and did not bounce it later. */
  delivered: number
  /** Recipients of `sent` whose address does not exist or is disabled, by their server. */
  bounced: number
  /** Recipients who called a message spam. */
  complaints: number
  /** Messages that the guard blocked or staff rejected. */
  blocks: number
}

export interface DayCounts extends OutcomeCounts {
  day: number
}

export const OUTCOMES = [
  'sent',
  'delivered',
  'bounced',
  'complaints',
  'blocks',
] as const satisfies readonly (keyof OutcomeCounts)[]

export const NO_OUTCOMES: OutcomeCounts = { sent: 0, delivered: 0, bounced: 0, complaints: 0, blocks: 0 }

export const dayOf = (clock: Clock): number => Math.floor(clock.now() / DAY)

export function plus(a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts {
  return combined(a, b, (x, y) => x + y)
}

export function minus(a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts {
  return combined(a, b, (x, y) => x - y)
}

function combined(a: OutcomeCounts, b: OutcomeCounts, how: (x: number, y: number) => number): OutcomeCounts {
  return {
    sent: how(a.sent, b.sent),
    delivered: how(a.delivered, b.delivered),
    bounced: how(a.bounced, b.bounced),
    complaints: how(a.complaints, b.complaints),
    blocks: how(a.blocks, b.blocks),
  }
}

export function isNone(counts: OutcomeCounts): boolean {
  return OUTCOMES.every((name) => counts[name] === 0)
}

/** True if it may lower the account's trust level. */
export function isUrgent({ bounced, complaints, blocks }: OutcomeCounts): boolean {
  return bounced > 0 || complaints > 0 || blocks > 0
}

/** The last `count` days, including today. */
export function within(days: readonly DayCounts[], today: number, count: number): DayCounts[] {
  return days.filter(({ day }) => day > today - count && day <= today)
}

/** No count is below zero: what is subtracted may have been counted on a day outside the range. */
export function sum(days: readonly DayCounts[]): OutcomeCounts {
  const total = days.reduce<OutcomeCounts>(plus, NO_OUTCOMES)
  return combined(total, NO_OUTCOMES, Math.max)
}
