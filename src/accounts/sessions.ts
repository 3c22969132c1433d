/**
 * Sessions at the owner pages. Only the token's hash is stored. They end 14 days after the last use and 90 days after the start; a device's cookie
 * outlives them.
 */
import { z } from 'zod'
import { type Clock, DAY, HOUR } from '../lib/clock.js'
import { newId, randomBase62, sha256Hex } from '../lib/ids.js'
import { createExpiring } from '../store/expiring.js'
import { encode, key, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { readValue, readValues } from '../store/values.js'
import { accountPartition } from './record.js'
import type { SignedIn } from './types.js'

export type { SignedIn } from './types.js'

export interface Session {
  id: string
  accountId: string
  identity: SignedIn
  deviceId: string
  /** Shortened `User-Agent`. */
  userAgent: string
  /** The network it was opened from, in the form of networkOf. */
  network: string
  createdAt: number
  /** Exact to the hour. */
  seenAt: number
  expiresAt: number
}

export interface Device {
  id: string
  userAgent: string
  firstAt: number
  lastAt: number
}

const IDLE_MS = 14 * DAY
const LONGEST_MS = 90 * DAY
const TOKEN_FORM = /^[0-9A-Za-z]{43}$/
/** Max sessions of one account; the oldest are dropped. */
const MAX_SESSIONS = 50
const MAX_DEVICES = 50
const MAX_USER_AGENT = 200

const sessionKey = (id: string): Uint8Array => key('session', id)
const deviceKey = (id: string): Uint8Array => key('device', id)

interface Stored extends Session {
  tokenHash: string
}

const sessionRef = z.object({ accountId: z.string(), sessionId: z.string() })
/** Kind of its tokens in the expiring records. */
export const SESSION_KIND = 'session'

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ store, clock }: { store: Store; clock: Clock }) {
  /** By the hash of the token; the session itself is with its account. */
  const tokens = createExpiring<z.infer<typeof sessionRef>>(store, SESSION_KIND)

  async function stored(accountId: string): Promise<Stored[]> {
    return store.read(accountPartition(accountId), (view) => readValues<Stored>(view, prefixRange('session')))
  }

  async function drop(accountId: string, ended: Stored[]): Promise<void> {
    if (ended.length === 0) return
    // The token first: without it the session is over, even if other rows remain.
    for (const { tokenHash } of ended) await tokens.remove(tokenHash)
    await store.write(accountPartition(accountId), (tx) => ended.forEach(({ id }) => tx.delete(sessionKey(id))))
  }

  return {
    /** @param client `device`: the value of its device cookie, if any @returns the values of both cookies, sent to the browser alone */
    async open(
      accountId: string,
      identity: SignedIn,
      client: { userAgent: string; network: string; device: string | undefined },
    ) {
      const now = clock.now()
      const token = randomBase62(32)
      const known = client.device !== undefined && TOKEN_FORM.test(client.device) ? client.device : undefined
      const device = known ?? randomBase62(32)
      const deviceId = sha256Hex(device).slice(0, 32)
      const session: Session = {
        id: newId('ses', now),
        accountId,
        identity,
        deviceId,
        userAgent: client.userAgent.slice(0, MAX_USER_AGENT),
        network: client.network,
        createdAt: now,
        seenAt: now,
        expiresAt: now + IDLE_MS,
      }
      const tokenHash = sha256Hex(token)
      const old = await stored(accountId)
      const over = old.filter(({ expiresAt }) => expiresAt <= now)
      const living = old.filter(({ expiresAt }) => expiresAt > now)
      await drop(accountId, [...over, ...living.slice(0, Math.max(0, living.length - MAX_SESSIONS + 1))])
      const isNewDevice = await store.write(accountPartition(accountId), async (tx) => {
        const before = await readValue<Device>(tx, deviceKey(deviceId))
        const firstAt = before?.firstAt ?? now
        const seen: Device = { id: deviceId, userAgent: session.userAgent, firstAt, lastAt: now }
        tx.put(deviceKey(deviceId), encode(seen))
        if (!before) {
          const devices = await readValues<Device>(tx, prefixRange('device'))
          const excess = devices.sort((a, b) => b.lastAt - a.lastAt).slice(MAX_DEVICES)
          for (const { id } of excess) tx.delete(deviceKey(id))
        }
        tx.put(sessionKey(session.id), encode({ ...session, tokenHash } satisfies Stored))
        return !before
      })
      await tokens.put(tokenHash, { accountId, sessionId: session.id }, session.expiresAt)
      return { session, token, device, isNewDevice }
    },

    /** Undefined for a wrong, ended or expired token. Writes at most once an hour. */
    async find(token: string): Promise<Session | undefined> {
      if (!TOKEN_FORM.test(token)) return undefined
      const now = clock.now()
      const tokenHash = sha256Hex(token)
      const found = await tokens.get(tokenHash, now)
      if (!found) return undefined
      const known = await store.read(accountPartition(found.accountId), (view) =>
        readValue<Stored>(view, sessionKey(found.sessionId)),
      )
      if (!known) return undefined
      const { tokenHash: _, ...session } = known
      if (now < session.seenAt + HOUR) return session
      const seen = { ...session, seenAt: now, expiresAt: Math.min(now + IDLE_MS, session.createdAt + LONGEST_MS) }
      const kept = await store.write(accountPartition(found.accountId), async (tx) => {
        if (!(await tx.get(sessionKey(session.id)))) return false
        tx.put(sessionKey(session.id), encode({ ...seen, tokenHash } satisfies Stored))
        return true
      })
      if (!kept) return undefined
      await tokens.put(tokenHash, found, seen.expiresAt)
      return seen
    },

    /** Open sessions, the newest first. */
    async list(accountId: string): Promise<Session[]> {
      const now = clock.now()
      const living = (await stored(accountId)).filter(({ expiresAt }) => expiresAt > now)
      return living.map(({ tokenHash: _, ...session }) => session).reverse()
    },

    async devices(accountId: string) {
      const all = await store.read(accountPartition(accountId), (view) =>
        readValues<Device>(view, prefixRange('device')),
      )
      return all.sort((a, b) => b.lastAt - a.lastAt)
    },

    /** Removes the account's row of an expired record that `sweepExpired` found under the kind `session`. Idempotent. */
    async forget(record: unknown) {
      const { accountId, sessionId } = sessionRef.parse(record)
      await store.write(accountPartition(accountId), (tx) => tx.delete(sessionKey(sessionId)))
    },

    /** Idempotent. */
    async end(accountId: string, sessionId: string) {
      const ended = (await stored(accountId)).filter(({ id }) => id === sessionId)
      await drop(accountId, ended)
    },

    /** Ends every session of the account except `besides`; without an exception it forgets its devices too. */
    async endAll(accountId: string, besides?: string) {
      const ended = (await stored(accountId)).filter(({ id }) => id !== besides)
      await drop(accountId, ended)
      if (besides !== undefined) return
      await store.write(accountPartition(accountId), async (tx) => {
        for (const [device] of await tx.range(prefixRange('device'))) tx.delete(device)
      })
    },
  }
}
