/** What became of what an account sent, in numbers by day (UTC). A day has a row of its own in the account's partition. */
import type { Clock } from '../lib/clock.js'
import { DAY } from '../lib/clock.js'

export interface OutcomeCounts {
  /** Recipients outside of this server for whom delivery has come to an end, whatever it was. */
  sent: number
  /** Of them, those whose server took the message and did not send it back later. */
  delivered: number
  /** Of them, addresses that do not exist or are disabled, as their server said. */
  bounced: number
  /** Recipients who called a message spam. */
  complaints: number
  /** Messages that the guard blocked, or that staff rejected. */
  blocks: number
}

export interface DayCounts extends OutcomeCounts {
  /** Whole days since the epoch, in UTC. */
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

/** Whether it may cost the account its level. */
export function isUrgent({ bounced, complaints, blocks }: OutcomeCounts): boolean {
  return bounced > 0 || complaints > 0 || blocks > 0
}

/** The last so many days, today among them. */
export function within(days: readonly DayCounts[], today: number, count: number): DayCounts[] {
  return days.filter(({ day }) => day > today - count && day <= today)
}

/** None is below zero: what is taken back may have been counted on a day that is not looked at any more. */
export function sum(days: readonly DayCounts[]): OutcomeCounts {
  const total = days.reduce<OutcomeCounts>(plus, NO_OUTCOMES)
  return combined(total, NO_OUTCOMES, Math.max)
}
