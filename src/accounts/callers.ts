/**
 * Who stands behind a bearer, on the path of every request: a key, or a token of a connection. What was found is kept with the versions of the
 * partitions it was read from, and holds while they are as they were: a key or connection that is revoked, an account that is suspended, a mailbox that is
 * approved is seen by the next request.
 */
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import type { Store } from '../store/types.js'
import { isExpired, keyHash, keyPartition, noteUse, readKey, scopesOf } from './keys.js'
import { accountPartition, readAccount } from './record.js'
import { CLAIM_LIFE_MS, claimStanding } from './claim-status.js'
import type { Accounts, Caller, Scope } from './types.js'
import type { AccountMailbox } from './usage.js'

/** What a bearer was found to be. */
export interface Credential {
  /** Of a key, or of a connection. */
  keyId: string
  mailboxId: string
  scopes: readonly Scope[]
  /** When it stops to work; undefined: never. */
  endsAt: number | undefined
  usedAt: number | null
  /** Notes that it is in use, at most once an hour. */
  noteUse(): Promise<void>
  /** Of a connection: whose it is, and the resource its token is for. */
  accountId?: string
  audience?: string
}

/** A sort of bearers. */
export interface CredentialSource {
  /** SHA-256 of a bearer of this sort; undefined for what can't be one. */
  hashOf(bearer: string): string | undefined
  /**
   * Undefined when there is none, or its time is over.
   *
   * @param note to be called with each partition before it is read that says whether the bearer is good
   */
  find(bearer: string, note: (partition: string) => Promise<void>): Promise<Credential | undefined>
}

export interface CallersDeps {
  store: Store
  clock: Clock
  mailbox: (mailboxId: string) => Promise<AccountMailbox | undefined>
  /** Where the record of a mailbox stands; nothing is kept without it. */
  mailboxPartition?: ((mailboxId: string) => string) | undefined
  /** Tokens of connections; there are none without it. */
  accessTokens?: CredentialSource | undefined
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

  const sources = [keySource(deps), ...(deps.accessTokens ? [deps.accessTokens] : [])]

  return async (bearer) => {
    const source = sources.find(({ hashOf }) => hashOf(bearer) !== undefined)
    const hash = source?.hashOf(bearer)
    if (!source || hash === undefined) return undefined
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
    const found = await source.find(bearer, note)
    if (!found) return undefined
    const { keyId, mailboxId, scopes, endsAt, usedAt, audience } = found
    if (mailboxPartition) await note(mailboxPartition(mailboxId))
    const mailbox = await deps.mailbox(mailboxId)
    // A connection was allowed by one owner; should the mailbox be somebody else's, it is not theirs to have allowed.
    if (!mailbox || (found.accountId !== undefined && found.accountId !== mailbox.accountId)) return undefined
    await found.noteUse()
    const { accountId } = mailbox
    if (accountId !== null) await note(accountPartition(accountId))
    const account = accountId === null ? undefined : await store.read(accountPartition(accountId), readAccount)
    const caller: Caller = {
      keyId,
      mailboxId,
      account,
      mailboxStatus: claimStanding(mailbox, clock.now()),
      scopes,
      ...(endsAt !== undefined && { endsAt }),
      ...(audience !== undefined && { audience }),
    }
    // A use that was just noted is in a version after the one above: the next request keeps it.
    const claimEnds = mailbox.status === 'claimed' ? Infinity : mailbox.createdAt + CLAIM_LIFE_MS
    const until = Math.min(endsAt ?? Infinity, (usedAt ?? 0) + HOUR, claimEnds)
    // One that waits is not kept: its claim may have been decided without the mailbox following yet. 0 is the version of every partition that is not there.
    const isKept = mailboxPartition !== undefined && caller.mailboxStatus !== 'pending'
    if (isKept && partitions.every(([, version]) => version !== 0n)) keep(hash, { caller, partitions, until })
    return caller
  }
}

function keySource({ store, clock }: CallersDeps): CredentialSource {
  return {
    hashOf: keyHash,
    async find(bearer, note) {
      const hash = keyHash(bearer)
      if (hash === undefined) return undefined
      await note(keyPartition(hash))
      const found = await readKey(store, hash)
      if (!found || isExpired(found.record, clock.now())) return undefined
      const { keyId, mailboxId, expiresAt } = found.record
      return {
        keyId,
        mailboxId,
        scopes: scopesOf(found.record),
        endsAt: expiresAt,
        usedAt: found.usedAt,
        noteUse: () => noteUse(store, clock, found),
      }
    },
  }
}
