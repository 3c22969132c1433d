/** The `check` task: decides a message that waits for second opinions. Repeatable after a crash: its one commit leaves nothing to do. */
import { accountPartition } from '../../accounts/record.js'
import type { Accounts } from '../../accounts/types.js'
import type { Guard, GuardReason } from '../../guard/types.js'
import type { Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import type { ParseLimits } from '../../mime/types.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import { blocksOf } from '../decisions/counted-outcomes.js'
import { codesOf, type OnDecision } from '../decisions/decision.js'
import { askGuard, askOthers, checkOf, heldFor, STATUS_AFTER } from '../decisions/guard-check.js'
import { storedFacts } from '../decisions/stored-facts.js'
import { mailboxPartition } from '../keys.js'
import type { MailWork } from '../mail-work/mail-work.js'
import { relabelled } from '../decisions/release.js'
import { readState, readStored } from '../message-rows.js'
import { giveBackFresh } from '../decisions/new-recipients.js'
import type { RawStore } from '../raw.js'
import { changeWithin, mailboxOf } from '../record.js'
import { enterReview, REVIEW_PARTITION } from '../review/rows.js'
import { simulatedDecision } from '../decisions/simulator.js'
import { moved, saveStatus } from '../status.js'
import { addTasks, priorityOf, relayTasks, sentToday } from '../tasks.js'

export interface CheckDeps {
  store: Store
  raws: Pick<RawStore, 'read'>
  parseLimits: ParseLimits
  work: Pick<MailWork, 'checked'>
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'countWithin'>
  guard: Guard
  log: Pick<Log, 'warn'>
  isLocalDomain: (domain: string) => boolean
  onDecision: OnDecision
}

/** Asks the guard and moves the message on. Does nothing if it is gone or decided. */
export function createCheck(deps: CheckDeps) {
  const { store, raws, queue, clock, accounts } = deps
  return async (mailboxId: string, messageId: string): Promise<void> => {
    const { mailbox, message } = await store.read(mailboxPartition(mailboxId), async (view) => ({
      mailbox: await mailboxOf(view),
      message: await readStored(view, messageId),
    }))
    if (!mailbox || !message) return
    const { state, content } = message
    if (state.status !== 'checking') return

    const account = mailbox.accountId === null ? undefined : await accounts.get(mailbox.accountId)
    const addresses = state.recipients.map(({ address }) => address)
    const simulated = simulatedDecision(addresses, deps.isLocalDomain)
    const question = {
      ...(await storedFacts(deps, mailboxId, message, account?.trust ?? 0)),
      holdReasons: [...state.holdReasons, ...(account?.status === 'active' ? [] : [ACCOUNT_STOPPED])],
      simulated,
    }
    const raw = { id: messageId, from: mailbox.address, read: () => raws.read(mailboxId, state) }
    const verdict = state.verdict
      ? heldFor(await askOthers(deps, question, state.verdict, raw), question.holdReasons)
      : await askGuard(deps, question)
    const blocks = blocksOf(verdict, simulated, addresses, deps.isLocalDomain)

    const now = clock.now()
    const { decision } = verdict
    const isReply = content.in_reply_to !== null
    const priority = priorityOf({ recipients: addresses.length, isReply, sentToday: sentToday(mailbox, now) })
    const status = STATUS_AFTER[decision]
    const partitions = [
      mailboxPartition(mailboxId),
      ...(account ? [accountPartition(account.id)] : []),
      ...(status === 'queued' ? [] : [REVIEW_PARTITION]),
    ]
    const won = await store.write(partitions, (own) =>
      changeWithin(
        own,
        async (tx, record) => {
          queue.finish(tx, 'check', messageId)
          const current = await readState(tx, messageId)
          if (current?.status !== 'checking') return false
          const { verdict: _first, ...known } = moved(current, status)
          const isHeld = account && status !== 'queued'
          const cost = isHeld ? await giveBackFresh(tx.in(accountPartition(account.id)), known, clock) : known
          const decided = await relabelled(tx, record, { ...cost, check: checkOf(verdict) }, now)
          await saveStatus(tx, record, current, decided, now)
          if (account) await accounts.countWithin(tx, account.id, blocks)
          if (status === 'queued') addTasks(queue, tx, relayTasks(mailboxId, messageId, addresses, priority), now)
          else await enterReview(tx.in(REVIEW_PARTITION), { messageId, mailboxId, list: status, at: now })
          return true
        },
        () => false,
      ),
    )
    const check = codesOf(verdict)
    if (won) deps.onDecision({ messageId, mailboxId, status, recipients: addresses.length, check })
  }
}

/** The account was suspended, or its deletion requested, since the message was accepted. */
const ACCOUNT_STOPPED: GuardReason = { code: 'account_stopped', detail: 'The account may not send at the moment' }
