/** Effects of an outcome on the account: daily counts, and suppression of an address that does not exist or whose owner complains. */
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
 * RFC 3463 §3.2, only 5.1.x about the recipient: bad mailbox, bad domain, bad syntax, moved, null MX (RFC 7505). 5.1.7 and 5.1.8 blame the sender, and 5.4.x
 * and 5.7.x are often our own misconfiguration.
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
  /** Unchanged recipients are the same objects. */
  after: readonly Recipient[]
  /** True for reports, false for replies to our own attempt. */
  cameBack: boolean
}

/** @param tx of `changeWithAccount`, which includes the account's partition */
export type AccountOutcomes = (
  tx: Transaction,
  mailbox: Pick<MailboxRecord, 'accountId'>,
  changed: ChangedRecipients,
) => Promise<void>

export function createAccountOutcomes({ accounts, suppressions, isLocalDomain }: AccountOutcomesDeps): AccountOutcomes {
  // Local addresses are known here and can be claimed tomorrow; `simulator.` addresses are meant to be reused.
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
  // Without a reply it is our own conclusion, and a broken resolver finds no domain at all.
  const hasReply = cameBack || smtp_code !== null
  return status === 'bounced' && hasReply && NO_SUCH_RECIPIENT.test(detail ?? '') ? 'bounce' : undefined
}
