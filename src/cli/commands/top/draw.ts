/** `restante top` as lines of text: content, order, and what is dropped without room. Independent of the terminal. */
import { MINUTE, SECOND } from '../../../lib/clock.js'
import type { Now, PausedDestination, SlowDestination } from '../../../observe/day/now.js'
import type { CountName } from '../../../observe/day/series.js'
import type { Quantiles } from '../../../observe/day/view.js'
import { printable } from '../../terminal/output.js'
import { ago, inTime, size } from '../../terminal/words.js'

export interface Look {
  columns: number
  rows: number
  colours: boolean
  unicode: boolean
}

export interface Shown {
  now: Now
  /** The previous reading, for differences; undefined at first. */
  before: Now | undefined
  /** The daemon's address. */
  where: string
  /** Why there is no newer reading. */
  problem?: string | undefined
}

type Tone = 'plain' | 'head' | 'bad' | 'soft'
interface Line {
  text: string
  tone: Tone
}

const SGR: Record<Tone, string> = { plain: '', head: '\u001b[1m', bad: '\u001b[31m', soft: '\u001b[2m' }

/** @returns at most `rows` lines of at most `columns` */
export function draw(shown: Shown, look: Look): string[] {
  const { columns, rows, colours } = look
  return linesOf(shown, look)
    .slice(0, rows)
    .map(({ text, tone }) => {
      const cut = clip(printable(text), columns)
      return colours && tone !== 'plain' ? `${SGR[tone]}${cut}\u001b[0m` : cut
    })
}

function clip(text: string, columns: number): string {
  const characters = [...text]
  return characters.length <= columns ? text : characters.slice(0, Math.max(0, columns)).join('')
}

function linesOf(shown: Shown, look: Look): Line[] {
  const { now, problem, where } = shown
  const at = Date.parse(now.at)
  const head = `Restante ${now.version}  ${where}  up ${ago(now.started_at, at)}  ${now.at.slice(0, 19).replace('T', ' ')} UTC`
  const lines: Line[] = [line(head, 'head')]
  lines.push(problem === undefined ? line('') : line(problem.replaceAll('\n', ' '), 'bad'))
  lines.push(...flow(shown, look), ...state(now), ...latency(now), line(''))
  // The rest of the screen is split, up to half each.
  const left = look.rows - lines.length
  const paused = pausedTable(now.paused, at)
  const slowest = slowestTable(now.slowest)
  const forPaused = Math.min(paused.length, Math.max(Math.floor(left / 2), left - slowest.length))
  return [...lines, ...paused.slice(0, forPaused), ...slowest]
}

const line = (text: string, tone: Tone = 'plain'): Line => ({ text, tone })

const FLOW: readonly (readonly [name: CountName, label: string, isBad?: true])[] = [
  ['mail_accepted', 'in   accepted'],
  ['mail_refused', '     refused'],
  ['recipients_refused', '     recipients refused'],
  ['sent', 'out  passed the check'],
  ['delivered', '     delivered'],
  ['deferred', '     put off'],
  ['bounced', '     bounced', true],
  ['held', '     held for review'],
  ['blocked', '     blocked'],
]

const SPARKED = { mail_accepted: true, delivered: true } as const

function flow({ now, before }: Shown, { columns, unicode }: Look): Line[] {
  const heading = columnsOf('', 'a minute', '10 minutes', 'since start')
  // An hour takes sixty characters; narrow terminals show the last ones.
  const room = Math.max(0, Math.min(60, columns - heading.length - 2))
  return [
    line(`${heading}${room >= 10 ? `  last ${room} minutes` : ''}`, 'soft'),
    ...FLOW.map(([name, label, isBad]) => {
      const recent = now.recent.counts[name]
      const text = columnsOf(label, rate(name, now, before), whole(recent), whole(now.totals[name]))
      const spark = name in SPARKED ? now.last_hour[name as keyof typeof SPARKED] : undefined
      const row = spark && room >= 10 ? `${text}  ${sparkline(spark.slice(-room), unicode)}` : text
      return line(row, isBad && recent > 0 ? 'bad' : 'plain')
    }),
  ]
}

function columnsOf(label: string, first: string, second: string, third: string): string {
  return `${label.padEnd(24)}${first.padStart(9)}${second.padStart(12)}${third.padStart(13)}`
}

