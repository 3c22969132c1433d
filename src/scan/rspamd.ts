/** Client for rspamd: `POST /checkv2`. A filter that is away never stops mail: the score is computed without it then. */
import { z } from 'zod'
import { keepConnections, sendRequest } from '../lib/http-client.js'
import { messageOf } from '../lib/thrown.js'
import { SECOND, systemClock, type Clock } from '../lib/clock.js'
import { asciiOnly } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import { DURATION_BUCKETS, type Meter } from '../observe/metrics.js'
import { createBreaker } from './breaker.js'
import { within } from './deadline.js'
import { createLane } from './lane.js'
import type { FilterOpinion, FilterSubject } from './types.js'

export interface RspamdOptions {
  /** `host:port`, or an http or https address without a path. */
  address: string
  /** From the request to the last octet of the response, including the wait in line. */
  timeoutMs: number
  clock?: Clock
  log?: Log | undefined
  metrics?: Meter | undefined
}

/** Its workers process one message at a time each, and queue the others in their own memory. */
const CONCURRENCY = 16
const MAX_WAITING = 500
const MAX_REPLY_BYTES = 256 * 1024
const MAX_RECIPIENTS = 100
const MAX_REASONS = 20
const PAUSE_MS = 5 * SECOND
const IDLE_MS = 5 * SECOND
const MAX_SILENT = 3
const AWAY = 'rspamd does not respond: the spam score is computed without it'

/** The used part of the response (rspamd's protocol, `/checkv2`). */
const replySchema = z.object({
  score: z.number(),
  action: z.string(),
  symbols: z.record(z.string(), z.object({ score: z.number(), description: z.string().optional() })).default({}),
})

export function createRspamd({ address, timeoutMs, clock = systemClock, log, metrics }: RspamdOptions) {
  const url = new URL('/checkv2', /^https?:\/\//i.test(address) ? address : `http://${address}`)
  const connections = keepConnections({ idleMs: IDLE_MS, connectMs: timeoutMs })
  const lane = createLane({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  const breaker = createBreaker({
    pauseMs: PAUSE_MS,
    maxSilent: MAX_SILENT,
    clock,
    onChange: (state) =>
      state.up ? log?.info({ address }, 'rspamd responds') : log?.warn({ address, reason: state.reason }, AWAY),
  })
  const count = filterMetrics(metrics)

  async function post(subject: FilterSubject, signal: AbortSignal): Promise<string> {
    const { status, body } = await sendRequest({
      url,
      method: 'POST',
      headers: headersOf(subject),
      body: subject.raw,
      timeoutMs,
      maxBytes: MAX_REPLY_BYTES,
      connections,
      signal,
    })
    if (status !== 200) throw new Error(`rspamd responded with status ${status}`)
    return body.toString()
  }

  async function ask(subject: FilterSubject, signal: AbortSignal): Promise<FilterOpinion | undefined> {
    const permit = breaker.admit()
    if (typeof permit === 'string') return undefined
    const leave = await lane.enter(signal)
    if (typeof leave === 'string') {
      permit.unused()
      return undefined
    }
    try {
      const opinion = opinionOf(await post(subject, signal))
      permit.succeeded()
      return opinion
    } catch (error) {
      const isAway = error instanceof Error && 'syscall' in error && error.syscall === 'connect'
      permit.failed(isAway ? 'away' : 'silent', messageOf(error))
      return undefined
    } finally {
      leave()
    }
  }

  return {
    async rate(subject: FilterSubject): Promise<FilterOpinion | undefined> {
      const startedAt = performance.now()
      const opinion = await within(timeoutMs, (signal) => ask(subject, signal))
      count(opinion, performance.now() - startedAt)
      return opinion
    },
    close: (): void => connections.close(),
  }
}

/**
 * Facts about the transaction. Values are strangers', so characters that would end a field are removed; an address that is not all ASCII (RFC 6531)
 * is left out, since rspamd reports it as broken headers of the message and adds 10 points.
 */
function headersOf(subject: FilterSubject): Record<string, string | string[]> {
  const recipients = subject.recipients.filter(isAscii).slice(0, MAX_RECIPIENTS).map(fieldValue)
  const [only, ...others] = recipients
  return {
    'Queue-Id': fieldValue(subject.id),
    Ip: fieldValue(subject.clientAddress),
    Helo: fieldValue(subject.helo),
    ...(isAscii(subject.from) ? { From: fieldValue(subject.from) } : {}),
    ...(recipients.length > 0 ? { Rcpt: recipients } : {}),
    ...(only !== undefined && others.length === 0 ? { 'Deliver-To': only } : {}),
    ...(subject.clientName === null ? {} : { Hostname: fieldValue(subject.clientName) }),
    ...(subject.user === undefined ? {} : { User: fieldValue(subject.user) }),
  }
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

const fieldValue = (text: string): string => asciiOnly(text, 512)

/** @throws Error for an invalid response */
function opinionOf(body: string): FilterOpinion {
  const reply = replySchema.parse(JSON.parse(body))
  const verdict = verdictOf(reply.action)
  return {
    verdict,
    score: reply.score,
    reasons: Object.entries(reply.symbols)
      .filter(([, { score }]) => score > 0)
      .sort(([, a], [, b]) => b.score - a.score)
      .slice(0, MAX_REASONS)
      // Options of symbols are left out: they contain text of the message.
      .map(([name, { score, description }]) => ({
        code: asciiOnly(name, 64),
        score,
        detail: asciiOnly(description ?? name, 200),
      })),
  }
}

/** Maps its actions; temporary refusals ("greylist", "soft reject") are ignored, since they would reach only one of many servers. */
function verdictOf(action: string): FilterOpinion['verdict'] {
  switch (action) {
    case 'reject':
    case 'discard':
      return 'reject'
    case 'add header':
    case 'rewrite subject':
    case 'quarantine':
      return 'spam'
    default:
      return 'ham'
  }
}

function filterMetrics(metrics: Meter | undefined): (opinion: FilterOpinion | undefined, ms: number) => void {
  if (!metrics) return () => undefined
  const results = metrics.counter('rspamd_messages_total', 'Messages checked by rspamd, by result.', ['result'])
  const seconds = metrics.histogram(
    'rspamd_seconds',
    'Time from requesting an opinion of rspamd to its response.',
    DURATION_BUCKETS,
  )
  return (opinion, ms) => {
    results.inc({ result: opinion?.verdict ?? 'no_answer' })
    seconds.observe(ms / 1000)
  }
}
