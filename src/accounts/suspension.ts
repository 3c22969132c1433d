/** Suspending an account and taking that back. What follows in its mailboxes is told by a `standing` task, queued in the commit of the change. */
import type { Clock } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import type { ServiceError } from '../lib/errors.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store, Transaction } from '../store/types.js'
import { clearLines } from './counting.js'
import { dayOf } from './outcomes.js'
import { accountIdOf, accountPartition, noSuchAccount, putAccount, readAccount } from './record.js'
import type { AccountRecord, Accounts } from './types.js'

/** Its id names the change, so the same one is told once. */
export const STANDING_KIND = 'standing'

/** Payload of a `standing` task: bring what depends on an account's standing in line with it. */
export interface StandingTask {
  account_id: string
  /** When the suspension began that began or ended. */
  since: number
}

const MAX_REASON_LENGTH = 500

export interface SuspensionDeps {
  store: Store
  clock: Clock
  /** Missing where nobody is told. */
  queue?: Pick<WorkQueue, 'add'> | undefined
  onSuspend: (accountId: string) => void
}

export function createSuspension({
  store,
  clock,
  queue,
  onSuspend,
}: SuspensionDeps): Pick<Accounts, 'suspend' | 'reinstate'> {
  /** The change and the task that tells of it. */
  function change(
    accountId: string,
    what: { name: 'suspended' | 'reinstated'; since: (before: AccountRecord) => number },
    next: (account: AccountRecord) => AccountRecord,
    also: (tx: Transaction) => Promise<void> | void,
  ): Promise<AccountRecord> {
    return store.write(accountPartition(accountId), async (tx) => {
      const before = await readAccount(tx)
      if (!before) throw noSuchAccount()
      const after = next(before)
      if (after === before) return before
      putAccount(tx, after)
      const since = what.since(before)
      queue?.add<StandingTask>(tx, STANDING_KIND, {
        id: `${accountId}:${what.name}:${since}`,
        payload: { account_id: accountId, since },
        due: clock.now(),
      })
      await also(tx)
      return after
    })
  }

  return {
    async suspend(accountId, given, by) {
      const reason = checkedReason(given)
      if ((await store.read('meta', (view) => accountIdOf(view, null))) === accountId) throw isOperators()
      const at = clock.now()
      return change(
        accountId,
        { name: 'suspended', since: () => at },
        (before) =>
          before.suspension
            ? before
            : {
                ...before,
                status: before.status === 'active' ? 'suspended' : before.status,
                suspension: { at, reason, ...(by === 'service' ? { by } : {}) },
              },
        (tx) => tx.afterCommit(() => onSuspend(accountId)),
      )
    },

    reinstate: (accountId) =>
      change(
        accountId,
        { name: 'reinstated', since: (before) => before.suspension?.at ?? clock.now() },
        (before) =>
          before.suspension === null && before.status !== 'suspended'
            ? before
            : { ...before, status: before.status === 'suspended' ? 'active' : before.status, suspension: null },
        (tx) => clearLines(tx, dayOf(clock)),
      ),
  }
}

/** @throws ServiceError `invalid_request` */
function checkedReason(given: string): string {
  const reason = given.trim()
  const length = [...reason].length
  if (length >= 1 && length <= MAX_REASON_LENGTH && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(reason)) return reason
  throw invalidRequest(
    "The reason can't be used.",
    `Give one line of at most ${MAX_REASON_LENGTH} characters; the owner of the account reads it.`,
    [{ field: 'reason', problem: `1 to ${MAX_REASON_LENGTH} characters on one line` }],
  )
}

function isOperators(): ServiceError {
  return invalidRequest(
    "That is the operator's own account.",
    'postmaster@ and abuse@ have to work. To stop what another mailbox of it sends, use `restante queue hold --mailbox ADDRESS`.',
  )
}
