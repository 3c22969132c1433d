/** Senders on custom domains are allowed only while the domain is verified. */
import { ServiceError } from '../../lib/errors.js'
import { domainOf } from '../../mime/address.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** Undefined for domains that are no custom domain. */
export type OwnDomainLookUp = (domain: string) => { accountId: string; isVerified: boolean } | undefined

/** @throws ServiceError `sending_stopped` */
export function requireProven(
  ownDomain: OwnDomainLookUp | undefined,
  { accountId }: Pick<MailboxRecord, 'accountId'>,
  address: string,
): void {
  const domain = domainOf(address)
  const own = ownDomain?.(domain)
  if (!own || (own.isVerified && own.accountId === accountId)) return
  throw new ServiceError(
    'sending_stopped',
    `Nothing is sent from ${domain}: this account's ownership of it is no longer verified.`,
    `Set its ownership record in DNS again (GET /v1/domains/${domain} has it), then call POST /v1/domains/${domain}/verify.`,
  )
}