/** Rate since the last reading, at first over the last ten minutes. Unknown after a restart of the daemon. */
function rate(name: CountName, now: Now, before: Now | undefined): string {
  const ms = before?.started_at === now.started_at ? Date.parse(now.at) - Date.parse(before.at) : 0
  if (before && ms > 0) return perMinute(((now.totals[name] - before.totals[name]) * MINUTE) / ms)
  return now.recent.minutes === 0 ? '-' : perMinute(now.recent.counts[name] / now.recent.minutes)
}

const perMinute = (value: number): string => (value === 0 ? '0' : value < 10 ? value.toFixed(1) : whole(value))
const whole = (value: number): string => Math.round(value).toLocaleString('en')

function state({ levels }: Now): Line[] {
  const known = (value: number | null): string => (value === null ? '-' : whole(value))
  const bytes = (value: number | null): string => (value === null ? '-' : size(value))
  return [
    line(
      `queue  waiting ${known(levels.queue_waiting)}  ready ${known(levels.queue_ready)}  at work ${known(levels.queue_at_work)}  held ${known(levels.queue_held)}   to review ${known(levels.review_held)}`,
    ),
    line(
      `open   SMTP ${known(levels.smtp_connections)}  API ${known(levels.http_requests)} (waiting ${known(levels.http_waiting)})   webhook retries ${known(levels.webhook_retries)}`,
    ),
    line(
      `host   memory ${bytes(levels.memory_bytes)}  disk free ${bytes(levels.disk_free_bytes)}  loop delay ${known(levels.loop_delay_ms)} ms`,
    ),
  ]
}

function latency({ latency: times }: Now): Line[] {
  const row = (label: string, { count, p50_seconds: p50, p95_seconds: p95, p99_seconds: p99 }: Quantiles): Line =>
    line(`${columnsOf(label, lasted(p50), lasted(p95), lasted(p99))}  of ${whole(count)}`)
  return [
    line(`${columnsOf('', '50 %', '95 %', '99 %')}  in 10 minutes`, 'soft'),
    row('DATA to reply', times.reply),
    row('to delivery', times.delivery),
    row('API', times.request),
  ]
}

function lasted(seconds: number | null): string {
  if (seconds === null) return '-'
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * SECOND))} ms`
  if (seconds < 100) return `${seconds.toFixed(1)} s`
  return seconds < 2 * 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

function slowestTable(destinations: readonly SlowDestination[]): Line[] {
  const columns = (name: string, ...[tries = '', open = '', mean = '', most = '']: string[]): string =>
    `${name.padEnd(32)}${tries.padStart(8)}${open.padStart(9)}${mean.padStart(9)}${most.padStart(9)}`
  const rows = destinations.map(({ name, attempts, at_work, mean_seconds, p95_seconds }) =>
    line(columns(nameOf(name), whole(attempts), whole(at_work), lasted(mean_seconds), lasted(p95_seconds))),
  )
  return rows.length === 0
    ? []
    : [line(columns('slowest destinations', 'tries', 'at work', 'mean', '95 %'), 'soft'), ...rows]
}

function pausedTable(destinations: readonly PausedDestination[], at: number): Line[] {
  const rows = destinations.map(({ name, until, answer }) =>
    line(`${nameOf(name).padEnd(32)}${inTime(until, at).padStart(12)}  ${answer}`, 'bad'),
  )
  const head = `${'paused'.padEnd(32)}${'tried again'.padStart(12)}  last answer`
  return rows.length === 0 ? [] : [line(head, 'soft'), ...rows]
}

function nameOf(destination: string): string {
  return clip(printable(destination), 31)
}

const BARS = '▁▂▃▄▅▆▇█'
const PLAIN_BARS = '.:-=+*%#'

/** The highest number has the highest bar, zero is a space; unknown is `·`, or `_` without Unicode. */
export function sparkline(numbers: readonly (number | null)[], unicode: boolean): string {
  const bars = [...(unicode ? BARS : PLAIN_BARS)]
  const highest = Math.max(0, ...numbers.map((number) => number ?? 0))
  return numbers
    .map((number) => {
      if (number === null) return unicode ? '·' : '_'
      if (number === 0 || highest === 0) return ' '
      return bars[Math.min(bars.length - 1, Math.floor((number / highest) * bars.length))] ?? ' '
    })
    .join('')
}
