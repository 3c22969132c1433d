/**
 * The `check` task: asks the guard about a message that was accepted and moves it on. It can be run again after a crash at any line: until the last
 * commit the message is `checking` and everything is done anew, after it there is nothing left to do.
 */
import type { Accounts } from '../accounts/types.js'
import type { Guard, GuardReason, GuardVerdict } from '../guard/types.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import type { Store, WorkQueue } from '../store/types.js'
import { askGuard } from './guarding.js'
import { mailboxPartition } from './keys.js'
import type { MessageState } from './message.js'
import { readState, readStored } from './message.js'
import type { MessageStatus } from './objects.js'
import { changeMailbox, mailboxOf } from './record.js'
import { simulatedDecision } from './simulator.js'
import { moved, saveStatus } from './status.js'
import { makeDue, priorityOf, queueIntent, relayTasks, sentToday } from './tasks.js'
import type { MailboxRecord, Mailboxes } from './types.js'

export interface CheckDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get'>
  guard: Guard
  log: Pick<Log, 'warn'>
  isLocalDomain: (domain: string) => boolean
}

const STATUS_AFTER: Record<GuardVerdict['decision'], MessageStatus> = { send: 'queued', hold: 'held', block: 'blocked' }

export function createCheck(deps: CheckDeps): Mailboxes['runCheck'] {
  const { store, queue, clock, accounts } = deps
  return async (mailboxId, messageId) => {
    const found = await store.read(mailboxPartition(mailboxId), async (view) => ({
      mailbox: await mailboxOf(view),
      message: await readStored(view, messageId),
    }))
    const { mailbox, message } = found
    if (!mailbox || !message) return false
    const { state, content } = message
    if (state.status !== 'checking') return true

    const account = mailbox.accountId === null ? undefined : await accounts.get(mailbox.accountId)
    const addresses = state.recipients.map(({ address }) => address)
    const verdict = await askGuard(deps, {
      content,
      recipientCount: state.recipients.length,
      newRecipientCount: state.newRecipientCount,
      trust: account?.trust ?? 0,
      holdReasons: [...state.holdReasons, ...(account?.status === 'active' ? [] : [ACCOUNT_STOPPED])],
      simulated: simulatedDecision(addresses, deps.isLocalDomain),
    })

    const intendedAt = clock.now()
    const priority = priorityOf({
      recipients: addresses.length,
      isReply: content.in_reply_to !== null,
      sentToday: sentToday(mailbox, intendedAt),
    })
    const tasks = verdict.decision === 'send' ? relayTasks(mailboxId, messageId, addresses, priority) : []
    await queueIntent(queue, tasks, intendedAt)
    const won = await changeMailbox(store, mailboxId, async (tx, record) => {
      const current = await readState(tx, messageId)
      if (current?.status !== 'checking') return false
      decide(tx, record, current, verdict, clock.now())
      return true
    })
    if (won) await makeDue(queue, tasks, intendedAt, clock.now())
    return true
  }
}

/** The account was suspended, or its deletion asked for, between accepting the message and now. */
const ACCOUNT_STOPPED: GuardReason = { code: 'account_stopped', detail: 'The account may not send at the moment' }

function decide(
  tx: Parameters<typeof saveStatus>[0],
  mailbox: MailboxRecord,
  state: MessageState,
  { category, scores, decision, reasons }: GuardVerdict,
  now: number,
): void {
  const check = { category, scores: { ...scores }, decision, reasons, reviewed_by: null, reviewed_at: null }
  saveStatus(tx, mailbox, { ...moved(state, STATUS_AFTER[decision]), check }, now)
}
