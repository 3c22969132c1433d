/** Suspending and reinstating an account. A `standing` task, queued in the commit of the change, applies it to the mailboxes. */
import type { Clock } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store, Transaction } from '../store/types.js'
import { clearLines } from './outcome-counting.js'
import { dayOf } from './outcomes.js'
import { accountIdOf, accountPartition, noSuchAccount, putAccount, readAccount } from './record.js'
import type { AccountRecord, Accounts } from './types.js'

/** Its id identifies the change, so a repeated change is applied once. */
export const SUSPENSION_KIND = 'standing'

export interface SuspensionTask {
  account_id: string
  /** Begin of the suspension in question. */
  since: number
}

const MAX_REASON_LENGTH = 500

export interface SuspensionDeps {
  store: Store
  clock: Clock
  /** Missing: nothing is queued. */
  queue?: Pick<WorkQueue, 'add'> | undefined
  onSuspend: (accountId: string) => void
}

export interface Suspension extends Pick<Accounts, 'suspend' | 'reinstate'> {
  /** Suspends an account for its outcomes, within a transaction of the account. The operator's own account is never suspended. */
  suspendWithin(tx: Transaction, account: AccountRecord, reason: string): Promise<void>
}

export function createSuspension({ store, clock, queue, onSuspend }: SuspensionDeps): Suspension {
  function put(tx: Transaction, after: AccountRecord, name: 'suspended' | 'reinstated', since: number): AccountRecord {
    putAccount(tx, after)
    queue?.add<SuspensionTask>(tx, SUSPENSION_KIND, {
      id: `${after.id}:${name}:${since}`,
      payload: { account_id: after.id, since },
      due: clock.now(),
    })
    return after
  }

  function suspendWithin(
    tx: Transaction,
    before: AccountRecord,
    suspension: NonNullable<AccountRecord['suspension']>,
  ): AccountRecord {
    if (before.suspension) return before
    tx.afterCommit(() => onSuspend(before.id))
    const status = before.status === 'active' ? 'suspended' : before.status
    return put(tx, { ...before, status, suspension }, 'suspended', suspension.at)
  }

  /** The row is written once, when the account is created. */
  const isOperators = async (accountId: string): Promise<boolean> =>
    (await store.read('meta', (view) => accountIdOf(view, null))) === accountId

  const change = (
    accountId: string,
    next: (tx: Transaction, account: AccountRecord) => Promise<AccountRecord> | AccountRecord,
  ): Promise<AccountRecord> =>
    store.write(accountPartition(accountId), async (tx) => {
      const account = await readAccount(tx)
      if (!account) throw noSuchAccount()
      return next(tx, account)
    })

  return {
    async suspend(accountId, given) {
      const reason = checkedReason(given)
      if (await isOperators(accountId))
        throw invalidRequest(
          "That is the operator's own account.",
          'postmaster@ and abuse@ must work. To stop mail from another mailbox of it, use `restante queue hold --mailbox ADDRESS`.',
        )
      return change(accountId, (tx, before) => suspendWithin(tx, before, { at: clock.now(), reason }))
    },

    async suspendWithin(tx, account, reason) {
      if (await isOperators(account.id)) return
      suspendWithin(tx, account, { at: clock.now(), reason, by: 'service' })
    },

    reinstate: (accountId) =>
      change(accountId, async (tx, before) => {
        if (before.suspension === null && before.status !== 'suspended') return before
        await clearLines(tx, dayOf(clock))
        const status = before.status === 'suspended' ? 'active' : before.status
        return put(tx, { ...before, status, suspension: null }, 'reinstated', before.suspension?.at ?? clock.now())
      }),
  }
}

/** @throws ServiceError `invalid_request` */
function checkedReason(given: string): string {
  const reason = given.trim()
  const length = [...reason].length
  if (length >= 1 && length <= MAX_REASON_LENGTH && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(reason)) return reason
  throw invalidRequest(
    'The reason is invalid.',
    `Give one line of at most ${MAX_REASON_LENGTH} characters; the owner of the account reads it.`,
    [{ field: 'reason', problem: `1 to ${MAX_REASON_LENGTH} characters on one line` }],
  )
}
