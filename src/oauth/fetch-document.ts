/**
 * Fetches a client's document from a URL chosen by a stranger: looked up once, public addresses only, bounded in time and size, no redirect followed.
 */
import { addressOf, type AddressRules } from '../dns/public-address.js'
import type { Resolver } from '../dns/types.js'
import { sendRequest } from '../lib/http-client.js'
import type { DocumentsDeps } from './documents.js'

export interface FetchDocumentDeps {
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  rules: AddressRules
  /** The User-Agent header. */
  userAgent: string
  timeoutMs?: number
  /** Further certificates to trust; for tests. */
  ca?: string[] | undefined
}

const TIMEOUT_MS = 5000
/** The draft's recommendation. */
const MAX_BYTES = 5 * 1024

export function createFetchDocument(deps: FetchDocumentDeps): DocumentsDeps['fetch'] {
  const { resolver, rules, userAgent, timeoutMs = TIMEOUT_MS, ca } = deps
  return async (url) =>
    sendRequest({
      url,
      address: await addressOf(resolver, url, rules),
      method: 'GET',
      headers: { Accept: 'application/json', 'User-Agent': userAgent },
      timeoutMs,
      maxBytes: MAX_BYTES,
      ca,
    })
}
