/** Suspending an account and taking that back. What follows in its mailboxes is told by a `standing` task, queued before the change. */
import type { Clock } from '../lib/clock.js'
import { MINUTE } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import type { ServiceError } from '../lib/errors.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store, Transaction } from '../store/types.js'
import { clearLines } from './counting.js'
import { dayOf } from './outcomes.js'
import { accountIdOf, accountPartition, changeAccount, noSuchAccount, readAccount } from './record.js'
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
/** By when a change is told of when the process died right after it. */
const INTENT_MS = MINUTE

export interface SuspensionDeps {
  store: Store
  clock: Clock
  /** Missing where nobody is told. */
  queue?: Pick<WorkQueue, 'enqueue' | 'hasten'> | undefined
  onSuspend: (accountId: string) => void
  /** Has everything counted that happened before a suspension ends, as far as it is not yet. */
  settle?: (() => Promise<void>) | undefined
}

export function createSuspension({
  store,
  clock,
  queue,
  onSuspend,
  settle,
}: SuspensionDeps): Pick<Accounts, 'suspend' | 'reinstate'> {
  async function change(
    accountId: string,
    what: { name: 'suspended' | 'reinstated'; since: (before: AccountRecord) => number },
    next: (account: AccountRecord) => AccountRecord,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<AccountRecord> {
    const before = await store.read(accountPartition(accountId), readAccount)
    if (!before) throw noSuchAccount()
    if (next(before) === before) return before
    const since = what.since(before)
    const id = `${accountId}:${what.name}:${since}`
    const enqueue = async (): Promise<void> =>
      queue?.enqueue<StandingTask>(STANDING_KIND, {
        id,
        payload: { account_id: accountId, since },
        due: clock.now() + INTENT_MS,
      })
    await enqueue()
    const after = await changeAccount(store, accountId, next, also)
    if (!after) throw noSuchAccount()
    // Once more, for a commit that took longer than the task waited.
    await enqueue()
    queue?.hasten(STANDING_KIND, { id })
    return after
  }

  return {
    async suspend(accountId, given, by) {
      const reason = checkedReason(given)
      if ((await store.read('meta', (view) => accountIdOf(view, null))) === accountId) throw isOperators()
      const at = clock.now()
      const account = await change(accountId, { name: 'suspended', since: () => at }, (before) =>
        before.suspension
          ? before
          : {
              ...before,
              status: before.status === 'active' ? 'suspended' : before.status,
              suspension: { at, reason, ...(by === 'service' ? { by } : {}) },
            },
      )
      onSuspend(accountId)
      return account
    },

    async reinstate(accountId) {
      await settle?.()
      return change(
        accountId,
        { name: 'reinstated', since: (before) => before.suspension?.at ?? clock.now() },
        (before) =>
          before.suspension === null && before.status !== 'suspended'
            ? before
            : { ...before, status: before.status === 'suspended' ? 'active' : before.status, suspension: null },
        (tx) => clearLines(tx, dayOf(clock)),
      )
    },
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
