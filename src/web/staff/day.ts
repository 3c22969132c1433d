/** Today's charts for the staff: mail in and out, held mail, the queue, durations. Rendered per request. */
import { HOUR, MINUTE, timestamp } from '../../lib/clock.js'
import type { CountName, LatencyName } from '../../observe/day/series.js'
import type { DayView, Step } from '../../observe/day/view.js'
import { chart, type Series } from '../page/chart.js'
import { html, type Html } from '../page/html.js'
import { table } from '../page/table.js'
import { DAY_PATH, staffOnly, staffPage } from './frame.js'

const PER = 'in steps of ten minutes'
const STEPS_AN_HOUR = 6

const DAY_PAGE = staffOnly('GET', DAY_PATH, async (input) => {
  const { day, clock } = input
  const view = await day?.()
  return staffPage({ place: DAY_PATH, title: 'The day', body: bodyOf(view, clock.now()) }, input)
})

export const dayPages = [DAY_PAGE]

function bodyOf(view: DayView | undefined, now: number): Html {
  const about = html`<p>
    The last 24 hours until ${clockTime(now)}, all times in UTC.
    <a href="${DAY_PATH}">Refresh</a>
  </p>`
  if (!view?.steps.some(({ minutes }) => minutes > 0))
    return html`${about}
      <p>Nothing is recorded yet. The first numbers appear within a minute.</p>`
  const { steps } = view
  return html`${about} ${lastHour(steps)}
  ${counted(steps, {
    id: 'mail-in',
    title: 'Mail in',
    names: { mail_accepted: 'accepted', mail_refused: 'refused', recipients_refused: 'recipients refused' },
    empty: 'No mail was received today.',
  })}
  ${counted(steps, {
    id: 'mail-out',
    title: 'Mail out',
    names: { delivered: 'delivered', deferred: 'put off', bounced: 'bounced' },
    empty: 'No mail was sent today.',
  })}
  ${counted(steps, {
    id: 'checked',
    title: 'Held and blocked',
    names: { held: 'held for review', blocked: 'blocked' },
    empty: 'Nothing was held or blocked today.',
  })}
  ${queue(steps)}
  ${lasting(steps, 'reply', {
    id: 'reply',
    title: 'Time from DATA to reply',
    empty: 'No times yet: no mail was received today.',
  })}
  ${lasting(steps, 'delivery', {
    id: 'delivery',
    title: 'Time to delivery',
    empty: 'No times yet: no mail was delivered today.',
  })}`
}

function lastHour(steps: readonly Step[]): Html {
  const recent = steps.slice(-STEPS_AN_HOUR)
  const sum = (name: CountName): string => whole(total(recent, name))
  const waiting = steps.at(-1)?.levels.queue_waiting
  const numbers: [string, string][] = [
    ['Came in', sum('mail_accepted')],
    ['Refused', sum('mail_refused')],
    ['Delivered', sum('delivered')],
    ['Bounced', sum('bounced')],
    ['Held', sum('held')],
    ['In the queue', typeof waiting === 'number' ? whole(inQueue(steps.at(-1)) ?? 0) : 'not known'],
  ]
  return html`<section class="card" aria-labelledby="last-hour">
    <h2 id="last-hour">The last hour</h2>
    <dl class="numbers">
      ${numbers.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`
}

interface About {
  id: string
  title: string
  empty: string
}

function counted(
  steps: readonly Step[],
  { names, ...about }: About & { names: Partial<Record<CountName, string>> },
): Html {
  const shown: [CountName, string][] = []
  for (const name in names) if (isCount(name, names)) shown.push([name, names[name] ?? name])
  const series = shown.map(([name, label]): Series => ({
    name: `${label} (${whole(total(steps, name))})`,
    values: steps.map(({ minutes, counts }) => (minutes > 0 ? counts[name] : null)),
  }))
  const summary = shown
    .map(([name, label]) => `${label}: ${whole(total(steps, name))} ${busiest(steps, name)}`)
    .join('; ')
  const rows = hours(steps).map(({ at, steps: each }) => [at, ...shown.map(([name]) => numberOf(each, name))])
  return chart({
    ...about,
    per: PER,
    series,
    show: whole,
    least: 2,
    summary: `${summary}.`,
    ticks: ticksOf(steps),
    table: hourTable(
      about.title,
      shown.map(([, label]) => label),
      rows,
    ),
  })
}

