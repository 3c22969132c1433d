/**
 * The `scheduled` task: a due message is counted, checked and handed on in one commit, repeatable after a crash. Obstacles such as a suspension cancel it,
 * since a reinstatement weeks later must not send unexpected mail; only the limit of new recipients is waited for.
 */
import { accountPartition } from '../../accounts/record.js'
import type { AccountRecord, Accounts } from '../../accounts/types.js'
import { DAY, MINUTE, SECOND } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import type { Transaction } from '../../store/types.js'
import { refuseUnlisted } from '../delivery/admission.js'
import { cancelled } from './cancel.js'
import type { CheckDeps } from './check-task.js'
import { blocksOf } from '../decisions/counted-outcomes.js'
import { codesOf } from '../decisions/decision.js'
import { askGuard, askOthers, checkOf, isDoubtful, STATUS_AFTER, THREAD_RATE } from '../decisions/guard-check.js'
import { mailboxPartition } from '../keys.js'
import { relabelled } from '../decisions/release.js'
import type { MessageState, StoredMessage } from '../message.js'
import { readState, readStored } from '../message-rows.js'
import { chargeFresh, freshAmong } from '../decisions/new-recipients.js'
import { printOf, whoWroteFirst } from '../recipients.js'
import { changeMailbox, changeWithin, mailboxOf } from '../record.js'
import { enterReview, REVIEW_PARTITION } from '../review/rows.js'
import { readSettings } from '../settings/settings.js'
import { isSimulatorAddress, simulatedDecision } from '../decisions/simulator.js'
import { traitsOf } from '../decisions/traits.js'
import { moved, saveStatus } from '../status.js'
import { addTasks, priorityOf, relayTasks, SCHEDULED_KIND, sentToday } from '../tasks.js'
import { sendsTooOften } from '../threads/thread.js'
import { quotedParent } from '../threads/parent.js'
import { readThread } from '../threads/thread-rows.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { domainOf } from '../../mime/address.js'
import { requireProven, type OwnDomainLookUp } from './verified-sender.js'

/** A task may outlive its message by this much. */
const SOONEST_MS = MINUTE
const LATEST_MS = 30 * DAY
/** Max waits for the daily reset of the limit of new recipients. */
const MAX_POSTPONED = 3

export const MAX_SCHEDULED = 1000

export interface ScheduledDeps extends CheckDeps {
  accounts: Pick<Accounts, 'get' | 'countMessage' | 'previewRecipients' | 'countWithin'>
  ownDomain?: OwnDomainLookUp | undefined
}

export const isTooSoon = (sendAt: number, now: number): boolean => sendAt < now + SOONEST_MS

/** The earliest time for which a message can be scheduled. */
export const soonest = (now: number): number => now + SOONEST_MS

/** @throws ServiceError `invalid_request` */
export function checkSendAt(sendAt: number, now: number): void {
  if (!isTooSoon(sendAt, now) && sendAt <= now + LATEST_MS) return
  throw invalidRequest(
    'The message cannot be sent at that time.',
    'Give a time at least 1 minute and at most 30 days ahead, or leave `send_at` out (null in a draft) to send it now.',
    [{ field: 'send_at', problem: 'It must be 1 minute to 30 days from now.' }],
  )
}

export function tooManyScheduled(): ServiceError {
  return new ServiceError(
    'quota_exceeded',
    `The mailbox has ${MAX_SCHEDULED} scheduled messages, and can't have more.`,
    'Wait until some are sent, or cancel some with POST /v1/messages/{id}/cancel.',
  )
}

interface Due {
  mailbox: MailboxRecord
  message: StoredMessage
  account: AccountRecord
}

/** Releases a due message, or cancels it if it may not be sent any more. @returns when to retry, if it has to wait */
export function createScheduled(deps: ScheduledDeps) {
  const { store, clock, accounts } = deps

  const cancelFor = async (mailboxId: string, messageId: string, why: NonNullable<MessageState['cancelled']>) => {
    await changeMailbox(store, mailboxId, async (tx, record) => {
      const current = await readState(tx, messageId)
      if (current?.status === 'scheduled') await cancelled(tx, record, current, why, clock.now())
      deps.queue.finish(tx, SCHEDULED_KIND, messageId)
    })
    return 'done' as const
  }

  const postpone = async (mailboxId: string, messageId: string, until: number) => {
    await changeMailbox(store, mailboxId, async (tx, record) => {
      const current = await readState(tx, messageId)
      if (current?.status !== 'scheduled') return
      const next = { ...current, sendAt: until, postponed: (current.postponed ?? 0) + 1 }
      await saveStatus(tx, record, current, next, clock.now())
    })
    return { retryAt: until }
  }

  return async (mailboxId: string, messageId: string): Promise<'done' | { retryAt: number }> => {
    const { mailbox, message } = await store.read(mailboxPartition(mailboxId), async (view) => ({
      mailbox: await mailboxOf(view),
      message: await readStored(view, messageId),
    }))
    if (!mailbox || !message) return 'done'
    const { status, sendAt = 0, postponed = 0 } = message.state
    if (status !== 'scheduled') return 'done'
    // The clock went back, or the time was changed.
    if (sendAt > clock.now()) return { retryAt: sendAt }
    const account = mailbox.accountId === null ? undefined : await accounts.get(mailbox.accountId)
    if (account?.status !== 'active') return cancelFor(mailboxId, messageId, STOPPED)
    try {
      return await go(deps, { mailbox, message, account })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code === 'new_recipient_limit' && postponed < MAX_POSTPONED) {
        return postpone(mailboxId, messageId, clock.now() + (error.retryAfterSeconds ?? DAY / SECOND) * SECOND)
      }
      if (STOPS.has(error.code)) {
        return cancelFor(mailboxId, messageId, { code: error.code, detail: error.message })
      }
      throw error
    }
  }
}

