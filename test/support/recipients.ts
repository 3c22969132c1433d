/** What a send that leaves does in its transaction of an account: its recipients are looked at, and the new ones counted. */
import { charge } from '../../src/accounts/recipients.js'
import { accountPartition } from '../../src/accounts/record.js'
import type { Accounts } from '../../src/accounts/types.js'
import type { Fingerprint } from '../../src/guard/text/similar.js'
import type { Clock } from '../../src/lib/clock.js'
import type { Store } from '../../src/store/types.js'

export type Reach = (
  accountId: string,
  messageId: string,
  addresses: string[],
  free?: string[],
  print?: Fingerprint,
) => ReturnType<Accounts['countMessage']>

export function reaching(deps: { store: Store; clock: Clock; accounts: Pick<Accounts, 'countMessage'> }): Reach {
  const { store, clock, accounts } = deps
  return (accountId, messageId, addresses, free = [], print) =>
    store.write(accountPartition(accountId), async (tx) => {
      const found = await accounts.countMessage(tx, accountId, addresses, free, { print })
      await charge(tx, messageId, found.fresh, clock)
      return found
    })
}
