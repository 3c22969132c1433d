/** Maps addresses to mailboxes, and checks their quota. */
import { domainOf } from '../../mime/address.js'
import type { Store } from '../../store/types.js'
import { deliveryOwner } from '../addresses.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { roomLeft, type RoomLimits } from '../quota.js'
import { readMailbox } from '../record.js'
import type { OwnDomainLookUp } from '../sending/verified-sender.js'

export interface DirectoryDeps {
  store: Store
  limits: RoomLimits
  isLocalDomain: (domain: string) => boolean
  /** Without it there are no custom domains. */
  ownDomain?: OwnDomainLookUp | undefined
  /** Address that gets mail for unknown names of a domain. */
  catchAll?: ((domain: string) => string | undefined) | undefined
}

export type Directory = ReturnType<typeof createDirectory>

export function createDirectory({ store, limits, isLocalDomain, ownDomain, catchAll }: DirectoryDeps) {
  const mailboxAt = async (address: string): Promise<MailboxRecord | undefined> => {
    const id = await deliveryOwner(store, address)
    return id === undefined ? undefined : readMailbox(store, id)
  }
  return {
    /** The mailbox an address delivers to: exact, `name+tag`, or an alias; case does not matter. */
    async resolve(address: string): Promise<MailboxRecord | undefined> {
      const domain = domainOf(address)
      // First, so that a domain which was verified just now is local.
      const own = await ownDomain?.(domain)
      if (!isLocalDomain(domain)) return undefined
      const found = await mailboxAt(address)
      // Mailboxes of a domain's former owner get no mail.
      if (own && found?.accountId !== own.accountId) return undefined
      const instead = found ? undefined : catchAll?.(domain)
      return found ?? (instead === undefined ? undefined : mailboxAt(instead))
    },
    get: (mailboxId: string) => readMailbox(store, mailboxId),
    /** True unless `bytes` more exceed its quota (10 MiB while pending). */
    hasRoom: (mailbox: MailboxRecord, bytes: number) => roomLeft(mailbox, limits) >= bytes,
  }
}
