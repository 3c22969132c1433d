/**
 * What an outcome means for the account, within the transaction of it: its counts of the day, and its suppression list. An address comes onto the list
 * when its server says that there is no such address, or when its owner complains.
 */
import { accountPartition } from '../../accounts/record.js'
import type { NewSuppression, Suppressions } from '../../accounts/suppressions.js'
import type { Accounts } from '../../accounts/types.js'
import { domainOf } from '../../mime/address.js'
import type { Transaction } from '../../store/types.js'
import type { Recipient } from '../objects/objects.js'
import { isSimulatorDomain } from '../decisions/simulator.js'
import { outcomesOf, type OwnDomain } from '../decisions/counted-outcomes.js'
import type { MailboxRecord } from '../mailbox-record.js'

/**
 * RFC 3463 §3.2, of 5.1.x only what tells of the recipient: bad mailbox, bad domain, bad syntax, moved away, takes no mail (RFC 7505). 5.1.7 and 5.1.8
 * blame the sender, and 5.4.x and 5.7.x are often our own misconfiguration: such an address is not given up.
 */
const NO_SUCH_RECIPIENT = /^(?:\d{3}[ -])?5\.1\.(?:1|2|3|6|10)(?!\d)/

export interface AccountOutcomesDeps {
  accounts: Pick<Accounts, 'countWithin'>
  suppressions: Pick<Suppressions, 'suppress'>
  isLocalDomain: OwnDomain
}

export interface ChangedRecipients {
  messageId: string
  before: readonly Recipient[]
  /** Those that are no new objects did not change. */
  after: readonly Recipient[]
  /** Whether it is told by a report; else by the answer to our own attempt. */
  cameBack: boolean
}

/** @param tx one of `changeWithAccount`: the partition of the mailbox' account was named */
export type AccountOutcomes = (
  tx: Transaction,
  mailbox: Pick<MailboxRecord, 'accountId'>,
  changed: ChangedRecipients,
) => Promise<void>

export function createAccountOutcomes({ accounts, suppressions, isLocalDomain }: AccountOutcomesDeps): AccountOutcomes {
  // Who is here is known here, and can be claimed tomorrow; and what is tried out on `simulator.` is meant to be repeated.
  const isOwn = (domain: string): boolean => isLocalDomain(domain) || isSimulatorDomain(domain, isLocalDomain)

  return async (tx, { accountId }, { messageId, before, after, cameBack }) => {
    if (accountId === null) return
    const entries = after.flatMap((recipient, i): NewSuppression[] => {
      const { address, detail } = recipient
      const reason = recipient === before[i] || isOwn(domainOf(address)) ? undefined : reasonOf(recipient, cameBack)
      return reason === undefined ? [] : [{ address, reason, messageId, detail }]
    })
    if (entries.length > 0) await suppressions.suppress(tx.in(accountPartition(accountId)), entries)
    await accounts.countWithin(tx, accountId, outcomesOf(before, after, { isLocalDomain, cameBack }))
  }
}

function reasonOf({ status, smtp_code, detail }: Recipient, cameBack: boolean): NewSuppression['reason'] | undefined {
  if (status === 'complained') return 'complaint'
  // Without a reply it is our own finding, and a resolver that is broken finds no domain at all.
  const told = cameBack || smtp_code !== null
  return status === 'bounced' && told && NO_SUCH_RECIPIENT.test(detail ?? '') ? 'bounce' : undefined
}
