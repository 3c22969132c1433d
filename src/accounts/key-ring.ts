/**
 * The keys of a mailbox: listing, making, naming, rotating, revoking. The account's partition lists them under `key` · mailbox · key id with the hash as
 * the value. An entry without a key is harmless; a key that no list shows could never be revoked, so the entry is written first and goes last.
 */
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import { checkAll, invalidRequest, ServiceError } from '../lib/errors.js'
import { idTime } from '../lib/ids.js'
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { isExpired, nameKey, newKey, putKey, readKey, removeKey, scopesOf } from './keys.js'
import type { KeyRecord, StoredKey } from './keys.js'
import { accountPartition } from './record.js'
import { SCOPES } from './types.js'
import type { Accounts, ApiKey, NewKey, Scope } from './types.js'

const MAX_KEYS = 20
const MAX_NAME_LENGTH = 64
/** What a key is called whose maker gave it no name. */
const UNNAMED = 'key'
/** The key that came with the claim. */
export const CLAIM_KEY_NAME = 'claim'

export interface KeyRingDeps {
  store: Store
  clock: Clock
  /** Whose a mailbox is; undefined when it is gone. */
  mailbox: (
    mailboxId: string,
  ) => Promise<{ accountId: string | null; claimId?: string | null; declinedAt?: number } | undefined>
  /** Hash of the key that a claim made; mailboxes that were approved before keys were listed have it in no list. */
  claimKey?: ((claimId: string) => Promise<string | undefined>) | undefined
  /** Told of a key that has ended. */
  onEnd: (keyId: string) => void
}

export const entryKey = (mailboxId: string, keyId: string): Uint8Array => key('key', mailboxId, keyId)

export function createKeyRing({
  store,
  clock,
  mailbox,
  claimKey,
  onEnd,
}: KeyRingDeps): Pick<
  Accounts,
  'keys' | 'checkKey' | 'createKey' | 'renameKey' | 'rotateKey' | 'revokeKey' | 'adoptKey'
> {
  async function adopt(accountId: string, mailboxId: string, hash: string): Promise<StoredKey | undefined> {
    const found = await readKey(store, hash)
    if (!found || found.record.mailboxId !== mailboxId) return undefined
    const entry = entryKey(mailboxId, found.record.keyId)
    await store.write(accountPartition(accountId), async (tx) => {
      if (!(await tx.get(entry))) tx.put(entry, encode(hash))
    })
    return found
  }

  /** Every key of a mailbox, by id, and the ids of entries that have no key. */
  async function read(
    accountId: string,
    mailboxId: string,
    claimId: string | null | undefined,
  ): Promise<{ stored: StoredKey[]; empty: string[] }> {
    const rows = await store.read(accountPartition(accountId), (view) => view.range(prefixRange('key', mailboxId)))
    const stored: StoredKey[] = []
    const empty: string[] = []
    for (const [entry, value] of rows) {
      const found = await readKey(store, decode<string>(value))
      if (found) stored.push(found)
      else empty.push(String(keyParts(entry)[2]))
    }
    const ofClaim = claimId ? await claimKey?.(claimId) : undefined
    if (ofClaim !== undefined && !stored.some(({ hash }) => hash === ofClaim)) {
      const adopted = await adopt(accountId, mailboxId, ofClaim)
      if (adopted) stored.unshift(adopted)
    }
    return { stored, empty }
  }

  async function mustBelong(mailboxId: string): Promise<{ accountId: string; claimId: string | null | undefined }> {
    const found = await mailbox(mailboxId)
    if (!found) throw noSuchMailbox()
    if (found.accountId !== null) return { accountId: found.accountId, claimId: found.claimId }
    throw new ServiceError(
      'claim_pending',
      found.declinedAt === undefined ? 'The mailbox is not approved yet.' : 'The claim of this mailbox was declined.',
      found.declinedAt === undefined
        ? 'Approve it with `restante claim approve ADDRESS` first.'
        : 'It can not be approved any more, and goes 24 hours after it was claimed; then its address can be claimed again.',
    )
  }

  async function mustFind(mailboxId: string, keyId: string): Promise<{ accountId: string; old: StoredKey }> {
    const { accountId, claimId } = await mustBelong(mailboxId)
    const old = (await read(accountId, mailboxId, claimId)).stored.find(({ record }) => record.keyId === keyId)
    if (!old || isExpired(old.record, clock.now())) throw noSuchKey()
    return { accountId, old }
  }

  const forget = (accountId: string, mailboxId: string, keyIds: string[]): Promise<void> =>
    store.write(accountPartition(accountId), (tx) => keyIds.forEach((id) => tx.delete(entryKey(mailboxId, id))))

  async function make(
    accountId: string,
    mailboxId: string,
    wanted: { id?: string | undefined; name: string; scopes: Scope[]; expiresAt?: number | undefined },
    max: number,
  ): Promise<NewKey & { hash: string }> {
    const { record, text, hash } = newKey(mailboxId, wanted, clock.now())
    await store.write(accountPartition(accountId), async (tx) => {
      const entries = await tx.range(prefixRange('key', mailboxId))
      if (entries.length >= max) throw tooManyKeys()
      tx.put(entryKey(mailboxId, record.keyId), encode(hash))
    })
    await putKey(store, hash, record)
    return { key: shown({ record, hash, usedAt: null }), text, hash }
  }

  /** Ends a key. @returns false when somebody else has ended it */
  async function end(accountId: string, { record, hash }: StoredKey): Promise<boolean> {
    const ended = await removeKey(store, hash)
    if (ended) onEnd(record.keyId)
    await forget(accountId, record.mailboxId, [record.keyId])
    return ended
  }

  return {
    async keys(mailboxId) {
      const found = await mailbox(mailboxId)
      if (!found) throw noSuchMailbox()
      if (found.accountId === null) return []
      return (await read(found.accountId, mailboxId, found.claimId)).stored.map(shown)
    },

    checkKey({ name, expiresAt }) {
      checkAll(
        () => checkedName(name),
        () => checkedExpiry(expiresAt, clock.now()),
      )
    },

    async createKey(mailboxId, given = {}) {
      this.checkKey(given)
      const wanted = {
        id: given.id,
        name: checkedName(given.name),
        scopes: checkedScopes(given.scopes),
        expiresAt: checkedExpiry(given.expiresAt, clock.now()),
      }
      const { accountId, claimId } = await mustBelong(mailboxId)
      const { stored, empty } = await read(accountId, mailboxId, claimId)
      for (const old of stored) {
        // One of this id was made by a try that was cut off: nobody was told of its text.
        if (isExpired(old.record, clock.now()) || old.record.keyId === given.id) await end(accountId, old)
      }
      // What a crash left; a younger one may be of a key that is being made.
      const left = empty.filter((id) => idTime(id) < clock.now() - HOUR)
      if (left.length > 0) await forget(accountId, mailboxId, left)
      const { key: made, text } = await make(accountId, mailboxId, wanted, MAX_KEYS)
      return { key: made, text }
    },

    async renameKey(mailboxId, keyId, given) {
      const name = checkedName(given)
      const { old } = await mustFind(mailboxId, keyId)
      if (!(await nameKey(store, old.hash, name))) throw noSuchKey()
      return shown({ ...old, record: { ...old.record, name } })
    },

    async rotateKey(mailboxId, keyId) {
      const { accountId, old } = await mustFind(mailboxId, keyId)
      const { name } = shown(old)
      // One more for a moment: the old one ends when the new one is sure.
      const {
        key: made,
        text,
        hash,
      } = await make(
        accountId,
        mailboxId,
        { name, scopes: scopesOf(old.record), expiresAt: old.record.expiresAt },
        Infinity,
      )
      if (await end(accountId, old)) return { key: made, text }
      // Revoked or rotated meanwhile: one key must not become two.
      await removeKey(store, hash)
      await forget(accountId, mailboxId, [made.id])
      throw noSuchKey()
    },

    async revokeKey(mailboxId, keyId) {
      const { accountId, claimId } = await mustBelong(mailboxId)
      const found = (await read(accountId, mailboxId, claimId)).stored.find(({ record }) => record.keyId === keyId)
      if (found) await end(accountId, found)
    },

    async adoptKey(accountId, mailboxId, hash) {
      await adopt(accountId, mailboxId, hash)
    },
  }
}

