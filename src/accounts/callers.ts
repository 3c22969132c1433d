/** Resolves bearers, cached with the versions of what was read: the next request sees a revoked key, a suspended account, an approved mailbox. */
import { type Clock, HOUR } from '../lib/clock.js'
import { after, type Maybe } from '../lib/maybe.js'
import type { Store, View } from '../store/types.js'
import { isExpired, keyHash, keyOf, keyPartition, noteUse, scopesOf } from './keys.js'
import { accountPartition, META, readAccount } from './record.js'
import { CLAIM_LIFE_MS, claimStateOf } from './claim-status.js'
import type { Accounts, Caller, Scope } from './types.js'
import type { AccountMailbox } from './usage.js'

export interface Credential {
  /** Id of a key, or of a connection. */
  keyId: string
  mailboxId: string
  scopes: readonly Scope[]
  /** Expiry; undefined: never. */
  endsAt: number | undefined
  usedAt: number | null
  /** Records its use, at most once an hour. */
  noteUse(): Promise<void>
  accountId?: string
  audience?: string
  /** Its sends wait for the human's approval. */
  requiresApproval?: true | undefined
}

export interface CredentialSource {
  /** SHA-256 of a bearer of this kind; undefined for other text. */
  hashOf(bearer: string): string | undefined
  /**
   * Undefined when missing or expired.
   *
   * @param note must be called with each partition that is read to decide if the bearer is valid, and returns a view of it
   */
  find(view: View, bearer: string, note: Note): Promise<Credential | undefined>
}

type Note = (partition: string) => Promise<View>

export interface CallersDeps {
  store: Store
  clock: Clock
  mailbox: (mailboxId: string, view: View) => Promise<AccountMailbox | undefined>
  /** Partition of a mailbox's record; without it nothing is cached. */
  mailboxPartition?: ((mailboxId: string) => string) | undefined
  accessTokens?: CredentialSource | undefined
}

/** Max cached callers, the most recent; each takes less than 2 KB. */
const MAX_KEPT = 4096

interface Kept {
  caller: Caller
  /** Names with the versions that were read. */
  partitions: [string, bigint][]
  /** The newest version of the store when they were last found to be current. */
  foundAt: bigint | undefined
  /** The cached result may be used until then if it is still valid. */
  until: number
}

interface Origin {
  source: CredentialSource
  bearer: string
  hash: string
  /** Names with the versions that were read. */
  partitions: [string, bigint][]
}

/** Max versions that are asked for at a time. */
const VERSIONS_AT_ONCE = 500

