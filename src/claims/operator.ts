/** The addresses that every domain has to have, whoever claims what (RFC 5321 §4.5.1, RFC 2142 §4 and §5), the one that the service writes from, and those for reports. */
import type { Accounts } from '../accounts/types.js'
import type { Clock } from '../lib/clock.js'
import { newId } from '../lib/ids.js'
import { addressOwner, reserveAddress } from '../mailbox/addresses.js'
import { createMailbox, readMailbox } from '../mailbox/record.js'
import { REPORT_NAMES } from '../reports/recognise.js'
import type { Store } from '../store/types.js'

/** Letters of the service come from this name; answers and bounces reach the operator by it. */
const SERVICE_NAME = 'restante'

export const OPERATOR_NAMES = ['postmaster', 'abuse', SERVICE_NAME, ...REPORT_NAMES]

export const serviceAddressAt = (domain: string): string => `${SERVICE_NAME}@${domain.toLowerCase()}`

export interface OperatorMailbox {
  mailboxId: string
  accountId: string
  /** Addresses that should lead here and belong to somebody else; for the operator to be told. */
  taken: string[]
}

/**
 * Makes the operator's own mailbox, to which the operator's names of every domain deliver. Idempotent, and to be called at every
 * start: it completes what a crash left and adds the addresses of new domains.
 *
 * @param deps.domains the first is the one that the mailbox is named after, when it is made
 */
export async function ensureOperatorMailboxes(deps: {
  store: Store
  accounts: Pick<Accounts, 'ensure' | 'addMailbox'>
  domains: string[]
  clock: Clock
}): Promise<OperatorMailbox> {
  const { store, accounts, clock } = deps
  const account = await accounts.ensure(null)
  const addresses = deps.domains.flatMap((domain) => OPERATOR_NAMES.map((name) => `${name}@${domain.toLowerCase()}`))
  const [first] = addresses
  if (first === undefined) throw new Error('there is no domain')

  const now = clock.now()
  const mailboxId = (await existingOwner(store, addresses)) ?? newId('mbx', now)
  const taken: string[] = []
  for (const address of addresses) {
    if (await reserveAddress(store, address, mailboxId, now)) continue
    const owner = await addressOwner(store, address)
    const mailbox = owner === undefined ? undefined : await readMailbox(store, owner)
    if (mailbox?.accountId !== account.id) taken.push(address)
  }
  await createMailbox(store, {
    id: mailboxId,
    address: first,
    agentName: null,
    claimId: null,
    status: 'claimed',
    accountId: account.id,
    now,
  })
  await accounts.addMailbox(account.id, mailboxId)
  return { mailboxId, accountId: account.id, taken }
}

/** The mailbox to which one of the addresses leads already: the order of the domains may have changed. */
async function existingOwner(store: Store, addresses: string[]): Promise<string | undefined> {
  for (const address of addresses) {
    const owner = await addressOwner(store, address)
    if (owner === undefined) continue
    const mailbox = await readMailbox(store, owner)
    // Without a record it is a reservation that a crash left behind.
    if (!mailbox || mailbox.claimId === null) return owner
  }
  return undefined
}
