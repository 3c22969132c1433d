/**
 * How far an account is trusted: the rules by which its level moves and by which it is suspended, over the outcomes of its days. Pure functions; what
 * is counted stands in outcomes.ts, and where it is kept in outcome-counting.ts. docs/trust.md says the same to people.
 */
import { DAY } from '../lib/clock.js'
import { minus, sum, within } from './outcomes.js'
import type { DayCounts } from './outcomes.js'

export const MAX_LEVEL = 6

/** What earns the next level. */
export const RAISE = { days: 30, activeDays: 7, delivered: 50, bouncePercent: 2 } as const
/** Days over which the lines of lowering and suspending are drawn. */
export const LINE_DAYS = 7

/** The lines an operator may move (limits.toml). */
export interface TrustLines {
  /** One level down past this share of bounces, … */
  lowerBouncePercent: number
  /** … of at least so many recipients: one wrong address among three says nothing. */
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

/** What is kept of an account's trust beside its level. Days are whole days since the epoch, in UTC. */
export interface TrustState {
  pinned: boolean
  last: LevelChange | null
  /** What lowered the level, or was there when it was set by hand: it lowers none again. All days before, and so much of that day. */
  spent: DayCounts | null
  /** What was there when a suspension ended: it suspends no more. All days before, and so much of that day. */
  cleared: DayCounts | null
}

export const NEW_TRUST: TrustState = { pinned: false, last: null, spent: null, cleared: null }

export type Judgement = { kind: 'stays' } | { kind: 'up' | 'down'; to: number; why: string }

/** What counts for the next level, as far as it has come. */
export interface RaiseProgress {
  active_days: number
  delivered: number
  bounce_percent: number
  complaints: number
  blocks: number
}

/**
 * Whether the level moves today: one level a day at most, down before up.
 *
 * @param days outcomes by day; those of more than 30 days ago are not looked at
 * @param changedOn day of the last change of level, null when there was none
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

/** Day of the last change of level; null when there was none. */
export function changedOn({ last }: TrustState): number | null {
  return last && Math.floor(last.at / DAY)
}

/** @param changedOn days and deliveries count anew after it; complaints and blocks are looked back on for 30 days all the same */
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
  // The bounces of a day that lowered the level are left out with all that was sent on it: half a day's share says nothing.
  const { sent, bounced } = sum(within(days, today, LINE_DAYS).filter(({ day }) => spent === null || day > spent.day))
  if (sent >= lines.lowerMinRecipients && over(bounced, sent, lines.lowerBouncePercent)) {
    causes.push(
      `${bounced} of ${sent} recipients do not exist (${percentText(percent(bounced, sent))}; the line is ${percentText(lines.lowerBouncePercent)})`,
    )
  }
  return causes.length === 0 ? undefined : `${causes.join(', ')} within ${LINE_DAYS} days`
}

/** What is looked at for a suspension: the last 7 days, without what a suspension that has ended was for. */
export function lineCounts(days: readonly DayCounts[], cleared: DayCounts | null, today: number): DayCounts {
  return { day: today, ...sum(without(within(days, today, LINE_DAYS), cleared)) }
}

/** Why an account has to be suspended, in words for its owner; undefined when it has not to. */
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

/** The days without what is spent: days before it, and so much of that day. */
function without(days: readonly DayCounts[], spent: DayCounts | null): DayCounts[] {
  if (!spent) return [...days]
  return days.flatMap((each) => {
    if (each.day < spent.day) return []
    if (each.day > spent.day) return [each]
    return [{ day: each.day, ...sum([{ day: each.day, ...minus(each, spent) }]) }]
  })
}

/** 3 of 1,000 are not over 0.3 %, and 1 of 333 is. */
function over(part: number, of: number, limitPercent: number): boolean {
  return part * 100 > limitPercent * of + 1e-9
}

/** Of what is shown; with three decimals at most. */
export function percent(part: number, of: number): number {
  return of <= 0 ? 0 : Math.round((part / of) * 100_000) / 1000
}

export function percentText(value: number): string {
  return `${Math.round(value * 100) / 100} %`
}
