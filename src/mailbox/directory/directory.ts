/** Which mailbox an address leads to, and how much room it has. */
import { domainOf } from '../../mime/address.js'
import type { Store } from '../../store/types.js'
import { deliveryOwner } from '../addresses.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { roomLeft, type RoomLimits } from '../quota.js'
import { readMailbox } from '../record.js'
import type { OwnDomainLookUp } from '../sending/verified-sender.js'

/** The mailboxes there are. */
export interface Directory {
  /** The mailbox an address delivers to: exact, `name+tag`, or an alias. Undefined when there is none; the address may have any case. */
  resolve(address: string): Promise<MailboxRecord | undefined>
  get(mailboxId: string): Promise<MailboxRecord | undefined>
  /** Whether `bytes` more would be over its quota (10 MiB while pending). */
  hasRoom(mailbox: MailboxRecord, bytes: number): boolean
}

export interface DirectoryDeps {
  store: Store
  limits: RoomLimits
  isLocalDomain: (domain: string) => boolean
  /** Without it no account has brought a domain along. */
  ownDomain?: OwnDomainLookUp | undefined
  /** The address that gets what is for nobody at a domain; without it such mail is nobody's. */
  catchAll?: ((domain: string) => string | undefined) | undefined
}

export function createDirectory({ store, limits, isLocalDomain, ownDomain, catchAll }: DirectoryDeps): Directory {
  const mailboxAt = async (address: string): Promise<MailboxRecord | undefined> => {
    const id = await deliveryOwner(store, address)
    return id === undefined ? undefined : readMailbox(store, id)
  }
  return {
    async resolve(address) {
      const domain = domainOf(address)
      if (!isLocalDomain(domain)) return undefined
      const own = ownDomain?.(domain)
      const found = await mailboxAt(address)
      // One that a former owner of the domain left behind is nobody's.
      if (own && found?.accountId !== own.accountId) return undefined
      const instead = found ? undefined : catchAll?.(domain)
      return found ?? (instead === undefined ? undefined : mailboxAt(instead))
    },
    get: (mailboxId) => readMailbox(store, mailboxId),
    hasRoom: (mailbox, bytes) => roomLeft(mailbox, limits) >= bytes,
  }
}
