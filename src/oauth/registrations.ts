/**
 * Clients that registered themselves (RFC 7591). They have no secret, so the same metadata gives the same client: its id is the hash of its metadata,
 * and repeated registrations use no space. A client without a connection expires after a day; a connection extends its client's life.
 */
import { type Clock, DAY } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { base62 } from '../lib/ids.js'
import { createHash } from 'node:crypto'
import { createExpiring } from '../store/expiring.js'
import type { Store } from '../store/types.js'
import { parseMetadata } from './client-metadata.js'
import type { Quota } from './quota.js'
import type { OAuthClient } from './types.js'

/** Lifetime of a client without a connection. */
export const UNCONNECTED_MS = DAY
/** A client outlives its connections by this, at most twice: so it is not written on each refresh. */
const KEPT_LONGER_MS = DAY

const FORM = /^client_[0-9A-Za-z]{43}$/

interface Stored {
  name: string
  redirectUris: string[]
  createdAt: number
  endsAt: number
}

/** RFC 7591 §3.2.1: the metadata as registered, which may differ from the request. */
interface RegisteredClient {
  client_id: string
  /** Seconds since the epoch. */
  client_id_issued_at: number
  client_name?: string
  redirect_uris: string[]
  grant_types: ['authorization_code', 'refresh_token']
  response_types: ['code']
  token_endpoint_auth_method: 'none'
}

export type Registrations = ReturnType<typeof createRegistrations>

export function createRegistrations({ store, clock, quota }: { store: Store; clock: Clock; quota: Quota }) {
  const clients = createExpiring<Stored>(store, 'oauth-client')
  const get = async (id: string): Promise<Stored | undefined> =>
    FORM.test(id) ? clients.get(id, clock.now()) : undefined

  return {
    /** True if an id has the form of a registered client's. */
    isId: (id: string): boolean => FORM.test(id),

    /** @throws OAuthError; ServiceError `rate_limited` */
    async register(given: unknown, remoteAddress: string): Promise<RegisteredClient> {
      const { name, redirectUris } = parseMetadata(given)
      if (!quota.take(remoteAddress)) throw tooMany(quota.wait())
      const id = idOf(name, redirectUris)
      const now = clock.now()
      const before = await get(id)
      const fresh: Stored = { name, redirectUris, createdAt: before?.createdAt ?? now, endsAt: now + UNCONNECTED_MS }
      if (!before || before.endsAt < fresh.endsAt) await clients.put(id, fresh, fresh.endsAt)
      return {
        client_id: id,
        client_id_issued_at: Math.floor(fresh.createdAt / 1000),
        ...(name !== '' && { client_name: name }),
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
    },

    async find(id: string): Promise<OAuthClient | undefined> {
      const found = await get(id)
      return found && { id, kind: 'registered', name: found.name || id, host: null, redirectUris: found.redirectUris }
    },

    /** Marks the client as connected until then at least. */
    async keep(id: string, until: number): Promise<void> {
      const found = await get(id)
      if (!found || found.endsAt >= until + KEPT_LONGER_MS) return
      const endsAt = until + 2 * KEPT_LONGER_MS
      await clients.put(id, { ...found, endsAt }, endsAt)
    },
  }
}

function idOf(name: string, redirectUris: string[]): string {
  return `client_${base62(
    createHash('sha256')
      .update(JSON.stringify([name, redirectUris]))
      .digest(),
  )}`
}

function tooMany(waitMs: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many clients registered in the last hour.',
    'Keep your client_id and use it again, or use the https URL of a client metadata document, which needs no registration.',
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  )
}
