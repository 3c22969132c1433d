/**
 * Requests that make something elsewhere than in one commit of their mailbox, and may be repeated under one `Idempotency-Key`. That a request was
 * begun is durable before its work, with a seed from which the ids of what it makes follow; its answer is durable before it is given. So a retry after
 * a crash finds what was made by its id, and one after the answer gets that.
 */
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { derivedId, randomBase62, type IdPrefix } from '../../lib/ids.js'
import type { Store } from '../../store/types.js'
import { expiringKey, mailboxPartition } from '../keys.js'
import { earlierAnswer, rememberAnswer, retryOf, type Retry } from './idempotency.js'
import { mustExist } from '../record.js'

/** An answer as it was given. */
export interface GivenAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** What the work of a request needs to be repeatable. */
export interface Making {
  /** An id for what this request makes: the same at each retry. The n-th call with a prefix gives the n-th id. */
  id(prefix: IdPrefix): string
  /** An earlier try under this key was cut off before its answer: what it made may be there, under its id, and nobody was told of it. */
  again: boolean
}

export interface OnceRequest {
  /** The caller's `Idempotency-Key`. */
  key: string
  /** Whatever a retry has to repeat. */
  request: unknown
  /** The answer shows what is stored nowhere: it is not kept, and a retry after it is refused. */
  isSecret: boolean
}

/**
 * Answers a request that makes something, once a key: the same again gets the first answer, and after a crash its work is done again under the same
 * ids. A second one waits while the first is at work.
 *
 * @throws ServiceError `idempotency_mismatch` for a key of another request, `secret_shown_once`, `not_found`, and what the work throws
 */
export type AnswerOnce = (
  mailboxId: string,
  request: OnceRequest,
  work: (making: Making) => Promise<GivenAnswer>,
) => Promise<GivenAnswer>

interface Begun {
  seed: string
  at: number
  /** Missing while the work is not done. */
  answer?: GivenAnswer
  /** Of an answer that was given and is not kept: the id of what was made, where it has one. */
  shown?: { id: string | undefined }
}

/** What a client makes larger than this is not kept twice: a retry does the work again, and finds what there is. */
const MAX_KEPT_BODY = 16 * 1024

export function createAnswerOnce(deps: { store: Store; clock: Clock; keepMs: number }): AnswerOnce {
  const { store, clock, keepMs } = deps
  /** The last request of each key that is at work. */
  const atWork = new Map<string, Promise<unknown>>()

  async function begin(mailboxId: string, retry: Retry): Promise<Begun & { isNew: boolean }> {
    const seed = randomBase62(16)
    return store.write(mailboxPartition(mailboxId), async (tx) => {
      await mustExist(tx)
      const earlier = await earlierAnswer<Begun>(tx, retry, clock.now())
      if (earlier) return { ...earlier, isNew: false }
      const begun: Begun = { seed, at: clock.now() }
      rememberAnswer(tx, retry, begun, begun.at + keepMs)
      return { ...begun, isNew: true }
    })
  }

  const finish = (mailboxId: string, retry: Retry, begun: Begun): Promise<void> =>
    store.write(mailboxPartition(mailboxId), (tx) => rememberAnswer(tx, retry, begun, begun.at + keepMs))

  /** Nothing was made: the key is as good as new. Its entry among what expires goes with its time. */
  const forget = (mailboxId: string, retry: Retry): Promise<void> =>
    store.write(mailboxPartition(mailboxId), (tx) => tx.delete(expiringKey('idempotency', retry.keyHash)))

  async function answer(
    mailboxId: string,
    { isSecret }: OnceRequest,
    retry: Retry,
    work: (making: Making) => Promise<GivenAnswer>,
  ): Promise<GivenAnswer> {
    const { isNew, ...begun } = await begin(mailboxId, retry)
    if (begun.answer) return begun.answer
    if (begun.shown) throw secretShown(begun.shown.id)
    let given: GivenAnswer
    try {
      given = await work({ id: idsFrom(begun), again: !isNew })
    } catch (error) {
      if (isNew && error instanceof ServiceError && error.status < 500) await forget(mailboxId, retry)
      throw error
    }
    if (isSecret) await finish(mailboxId, retry, { ...begun, shown: { id: idIn(given.body) } })
    else if (given.body.length <= MAX_KEPT_BODY) await finish(mailboxId, retry, { ...begun, answer: given })
    return given
  }

  return async (mailboxId, request, work) => {
    const retry = await retryOf(request.key, request.request)
    const name = `${mailboxId} ${retry.keyHash}`
    // A second one waits for the first, and then gets its answer.
    const turn = (atWork.get(name) ?? Promise.resolve()).then(() => answer(mailboxId, request, retry, work))
    const ended = turn.then(
      () => undefined,
      // Whoever asked is told; who waits goes on by itself.
      () => undefined,
    )
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

/** The id at the top of an answer, if it has one there. */
function idIn(body: string): string | undefined {
  const value: unknown = JSON.parse(body)
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? value.id
    : undefined
}

function secretShown(id: string | undefined): ServiceError {
  const what = id === undefined ? 'what it made' : id
  return new ServiceError(
    'secret_shown_once',
    `This request was answered before, and the secret in its answer is shown only once. It made ${what}.`,
    `If that answer is lost, remove ${what} with DELETE and make another under a new Idempotency-Key.`,
  )
}
