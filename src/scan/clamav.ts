/**
 * Looking for malware with clamd: so many messages at once, one deadline for all of it with the wait in line, and only an explicit
 * answer counts. While clamd is away nobody waits for it.
 */
import { messageOf } from '../lib/thrown.js'
import { SECOND, systemClock, type Clock } from '../lib/clock.js'
import { asciiOnly } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import { DURATION_BUCKETS, type Metrics } from '../observe/metrics.js'
import { createBreaker } from './breaker.js'
import { AwayError, createClamd, parseTarget } from './clamd.js'
import { within } from './deadline.js'
import { createLane } from './lane.js'
import type { ScanVerdict, Scanner } from './types.js'

export interface ClamavOptions {
  /** Path of a Unix socket, or `host:port`. */
  address: string
  /** From the asking to the last octet of the answer, the wait in line included. */
  timeoutMs: number
  /** Longer messages are not sent; clamd's own StreamMaxLength has to reach this far. */
  maxBytes: number
  /** Messages that clamd is given at once; at most its MaxThreads. */
  concurrency?: number
  /** Messages in line behind these. */
  maxWaiting?: number
  clock?: Clock
  log?: Log | undefined
  metrics?: Metrics | undefined
}

export interface ClamavScanner extends Scanner {
  /** Writes to the log who answers there, or that nobody does. Never throws. */
  greet(): Promise<void>
  /** Ends the connections that nobody uses. */
  close(): void
}

const CONCURRENCY = 8
const MAX_WAITING = 500
const IDLE_MS = 5 * SECOND
const MAX_USES = 1000
const GREETING_MS = 2 * SECOND
const PAUSE_MS = 5 * SECOND
const MAX_SILENT = 3
const AWAY = 'clamd does not answer: messages are not scanned, and scan.on_error decides what becomes of them'
/** What clamd names a signature, kept short for logs and SMTP replies. */
const MAX_SIGNATURE_LENGTH = 128

/** @throws Error when the address is neither a path nor `host:port` */
export function createClamavScanner(options: ClamavOptions): ClamavScanner {
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

  /** Whether clamd's own limit is in the way of what we take; the log is told once, and again after a mended one. */
  function noteStreamLimit(exceeded: boolean, octets: number): void {
    if (exceeded && !isTooSmall)
      log?.error(
        { address, octets },
        `clamd refuses messages of this size: raise StreamMaxLength in its clamd.conf to smtp.max_message_bytes (${maxBytes}) or more`,
      )
    isTooSmall = exceeded
  }

  async function greet(): Promise<void> {
    try {
      const version = await within(Math.min(timeoutMs, GREETING_MS), (signal) => clamd.version(signal))
      log?.info({ address, version: asciiOnly(version, MAX_SIGNATURE_LENGTH) }, 'clamd answers')
    } catch (error) {
      const reason = messageOf(error)
      if (!(error instanceof AwayError)) log?.warn({ address, reason }, 'clamd does not say which version it is')
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
      return unscanned(leave === 'full' ? 'too many messages wait for clamd' : `not its turn within ${timeoutMs} ms`)
    }
    try {
      const answer = await clamd.scan(raw, signal)
      permit.succeeded()
      const isOverLimit = answer.startsWith('INSTREAM size limit exceeded')
      if (isOverLimit || isTooSmall) noteStreamLimit(isOverLimit, raw.length)
      if (isOverLimit)
        return unscanned(`${raw.length} octets are more than clamd's StreamMaxLength; it should be ${maxBytes} or more`)
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
    async scan(raw) {
      if (raw.length > maxBytes) return unscanned(`the message has ${raw.length} octets, more than ${maxBytes}`)
      const startedAt = performance.now()
      const found = await within(timeoutMs, (signal) => ask(raw, signal))
      count(found, performance.now() - startedAt)
      return found
    },
    greet,
    close: () => clamd.close(),
  }
}

/** Only these two answers, in full, say something about the message. */
function verdict(reply: string): ScanVerdict {
  if (reply === 'stream: OK') return { virus: 'clean' }
  const signature = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (signature !== undefined) return { virus: 'infected', signature: asciiOnly(signature, MAX_SIGNATURE_LENGTH) }
  return unscanned(`clamd answered "${asciiOnly(reply, MAX_SIGNATURE_LENGTH)}"`)
}

function unscanned(reason: string): ScanVerdict {
  return { virus: 'unscanned', reason }
}

function scanMetrics(
  metrics: Metrics | undefined,
  lane: { readonly atWork: number; readonly waiting: number },
  isUp: () => boolean,
): (verdict: ScanVerdict, ms: number) => void {
  if (!metrics) return () => undefined
  const results = metrics.counter('scan_messages_total', 'Messages given to clamd, by what it said.', ['result'])
  const seconds = metrics.histogram(
    'scan_seconds',
    'From asking for a scan to its verdict, the wait in line included.',
    DURATION_BUCKETS,
  )
  metrics.gauge('scan_at_work', 'Messages that clamd has now.', () => lane.atWork)
  metrics.gauge('scan_waiting', 'Messages in line for clamd.', () => lane.waiting)
  metrics.gauge('scan_up', '1 while clamd answers, 0 while it is left alone.', () => Number(isUp()))
  return ({ virus }, ms) => {
    results.inc({ result: virus })
    seconds.observe(ms / 1000)
  }
}
