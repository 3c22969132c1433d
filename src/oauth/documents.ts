/**
 * Clients whose id is the https URL of a document that describes them (OAuth Client ID Metadata Document). A stranger chooses the URL and this server
 * fetches it: bounded, and as rarely as possible, so that the server can't be used to attack others.
 */
import { isPublicName } from '../dns/public-address.js'
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../lib/clock.js'
import { messageOf } from '../lib/thrown.js'
import type { HttpAnswer } from '../lib/http-client.js'
import { parseMetadata } from './client-metadata.js'
import { OAuthError } from './errors.js'
import type { Quota } from './quota.js'
import type { OAuthClient } from './types.js'

/** The reason why a client can't be trusted, for a human, and the remedy. */
export interface ClientProblem {
  problem: string
  todo: string
}

export interface DocumentsDeps {
  clock: Clock
  /** One request to a public address, with limits on time and size; follows no redirect. @throws Error with a readable message */
  fetch: (url: URL) => Promise<Pick<HttpAnswer, 'status' | 'contentType' | 'headers' | 'body'>>
  quota: Quota
  /** Allows hosts with private names or addresses, and other ports. */
  allowPrivateAddresses: boolean
}

export type Documents = ReturnType<typeof createDocuments>

const MAX_URL_CHARS = 1000
const MAX_KEPT = 500
const AT_ONCE = 20
/** Min cache time, whatever the document's server declares. */
const KEPT_AT_LEAST_MS = 5 * MINUTE
const KEPT_AT_MOST_MS = DAY
const KEPT_MS = HOUR
/** Short enough for its developer to fix it, long enough to prevent constant requests. */
const PROBLEM_KEPT_MS = MINUTE

interface Kept {
  found: OAuthClient | ClientProblem
  until: number
}

export function createDocuments(deps: DocumentsDeps) {
  const { clock, quota } = deps
  // The most recently used one is last.
  const kept = new Map<string, Kept>()
  const underway = new Map<string, Promise<OAuthClient | ClientProblem>>()

  function keep(id: string, one: Kept): void {
    kept.delete(id)
    kept.set(id, one)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
  }

  async function read(url: URL): Promise<Kept> {
    const id = url.href
    try {
      const answer = await deps.fetch(url)
      return { found: clientOf(url, answer), until: clock.now() + lifeOf(answer.headers['cache-control']) }
    } catch (error) {
      return { found: unusable(id, messageOf(error)), until: clock.now() + PROBLEM_KEPT_MS }
    }
  }

  async function fetchOnce(url: URL): Promise<OAuthClient | ClientProblem> {
    try {
      const one = await read(url)
      keep(url.href, one)
      return one.found
    } finally {
      underway.delete(url.href)
    }
  }

  return {
    /** True if an id can be the URL of a document. */
    isId: (id: string): boolean => documentUrl(id, deps) !== undefined,

    async find(id: string, remoteAddress: string): Promise<OAuthClient | ClientProblem> {
      const url = documentUrl(id, deps)
      if (!url) return NO_URL
      const known = kept.get(id)
      if (known && known.until > clock.now()) {
        keep(id, known)
        return known.found
      }
      const before = underway.get(id)
      if (before) return before
      if (underway.size >= AT_ONCE || !quota.take(remoteAddress)) return TOO_MANY
      const asked = fetchOnce(url)
      underway.set(id, asked)
      return asked
    },
  }
}

/** A URL with a path in its normal form: what is compared, shown and fetched must be equal for all. */
function documentUrl(
  id: string,
  { allowPrivateAddresses }: Pick<DocumentsDeps, 'allowPrivateAddresses'>,
): URL | undefined {
  if (id.length > MAX_URL_CHARS || !id.startsWith('https://') || id.includes('#') || !URL.canParse(id)) return undefined
  const url = new URL(id)
  if (url.href !== id || url.pathname === '/' || url.username !== '' || url.password !== '') return undefined
  if (allowPrivateAddresses) return url
  return url.port === '' && isPublicName(url.hostname) ? url : undefined
}

/** @throws Error with the problem of the document */
function clientOf(
  url: URL,
  { status, contentType, body }: Pick<HttpAnswer, 'status' | 'contentType' | 'body'>,
): OAuthClient {
  if (status !== 200) throw new Error(`the response has status ${status}; redirects are not followed`)
  if (!/^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i.test(contentType))
    throw new Error('it is not served as application/json')
  let given: unknown
  try {
    given = JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw new Error('it is not JSON', { cause: error })
  }
  if (typeof given !== 'object' || given === null || !('client_id' in given) || given.client_id !== url.href)
    throw new Error('its client_id differs from the URL it was fetched from')
  if ('client_secret' in given) throw new Error('it has a client_secret, which would be no secret')
  const { name, redirectUris, authMethod = 'none' } = parseMetadata(given)
  if (authMethod !== 'none')
    throw new OAuthError(
      'invalid_client_metadata',
      'its token_endpoint_auth_method is not none, and this server supports public clients only',
    )
  return { id: url.href, kind: 'document', name: name || url.host, host: url.host, redirectUris }
}

/**
 * RFC 9111 §5.2.2, within limits: a document that must not be cached is cached for the shortest time, otherwise each view of the page would be a
 * request.
 */
function lifeOf(cacheControl: string | undefined): number {
  const directives = (cacheControl ?? '').toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(directives)) return KEPT_AT_LEAST_MS
  const [, seconds] = /\bmax-age="?(\d{1,9})/.exec(directives) ?? []
  const ms = seconds === undefined ? KEPT_MS : Number(seconds) * SECOND
  return Math.min(KEPT_AT_MOST_MS, Math.max(KEPT_AT_LEAST_MS, ms))
}

const NO_URL: ClientProblem = {
  problem: 'The program that sent you here has an id that is not known here.',
  todo: 'Start again from the program. Its developer must register at the registration endpoint, or use the https URL of a client metadata document.',
}
const TOO_MANY: ClientProblem = {
  problem: 'Too many programs were looked up just now.',
  todo: 'Wait a few minutes and start again from the program.',
}

function unusable(id: string, why: string): ClientProblem {
  return {
    problem: `The document that describes the program that sent you here, ${id}, cannot be used: ${why}.`,
    todo: 'Start again in a minute. If it fails again, tell the developer of the program.',
  }
}
