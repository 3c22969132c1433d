/**
 * Who stands behind a key, on the path of every request. What was found is kept with the versions of the three partitions it was read from, and
 * holds while they are as they were: a key that is revoked, an account that is suspended, a mailbox that is approved is seen by the next request.
 */
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import type { Store } from '../store/types.js'
import { isExpired, keyHash, keyPartition, noteUse, readKey, scopesOf } from './keys.js'
import { accountPartition, readAccount } from './record.js'
import type { Accounts, Caller } from './types.js'
import type { AccountMailbox } from './usage.js'

export interface CallersDeps {
  store: Store
  clock: Clock
  mailbox: (mailboxId: string) => Promise<AccountMailbox | undefined>
  /** Where the record of a mailbox stands; nothing is kept without it. */
  mailboxPartition?: ((mailboxId: string) => string) | undefined
}

/** Callers who are kept, the last ones that asked; each takes less than 2 KB. */
const MAX_KEPT = 4096

interface Kept {
  caller: Caller
  /** By name, with the version that was read. */
  partitions: [string, bigint][]
  /** Until then there is nothing to do but to look whether it still holds. */
  until: number
}

export function createAuthenticate(deps: CallersDeps): Accounts['authenticate'] {
  const { store, clock, mailboxPartition } = deps
  // The one that asked last stands last.
  const kept = new Map<string, Kept>()

  async function holds({ partitions, until }: Kept): Promise<boolean> {
    if (clock.now() >= until) return false
    for (const [partition, version] of partitions) if ((await store.version(partition)) !== version) return false
    return true
  }

  function keep(hash: string, one: Kept): void {
    kept.delete(hash)
    kept.set(hash, one)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
  }

  return async (bearer) => {
    const hash = keyHash(bearer)
    if (hash === undefined) return undefined
    const known = kept.get(hash)
    if (known) {
      if (await holds(known)) {
        keep(hash, known)
        return known.caller
      }
      kept.delete(hash)
    }
    // Each version before what is read of it: what changes in between is seen at the next look.
    const partitions: [string, bigint][] = []
    const note = async (partition: string): Promise<void> => {
      partitions.push([partition, await store.version(partition)])
    }
    await note(keyPartition(hash))
    const found = await readKey(store, hash)
    const now = clock.now()
    if (!found || isExpired(found.record, now)) return undefined
    const { keyId, mailboxId, expiresAt } = found.record
    if (mailboxPartition) await note(mailboxPartition(mailboxId))
    const mailbox = await deps.mailbox(mailboxId)
    if (!mailbox) return undefined
    await noteUse(store, clock, found)
    const { accountId } = mailbox
    if (accountId !== null) await note(accountPartition(accountId))
    const account = accountId === null ? undefined : await store.read(accountPartition(accountId), readAccount)
    const caller: Caller = { keyId, mailboxId, account, mailboxStatus: mailbox.status, scopes: scopesOf(found.record) }
    // A use that was just noted is in a version after the one above: the next request keeps it.
    const until = Math.min(expiresAt ?? Infinity, (found.usedAt ?? 0) + HOUR)
    // 0 is the version of every partition that is not there.
    if (mailboxPartition && partitions.every(([, version]) => version !== 0n)) keep(hash, { caller, partitions, until })
    return caller
  }
}
