/** Senders on custom domains are allowed only while the domain is verified. */
import { ServiceError } from '../../lib/errors.js'
import type { Maybe } from '../../lib/maybe.js'
import { domainOf } from '../../mime/address.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** The state of a custom domain as it is in the store now; undefined for every other domain. */
export type OwnDomainLookUp = (domain: string) => Maybe<{ accountId: string; isVerified: boolean } | undefined>

/** @throws ServiceError `sending_stopped` */
export async function requireProven(
  ownDomain: OwnDomainLookUp | undefined,
  { accountId }: Pick<MailboxRecord, 'accountId'>,
  address: string,
): Promise<void> {
  const domain = domainOf(address)
  const own = await ownDomain?.(domain)
  if (!own || (own.isVerified && own.accountId === accountId)) return
  throw new ServiceError(
    'sending_stopped',
    `Nothing is sent from ${domain}: this account's ownership of it is no longer verified.`,
    `Set its ownership record in DNS again (GET /v1/domains/${domain} has it), then call POST /v1/domains/${domain}/verify.`,
  )
}
