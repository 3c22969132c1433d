/** Maps addresses to mailboxes, and checks their quota. */
import { domainOf } from '../../mime/address.js'
import type { Store, View } from '../../store/types.js'
import { deliveryOwner } from '../addresses.js'
import { admissionOf } from '../delivery/admission.js'
import { META_PARTITION } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Admission, Sender } from '../objects/set-types.js'
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
  async function mailboxAt(view: View, address: string): Promise<MailboxRecord | undefined> {
    const id = await deliveryOwner(view, address)
    return id === undefined ? undefined : readMailbox(view, id)
  }

  async function resolveIn(view: View, address: string): Promise<MailboxRecord | undefined> {
    const domain = domainOf(address)
    const own = await ownDomain?.(domain, view)
    if (own ? !own.isVerified : !isLocalDomain(domain)) return undefined
    const found = await mailboxAt(view, address)
    // Mailboxes of a domain's former owner get no mail.
    if (own && found?.accountId !== own.accountId) return undefined
    const instead = found ? undefined : catchAll?.(domain)
    return found ?? (instead === undefined ? undefined : mailboxAt(view, instead))
  }

  return {
    /** The mailbox an address delivers to: exact, `name+tag`, or an alias; case does not matter. */
    resolve: (address: string): Promise<MailboxRecord | undefined> =>
      store.read(META_PARTITION, (view) => resolveIn(view, address)),
    /** The same with the verdict of the mailbox's lists on mail from this sender, in one read. */
    resolveFor: (
      address: string,
      sender: Sender,
    ): Promise<{ mailbox: MailboxRecord; admission: Admission } | undefined> =>
      store.read(META_PARTITION, async (view) => {
        const mailbox = await resolveIn(view, address)
        return mailbox && { mailbox, admission: await admissionOf(view, mailbox.id, sender) }
      }),
    get: (mailboxId: string) => readMailbox(store, mailboxId),
    /** True unless `bytes` more exceed its quota (10 MiB while pending). */
    hasRoom: (mailbox: MailboxRecord, bytes: number) => roomLeft(mailbox, limits) >= bytes,
  }
}