function shown({ record, usedAt }: StoredKey): ApiKey {
  return {
    id: record.keyId,
    mailboxId: record.mailboxId,
    name: nameOf(record),
    scopes: scopesOf(record),
    createdAt: record.createdAt,
    lastUsedAt: usedAt,
    expiresAt: record.expiresAt ?? null,
  }
}

function nameOf({ name }: KeyRecord): string {
  return name ?? UNNAMED
}

/** @throws ServiceError `invalid_request` */
function checkedName(given: string | undefined): string {
  if (given === undefined) return UNNAMED
  const name = given.trim()
  const length = [...name].length
  // Characters that nobody sees could make two names look the same.
  const isPlain = !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
  if (length >= 1 && length <= MAX_NAME_LENGTH && isPlain) return name
  throw invalidRequest(
    "The key's name can't be used.",
    `Give it 1 to ${MAX_NAME_LENGTH} characters on one line, such as "laptop".`,
    [{ field: 'name', problem: `1 to ${MAX_NAME_LENGTH} characters, none of them a control or invisible one` }],
  )
}

/** @throws ServiceError `invalid_request` */
function checkedExpiry(given: number | undefined, now: number): number | undefined {
  if (given === undefined || given > now) return given
  throw invalidRequest(
    'The key would have ended already.',
    'Give a time in the future, or none for a key that stays.',
    [{ field: 'expires_at', problem: 'It is not in the future.' }],
  )
}

/** In the order of SCOPES, each once. @throws ServiceError `invalid_request` */
function checkedScopes(given: string[] | undefined): Scope[] {
  if (given === undefined) return [...SCOPES]
  const scopes = SCOPES.filter((scope) => given.includes(scope))
  if (scopes.length > 0 && given.every((each) => SCOPES.some((scope) => scope === each))) return scopes
  throw invalidRequest(
    given.length === 0 ? 'A key needs at least one scope.' : 'A key has a scope that does not exist.',
    `Choose from: ${SCOPES.join(', ')}.`,
    [{ field: 'scopes', problem: `one or more of ${SCOPES.join(', ')}` }],
  )
}

/** For the operator, who names mailboxes by their address. */
export function noSuchMailbox(): ServiceError {
  return new ServiceError('not_found', 'There is no such mailbox.', 'List mailboxes with `restante mailbox list`.')
}

function noSuchKey(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such key.',
    'It may have ended meanwhile; list the keys there are with GET /v1/keys.',
  )
}

function tooManyKeys(): ServiceError {
  return invalidRequest(
    `The mailbox has ${MAX_KEYS} keys already.`,
    'Revoke one that is not used any more, or rotate one to get a new text.',
  )
}
