/** The `deletion` task: the consequences of the start of a deletion, of its cancellation, and its end. Each is idempotent at any line. */
import { accountPartition, readAccount } from '../../accounts/record.js'
import type { AccountRecord } from '../../accounts/types.js'
import { BY_ITSELF, type Audit } from '../../audit/types.js'
import { HOUR, type Clock } from '../../lib/clock.js'
import { derivedId } from '../../lib/ids.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import type { Erase } from './erase.js'
import { endOutgoing, type OutgoingDeps } from './outbound-mail.js'
import { putDeletion, readDeletion, type DeletionRecord } from './record.js'
import type { DeletionNotices } from './notices.js'
import type { DeletionTask, DeletionWebhookTask } from './types.js'

export interface DeletionWorkDeps extends OutgoingDeps {
  store: Store
  clock: Clock
  queue: OutgoingDeps['queue'] & Pick<WorkQueue, 'add'>
  accounts: { mailboxes(accountId: string): Promise<string[]> }
  notices: DeletionNotices
  erase: Erase
  /** Without it no entry is written. */
  audit?: Pick<Audit, 'record'> | undefined
  /** A deletion webhook is set. */
  hasWebhook: boolean
  /** Called after a removal. */
  onDeleted: (accountId: string) => void
}

/** Wait before everything is removed once more, for data created by concurrent work. */
export const CLEAN_AGAIN_MS = HOUR

export type RunDeletion = (task: Task<DeletionTask>) => Promise<TaskOutcome<DeletionTask>>

export function createDeletionWork(deps: DeletionWorkDeps): RunDeletion {
  const { store, clock, queue, accounts, notices, erase } = deps

  const read = (accountId: string) =>
    store.read(accountPartition(accountId), async (view) => ({
      account: await readAccount(view),
      deletion: await readDeletion(view),
    }))

  async function begun(account: AccountRecord, deletion: DeletionRecord, payload: DeletionTask): Promise<boolean> {
    if (!payload.told) {
      await endOutgoing(deps, new Set(await accounts.mailboxes(account.id)))
      await notices.scheduled(account, deletion)
    }
    const { deletion: now } = await read(account.id)
    if (now?.startedAt === deletion.startedAt) return true
    // Cancelled while notices were sent: the last notice has to be about that.
    await notices.cancelled(account, deletion.startedAt, { withLetter: false })
    return false
  }

  /** @returns false if it was cancelled at the last moment */
  async function commitEnd({ account_id, started_at }: DeletionTask): Promise<boolean> {
    return store.write(accountPartition(account_id), async (tx) => {
      const deletion = await readDeletion(tx)
      if (deletion?.startedAt !== started_at) return false
      if (!deletion.ending) putDeletion(tx, { ...deletion, ending: true })
      return true
    })
  }

  async function end(
    account: AccountRecord,
    deletion: DeletionRecord,
    payload: DeletionTask,
  ): Promise<TaskOutcome<DeletionTask>> {
    const { account_id: accountId, started_at: startedAt } = payload
    if (!(await commitEnd(payload))) return { done: true }
    await erase.everything(account)
    await notices.deleted(account, startedAt)
    // Before the record is removed, because a crash repeats this step only until then.
    await deps.audit?.record({
      id: derivedId('aud', `account.deletion_finished ${accountId}`, startedAt),
      at: deletion.endsAt,
      action: 'account.deletion_finished',
      actor: BY_ITSELF,
      subject: { account_id: accountId },
    })
    const call = { account_id: accountId, deleted_at: clock.now() }
    const isGone = await erase.record(accountId, (tx) => {
      if (!deps.hasWebhook) return
      const task = { id: `${accountId}:${startedAt}`, payload: call, due: clock.now() }
      queue.add<DeletionWebhookTask>(tx, 'deletion-webhook', task)
    })
    if (!isGone) return { done: false, retryAt: clock.now() }
    deps.onDeleted(accountId)
    return cleanAgain(payload)
  }

  const cleanAgain = (payload: DeletionTask): TaskOutcome<DeletionTask> => ({
    done: false,
    retryAt: clock.now() + CLEAN_AGAIN_MS,
    payload: { ...payload, ended: true },
  })

  return async ({ payload }) => {
    const { account_id: accountId, started_at: startedAt, step } = payload
    const { account, deletion } = await read(accountId)
    if (!account) {
      if (step === 'cancel') return { done: true }
      // Its process died right after the end.
      if (!payload.ended) return cleanAgain(payload)
      await erase.rest(accountId)
      return { done: true }
    }
    const isPending = deletion?.startedAt === startedAt
    if (step === 'cancel') {
      // Asked for again since, in the same millisecond.
      if (isPending) return { done: true }
      await notices.cancelled(account, startedAt, { withLetter: true })
      return { done: true }
    }
    if (!isPending) return { done: true }
    if (clock.now() >= deletion.endsAt) return end(account, deletion, payload)
    if (!(await begun(account, deletion, payload))) return { done: true }
    return { done: false, retryAt: deletion.endsAt, payload: { ...payload, told: true } }
  }
}
