/**
 * Opinion of a language model behind an OpenAI-compatible `POST {base}/chat/completions`: one request, one deadline, no retry. A response that does
 * not fit the schema exactly counts as none.
 */
import { randomBytes } from 'node:crypto'
import { keepConnections, sendRequest } from '../../lib/http-client.js'
import { messageOf } from '../../lib/thrown.js'
import { HOUR, SECOND, systemClock, type Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { createBreaker } from '../../scan/breaker.js'
import { within } from '../../scan/deadline.js'
import { createLane } from '../../scan/lane.js'
import { letterOf } from './letter.js'
import { readAnswer, requestOf } from './prompt.js'
import type { Adviser, Answer, Question } from './types.js'

export interface ModelOptions {
  /** Base URL of `/chat/completions`. */
  url: string
  model: string
  /** '' for none. */
  apiKey: string
  /** Deadline from the request to the last octet of the response, including the wait in line. */
  timeoutMs: number
  /** Max requests per hour. */
  perHour: number
  clock?: Clock
  log?: Log | undefined
}

/** Equals the number of concurrent checks (src/jobs/jobs.ts), so that no request waits while its deadline runs. */
const CONCURRENCY = 16
const MAX_WAITING = 64
const MAX_REPLY_BYTES = 64 * 1024
const PAUSE_MS = 30 * SECOND
const IDLE_MS = 5 * SECOND
const MAX_SILENT = 3
const MARK_BYTES = 8

export function createModelAdviser(options: ModelOptions): Adviser {
  const { model, apiKey, timeoutMs, perHour, clock = systemClock, log } = options
  const url = new URL(`${options.url.replace(/\/+$/, '')}/chat/completions`)
  const connections = keepConnections({ idleMs: IDLE_MS, connectMs: timeoutMs })
  const lane = createLane({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  const breaker = createBreaker({
    pauseMs: PAUSE_MS,
    maxSilent: MAX_SILENT,
    clock,
    onChange: (state) =>
      state.up
        ? log?.info({ url: url.origin, model }, 'the model responds')
        : log?.warn(
            { url: url.origin, model, reason: state.reason },
            'the model gives no opinions: mail goes out without them',
          ),
  })
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': 'Restante',
    ...(apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` }),
  }
  const allowance = createAllowance(perHour, clock)

  async function ask({ subject }: Question, signal: AbortSignal): Promise<Answer> {
    const permit = breaker.admit()
    if (typeof permit === 'string') return noAnswer('is away')
    const leave = await lane.enter(signal)
    if (typeof leave === 'string') {
      permit.unused()
      return noAnswer('is overloaded')
    }
    try {
      if (!allowance.take()) {
        permit.unused()
        return noAnswer('has reached its hourly limit of requests')
      }
      const mark = randomBytes(MARK_BYTES).toString('hex')
      const body = Buffer.from(JSON.stringify(requestOf(model, letterOf(subject), mark)))
      const limits = { timeoutMs, maxBytes: MAX_REPLY_BYTES, connections, signal }
      const reply = await sendRequest({ url, method: 'POST', headers, body, ...limits })
      const failure = failureOf(reply.status)
      if (failure !== undefined) {
        permit.failed(failure, `status ${reply.status}`)
        return noAnswer('did not respond')
      }
      // A nonsense response counts as up: otherwise mail that provokes one could stop requests about other mail.
      permit.succeeded()
      const opinion = reply.status === 200 ? readAnswer(model, reply.body.toString(), mark) : undefined
      return opinion ? { state: 'opinion', opinion } : noAnswer('gave no usable response')
    } catch (error) {
      const isAway =
        error instanceof Error && 'syscall' in error && error.syscall !== 'read' && error.syscall !== 'write'
      permit.failed(isAway ? 'away' : 'silent', messageOf(error))
      return noAnswer(signal.aborted ? 'did not respond in time' : 'did not respond')
    } finally {
      leave()
    }
  }

  return {
    name: 'model',
    ask: (question) => within(timeoutMs, (signal) => ask(question, signal)),
    close: () => connections.close(),
  }
}

const noAnswer = (why: string): Answer => ({ state: 'no_answer', why })

/** The failure of the service that a status means; undefined when only this request failed. */
function failureOf(status: number): 'away' | 'silent' | undefined {
  // A wrong key, no such model, a moved address: the next request would fail too.
  if (status === 401 || status === 403 || status === 404 || (status >= 300 && status < 400)) return 'away'
  return status === 408 || status === 429 || status >= 500 ? 'silent' : undefined
}

/** Allows `perHour` requests in each hour, which begins with the first one. */
function createAllowance(perHour: number, clock: Clock): { take(): boolean } {
  let since = -Infinity
  let taken = 0
  return {
    take() {
      const now = clock.now()
      if (now >= since + HOUR || now < since) {
        since = now
        taken = 0
      }
      return taken++ < perHour
    },
  }
}