const isCount = (name: string, names: Partial<Record<CountName, string>>): name is CountName => name in names

function busiest(steps: readonly Step[], name: CountName): string {
  const most = steps.reduce((best, step) => (step.counts[name] > best.counts[name] ? step : best))
  const count = most.counts[name]
  return count === 0 ? 'all day' : `all day, most (${whole(count)}) in the ten minutes from ${most.at.slice(11, 16)}`
}

function queue(steps: readonly Step[]): Html {
  const values = steps.map(inQueue)
  const known = values.flatMap((value) => value ?? [])
  const rows = hours(steps).map(({ at, steps: each }) => {
    const levels = each.flatMap((step) => inQueue(step) ?? [])
    return [at, levels.length === 0 ? '–' : whole(Math.max(...levels))]
  })
  return chart({
    id: 'queue',
    title: 'Queue',
    per: PER,
    series: [{ name: 'waiting and active messages, one per recipient domain', values }],
    show: whole,
    least: 2,
    summary: `${whole(known.at(-1) ?? 0)} now, ${whole(Math.max(0, ...known))} at the most.`,
    empty: 'The queue was empty all day.',
    ticks: ticksOf(steps),
    table: hourTable('Queue', ['the most at the end of a step'], rows),
  })
}

function inQueue(step: Step | undefined): number | null {
  if (!step) return null
  const { queue_waiting: waiting, queue_ready: ready, queue_at_work: atWork, queue_held: held } = step.levels
  return waiting === null ? null : waiting + (ready ?? 0) + (atWork ?? 0) + (held ?? 0)
}

function lasting(steps: readonly Step[], name: LatencyName, about: About): Html {
  const p50 = steps.map(({ latency }) => latency[name].p50_seconds)
  const p95 = steps.map(({ latency }) => latency[name].p95_seconds)
  const count = steps.reduce((sum, { latency }) => sum + latency[name].count, 0)
  const slowest = Math.max(0, ...p95.map((value) => value ?? 0))
  const rows = hours(steps).map(({ at, steps: each }) => {
    const most = (of: 'p50_seconds' | 'p95_seconds'): string => {
      const known = each.flatMap(({ latency }) => latency[name][of] ?? [])
      return known.length === 0 ? '–' : lasted(Math.max(...known))
    }
    return [at, most('p50_seconds'), most('p95_seconds')]
  })
  return chart({
    ...about,
    per: PER,
    series: [
      { name: 'half were faster (50 %)', values: p50 },
      { name: '95 % were faster', values: p95 },
    ],
    show: lasted,
    summary: `Of ${whole(count)}; 95 % took ${lasted(slowest)} or less in the slowest ten minutes.`,
    ticks: ticksOf(steps),
    table: hourTable(about.title, ['50 %, the slowest ten minutes', '95 %, the slowest ten minutes'], rows),
  })
}

/** By the hour of the clock; the first and the last one are not whole. */
function hours(steps: readonly Step[]): { at: string; steps: Step[] }[] {
  const found = new Map<string, Step[]>()
  for (const step of steps) {
    if (step.minutes === 0) continue
    const hour = `${step.at.slice(0, 10)} ${step.at.slice(11, 13)}:00`
    found.set(hour, [...(found.get(hour) ?? []), step])
  }
  return [...found].map(([at, each]) => ({ at, steps: each }))
}

function hourTable(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): Html {
  return table(`${title}, numbers`, ['Hour (UTC)', ...columns], rows, 'heads')
}

const total = (steps: readonly Step[], name: CountName): number =>
  steps.reduce((sum, { counts }) => sum + counts[name], 0)
const numberOf = (steps: readonly Step[], name: CountName): string => whole(total(steps, name))
const whole = (value: number): string => (Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1))
const clockTime = (ms: number): string => timestamp(ms).slice(11, 16)

function lasted(seconds: number): string {
  if (seconds === 0) return '0'
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`
  return seconds * 1000 < 2 * HOUR
    ? `${Math.round((seconds * 1000) / MINUTE)} min`
    : `${Math.round((seconds * 1000) / HOUR)} h`
}

/** Five times, from the first step to now. */
function ticksOf(steps: readonly Step[]): string[] {
  const last = steps.length - 1
  return [0, 1, 2, 3, 4].map((quarter) => steps[Math.round((quarter * last) / 4)]?.at.slice(11, 16) ?? '')
}
