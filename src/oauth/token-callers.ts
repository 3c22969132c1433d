/** Resolves access tokens: a source of callers beside API keys (accounts/callers.ts). */
import type { Credential, CredentialSource } from '../accounts/callers.js'
import { accountPartition } from '../accounts/record.js'
import { type Clock, HOUR } from '../lib/clock.js'
import { constantTimeEqual } from '../lib/ids.js'
import { isStorageError } from '../store/errors.js'
import type { Store } from '../store/types.js'
import { createLists, putRow, readRow, type ConnectionRef } from './record.js'
import { rightsOf } from './scopes.js'
import { parseToken } from './tokens.js'

export function createAccessTokens({ store, clock }: { store: Store; clock: Clock }): CredentialSource {
  const { families } = createLists(store)

  /** Records that a connection is in use, at most once an hour. */
  async function noteUse({ accountId, connectionId }: ConnectionRef): Promise<void> {
    const now = clock.now()
    try {
      await store.write(accountPartition(accountId), async (tx) => {
        const found = await readRow(tx, connectionId)
        if (found && now >= (found.usedAt ?? 0) + HOUR) putRow(tx, { ...found, usedAt: now })
      })
    } catch (error) {
      // A full disk is no reason to refuse a read-only request.
      if (!isStorageError(error)) throw error
    }
  }

  return {
    hashOf: (bearer) => parseToken('access', bearer)?.hash,

    async find(view, bearer, note): Promise<Credential | undefined> {
      const sent = parseToken('access', bearer)
      const now = clock.now()
      const ref = sent && (await families.getIn(view, sent.family, now))
      if (!sent || !ref) return undefined
      const found = await readRow(await note(accountPartition(ref.accountId)), ref.connectionId)
      if (found?.state.is !== 'connected' || found.state.family !== sent.family) return undefined
      const access = found.state.access.find(({ hash }) => constantTimeEqual(hash, sent.hash))
      if (!access || access.endsAt <= now) return undefined
      return {
        keyId: found.id,
        mailboxId: found.mailboxId,
        accountId: found.accountId,
        scopes: rightsOf(access.scopes),
        audience: found.resource,
        endsAt: access.endsAt,
        usedAt: found.usedAt,
        noteUse: () => noteUse(ref),
      }
    },
  }
}
