/**
 * The opinion of a language model behind an OpenAI-compatible `POST {base}/chat/completions`: one request, one deadline, no second try. Whatever
 * is not an answer to the question by the letter is none.
 */
import { randomBytes } from 'node:crypto'
import { keepConnections, sendRequest } from '../../lib/http-client.js'
import { messageOf } from '../../lib/thrown.js'
import { HOUR, SECOND, systemClock } from '../../lib/clock.js'
import type { Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { createBreaker } from '../../scan/breaker.js'
import { within } from '../../scan/deadline.js'
import { createLane } from '../../scan/lane.js'
import { letterOf } from './letter.js'
import { readAnswer, requestOf } from './prompt.js'
import type { Adviser, Answer, Question } from './types.js'

export interface ModelOptions {
  /** The address under which `/chat/completions` is. */
  url: string
  model: string
  /** '' for none. */
  apiKey: string
  /** From the asking to the last octet of the answer, the wait in line included. */
  timeoutMs: number
  /** Requests within an hour; more are not made. */
  perHour: number
  clock?: Clock
  log?: Log | undefined
}

/** As many as there are checks at work (src/jobs/jobs.ts), so that none of these waits in line while its time runs. */
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
        ? log?.info({ url: url.origin, model }, 'the model answers')
        : log?.warn({ url: url.origin, model, reason: state.reason }, 'the model gives no opinions: mail goes without'),
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
      return noAnswer('has too much to do')
    }
    try {
      if (!allowance.take()) {
        permit.unused()
        return noAnswer('was asked as often in this hour as it may be')
      }
      const mark = randomBytes(MARK_BYTES).toString('hex')
      const body = Buffer.from(JSON.stringify(requestOf(model, letterOf(subject), mark)))
      const limits = { timeoutMs, maxBytes: MAX_REPLY_BYTES, connections, signal }
      const reply = await sendRequest({ url, method: 'POST', headers, body, ...limits })
      const failure = failureOf(reply.status)
      if (failure !== undefined) {
        permit.failed(failure, `status ${reply.status}`)
        return noAnswer('gave no answer')
      }
      // Nonsense is an answer: who writes mail that a model has none for must not bring about that it is not asked about other mail.
      permit.succeeded()
      const opinion = reply.status === 200 ? readAnswer(model, reply.body.toString(), mark) : undefined
      return opinion ? { state: 'opinion', opinion } : noAnswer('gave no answer of use')
    } catch (error) {
      const isAway =
        error instanceof Error && 'syscall' in error && error.syscall !== 'read' && error.syscall !== 'write'
      permit.failed(isAway ? 'away' : 'silent', messageOf(error))
      return noAnswer(signal.aborted ? 'gave no answer in time' : 'gave no answer')
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

/** What a status says of the service; undefined when it speaks of this one request. */
function failureOf(status: number): 'away' | 'silent' | undefined {
  // A wrong key, no such model, an address that has moved: the next request fares no better.
  if (status === 401 || status === 403 || status === 404 || (status >= 300 && status < 400)) return 'away'
  return status === 408 || status === 429 || status >= 500 ? 'silent' : undefined
}

/** So many within an hour that begins with the first. */
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
