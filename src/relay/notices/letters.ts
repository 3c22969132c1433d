/** Letters of the service to humans: composed once, queued, and retried by the common schedule. Replies and bounces reach the operator's mailbox. */
import type { Letter, Letters } from '../../accounts/letters.js'
import type { Signer } from '../../authentication/types.js'
import { DAY, type Clock } from '../../lib/clock.js'
import { sha256Hex } from '../../lib/ids.js'
import { addressKey, domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import { createExpiring } from '../../store/expiring.js'
import { HELD, type Task, type TaskOutcome, type WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import type { Courier, RunningCourier, Send } from '../delivery/courier.js'
import { replyFields, type Outcome } from '../outcome.js'
import type { Holds } from '../queue/holds.js'
import { nextWait, randomJitter } from '../schedule.js'

export interface LettersDeps {
  store: Store
  queue: Pick<WorkQueue, 'add' | 'enqueue'>
  clock: Clock
  isLocalDomain: (domain: string) => boolean
  /** Sender of letters, and recipient of replies. */
  serviceAddress: string
  isOpen: boolean
  log: Pick<Log, 'warn'>
}

/** Payload of a `letter` task. */
export interface LetterTask {
  to: string
  /** The whole message, one character per byte. */
  raw: string
  notAfter: number | null
  hasNullSender?: boolean
}

const KIND = 'letter'
const CONCURRENCY = 5
/** Time that a finished letter is remembered: as long as its poster may repeat it. */
const REMEMBERED_MS = 7 * DAY

/** Time that an address which refused a letter gets none requested by strangers. */
const REFUSED_MS = 7 * DAY

const refusingAddresses = (store: Store) => createExpiring<true>(store, 'letter-refused')
const endedLetters = (store: Store) => createExpiring<true>(store, 'letter')
const markOf = (id: string): string => sha256Hex(id)

/** Queues letters; they are sent once `startLetters` runs. */
export function createLetters(deps: LettersDeps): Letters {
  const { clock, serviceAddress } = deps
  const ended = endedLetters(deps.store)
  const refusing = refusingAddresses(deps.store)
  const domain = domainOf(serviceAddress)
  const canReach = (address: string): boolean => deps.isOpen || deps.isLocalDomain(domainOf(address))

  return {
    canReach,
    isRefused: async (address) => (await refusing.get(markOf(addressKey(address)), clock.now())) === true,
    async compose(id, letter) {
      const task = await taskOf(id, letter)
      return (tx) => task && deps.queue.add<LetterTask>(tx, KIND, task)
    },
    async post(id, letter) {
      if (await ended.get(markOf(id), clock.now())) return
      const task = await taskOf(id, letter)
      if (task) await deps.queue.enqueue<LetterTask>(KIND, task)
    },
  }

  /** Undefined if it can't be sent. */
  async function taskOf(
    id: string,
    letter: Letter,
  ): Promise<{ id: string; payload: LetterTask; due: number } | undefined> {
    if (!canReach(letter.to)) {
      deps.log.warn({ task_id: id }, 'a letter is not sent: no mail may leave this server (relay.outbound)')
      return undefined
    }
    const now = clock.now()
    // Loaded with the first letter.
    const { composeLetter } = await import('../../mime/compose/letter.js')
    const raw = await composeLetter({
      from: { address: serviceAddress, name: `Restante at ${domain}` },
      to: letter.to,
      subject: letter.subject,
      parts: letter.parts,
      // A repeated post has the same Message-ID.
      messageId: `${sha256Hex(id).slice(0, 32)}@${domain}`,
      date: now,
      unsubscribeUrl: letter.unsubscribeUrl,
      footer: `Sent by Restante, the mailbox service for software agents at ${domain}. Answers go to its operator.`,
    })
    const { to, notAfter = null, hasNullSender = false } = letter
    return { id, payload: { to, raw: raw.toString('latin1'), notAfter, hasNullSender }, due: now }
  }
}

export interface LetterCourierDeps {
  store: Store
  courier: Courier
  signer: Signer
  serviceAddress: string
  holds?: Pick<Holds, 'matches'> | undefined
  /** In [-1, 1), for the retry schedule. */
  jitter?: (() => number) | undefined
  clock: Clock
  log: Log
}

export function startLetters(deps: LetterCourierDeps): RunningCourier {
  const { clock, jitter = randomJitter, log, serviceAddress } = deps
  const ended = endedLetters(deps.store)
  const refusing = refusingAddresses(deps.store)

  async function handle(task: Task<LetterTask>, send: Send): Promise<TaskOutcome<LetterTask>> {
    const { to, raw, notAfter, hasNullSender = false } = task.payload
    if (await ended.get(markOf(task.id), clock.now())) return { done: true }
    const held = { id: task.id, messageId: null, mailboxId: null, domain: domainOf(to) }
    if (await deps.holds?.matches(held)) return { done: false, retryAt: HELD }
    const isOver = notAfter !== null && clock.now() >= notAfter
    const outcome: Outcome = isOver
      ? TOO_LATE
      : await deliver(task.id, hasNullSender ? '' : serviceAddress, to, Buffer.from(raw, 'latin1'), send)
    const attempt = task.attempts + 1
    const wait = outcome.kind === 'deferred' ? nextWait(attempt, jitter()) : undefined
    const line = { task_id: task.id, recipient: to, attempt, ...replyFields(outcome), again: wait !== undefined }
    log.info(line, 'letter')
    if (wait !== undefined) return { done: false, retryAt: clock.now() + wait }
    if (outcome.kind === 'failed' && (outcome.smtpCode ?? 0) >= 500)
      await refusing.put(markOf(addressKey(to)), true, clock.now() + REFUSED_MS)
    // Before the task ends: a repeated post in between would send it again.
    await ended.put(markOf(task.id), true, clock.now() + REMEMBERED_MS)
    return { done: true }
  }

  function deliver(id: string, from: string, to: string, raw: Buffer, send: Send): Promise<Outcome> {
    const sign = (mail: Buffer): Promise<Buffer> => deps.signer.sign(mail, domainOf(serviceAddress))
    // Letters contain secret links, so the destination's TLS policy applies.
    return send({ id, from, to, tls: 'usual', raw, sign })
  }

  return deps.courier.start<LetterTask>({ kind: KIND, what: 'letters', concurrency: CONCURRENCY, handle })
}

const TOO_LATE: Outcome = { kind: 'failed', smtpCode: null, detail: '4.4.7 it would come too late' }
