/**
 * Forwards operator mail: what arrives for `postmaster@` and `abuse@` is passed on unchanged under an ARC seal (RFC 8617), and stays in the mailbox. The task
 * is queued in the transaction that stores the message.
 */
import { headerFields } from '../../authentication/canonical.js'
import { sealMessage } from '../../authentication/seal.js'
import type { DkimKey, Signer } from '../../authentication/types.js'
import { OPERATOR_NAMES } from '../../lifecycle/claims/operator-mailbox.js'
import { HOUR, SECOND, type Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import type { FollowUps } from '../../mailbox/delivery/follow-up.js'
import type { Message } from '../../mailbox/objects/objects.js'
import type { Delivery } from '../../mailbox/delivery/deliver.js'
import type { Reading } from '../../mailbox/composition/mailboxes.js'
import { domainOf } from '../../mime/address.js'
import { headerLength, prependFields } from '../../mime/headers.js'
import type { Log } from '../../observe/log.js'
import type { NewTask, Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import type { Courier, Send } from '../delivery/courier.js'
import { replyFields } from '../outcome.js'
import { nextWait, randomJitter } from '../schedule.js'

export interface ForwardingDeps {
  queue: Pick<WorkQueue, 'add' | 'enqueue'>
  courier: Courier
  mailboxes: { reading: Pick<Reading, 'message' | 'raw'> }
  /** The mailbox of `postmaster@` and `abuse@`. */
  operatorMailboxId: string
  to: string
  /** For the seal and the envelope sender. */
  primaryDomain: string
  signingKeys: (domain: string) => DkimKey[]
  signer: Signer
  isLocalDomain: (domain: string) => boolean
  jitter?: (() => number) | undefined
  clock: Clock
  log: Log
}

export type Forwarding = ReturnType<typeof startForwarding>

/** Payload of a `forward` task; its id is the message's. */
interface ForwardTask {
  message_id: string
  /** It came from the null sender, and is forwarded from it (RFC 5321 §4.5.5). */
  null_sender: boolean
}

/** Bounces of forwarded mail return to this address and stay in the mailbox: forwarding them would loop. */
const RETURN_TAG = 'forwarded'
const CONCURRENCY = 3
/** Limits floods to the operator, and from this server. */
const MAX_PER_HOUR = 200
const MAX_BYTES_PER_HOUR = 256 * 1024 * 1024

export function startForwarding(deps: ForwardingDeps) {
  const { clock, jitter = randomJitter, log, mailboxes, operatorMailboxId, primaryDomain } = deps
  const returnPath = `postmaster+${RETURN_TAG}@${primaryDomain}`
  let hour = { of: 0, count: 0, bytes: 0, isFull: false }

  function hasRoom(bytes: number): boolean {
    const now = Math.floor(clock.now() / HOUR)
    if (hour.of !== now) hour = { of: now, count: 0, bytes: 0, isFull: false }
    if (hour.count < MAX_PER_HOUR && hour.bytes + bytes <= MAX_BYTES_PER_HOUR) {
      hour.count++
      hour.bytes += bytes
      return true
    }
    if (!hour.isFull) {
      log.warn(
        { limit: MAX_PER_HOUR, limit_bytes: MAX_BYTES_PER_HOUR },
        "too much mail for the operator in this hour: the rest is not forwarded, but is in the operator's mailbox",
      )
    }
    hour.isFull = true
    return false
  }

  /** False for spam and for mail that was forwarded before. */
  function isForOperator({ recipients, labels, raw }: Pick<Delivery, 'recipients' | 'labels' | 'raw'>): boolean {
    if (!recipients?.some(isOperatorAddress)) return false
    return !labels.includes('spam') && !wasHere(raw, returnPath) && hasRoom(raw.length)
  }

  async function handle(task: Task<ForwardTask>, send: Send): Promise<TaskOutcome<ForwardTask>> {
    const { message_id: messageId, null_sender: isNotice } = task.payload
    const message = await ifFound(mailboxes.reading.message(operatorMailboxId, messageId))
    const stored = message && (await ifFound(mailboxes.reading.raw(operatorMailboxId, messageId)))
    // Deleted meanwhile.
    if (!message || !stored) return { done: true }
    const outcome = await send({
      id: task.id,
      from: isNotice ? '' : returnPath,
      to: deps.to,
      // The author's requirement is kept.
      tls: message.require_tls ? 'required' : 'usual',
      raw: stored,
      sign: (raw) => asPassedOn(message, raw),
    })
    const attempt = task.attempts + 1
    const wait = outcome.kind === 'deferred' ? nextWait(attempt, jitter()) : undefined
    const ids = { message_id: messageId, mailbox_id: operatorMailboxId, task_id: task.id }
    const line = { ...ids, attempt, ...replyFields(outcome), again: wait !== undefined }
    if (outcome.kind === 'delivered' || wait !== undefined) log.info(line, 'mail for the operator passed on')
    else log.warn(line, "mail for the operator can't be passed on; it is in the operator's mailbox")
    return wait === undefined ? { done: true } : { done: false, retryAt: clock.now() + wait }
  }

  /** As stored, without Return-Path (RFC 5321 §4.4), marked (RFC 9228), and sealed or signed. */
  async function asPassedOn({ id, auth, from }: Message, stored: Buffer): Promise<Buffer> {
    const { results, rest } = apart(stored)
    const raw = prependFields(rest, [`Delivered-To: ${returnPath}`])
    if (auth === null) {
      // From a local mailbox; it leaves this server for the first time.
      const author = domainOf(from?.address ?? '')
      return deps.isLocalDomain(author) ? deps.signer.sign(raw, author) : raw
    }
    const key = deps.signingKeys(primaryDomain).find(({ algorithm }) => algorithm === 'rsa-sha256')
    if (!key || results === undefined) return raw
    const signedAt = Math.floor(clock.now() / SECOND)
    const sealed = await sealMessage(raw, { results, chain: auth.arc, key, signedAt })
    if (sealed.kind === 'sealed') return sealed.raw
    log.info({ message_id: id, reason: sealed.reason }, 'mail for the operator passed on without a seal')
    return raw
  }

  const what = 'mail for the operator'
  const running = deps.courier.start<ForwardTask>({ kind: 'forward', what, concurrency: CONCURRENCY, handle })

  const taskOf = (messageId: string, envelopeFrom: string): NewTask<ForwardTask> => ({
    id: messageId,
    payload: { message_id: messageId, null_sender: envelopeFrom === '' },
    due: clock.now(),
  })

  const followUp: FollowUps = (delivery) => {
    if (delivery.mailboxId !== operatorMailboxId || !isForOperator(delivery)) return undefined
    const messageId = newId('msg', clock.now())
    const task = taskOf(messageId, delivery.envelopeFrom)
    return { messageId, queue: (tx) => deps.queue.add(tx, 'forward', task) }
  }

  return {
    followUp,
    /** Forwards a stored message afterwards; idempotent. */
    async passOn(
      messageId: string,
      mail: Pick<Delivery, 'envelopeFrom' | 'recipients' | 'labels' | 'raw'>,
    ): Promise<void> {
      if (isForOperator(mail)) await deps.queue.enqueue('forward', taskOf(messageId, mail.envelopeFrom))
    },
    stop: (): Promise<void> => running.stop(),
  }
}

/** Operator names with any tag but the return tag; `postmaster` may have no domain (RFC 5321 §4.5.1). */
function isOperatorAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [name = '', ...tag] = (at === -1 ? address : address.slice(0, at)).toLowerCase().split('+')
  return OPERATOR_NAMES.includes(name) && tag.join('+') !== RETURN_TAG
}

/** RFC 9228 §4: our own mark shows an earlier forward. */
function wasHere(raw: Buffer, mark: string): boolean {
  return headerFields(raw.subarray(0, headerLength(raw))).some(
    ({ name, text }) =>
      name === 'delivered-to' &&
      text
        .slice(text.indexOf(':') + 1)
        .trim()
        .toLowerCase() === mark,
  )
}

/** Splits off the fields added here: Return-Path, and our results for mail from outside. */
function apart(stored: Buffer): { results: string | undefined; rest: Buffer } {
  const top = headerFields(stored.subarray(0, headerLength(stored))).slice(0, 2)
  const [first, second] = top
  const results =
    second?.name === 'authentication-results' ? second.text.slice(second.text.indexOf(':') + 1).trim() : undefined
  if (first?.name !== 'return-path') return { results: undefined, rest: stored }
  return { results, rest: stored.subarray(first.text.length + 2) }
}

/** Undefined if there is no such message. */
export async function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}
