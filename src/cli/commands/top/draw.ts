/** `restante top` as lines of text: content, order, and what is dropped without room. Independent of the terminal. */
import { MINUTE, SECOND } from '../../../lib/clock.js'
import type { Now, PausedDestination, SlowDestination } from '../../../observe/day/now.js'
import type { CountName } from '../../../observe/day/series.js'
import type { Quantiles } from '../../../observe/day/view.js'
import { printable } from '../../terminal/output.js'
import { ago, inTime, size } from '../../terminal/words.js'

export interface Look {
  /** Characters of a line. */
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
  const heading = `${''.padEnd(24)}${'a minute'.padStart(9)}${'10 minutes'.padStart(12)}${'since start'.padStart(13)}`
  // An hour takes sixty characters; narrow terminals show the last ones.
  const room = Math.max(0, Math.min(60, columns - heading.length - 2))
  return [
    line(`${heading}${room >= 10 ? `  last ${room} minutes` : ''}`, 'soft'),
    ...FLOW.map(([name, label, isBad]) => {
      const numbers = [rate(name, now, before), whole(now.recent.counts[name]), whole(now.totals[name])]
      const [a = '', b = '', c = ''] = numbers
      const text = `${label.padEnd(24)}${a.padStart(9)}${b.padStart(12)}${c.padStart(13)}`
      const spark = name in SPARKED ? now.last_hour[name as keyof typeof SPARKED] : undefined
      const row = spark && room >= 10 ? `${text}  ${sparkline(spark.slice(-room), unicode)}` : text
      return line(row, isBad && now.recent.counts[name] > 0 ? 'bad' : 'plain')
    }),
  ]
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

const LATENCY_LABELS = { reply: 'DATA to reply', delivery: 'to delivery', request: 'API' } as const

function latency({ latency: times }: Now): Line[] {
  const row = (label: string, { count, p50_seconds: p50, p95_seconds: p95, p99_seconds: p99 }: Quantiles): Line =>
    line(
      `${label.padEnd(24)}${lasted(p50).padStart(9)}${lasted(p95).padStart(12)}${lasted(p99).padStart(13)}  of ${whole(count)}`,
    )
  return [
    line(`${''.padEnd(24)}${'50 %'.padStart(9)}${'95 %'.padStart(12)}${'99 %'.padStart(13)}  in 10 minutes`, 'soft'),
    row(LATENCY_LABELS.reply, times.reply),
    row(LATENCY_LABELS.delivery, times.delivery),
    row(LATENCY_LABELS.request, times.request),
  ]
}

function lasted(seconds: number | null): string {
  if (seconds === null) return '-'
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * SECOND))} ms`
  if (seconds < 100) return `${seconds.toFixed(1)} s`
  return seconds < 2 * 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

function slowestTable(destinations: readonly SlowDestination[]): Line[] {
  if (destinations.length === 0) return []
  return [
    line(
      `${'slowest destinations'.padEnd(32)}${'tries'.padStart(8)}${'at work'.padStart(9)}${'mean'.padStart(9)}${'95 %'.padStart(9)}`,
      'soft',
    ),
    ...destinations.map(({ name, attempts, at_work: atWork, mean_seconds: mean, p95_seconds: p95 }) =>
      line(
        `${clip(printable(name), 31).padEnd(32)}${whole(attempts).padStart(8)}${whole(atWork).padStart(9)}${lasted(mean).padStart(9)}${lasted(p95).padStart(9)}`,
      ),
    ),
  ]
}

function pausedTable(destinations: readonly PausedDestination[], at: number): Line[] {
  if (destinations.length === 0) return []
  return [
    line(`${'left alone'.padEnd(32)}${'tried again'.padStart(12)}  last answer`, 'soft'),
    ...destinations.map(({ name, until, answer }) =>
      line(`${clip(printable(name), 31).padEnd(32)}${inTime(until, at).padStart(12)}  ${answer}`, 'bad'),
    ),
  ]
}

const BARS = '▁▂▃▄▅▆▇█'
/** For terminals without Unicode. */
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
