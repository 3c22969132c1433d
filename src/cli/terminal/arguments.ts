/** Values of arguments and options, as an operator types them. */
import { z } from 'zod'
import { normalizeDomain } from '../../config/setting/address.js'
import { DAY, HOUR, MINUTE } from '../../lib/clock.js'
import type { Invocation } from './command.js'

const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }
const AGE = /^(\d{1,6})([mhdw])$/
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/**
 * A time (RFC 3339, or a date, from midnight UTC), or an age: `30m`, `2h`, `3d`, `1w`.
 *
 * @returns milliseconds since the epoch; undefined if invalid
 */
export function parseWhen(text: string, now: number): number | undefined {
  const [, count, unit] = AGE.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0)
  return moment.safeParse(text).success ? Date.parse(text) : undefined
}

/** Milliseconds since the epoch; undefined if not given. @throws CommandError (usage) */
export function timeOption({ options, usage }: Invocation, name: 'since' | 'until', now: number): number | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  const at = parseWhen(text, now)
  if (at !== undefined && at >= 0) return at
  throw usage(`--${name} takes a time such as 2026-11-20T08:00:00Z or an age such as 30m, 2h or 3d, not "${text}"`)
}

/** A whole number from 1 to `most`. @throws CommandError (usage) */
export function numberOption(
  { options, usage }: Invocation,
  name: 'limit' | 'days',
  most: number,
  fallback = 100,
): number {
  const text = options[name]
  const number = text === undefined ? fallback : Number(text)
  if (text?.trim() !== '' && Number.isInteger(number) && number >= 1 && number <= most) return number
  throw usage(`--${name} takes a whole number from 1 to ${most}, not "${text}"`)
}

/** @throws CommandError (usage) */
export function domainArgument({ usage }: Invocation, text = '', example = 'agents.example.com'): string {
  const domain = normalizeDomain(text)
  if (domain !== undefined) return domain
  throw usage(`"${text}" is no domain; it takes one such as ${example}`)
}
