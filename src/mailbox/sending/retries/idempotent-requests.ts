/**
 * Idempotent requests that create something outside one commit of their mailbox: start and answer are durable. A retry after a crash finds by id what was
 * created.
 */
import { SECOND, type Clock } from '../../../lib/clock.js'
import { ServiceError } from '../../../lib/errors.js'
import { derivedId, randomBase62, type IdPrefix } from '../../../lib/ids.js'
import { ALONE, type Nodes } from '../../../store/nodes/nodes.js'
import type { Store } from '../../../store/types.js'
import { expiringKey, mailboxPartition } from '../../keys.js'
import { earlierAnswer, rememberAnswer, retryOf, type Retry } from './idempotency.js'
import { requireMailbox } from '../../record.js'

export interface GivenAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Making {
  /** Id for something the request creates, the same on each retry: the n-th call with a prefix returns the n-th id. */
  id(prefix: IdPrefix): string
  /** True if an earlier try was cut off before its answer: what it created may exist under its id. */
  again: boolean
}

export interface OnceRequest {
  /** `Idempotency-Key` of the caller. */
  key: string
  /** Whatever a retry has to repeat. */
  request: unknown
  /** The answer contains a secret that is not stored: retries are refused. */
  isSecret: boolean
}

/**
 * Answers a request once per key: a retry gets the first answer, and after a crash the work is repeated with the same ids. Concurrent retries wait, also
 * where another daemon is at work.
 *
 * @throws ServiceError `idempotency_mismatch` for another request, `secret_shown_once`, `not_found`, `unavailable` while another daemon is at
 * work for long, and errors of the work
 */
export type AnswerOnce = (
  mailboxId: string,
  request: OnceRequest,
  work: (making: Making) => Promise<GivenAnswer>,
) => Promise<GivenAnswer>

interface Begun {
  seed: string
  at: number
  /** The daemon at work on it, where there are others. */
  node?: string
  /** Missing while unfinished. */
  answer?: GivenAnswer
  /** For a secret answer: id of what was created, if any. */
  shown?: { id: string | undefined }
}

/** Larger answers are not kept: a retry repeats the work and finds the result. */
const MAX_KEPT_BODY = 16 * 1024

/** Max wait for another daemon. */
const WAIT_MS = 10 * SECOND

interface AnswerOnceDeps {
  store: Store
  clock: Clock
  keepMs: number
  nodes?: Nodes | undefined
  waitMs?: number | undefined
}

export function createAnswerOnce(deps: AnswerOnceDeps): AnswerOnce {
  const { store, clock, keepMs, nodes = ALONE, waitMs = WAIT_MS } = deps
  const atWork = new Map<string, Promise<unknown>>()

  /** @returns undefined while another daemon is at work on it */
  async function tryToBegin(mailboxId: string, retry: Retry): Promise<(Begun & { isNew: boolean }) | undefined> {
    const seed = randomBase62(16)
    return store.write(mailboxPartition(mailboxId), async (tx) => {
      await requireMailbox(tx)
      const peers = nodes.peers()
      const own = peers.length > 0 ? { node: nodes.id } : {}
      const earlier = await earlierAnswer<Begun>(tx, retry, clock.now())
      if (earlier?.answer || earlier?.shown) return { ...earlier, isNew: false }
      if (earlier?.node !== undefined && peers.includes(earlier.node)) return undefined
      const begun: Begun = { ...(earlier ?? { seed, at: clock.now() }), ...own }
      if (!earlier || earlier.node !== begun.node) rememberAnswer(tx, retry, begun, begun.at + keepMs)
      return { ...begun, isNew: !earlier }
    })
  }

  async function begin(mailboxId: string, retry: Retry): Promise<Begun & { isNew: boolean }> {
    const partition = mailboxPartition(mailboxId)
    const tooLong = AbortSignal.timeout(waitMs)
    for (;;) {
      const version = await store.version(partition)
      const begun = await tryToBegin(mailboxId, retry)
      if (begun) return begun
      if (tooLong.aborted) throw inProgress()
      await store.wait(partition, version, tooLong)
    }
  }

  const finish = (mailboxId: string, retry: Retry, begun: Begun): Promise<void> =>
    store.write(mailboxPartition(mailboxId), (tx) => rememberAnswer(tx, retry, begun, begun.at + keepMs))

  /** Nothing was created: the key is free again. Its expiry entry stays. */
  const forget = (mailboxId: string, retry: Retry): Promise<void> =>
    store.write(mailboxPartition(mailboxId), (tx) => tx.delete(expiringKey('idempotency', retry.keyHash)))

  async function answer(
    mailboxId: string,
    { isSecret }: OnceRequest,
    retry: Retry,
    work: (making: Making) => Promise<GivenAnswer>,
  ): Promise<GivenAnswer> {
    const { isNew, node, ...begun } = await begin(mailboxId, retry)
    /** Nobody is at work on it any more: a retry repeats the work, wherever it comes. */
    const leave = async (): Promise<void> => {
      if (node !== undefined) await finish(mailboxId, retry, begun)
    }
    if (begun.answer) return begun.answer
    if (begun.shown) throw secretShown(begun.shown.id)
    let given: GivenAnswer
    try {
      given = await work({ id: idsFrom(begun), again: !isNew })
    } catch (error) {
      if (isNew && error instanceof ServiceError && error.status < 500) await forget(mailboxId, retry)
      else await leave()
      throw error
    }
    if (isSecret) await finish(mailboxId, retry, { ...begun, shown: { id: idIn(given.body) } })
    else if (given.body.length <= MAX_KEPT_BODY) await finish(mailboxId, retry, { ...begun, answer: given })
    else await leave()
    return given
  }

  return async (mailboxId, request, work) => {
    const retry = await retryOf(request.key, request.request)
    const name = `${mailboxId} ${retry.keyHash}`
    // A second request waits for the first and then gets its answer.
    const turn = (atWork.get(name) ?? Promise.resolve()).then(() => answer(mailboxId, request, retry, work))
    // The first caller gets the error; waiters continue.
    const ended = turn.catch(() => undefined)
    atWork.set(name, ended)
    try {
      return await turn
    } finally {
      if (atWork.get(name) === ended) atWork.delete(name)
    }
  }
}

function idsFrom({ seed, at }: Begun): Making['id'] {
  const given = new Map<IdPrefix, number>()
  return (prefix) => {
    const n = given.get(prefix) ?? 0
    given.set(prefix, n + 1)
    return derivedId(prefix, `${n} ${seed}`, at)
  }
}

/** The top-level id of an answer, if any. */
function idIn(body: string): string | undefined {
  const value: unknown = JSON.parse(body)
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? value.id
    : undefined
}

function inProgress(): ServiceError {
  return new ServiceError(
    'unavailable',
    'An earlier request with this Idempotency-Key is still being worked on.',
    'Send the same request again in some seconds.',
    { retryAfterSeconds: 5 },
  )
}

function secretShown(id: string | undefined): ServiceError {
  const what = id === undefined ? 'what it created' : id
  return new ServiceError(
    'secret_shown_once',
    `This request was answered before, and the secret in its answer is shown only once. It created ${what}.`,
    `If that answer is lost, remove ${what} with DELETE and create another under a new Idempotency-Key.`,
  )
}
