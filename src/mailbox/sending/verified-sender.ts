/** Senders on custom domains are allowed only while the domain is verified. */
import { ServiceError } from '../../lib/errors.js'
import type { Maybe } from '../../lib/maybe.js'
import { domainOf } from '../../mime/address.js'
import type { View } from '../../store/types.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** The state of a custom domain. */
export interface OwnDomain {
  accountId: string
  isVerified: boolean
}

/** The state of a custom domain as it is in the store now, or in a read in progress; undefined for every other domain. */
export type OwnDomainLookUp = (domain: string, view?: View) => Maybe<OwnDomain | undefined>

/** @param own the state of the address's domain @throws ServiceError `sending_stopped` */
export function requireProven(
  own: OwnDomain | undefined,
  { accountId }: Pick<MailboxRecord, 'accountId'>,
  address: string,
): void {
  if (!own || (own.isVerified && own.accountId === accountId)) return
  const domain = domainOf(address)
  throw new ServiceError(
    'sending_stopped',
    `Nothing is sent from ${domain}: this account's ownership of it is no longer verified.`,
    `Set its ownership record in DNS again (GET /v1/domains/${domain} has it), then call POST /v1/domains/${domain}/verify.`,
  )
}
