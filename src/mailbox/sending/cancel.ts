/** Cancels mail that has not left, and refunds its new recipients. Concurrent deliveries are excluded by in-delivery.ts. */
import { accountPartition } from '../../accounts/record.js'
import type { Note } from '../../audit/types.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store, Transaction } from '../../store/types.js'
import type { Departures } from './in-delivery.js'
import { mailboxPartition } from '../keys.js'
import { relabelled } from '../decisions/release.js'
import { type MessageState, toMessage } from '../message.js'
import { mustReadStored } from '../message-rows.js'
import { giveBackFresh } from '../decisions/new-recipients.js'
import type { Message } from '../objects/objects.js'
import { changeWithAccount } from '../record.js'
import { leaveReview, REVIEW_PARTITION } from '../review/rows.js'
import { hasEnded, moved, saveStatus } from '../status.js'
import { DEFAULT_TASK_PRIORITY, relayTasks, SCHEDULED_KIND } from '../tasks.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** It may become held meanwhile, but not often. */
const MAX_TRIES = 3

export const REQUESTED = { code: 'requested', detail: 'Cancelled by request' }

export interface Cancelling {
  why?: NonNullable<MessageState['cancelled']>
  /** Entry of the audit log, written with the change. */
  note?: Pick<Note, 'write'> | undefined
}

export interface CancellingDeps {
  store: Store
  queue: Pick<WorkQueue, 'finish'>
  clock: Clock
  departures: Pick<Departures, 'keep'>
}

export function createCancelling(deps: CancellingDeps) {
  const { store, queue, clock, departures } = deps

  /** @returns undefined if it became held, or was released, meanwhile */
  async function cancel(
    mailboxId: string,
    messageId: string,
    { isLeaving, why = REQUESTED, note }: { isLeaving: boolean } & Cancelling,
  ): Promise<Message | undefined> {
    const found = await store.read(mailboxPartition(mailboxId), (view) => mustReadStored(view, messageId))
    const isHeld = found.state.status === 'held'
    const change = async (tx: Transaction, mailbox: MailboxRecord): Promise<Message | undefined> => {
      const { state, content } = await mustReadStored(tx, messageId)
      if (state.status === 'cancelled') return toMessage(mailboxId, state, content)
      refuseUnlessWaiting(state, isLeaving)
      if ((state.status === 'held') !== isHeld) return undefined
      const { accountId } = mailbox
      const free = accountId === null ? state : await giveBackFresh(tx.in(accountPartition(accountId)), state, clock)
      const after = await cancelled(tx, mailbox, free, why, clock.now())
      finishTasks(tx, mailboxId, state)
      if (isHeld) await leaveReview(tx.in(REVIEW_PARTITION), messageId)
      note?.write(tx)
      return toMessage(mailboxId, after, content)
    }
    return changeWithAccount(store, mailboxId, change, { also: isHeld ? [REVIEW_PARTITION] : [] })
  }

  function finishTasks(tx: Transaction, mailboxId: string, { id, status, recipients }: MessageState): void {
    if (status === 'scheduled') queue.finish(tx, SCHEDULED_KIND, id)
    if (status === 'checking') queue.finish(tx, 'check', id)
    if (status !== 'queued') return
    const addresses = recipients.map(({ address }) => address)
    for (const task of relayTasks(mailboxId, id, addresses, DEFAULT_TASK_PRIORITY)) queue.finish(tx, task.kind, task.id)
  }

  return {
    /** Cancels a message that has not left. Idempotent. @throws ServiceError `not_found`, `too_late` */
    cancel: (mailboxId: string, messageId: string, how: Cancelling = {}): Promise<Message> =>
      departures.keep(messageId, async (isLeaving) => {
        for (let tries = 0; tries < MAX_TRIES; tries++) {
          const message = await cancel(mailboxId, messageId, { isLeaving, ...how })
          if (message) return message
        }
        throw new ServiceError('unavailable', 'The status of the message is changing.', 'Try again in a moment.', {
          retryAfterSeconds: 1,
        })
      }),
  }
}

/** @throws ServiceError `too_late` */
function refuseUnlessWaiting(state: MessageState, isLeaving: boolean): void {
  switch (state.status) {
    case 'scheduled':
    case 'checking':
    case 'held':
    case 'cancelled':
      return
    case 'queued':
      if (isLeaving) throw tooLate({ ...state, status: 'sending' })
      if (state.recipients.some(({ status, attempts }) => hasEnded(status) || attempts > 0)) throw tooLate(state)
      return
    case 'received':
    case 'blocked':
    case 'sending':
    case 'sent':
    case 'delivered':
    case 'partially_delivered':
    case 'bounced':
      throw tooLate(state)
  }
}

/** Updates message, label and thread within the commit. */
export async function cancelled(
  tx: Transaction,
  mailbox: MailboxRecord,
  before: MessageState,
  why: NonNullable<MessageState['cancelled']>,
  now: number,
): Promise<MessageState> {
  const { verdict: _first, ...known } = moved(before, 'cancelled')
  const state = await relabelled(tx, mailbox, { ...known, cancelled: why, updatedAt: now }, now)
  if (before.status === 'scheduled') mailbox.scheduledCount = Math.max(0, (mailbox.scheduledCount ?? 0) - 1)
  await saveStatus(tx, mailbox, before, state, now)
  return state
}

function tooLate({ id, status, direction }: MessageState): ServiceError {
  const isIn = direction === 'inbound'
  return new ServiceError(
    'too_late',
    isIn
      ? `Message ${id} was received; only mail that is to be sent can be cancelled.`
      : `Message ${id} is ${status}, so it can't be cancelled any more.`,
    `See GET /v1/messages/${id} for what became of it. Only mail that is scheduled, checking, held or queued can be cancelled, and queued mail only until its delivery begins.`,
  )
}
