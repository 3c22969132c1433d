/** Starts and cancels the deletion of an account. One commit decides each, and queues a `deletion` task for events, queued mail, letters, and the removal. */
import { accountPartition, putAccount, readAccount } from '../../accounts/record.js'
import type { Accounts } from '../../accounts/types.js'
import { accountDeletionPending } from '../../accounts/refusals.js'
import { timestamp, type Clock } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { createLists, delist, takeRows } from '../../oauth/record.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store, Transaction } from '../../store/types.js'
import {
  DELETION_KIND,
  deletionTaskId,
  GRACE_PERIOD_MS,
  pendingOf,
  putDeletion,
  readDeletion,
  removeDeletion,
  type DeletionRecord,
} from './record.js'
import type { By, Deletion, DeletionTask } from './types.js'

export interface DeletionDeps {
  store: Store
  queue: Pick<WorkQueue, 'add' | 'finish'>
  accounts: Pick<Accounts, 'cutOff'>
  clock: Clock
  /** Account of `postmaster@` and `abuse@`, which cannot be deleted. */
  operatorAccountId: string
}

export function createDeletion({ store, queue, accounts, clock, operatorAccountId }: DeletionDeps): Deletion {
  const addTask = (tx: Transaction, accountId: string, startedAt: number, step: DeletionTask['step']): void => {
    const id = deletionTaskId(accountId, startedAt, step)
    const payload = { account_id: accountId, started_at: startedAt, step }
    queue.add<DeletionTask>(tx, DELETION_KIND, { id, payload, due: clock.now() })
  }

  return {
    async start(accountId, by) {
      if (accountId === operatorAccountId)
        throw invalidRequest(
          'This is the account of the operator, with postmaster@ and abuse@. It cannot be deleted.',
          'To end the whole service, stop the daemon and remove its data folder.',
        )
      const { stored, ended } = await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        if (!account) throw noSuchAccount()
        const first = await readDeletion(tx)
        if (first) return { stored: first, ended: [] }
        const startedAt = clock.now()
        const record: DeletionRecord = { startedAt, endsAt: startedAt + GRACE_PERIOD_MS, by }
        putDeletion(tx, record)
        putAccount(tx, { ...account, status: 'deletion_pending' })
        addTask(tx, accountId, startedAt, 'start')
        // Keys come back when it is cancelled; connections do not.
        return { stored: record, ended: await takeRows(tx) }
      })
      accounts.cutOff(accountId)
      for (const each of ended) await delist(createLists(store), each)
      return pendingOf(stored)
    },

    async cancel(accountId, by) {
      await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        if (!account) throw noSuchAccount()
        const record = await readDeletion(tx)
        if (!record) return
        requireMayCancel(record, by, clock.now())
        removeDeletion(tx)
        putAccount(tx, { ...account, status: account.suspension ? 'suspended' : 'active' })
        // A running one notices by itself.
        queue.finish(tx, DELETION_KIND, deletionTaskId(accountId, record.startedAt, 'start'))
        addTask(tx, accountId, record.startedAt, 'cancel')
      })
    },

    async pending(accountId) {
      const record = await store.read(accountPartition(accountId), readDeletion)
      return record && pendingOf(record)
    },
  }
}

/** @throws ServiceError `account_deletion_pending` */
function requireMayCancel(record: DeletionRecord, by: By, now: number): void {
  if (record.ending || now >= record.endsAt) {
    throw new ServiceError(
      'account_deletion_pending',
      `The deletion could be cancelled until ${timestamp(record.endsAt)}; the account is being deleted.`,
      'Claim a new address with GET /v1/claim/challenge and POST /v1/claim.',
    )
  }
  if (by.kind === 'key' && !maySee(record, by.id)) throw accountDeletionPending()
}

/** True for the key that requested the deletion: no other key may see or cancel it. */
export function maySee({ by }: { by: By }, keyId: string): boolean {
  return by.kind === 'key' && by.id === keyId
}

function noSuchAccount(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such account.',
    'It may have been deleted by now. `restante account list` shows those that exist.',
  )
}
