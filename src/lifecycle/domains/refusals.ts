/** Checks names of custom domains, and the errors for refused ones. */
import { normalizeDomain } from '../../config/setting/address.js'
import { isPublicSuffix } from '../../guard/links/domains.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'

/** Leaves space for the labels of its records within 253 octets. */
const MAX_DOMAIN_CHARS = 180

/** @param servers the server's domains and its host @throws ServiceError `invalid_request` @returns the domain in lower-case ASCII */
export function checkedDomain(given: string, servers: readonly string[]): string {
  const refuse = (problem: string, hint: string): ServiceError =>
    invalidRequest(problem, hint, [{ field: 'domain', problem }])
  const domain = normalizeDomain(given.trim().replace(/\.$/, ''))
  if (domain === undefined || !domain.includes('.') || domain.length > MAX_DOMAIN_CHARS)
    throw refuse('That is not a domain.', 'Write it like `example.org`.')
  if (servers.some((name) => domain === name || domain.endsWith(`.${name}`)))
    throw refuse(
      `${domain} belongs to this server.`,
      'Make addresses on it with POST /v1/mailboxes or POST /v1/aliases.',
    )
  if (isPublicSuffix(domain))
    throw refuse(
      `${domain} is a public suffix, under which anyone can register names.`,
      'Give the domain that you registered.',
    )
  return domain
}

export function noSuchDomain(): ServiceError {
  return new ServiceError('not_found', 'This account has no such domain.', 'GET /v1/domains lists those it has.')
}

export function domainTaken(domain: string): ServiceError {
  return new ServiceError(
    'domain_taken',
    `Another account of this server has verified ${domain}.`,
    'Remove its record _restante from the DNS of the domain. After three days, once that account has no address on it, POST /v1/domains works.',
  )
}

export function tooManyDomains(perAccount: number): ServiceError {
  return perAccount === 0
    ? new ServiceError(
        'limit_reached',
        'This server has no custom domains.',
        'Its operator can allow them with limits.domains_per_account.',
      )
    : new ServiceError(
        'limit_reached',
        `An account can have ${perAccount} domains.`,
        'Remove one with DELETE /v1/domains/{domain}.',
      )
}

/** @param addresses empty while a mailbox is being created */
export function domainInUse(domain: string, addresses: readonly string[]): ServiceError {
  const shown = addresses.slice(0, 5).join(', ')
  return new ServiceError(
    'domain_in_use',
    `Addresses on ${domain}: ${addresses.length}, namely ${shown}${addresses.length > 5 ? ' and others' : ''}.`,
    'Remove them first, with DELETE /v1/aliases/{address} and DELETE /v1/mailboxes/{id}; GET /v1/mailboxes lists them.',
  )
}
