/** The rules for an account's trust level and for suspensions (docs/trust.md), as pure functions over its daily outcomes. */
import { DAY } from '../lib/clock.js'
import { minus, sum, within, type DayCounts } from './outcomes.js'

export const MAX_LEVEL = 6

/** Requirements of the next level. */
export const RAISE = { days: 30, activeDays: 7, delivered: 50, bouncePercent: 2 } as const
/** Days that count for lowering and suspending. */
export const LINE_DAYS = 7

/** Thresholds that the operator may change (limits.toml). */
export interface TrustLines {
  /** Lowers the level above this share of bounces, … */
  lowerBouncePercent: number
  /** … with at least so many recipients: one wrong address among three is no evidence. */
  lowerMinRecipients: number
  suspendBouncePercent: number
  suspendComplaintPercent: number
  suspendMinRecipients: number
}

export const DEFAULT_LINES: TrustLines = {
  lowerBouncePercent: 5,
  lowerMinRecipients: 20,
  suspendBouncePercent: 10,
  suspendComplaintPercent: 0.3,
  suspendMinRecipients: 100,
}

export interface LevelChange {
  /** Milliseconds since the epoch. */
  at: number
  from: number
  to: number
  by: 'service' | 'operator'
  why: string
}

/** Stored state of an account's trust, beside its level. Days are whole days since the epoch, in UTC. */
export interface TrustState {
  pinned: boolean
  last: LevelChange | null
  /** Counts that lowered the level, or existed when it was set by hand, and cannot lower it again: all earlier days, and this much of that day. */
  spent: DayCounts | null
  /** Counts from before the end of a suspension, which cannot suspend again: all earlier days, and this much of that day. */
  cleared: DayCounts | null
}

export const NEW_TRUST: TrustState = { pinned: false, last: null, spent: null, cleared: null }

export type Judgement = { kind: 'stays' } | { kind: 'up' | 'down'; to: number; why: string }

export interface RaiseProgress {
  active_days: number
  delivered: number
  bounce_percent: number
  complaints: number
  blocks: number
}

/**
 * The change of level today: at most one per day, down before up.
 *
 * @param days outcomes by day; those older than 30 days are ignored
 * @param changedOn day of the last change of level, null for none
 */
export function judge(
  { level, state, changedOn }: { level: number; state: TrustState; changedOn: number | null },
  days: readonly DayCounts[],
  today: number,
  lines: TrustLines,
): Judgement {
  if (state.pinned || changedOn === today) return { kind: 'stays' }
  const cause = causeToLower(days, state.spent, today, lines)
  if (cause !== undefined && level > 0) return { kind: 'down', to: level - 1, why: cause }
  if (cause === undefined && level < MAX_LEVEL) {
    const progress = progressOf(days, changedOn, today)
    if (isEarned(progress)) {
      const { active_days, delivered, bounce_percent } = progress
      const why = `${active_days} active days with ${delivered} delivered and ${percentText(bounce_percent)} bounced, no complaint and no block in ${RAISE.days} days`
      return { kind: 'up', to: level + 1, why }
    }
  }
  return { kind: 'stays' }
}

export function changedOn({ last }: TrustState): number | null {
  return last && Math.floor(last.at / DAY)
}

/** @param changedOn days and deliveries are counted again after it; complaints and blocks count for 30 days all the same */
export function progressOf(days: readonly DayCounts[], changedOn: number | null, today: number): RaiseProgress {
  const month = within(days, today, RAISE.days)
  const since = month.filter(({ day }) => changedOn === null || day > changedOn)
  const total = sum(since)
  const { complaints, blocks } = sum(month)
  return {
    active_days: since.filter(({ sent }) => sent > 0).length,
    delivered: total.delivered,
    bounce_percent: percent(total.bounced, total.sent),
    complaints,
    blocks,
  }
}

export function isEarned({ active_days, delivered, bounce_percent, complaints, blocks }: RaiseProgress): boolean {
  return (
    active_days >= RAISE.activeDays &&
    delivered >= RAISE.delivered &&
    bounce_percent < RAISE.bouncePercent &&
    complaints === 0 &&
    blocks === 0
  )
}

function causeToLower(
  days: readonly DayCounts[],
  spent: DayCounts | null,
  today: number,
  lines: TrustLines,
): string | undefined {
  const { complaints, blocks } = sum(without(within(days, today, LINE_DAYS), spent))
  const causes = [
    complaints > 0 && `${complaints} ${complaints === 1 ? 'recipient' : 'recipients'} complained`,
    blocks > 0 && `${blocks} ${blocks === 1 ? 'message was' : 'messages were'} blocked`,
  ].filter((cause) => cause !== false)
  // Bounces of a day that lowered the level are left out with all that was sent on it: the share of half a day means nothing.
  const { sent, bounced } = sum(within(days, today, LINE_DAYS).filter(({ day }) => spent === null || day > spent.day))
  if (sent >= lines.lowerMinRecipients && over(bounced, sent, lines.lowerBouncePercent)) {
    causes.push(
      `${bounced} of ${sent} recipients do not exist (${percentText(percent(bounced, sent))}; the limit is ${percentText(lines.lowerBouncePercent)})`,
    )
  }
  return causes.length === 0 ? undefined : `${causes.join(', ')} within ${LINE_DAYS} days`
}

/** Counts for a suspension: the last 7 days, without those of an ended suspension. */
export function lineCounts(days: readonly DayCounts[], cleared: DayCounts | null, today: number): DayCounts {
  return { day: today, ...sum(without(within(days, today, LINE_DAYS), cleared)) }
}

/** The reason to suspend an account, for its owner; undefined when there is none. */
export function suspensionCause(
  days: readonly DayCounts[],
  cleared: DayCounts | null,
  today: number,
  lines: TrustLines,
): string | undefined {
  const { sent, bounced, complaints } = lineCounts(days, cleared, today)
  if (sent < lines.suspendMinRecipients) return undefined
  const causes = [
    over(bounced, sent, lines.suspendBouncePercent) &&
      `${bounced} of ${sent} recipients within ${LINE_DAYS} days do not exist: ${percentText(percent(bounced, sent))}, and the limit is ${percentText(lines.suspendBouncePercent)}`,
    over(complaints, sent, lines.suspendComplaintPercent) &&
      `${complaints} of ${sent} recipients within ${LINE_DAYS} days complained: ${percentText(percent(complaints, sent))}, and the limit is ${percentText(lines.suspendComplaintPercent)}`,
  ].filter((cause) => cause !== false)
  return causes.length === 0 ? undefined : `${causes.join('. ')}.`
}

/** The days without the spent counts: earlier days, and that much of that day. */
function without(days: readonly DayCounts[], spent: DayCounts | null): DayCounts[] {
  if (!spent) return [...days]
  return days.flatMap((each) => {
    if (each.day < spent.day) return []
    if (each.day > spent.day) return [each]
    return [{ day: each.day, ...sum([{ day: each.day, ...minus(each, spent) }]) }]
  })
}

/** Exact: 3 of 1,000 are not over 0.3 %, but 1 of 333 is. */
function over(part: number, of: number, limitPercent: number): boolean {
  return part * 100 > limitPercent * of + 1e-9
}

/** For display; at most three decimals. */
export function percent(part: number, of: number): number {
  return of <= 0 ? 0 : Math.round((part / of) * 100_000) / 1000
}

export function percentText(value: number): string {
  return `${Math.round(value * 100) / 100} %`
}
