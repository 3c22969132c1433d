/** Malware scans with clamd: a limited number at once, one deadline including the wait in line, and only an explicit reply counts. */
import { messageOf } from '../lib/thrown.js'
import { SECOND, systemClock, type Clock } from '../lib/clock.js'
import { asciiOnly } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import { DURATION_BUCKETS, type Meter } from '../observe/metrics.js'
import { createBreaker } from './breaker.js'
import { AwayError, createClamd, parseTarget } from './clamd.js'
import { within } from './deadline.js'
import { createLane } from './lane.js'
import type { ScanVerdict } from './types.js'

export interface ClamavOptions {
  /** Path of a Unix socket, or `host:port`. */
  address: string
  /** From the request to the last octet of the reply, including the wait in line. */
  timeoutMs: number
  /** Longer messages are not scanned; clamd's own StreamMaxLength must be at least this. */
  maxBytes: number
  /** Messages scanned at once; at most clamd's MaxThreads. */
  concurrency?: number
  maxWaiting?: number
  clock?: Clock
  log?: Log | undefined
  metrics?: Meter | undefined
}

const CONCURRENCY = 8
const MAX_WAITING = 500
const IDLE_MS = 5 * SECOND
const MAX_USES = 1000
const GREETING_MS = 2 * SECOND
const PAUSE_MS = 5 * SECOND
const MAX_SILENT = 3
const AWAY = 'clamd does not respond: messages are not scanned, and scan.on_error decides what happens to them'
/** Max length of a signature name in logs and SMTP replies. */
const MAX_SIGNATURE_LENGTH = 128

/** @throws Error when the address is neither a path nor `host:port` */
export function createClamavScanner(options: ClamavOptions) {
  const { address, timeoutMs, maxBytes, clock = systemClock, log } = options
  const clamd = createClamd({ target: parseTarget(address), idleMs: IDLE_MS, maxUses: MAX_USES })
  const lane = createLane({
    concurrency: options.concurrency ?? CONCURRENCY,
    maxWaiting: options.maxWaiting ?? MAX_WAITING,
  })
  const breaker = createBreaker({
    pauseMs: PAUSE_MS,
    maxSilent: MAX_SILENT,
    clock,
    onChange(state) {
      if (state.up) void greet()
      else log?.warn({ address, reason: state.reason }, AWAY)
    },
  })
  const count = scanMetrics(options.metrics, lane, () => breaker.up)
  let isTooSmall = false

  /** Logs once when clamd's own limit is below ours, and again after it was fixed and broken. */
  function noteStreamLimit(exceeded: boolean, octets: number): void {
    if (exceeded && !isTooSmall)
      log?.error(
        { address, octets },
        `clamd refuses messages of this size: raise StreamMaxLength in its clamd.conf to smtp.max_message_bytes (${maxBytes}) or more`,
      )
    isTooSmall = exceeded
  }

  /** Logs clamd's version, or that it does not respond. Never throws. */
  async function greet(): Promise<void> {
    try {
      const version = await within(Math.min(timeoutMs, GREETING_MS), (signal) => clamd.version(signal))
      log?.info({ address, version: asciiOnly(version, MAX_SIGNATURE_LENGTH) }, 'clamd responds')
    } catch (error) {
      const reason = messageOf(error)
      if (!(error instanceof AwayError)) log?.warn({ address, reason }, 'clamd does not report its version')
      else {
        const permit = breaker.admit()
        if (typeof permit !== 'string') permit.failed('away', reason)
      }
    }
  }

  async function ask(raw: Buffer, signal: AbortSignal): Promise<ScanVerdict> {
    const permit = breaker.admit()
    if (typeof permit === 'string') return unscanned(`clamd is away: ${permit}`)
    const leave = await lane.enter(signal)
    if (typeof leave === 'string') {
      permit.unused()
      return unscanned(
        leave === 'full' ? 'too many messages are waiting for clamd' : `no free slot within ${timeoutMs} ms`,
      )
    }
    try {
      const answer = await clamd.scan(raw, signal)
      permit.succeeded()
      const isOverLimit = answer.startsWith('INSTREAM size limit exceeded')
      if (isOverLimit || isTooSmall) noteStreamLimit(isOverLimit, raw.length)
      if (isOverLimit)
        return unscanned(`${raw.length} octets exceed clamd's StreamMaxLength; set it to ${maxBytes} or more`)
      return verdict(answer)
    } catch (error) {
      const reason = messageOf(error)
      permit.failed(error instanceof AwayError ? 'away' : 'silent', reason)
      return unscanned(reason)
    } finally {
      leave()
    }
  }

  return {
    enabled: true,
    async scan(raw: Buffer): Promise<ScanVerdict> {
      if (raw.length > maxBytes) return unscanned(`the message has ${raw.length} octets, more than ${maxBytes}`)
      const startedAt = performance.now()
      const found = await within(timeoutMs, (signal) => ask(raw, signal))
      count(found, performance.now() - startedAt)
      return found
    },
    greet,
    close: (): void => clamd.close(),
  }
}

/** Only these two replies, in full, are verdicts. */
function verdict(reply: string): ScanVerdict {
  if (reply === 'stream: OK') return { virus: 'clean' }
  const signature = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (signature !== undefined) return { virus: 'infected', signature: asciiOnly(signature, MAX_SIGNATURE_LENGTH) }
  return unscanned(`clamd replied "${asciiOnly(reply, MAX_SIGNATURE_LENGTH)}"`)
}

function unscanned(reason: string): ScanVerdict {
  return { virus: 'unscanned', reason }
}

function scanMetrics(
  metrics: Meter | undefined,
  lane: { readonly atWork: number; readonly waiting: number },
  isUp: () => boolean,
): (verdict: ScanVerdict, ms: number) => void {
  if (!metrics) return () => undefined
  const results = metrics.counter('scan_messages_total', 'Messages given to clamd, by result.', ['result'])
  const seconds = metrics.histogram(
    'scan_seconds',
    'Time from requesting a scan to its verdict, including the wait in line.',
    DURATION_BUCKETS,
  )
  metrics.gauge('scan_running', 'Messages that clamd is scanning.', () => lane.atWork, { formerly: 'scan_at_work' })
  metrics.gauge('scan_waiting', 'Messages waiting for clamd.', () => lane.waiting)
  metrics.gauge('scan_up', '1 while clamd responds, 0 while requests to it are paused.', () => Number(isUp()), {
    across: 'least',
  })
  return ({ virus }, ms) => {
    results.inc({ result: virus })
    seconds.observe(ms / 1000)
  }
}
