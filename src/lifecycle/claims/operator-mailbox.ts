/** Operator's addresses on every domain: those required by RFC 5321 §4.5.1 and RFC 2142 §4 and §5, the service's own sender address, and those for reports. */
import { enterMailboxOf } from '../../accounts/mailbox-list.js'
import { accountPartition } from '../../accounts/record.js'
import type { Accounts } from '../../accounts/types.js'
import type { Clock } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { partitionOfAddress, takeAddress } from '../../mailbox/addresses.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { enterMailbox, mailboxOf, mailboxWithAddress } from '../../mailbox/record.js'
import { REPORT_NAMES } from '../../publish/report-names.js'
import type { Store } from '../../store/types.js'

/** Sender of the service's own mail, through which replies and bounces reach the operator. */
const SERVICE_NAME = 'restante'

export const OPERATOR_NAMES = ['postmaster', 'abuse', SERVICE_NAME, ...Object.values(REPORT_NAMES)]

export const serviceAddressAt = (domain: string): string => `${SERVICE_NAME}@${domain.toLowerCase()}`

export interface OperatorMailbox {
  mailboxId: string
  accountId: string
  /** Required addresses that belong to another account, to warn the operator about. */
  taken: string[]
}

/**
 * Creates the operator's mailbox, which gets the operator's names on every domain. Idempotent; called at every start to add the addresses of new domains.
 *
 * @param deps.domains a new mailbox is named after the first
 */
export async function ensureOperatorMailboxes(deps: {
  store: Store
  accounts: Pick<Accounts, 'entering'>
  domains: string[]
  clock: Clock
}): Promise<OperatorMailbox> {
  const { store, accounts, clock } = deps
  const addresses = deps.domains.flatMap((domain) => OPERATOR_NAMES.map((name) => `${name}@${domain.toLowerCase()}`))
  const [first] = addresses
  if (first === undefined) throw new Error('there is no domain')
  const now = clock.now()
  const mailboxId = (await existingOwner(store, addresses)) ?? newId('mbx', now)
  const place = mailboxPartition(mailboxId)

  for (let isSure = false; ; isSure = true) {
    const { id: accountId, partitions, enter } = await accounts.entering(null, isSure)
    const others = await store.write([...partitions, place, ...addresses.map(partitionOfAddress)], async (tx) => {
      if (!(await enter(tx))) return undefined
      const others: string[] = []
      for (const address of addresses)
        if (!(await takeAddress(tx.in(partitionOfAddress(address)), mailboxId, now))) others.push(address)
      if (!(await mailboxOf(tx.in(place))))
        enterMailbox(tx, {
          id: mailboxId,
          address: first,
          agentName: null,
          claimId: null,
          status: 'claimed',
          accountId,
          now,
        })
      await enterMailboxOf(tx.in(accountPartition(accountId)), accountId, mailboxId, now)
      return others
    })
    if (others) return { mailboxId, accountId, taken: await ofStrangers(store, accountId, others) }
  }
}

async function ofStrangers(store: Store, accountId: string, addresses: string[]): Promise<string[]> {
  const taken: string[] = []
  for (const address of addresses) {
    if ((await mailboxWithAddress(store, address))?.accountId !== accountId) taken.push(address)
  }
  return taken
}

/** The existing mailbox of one of the addresses: the order of the domains may have changed. */
async function existingOwner(store: Store, addresses: string[]): Promise<string | undefined> {
  for (const address of addresses) {
    const mailbox = await mailboxWithAddress(store, address)
    if (mailbox?.claimId === null) return mailbox.id
  }
  return undefined
}
