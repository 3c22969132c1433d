/**
 * The `check` task: moves a message on that is stored as `checking`. Sending decides before it stores (send.ts), so such messages are those about
 * which others have to be asked, which takes seconds, and those of a store from before that. It can be run again after a crash at any line: until
 * the last commit the message is `checking` and everything is done anew, after it there is nothing left to do.
 */
import type { Accounts } from '../accounts/types.js'
import type { Guard, GuardReason } from '../guard/types.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store } from '../store/types.js'
import { codesOf } from './decision.js'
import type { OnDecision } from './decision.js'
import { askGuard, askOthers, checkOf, heldFor, STATUS_AFTER, toldOf } from './guarding.js'
import { mailboxPartition } from './keys.js'
import { relabelled } from './let-go.js'
import { readState, readStored } from './message.js'
import type { RawStore } from './raw.js'
import { changeMailbox, mailboxOf } from './record.js'
import { delist, enlistDecided } from './review-rows.js'
import { simulatedDecision } from './simulator.js'
import { moved, saveStatus } from './status.js'
import { addToTally, blocksOf, isUrgent } from './tally.js'
import type { OnOutcome } from './tally.js'
import { makeDue, priorityOf, queueIntent, relayTasks, sentToday, withdrawIntent } from './tasks.js'
import type { Mailboxes } from './types.js'

export interface CheckDeps {
  store: Store
  raws: Pick<RawStore, 'read'>
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'returnRecipients' | 'chargeRecipients'>
  guard: Guard
  log: Pick<Log, 'warn'>
  isLocalDomain: (domain: string) => boolean
  onOutcome: OnOutcome
  onDecision: OnDecision
}

export function createCheck(deps: CheckDeps): Mailboxes['runCheck'] {
  const { store, raws, queue, clock, accounts } = deps
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
    const simulated = simulatedDecision(addresses, deps.isLocalDomain)
    const question = {
      ...toldOf(message, account?.trust ?? 0),
      holdReasons: [...state.holdReasons, ...(account?.status === 'active' ? [] : [ACCOUNT_STOPPED])],
      simulated,
    }
    const raw = { id: messageId, from: mailbox.address, read: () => raws.read(mailboxId, state) }
    const verdict = state.verdict
      ? heldFor(await askOthers(deps, question, state.verdict, raw), question.holdReasons)
      : await askGuard(deps, question)
    const blocks = blocksOf(verdict, simulated, addresses, deps.isLocalDomain)

    const intendedAt = clock.now()
    const priority = priorityOf({
      recipients: addresses.length,
      isReply: content.in_reply_to !== null,
      sentToday: sentToday(mailbox, intendedAt),
    })
    const relaying = relayTasks(mailboxId, messageId, addresses, priority)
    const tasks = verdict.decision === 'send' ? relaying : []
    await queueIntent(queue, tasks, intendedAt)
    // An earlier run that died may have heard something else: a relay task of its must not outlive the message's approval by a person.
    if (verdict.decision !== 'send' && !(await withdrawIntent(queue, relaying)))
      throw new Error(`A delivery of message ${messageId} is looked at just now`)
    // An earlier run that died may have decided otherwise.
    if (account && verdict.decision === 'send') await accounts.chargeRecipients(account.id, messageId)
    else if (account) await accounts.returnRecipients(account.id, messageId)
    await enlistDecided(store, verdict.decision, { messageId, mailboxId, at: intendedAt })
    const outcome = await changeMailbox(store, mailboxId, async (tx, record) => {
      const current = await readState(tx, messageId)
      if (current?.status === 'cancelled') return 'cancelled'
      if (current?.status !== 'checking') return 'other'
      const { verdict: _first, ...known } = moved(current, STATUS_AFTER[verdict.decision])
      const decided = await relabelled(tx, record, { ...known, check: checkOf(verdict) }, clock.now())
      saveStatus(tx, record, decided, clock.now())
      await addToTally(tx, blocks, clock)
      return 'decided'
    })
    // Its cancelling may have given back what was counted before the look above.
    if (outcome === 'cancelled' && account) await accounts.returnRecipients(account.id, messageId)
    const won = outcome === 'decided'
    if (won && isUrgent(blocks)) deps.onOutcome(mailboxId, true)
    if (won)
      deps.onDecision({
        messageId,
        mailboxId,
        status: STATUS_AFTER[verdict.decision],
        recipients: addresses.length,
        check: codesOf(verdict),
      })
    if (won) await makeDue(queue, tasks, intendedAt, clock.now())
    // An earlier run may have entered it for review. Only now: before the commit another run may yet hold it.
    if (won && verdict.decision === 'send') await delist(store, [messageId])
    return true
  }
}

/** The account was suspended, or its deletion asked for, between accepting the message and now. */
const ACCOUNT_STOPPED: GuardReason = { code: 'account_stopped', detail: 'The account may not send at the moment' }