export function createAuthenticate(deps: CallersDeps): Pick<Accounts, 'authenticate' | 'findEnded'> {
  const { store, clock, mailboxPartition } = deps
  // The most recent caller is last.
  const kept = new Map<string, Kept>()
  /** How callers were found, to look again later. */
  const origins = new WeakMap<Caller, Origin>()

  /** Without a read, where the engine has the versions at once; undefined elsewhere. */
  function holdsAtOnce(one: Kept): Maybe<boolean> | undefined {
    // In this order: a commit between the two is seen the next time.
    const newest = store.newest()
    if (newest === undefined) return undefined
    if (newest === one.foundAt) return true
    return after(store.versions(one.partitions.map(([partition]) => partition)), (versions) => {
      const isCurrent = one.partitions.every(([, version], i) => versions[i] === version)
      if (isCurrent) one.foundAt = newest
      return isCurrent
    })
  }

  async function holdsIn(view: View, one: Kept): Promise<boolean> {
    const versions = await Promise.all(one.partitions.map(([partition]) => view.in(partition).version()))
    return one.partitions.every(([, version], i) => versions[i] === version)
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

  function authenticate(bearer: string): Maybe<Caller | undefined> {
    for (const source of sources) {
      const hash = source.hashOf(bearer)
      if (hash === undefined) continue
      const known = kept.get(hash)
      const isUsable = known !== undefined && clock.now() < known.until
      const held = isUsable ? holdsAtOnce(known) : undefined
      if (!isUsable || held === undefined) return lookUp(source, bearer, hash, isUsable ? known : undefined)
      return after(held, (isCurrent) => {
        if (!isCurrent) return lookUp(source, bearer, hash)
        keep(hash, known)
        return known.caller
      })
    }
    return undefined
  }

  return { authenticate, findEnded }

  /** @param known is returned if it is still current */
  async function lookUp(
    source: CredentialSource,
    bearer: string,
    hash: string,
    known?: Kept,
  ): Promise<Caller | undefined> {
    const found = await store.read(META, async (view) =>
      known && (await holdsIn(view, known)) ? known : readCaller(source, bearer, view),
    )
    if (found && found === known) {
      keep(hash, known)
      return known.caller
    }
    kept.delete(hash)
    if (!found || !('credential' in found)) return undefined
    const { caller, credential, partitions, claimEnds } = found
    origins.set(caller, { source, bearer, hash, partitions })
    await credential.noteUse()
    // Recording the use changes the version; the next request caches it.
    const until = Math.min(caller.endsAt ?? Infinity, (credential.usedAt ?? 0) + HOUR, claimEnds)
    // A pending claim is not cached: it may have been decided without the mailbox record following yet. 0 is the version of every missing partition.
    const isKept = mailboxPartition !== undefined && caller.mailboxStatus !== 'pending'
    if (isKept && partitions.every(([, version]) => version !== 0n))
      keep(hash, { caller, partitions, until, foundAt: -1n })
    return caller
  }

  async function readCaller(source: CredentialSource, bearer: string, view: View) {
    // Each version is read before its content: later changes are seen on the next request.
    const partitions: [string, bigint][] = []
    const note: Note = async (partition) => {
      const own = view.in(partition)
      partitions.push([partition, await own.version()])
      return own
    }
    const credential = await source.find(view, bearer, note)
    if (!credential) return undefined
    const { keyId, mailboxId, scopes, endsAt, audience, requiresApproval } = credential
    if (mailboxPartition) await note(mailboxPartition(mailboxId))
    const mailbox = await deps.mailbox(mailboxId, view)
    // A connection was allowed by one owner; if the mailbox now belongs to another, that permission is void.
    if (!mailbox || (credential.accountId !== undefined && credential.accountId !== mailbox.accountId)) return undefined
    const { accountId, paused } = mailbox
    const account = accountId === null ? undefined : await readAccount(await note(accountPartition(accountId)))
    const caller: Caller = {
      keyId,
      mailboxId,
      account,
      mailboxStatus: claimStateOf(mailbox, clock.now()),
      scopes,
      ...(endsAt !== undefined && { endsAt }),
      ...(audience !== undefined && { audience }),
      ...(requiresApproval && { requiresApproval }),
      ...(paused && { paused }),
    }
    const claimEnds = mailbox.status === 'claimed' ? Infinity : mailbox.createdAt + CLAIM_LIFE_MS
    return { caller, credential, partitions, claimEnds }
  }

  async function findEnded(callers: readonly Caller[]): Promise<Caller[]> {
    const known = callers.flatMap((caller) => {
      const origin = origins.get(caller)
      return origin ? [{ caller, origin }] : []
    })
    const versions = await versionsOf([
      ...new Set(known.flatMap(({ origin }) => origin.partitions.map(([name]) => name))),
    ])
    const ended: Caller[] = []
    for (const { caller, origin } of known) {
      if (origin.partitions.every(([name, version]) => versions.get(name) === version)) continue
      const now = await lookUp(origin.source, origin.bearer, origin.hash)
      const isSame = now && now.account?.id === caller.account?.id && isActive(now)
      if (!isSame) ended.push(caller)
      else origin.partitions = origins.get(now)?.partitions ?? []
    }
    return ended
  }

  async function versionsOf(names: readonly string[]): Promise<Map<string, bigint>> {
    const all = new Map<string, bigint>()
    for (let from = 0; from < names.length; from += VERSIONS_AT_ONCE) {
      const some = names.slice(from, from + VERSIONS_AT_ONCE)
      const versions = await store.versions(some)
      some.forEach((name, i) => all.set(name, versions[i] ?? 0n))
    }
    return all
  }
}

function isActive({ account, paused }: Caller): boolean {
  return paused?.what !== 'all' && (account === undefined || account.status === 'active')
}

function keySource({ store, clock }: CallersDeps): CredentialSource {
  return {
    hashOf: keyHash,
    async find(_view, bearer, note) {
      const hash = keyHash(bearer)
      if (hash === undefined) return undefined
      const found = await keyOf(await note(keyPartition(hash)), hash)
      if (!found || isExpired(found.record, clock.now())) return undefined
      const { keyId, mailboxId, expiresAt, requiresApproval } = found.record
      return {
        keyId,
        mailboxId,
        scopes: scopesOf(found.record),
        endsAt: expiresAt,
        usedAt: found.usedAt,
        requiresApproval,
        noteUse: () => noteUse(store, clock, found),
      }
    },
  }
}
