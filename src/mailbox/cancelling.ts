/**
 * Cancelling mail that has not left: what is scheduled, checked or held, and what is queued as long as no delivery has taken it. Queued mail is taken from
 * the relay first: its tasks are put on hold, so that none is taken while the message becomes `cancelled`. Another task is queued before
 * that, which lets go on what a crash would leave on hold, or gives back the new recipients that the message cost.
 */
import type { Accounts } from '../accounts/types.js'
import type { Clock } from '../lib/clock.js'
import { MINUTE, SECOND } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store, Transaction } from '../store/types.js'
import { HELD } from '../queue/types.js'
import { mailboxPartition } from './keys.js'
import { relabelled } from './let-go.js'
import type { MessageState, StoredMessage } from './message.js'
import { mustReadStored, readState, toMessage } from './message.js'
import type { Message } from './objects.js'
import { changeMailbox, mailboxOf } from './record.js'
import { delist } from './review-rows.js'
import { hasEnded, moved, saveStatus } from './status.js'
import { DEFAULT_TASK_PRIORITY, relayTasks, SCHEDULED_KIND } from './tasks.js'
import type { MailboxRecord, Mailboxes } from './types.js'

/** After so long, what was put on hold goes on if nobody has come back for it … */
const LET_GO_MS = MINUTE
/** … and a commit that comes later than this would come too near to that. */
const COMMIT_WITHIN_MS = 30 * SECOND
/** Its status may change while it is looked at, but not often. */
const MAX_TRIES = 3

export const REQUESTED = { code: 'requested', detail: 'Cancelled by request' }

export interface CancellingDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'returnRecipients'>
}

export function createCancelling(deps: CancellingDeps): Pick<Mailboxes, 'cancelMessage' | 'endCancelling'> {
  const { store, queue, clock, accounts } = deps

  const find = (mailboxId: string, messageId: string): Promise<StoredMessage> =>
    store.read(mailboxPartition(mailboxId), (view) => mustReadStored(view, messageId))

  const tasksOf = (mailboxId: string, { id, recipients }: MessageState) =>
    relayTasks(
      mailboxId,
      id,
      recipients.map(({ address }) => address),
      DEFAULT_TASK_PRIORITY,
    )

  /** @returns whether no delivery of it has begun, or can begin */
  async function putOnHold(mailboxId: string, state: MessageState): Promise<boolean> {
    const held = await Promise.all(
      tasksOf(mailboxId, state).map(
        async ({ kind, id }) => (await queue.reschedule(kind, id, HELD)) || (await queue.get(kind, id)) === undefined,
      ),
    )
    return held.every((one) => one)
  }

  async function letGo(mailboxId: string, state: MessageState): Promise<void> {
    for (const { kind, id } of tasksOf(mailboxId, state)) await queue.reschedule(kind, id, clock.now())
  }

  /** @returns the message; undefined when it has another status by now */
  async function write(mailboxId: string, before: StoredMessage, latest: number): Promise<Message | undefined> {
    return changeMailbox(store, mailboxId, async (tx, mailbox) => {
      const now = clock.now()
      const current = await readState(tx, before.state.id)
      if (now > latest || current?.status !== before.state.status) return undefined
      const state = await cancelled(tx, mailbox, current, REQUESTED, now)
      return toMessage(mailboxId, state, before.content)
    })
  }

  /** Has what was begun brought to its end after a crash. @returns the id of the task */
  async function intend(mailboxId: string, messageId: string, now: number): Promise<string> {
    const id = `cancel:${messageId}`
    const payload = { mailbox_id: mailboxId, message_id: messageId, cancel: true }
    await queue.enqueue(SCHEDULED_KIND, { id, payload, due: now + LET_GO_MS, lane: mailboxId })
    return id
  }

  /** Done again it changes nothing. */
  async function giveBack(mailboxId: string, messageId: string): Promise<void> {
    const accountId = (await store.read(mailboxPartition(mailboxId), mailboxOf))?.accountId ?? null
    if (accountId !== null) await accounts.returnRecipients(accountId, messageId)
  }

  /** Takes a queued message from the relay. @throws ServiceError `too_late` */
  async function recall(mailboxId: string, stored: StoredMessage): Promise<Message | undefined> {
    const { state } = stored
    const startedAt = clock.now()
    const id = await intend(mailboxId, state.id, startedAt)
    const isFree = await putOnHold(mailboxId, state)
    const message = isFree ? await write(mailboxId, stored, startedAt + COMMIT_WITHIN_MS) : undefined
    if (message) {
      for (const task of tasksOf(mailboxId, state)) await queue.remove(task.kind, task.id)
      await giveBack(mailboxId, state.id)
    } else await letGo(mailboxId, state)
    await queue.remove(SCHEDULED_KIND, id)
    if (!isFree) throw tooLate({ ...state, status: 'sending' })
    return message
  }

  return {
    async cancelMessage(mailboxId, messageId) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const stored = await find(mailboxId, messageId)
        const { state, content } = stored
        switch (state.status) {
          case 'cancelled':
            return toMessage(mailboxId, state, content)
          case 'scheduled':
          case 'checking':
          case 'held': {
            const id = await intend(mailboxId, messageId, clock.now())
            const message = await write(mailboxId, stored, Infinity)
            if (!message) continue
            // What is left of its work finds it cancelled, and ends by itself.
            await queue.remove(SCHEDULED_KIND, messageId)
            await queue.remove('check', messageId)
            await delist(store, [messageId])
            await giveBack(mailboxId, messageId)
            await queue.remove(SCHEDULED_KIND, id)
            return message
          }
          case 'queued': {
            if (state.recipients.some(({ status, attempts }) => hasEnded(status) || attempts > 0)) throw tooLate(state)
            const message = await recall(mailboxId, stored)
            if (message) return message
            continue
          }
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
      throw new ServiceError('unavailable', 'The message is on the move.', 'Try again in a moment.', {
        retryAfterSeconds: 1,
      })
    },

    async endCancelling(mailboxId, messageId) {
      const state = await store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId))
      if (!state) return
      switch (state.status) {
        case 'scheduled':
        case 'checking':
        case 'held':
          return
        case 'cancelled':
          for (const { kind, id } of tasksOf(mailboxId, state)) await queue.remove(kind, id)
          return giveBack(mailboxId, messageId)
        default:
          return letGo(mailboxId, state)
      }
    },
  }
}

/** Within the commit that cancels it: the message, its label, its conversation. */
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
  saveStatus(tx, mailbox, state, now)
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