const STOPPED = { code: 'account_stopped', detail: 'The account might not send when its time came' }
/** Refusals that a retry would meet again. */
const STOPS: ReadonlySet<string> = new Set([
  'new_recipient_limit',
  'recipient_suppressed',
  'recipient_blocked',
  'recipient_not_allowed',
  'account_suspended',
  'sending_stopped',
])

/** @throws ServiceError for limits, before any change */
async function go(deps: ScheduledDeps, { mailbox, message, account }: Due): Promise<'done' | { retryAt: number }> {
  const { store, raws, queue, clock, isLocalDomain } = deps
  const { state, content } = message
  const { id: messageId } = state
  const mailboxId = mailbox.id
  const author = content.from?.address ?? mailbox.address
  requireProven(await deps.ownDomain?.(domainOf(author)), mailbox, author)
  const recipients = state.recipients.map(({ address }) => address)
  const { free, thread, parentText } = await store.read(mailboxPartition(mailboxId), async (view) => {
    // The lists may have changed since it was scheduled.
    await refuseUnlisted(view, await readSettings(view), recipients)
    return {
      free: await whoWroteFirst(view, recipients),
      thread: await readThread(view, state.threadId),
      parentText: await quotedParent(view, content),
    }
  })
  const counted = recipients.filter((address) => !isSimulatorAddress(address, isLocalDomain))
  const traits = counted.length === 0 ? {} : { print: printOf(content), traits: traitsOf(content) }
  const { fresh, similar, story } = await deps.accounts.previewRecipients(account.id, counted, free, traits, {
    refuses: true,
  })

  const raw = await raws.read(mailboxId, state)
  const { insides, displayed } = await deps.work.checked(raw, deps.parseLimits, { owner: account.id })
  const simulated = simulatedDecision(recipients, isLocalDomain)
  const isAnswer = content.in_reply_to !== null && recipients.length === 1 && free.length === 1
  const question = {
    content,
    insides,
    displayed,
    parentText,
    recipientCount: recipients.length,
    newRecipientCount: fresh.length,
    trust: account.trust,
    isAnswer,
    similar,
    story,
    holdReasons: thread && sendsTooOften(thread, clock.now()) ? [THREAD_RATE] : [],
    simulated,
  }
  const first = await askGuard(deps, question)
  const letter = { id: messageId, from: mailbox.address, read: async () => raw }
  const verdict = isDoubtful(deps.guard, first) ? await askOthers(deps, question, first, letter) : first
  const blocks = blocksOf(verdict, simulated, recipients, isLocalDomain)

  const isReply = content.in_reply_to !== null
  const status = STATUS_AFTER[verdict.decision]
  const ofAccount = accountPartition(account.id)
  const partitions = [mailboxPartition(mailboxId), ofAccount, ...(status === 'queued' ? [] : [REVIEW_PARTITION])]
  const won = await store
    .write(partitions, (own) =>
      changeWithin(
        own,
        async (tx, record) => {
          const current = await readState(tx, messageId)
          if (current?.status !== 'scheduled') return 'ended'
          const now = clock.now()
          // Other messages of the thread or account were sent meanwhile: check again.
          if (question.holdReasons.length === 0 && (await isOneTooMany(tx, current, now))) return 'again'
          const found = await deps.accounts.countMessage(tx.in(ofAccount), account.id, counted, free, traits)
          if (found.fresh.length !== fresh.length) throw new RecipientsChanged()
          record.scheduledCount = Math.max(0, (record.scheduledCount ?? 0) - 1)
          const state = {
            ...(await relabelled(tx, record, moved(current, status), now)),
            check: checkOf(verdict),
            holdReasons: question.holdReasons,
            newRecipientCount: fresh.length,
            ...freshAmong(current.recipients, found.fresh),
            ...(isAnswer ? { isAnswer: true as const } : {}),
            ...(similar ? { similar } : {}),
            ...(story ? { story } : {}),
          }
          const isLeaving = status === 'queued'
          found.tell?.(isLeaving)
          const charged = isLeaving ? await chargeFresh(tx.in(ofAccount), state, clock) : state
          await saveStatus(tx, record, current, charged, now)
          await deps.accounts.countWithin(tx, account.id, blocks)
          queue.finish(tx, SCHEDULED_KIND, messageId)
          if (isLeaving) {
            const priority = priorityOf({ recipients: recipients.length, isReply, sentToday: sentToday(record, now) })
            addTasks(queue, tx, relayTasks(mailboxId, messageId, recipients, priority), now)
          } else await enterReview(tx.in(REVIEW_PARTITION), { messageId, mailboxId, list: status, at: now })
          return 'gone'
        },
        () => 'ended' as const,
      ),
    )
    .catch((error: unknown) => {
      if (error instanceof RecipientsChanged) return 'again' as const
      throw error
    })
  if (won === 'again') return { retryAt: clock.now() }
  if (won === 'ended') return 'done'
  deps.onDecision({ messageId, mailboxId, status, recipients: recipients.length, check: codesOf(verdict) })
  return 'done'
}

/** The guard was asked with other new recipients. */
class RecipientsChanged extends Error {}

async function isOneTooMany(tx: Transaction, { threadId }: MessageState, now: number): Promise<boolean> {
  const thread = await readThread(tx, threadId)
  return thread !== undefined && sendsTooOften(thread, now)
}
