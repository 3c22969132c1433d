/**
 * Which endings put a recipient on the account's suppression list: its server says that there is no such address, or its owner complains. It is
 * done before the ending itself is written down: a crash in between has it done again, and nothing is left out.
 */
import type { NewSuppression, Suppressions } from '../accounts/suppressions.js'
import { domainOf } from '../mime/address.js'
import type { Store } from '../store/types.js'
import { mailboxPartition } from './keys.js'
import { readState } from './message.js'
import type { Recipient } from './objects.js'
import { mailboxOf } from './record.js'
import { isSimulatorDomain } from './simulator.js'

/**
 * RFC 3463 §3.2, of 5.1.x only what tells of the recipient: bad mailbox, bad domain, bad syntax, moved away, takes no mail (RFC 7505). 5.1.7 and 5.1.8
 * blame the sender, and 5.4.x and 5.7.x are often our own misconfiguration: such an address is not given up.
 */
const NO_SUCH_RECIPIENT = /^(?:\d{3}[ -])?5\.1\.(?:1|2|3|6|10)(?!\d)/

export interface SuppressingDeps {
  store: Store
  suppressions: Pick<Suppressions, 'suppress'>
  isLocalDomain: (domain: string) => boolean
}

/**
 * @param after what the recipients are going to be; those that are no new objects do not change
 * @param cameBack whether it is told by a report; else by the answer to our own attempt
 */
export type Suppress = (
  mailboxId: string,
  messageId: string,
  after: (recipients: Recipient[]) => Recipient[],
  cameBack: boolean,
) => Promise<void>

export function createSuppress({ store, suppressions, isLocalDomain }: SuppressingDeps): Suppress {
  // Who is here is known here, and can be claimed tomorrow; and what is tried out on `simulator.` is meant to be repeated.
  const isOwn = (domain: string): boolean => isLocalDomain(domain) || isSimulatorDomain(domain, isLocalDomain)

  return async (mailboxId, messageId, after, cameBack) => {
    const { accountId, before } = await store.read(mailboxPartition(mailboxId), async (view) => ({
      accountId: (await mailboxOf(view))?.accountId ?? null,
      before: (await readState(view, messageId))?.recipients ?? [],
    }))
    const entries = after(before).flatMap((recipient, i): NewSuppression[] => {
      const { address, detail } = recipient
      const reason = recipient === before[i] || isOwn(domainOf(address)) ? undefined : reasonOf(recipient, cameBack)
      return reason === undefined ? [] : [{ address, reason, messageId, detail }]
    })
    if (accountId !== null && entries.length > 0) await suppressions.suppress(accountId, entries)
  }
}

function reasonOf({ status, smtp_code, detail }: Recipient, cameBack: boolean): NewSuppression['reason'] | undefined {
  if (status === 'complained') return 'complaint'
  // Without a reply it is our own finding, and a resolver that is broken finds no domain at all.
  const told = cameBack || smtp_code !== null
  return status === 'bounced' && told && NO_SUCH_RECIPIENT.test(detail ?? '') ? 'bounce' : undefined
}
