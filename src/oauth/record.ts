/**
 * Stored connections: each is one row of its account, and alive while the row exists. So every effect of a token is one commit, consistent with the
 * account's status; revoking deletes the row.
 * Two kinds of expiring entries refer to the row: `token/oauth-code/<hash of the code>` and `token/oauth-connection/<hash of the handle>`. Their row
 * may be gone.
 */
import { type Clock, DAY, HOUR, MINUTE } from '../lib/clock.js'
import { accountPartition } from '../accounts/record.js'
import { createExpiring, type Expiring } from '../store/expiring.js'
import { decode, encode, key, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import type { OAuthScope } from './scopes.js'
import type { Connection } from './types.js'

/** RFC 6749 §4.1.2 allows ten minutes at most; a client needs a second. */
export const CODE_MS = MINUTE
/** Time that a redeemed code is remembered, so that a second use ends the connection of the first. */
export const CODE_KNOWN_MS = HOUR
export const ACCESS_MS = HOUR
/** A connection ends when it is not refreshed for this long. */
export const IDLE_MS = 30 * DAY

export interface Access {
  hash: string
  endsAt: number
  /** The connection's, or fewer. */
  scopes: readonly OAuthScope[]
}

/** `waiting`: a human has allowed it, but its code was not redeemed yet. */
export type ConnectionState =
  | { is: 'waiting'; codeEndsAt: number; redirectUri: string; challenge: string }
  | {
      is: 'connected'
      family: string
      /** Key that recognizes earlier tokens; missing in connections of older versions until their next refresh. */
      macKey?: string
      /** Hash of the current refresh token. */
      refresh: string
      /** Tokens that may still be valid, the newest last. */
      access: readonly Access[]
    }

export interface StoredConnection extends Omit<Connection, 'lastUsedAt'> {
  usedAt: number | null
  codeHash: string
  state: ConnectionState
}

/** Location of a connection. */
export interface ConnectionRef {
  accountId: string
  connectionId: string
}

export const CODE_KIND = 'oauth-code'
export const CONNECTION_KIND = 'oauth-connection'

export interface Lists {
  codes: Expiring<ConnectionRef>
  families: Expiring<ConnectionRef>
}

export function createLists(store: Store): Lists {
  return { codes: createExpiring(store, CODE_KIND), families: createExpiring(store, CONNECTION_KIND) }
}

const row = (connectionId: string): Uint8Array => key('connection', connectionId)

export async function readRow(view: View, connectionId: string): Promise<StoredConnection | undefined> {
  const bytes = await view.get(row(connectionId))
  return bytes && decode<StoredConnection>(bytes)
}

/** Oldest first. */
export async function readRows(view: View): Promise<StoredConnection[]> {
  return (await view.range(prefixRange('connection'))).map(([, value]) => decode<StoredConnection>(value))
}

export function putRow(tx: Transaction, connection: StoredConnection): void {
  tx.put(row(connection.id), encode(connection))
}

export function removeRow(tx: Transaction, connectionId: string): void {
  tx.delete(row(connectionId))
}

/** Deletes the rows of an account, or of one of its mailboxes. @returns the entries to remove from the lists after the commit */
export async function takeRows(tx: Transaction, mailboxId?: string): Promise<StoredConnection[]> {
  const meant = (await readRows(tx)).filter((each) => mailboxId === undefined || each.mailboxId === mailboxId)
  for (const { id } of meant) removeRow(tx, id)
  return meant
}

/** True if it has expired. */
export function isOver({ state, expiresAt }: StoredConnection, now: number): boolean {
  return (state.is === 'waiting' ? state.codeEndsAt : expiresAt) <= now
}

export function shown({ codeHash: _, state: __, usedAt, ...connection }: StoredConnection): Connection {
  return { ...connection, lastUsedAt: usedAt }
}

export async function find(
  store: Store,
  { accountId, connectionId }: ConnectionRef,
): Promise<StoredConnection | undefined> {
  return store.read(accountPartition(accountId), (view) => readRow(view, connectionId))
}

/** Removes the expiring entries of a connection, after its row. Entries left by a crash refer to nothing, and expire. */
export async function delist({ codes, families }: Lists, { codeHash, state }: StoredConnection): Promise<void> {
  await codes.remove(codeHash)
  if (state.is === 'connected') await families.remove(state.family)
}

/** Deletes the row of an expired connection when its entry is swept. Idempotent. */
export async function forgetEnded(
  store: Store,
  clock: Clock,
  { accountId, connectionId }: ConnectionRef,
): Promise<void> {
  await store.write(accountPartition(accountId), async (tx) => {
    const found = await readRow(tx, connectionId)
    if (found && isOver(found, clock.now())) removeRow(tx, connectionId)
  })
}
