/** The keys of a mailbox, listed in the account's partition with the hash as value; a key and its entry change in one transaction. */
import type { Clock } from '../lib/clock.js'
import { checkAll, invalidRequest, ServiceError } from '../lib/errors.js'
import { encode, key, prefixRange } from '../store/keys.js'
import { APPROVAL_FORM, createFormGate } from '../store/schema-version.js'
import type { Store, Transaction, View } from '../store/types.js'
import { readValues } from '../store/values.js'
import {
  dropKey,
  enterKey,
  isExpired,
  keyOf,
  keyPartition,
  newKey,
  replaceKey,
  scopesOf,
  type KeyRecord,
  type StoredKey,
} from './keys.js'
import { accountPartition, META } from './record.js'
import { AGENT_SCOPES, SCOPES, type Accounts, type ApiKey, type Scope } from './types.js'

const MAX_KEYS = 20
const MAX_NAME_LENGTH = 64
const UNNAMED = 'key'
/** Name of the key that was created by the claim. */
export const CLAIM_KEY_NAME = 'claim'

export interface KeyRingDeps {
  store: Store
  clock: Clock
  /** The account of a mailbox; undefined when it is gone. @param view a read in progress, of which it becomes a part */
  mailbox: (mailboxId: string, view?: View) => Promise<{ accountId: string | null; declinedAt?: number } | undefined>
  /** Called with each key that has ended. */
  onEnd: (keyId: string) => void
}

export const entryKey = (mailboxId: string, keyId: string): Uint8Array => key('key', mailboxId, keyId)

export function listKey(tx: Transaction, mailboxId: string, keyId: string, hash: string): void {
  tx.put(entryKey(mailboxId, keyId), encode(hash))
}

const hashesOf = (view: View, mailboxId: string): Promise<string[]> => readValues(view, prefixRange('key', mailboxId))

async function keysOf(view: View, hashes: string[]): Promise<StoredKey[]> {
  const found = await Promise.all(hashes.map((hash) => keyOf(view.in(keyPartition(hash)), hash)))
  return found.filter((each) => each !== undefined)
}

export function createKeyRing({
  store,
  clock,
  mailbox,
  onEnd,
}: KeyRingDeps): Pick<Accounts, 'keys' | 'checkKey' | 'createKey' | 'changeKey' | 'rotateKey' | 'revokeKey'> {
  const mayAskApproval = createFormGate(store, APPROVAL_FORM)

  async function mustBelong(mailboxId: string): Promise<string> {
    const found = await mailbox(mailboxId)
    if (!found) throw noSuchMailbox()
    if (found.accountId !== null) return found.accountId
    throw new ServiceError(
      'claim_pending',
      found.declinedAt === undefined ? 'The mailbox is not approved yet.' : 'The claim of this mailbox was declined.',
      found.declinedAt === undefined
        ? 'Approve it with `restante claim approve ADDRESS` first.'
        : 'It cannot be approved any more, and is removed 24 hours after it was claimed; then its address can be claimed again.',
    )
  }

  const readKeys = (accountId: string, mailboxId: string): Promise<StoredKey[]> =>
    store.read(accountPartition(accountId), async (view) => keysOf(view, await hashesOf(view, mailboxId)))

  /**
   * One transaction over the list of a mailbox's keys and the keys in it.
   *
   * @param more hashes of keys that it will create
   */
  async function change<T>(
    mailboxId: string,
    more: string[],
    fn: (tx: Transaction, keys: StoredKey[]) => T,
  ): Promise<T> {
    const accountId = await mustBelong(mailboxId)
    for (;;) {
      const hashes = await store.read(accountPartition(accountId), (view) => hashesOf(view, mailboxId))
      const partitions = [accountPartition(accountId), ...[...hashes, ...more].map(keyPartition)]
      const changed = await store.write(partitions, async (tx) => {
        // A key that was created meanwhile is not among the named partitions.
        const now = await hashesOf(tx, mailboxId)
        if (now.some((hash) => !hashes.includes(hash))) return undefined
        return { result: fn(tx, await keysOf(tx, now)) }
      })
      if (changed) return changed.result
    }
  }

  function make(tx: Transaction, { record, hash }: ReturnType<typeof newKey>): ApiKey {
    listKey(tx, record.mailboxId, record.keyId, hash)
    enterKey(tx, hash, record)
    return shown({ record, hash, usedAt: null })
  }

  function end(tx: Transaction, { record, hash }: StoredKey): void {
    tx.delete(entryKey(record.mailboxId, record.keyId))
    dropKey(tx.in(keyPartition(hash)))
    tx.afterCommit(() => onEnd(record.keyId))
  }

  const isAlive = ({ record }: StoredKey): boolean => !isExpired(record, clock.now())

  function mustFind(keys: StoredKey[], keyId: string): StoredKey {
    const found = keys.find((each) => each.record.keyId === keyId && isAlive(each))
    if (!found)
      throw new ServiceError(
        'not_found',
        'There is no such key.',
        'It may have ended meanwhile; list the existing keys with GET /v1/keys.',
      )
    return found
  }

  return {
    async keys(mailboxId) {
      return store.read(META, async (view) => {
        const found = await mailbox(mailboxId, view)
        if (!found) throw noSuchMailbox()
        if (found.accountId === null) return []
        const own = view.in(accountPartition(found.accountId))
        return (await keysOf(own, await hashesOf(own, mailboxId))).map(shown)
      })
    },

    checkKey({ name, expiresAt }) {
      checkAll(
        () => checkedName(name),
        () => checkedExpiry(expiresAt, clock.now()),
      )
    },

    async createKey(mailboxId, given = {}) {
      this.checkKey(given)
      if (given.requiresApproval) await mayAskApproval()
      const wanted = {
        id: given.id,
        name: checkedName(given.name),
        scopes: checkedScopes(given.scopes),
        expiresAt: checkedExpiry(given.expiresAt, clock.now()),
        requiresApproval: given.requiresApproval,
      }
      const fresh = newKey(mailboxId, wanted, clock.now())
      const made = await change(mailboxId, [fresh.hash], (tx, keys) => {
        // A key with this id was created by an attempt whose response was lost.
        const ended = keys.filter((each) => !isAlive(each) || each.record.keyId === given.id)
        for (const old of ended) end(tx, old)
        if (keys.length - ended.length >= MAX_KEYS)
          throw invalidRequest(
            `The mailbox already has ${MAX_KEYS} keys.`,
            'Revoke an unused one, or rotate one to get a new text.',
          )
        return make(tx, fresh)
      })
      return { key: made, text: fresh.text }
    },

    async changeKey(mailboxId, keyId, given) {
      const name = given.name === undefined ? undefined : checkedName(given.name)
      if (given.requiresApproval) await mayAskApproval()
      return change(mailboxId, [], (tx, keys) => {
        const old = mustFind(keys, keyId)
        const { requiresApproval: before = false, ...rest } = old.record
        const asks = given.requiresApproval ?? before
        const record: KeyRecord = {
          ...rest,
          ...(name !== undefined && { name }),
          ...(asks && { requiresApproval: true }),
        }
        replaceKey(tx.in(keyPartition(old.hash)), record)
        return shown({ ...old, record })
      })
    },

    async rotateKey(mailboxId, keyId) {
      const accountId = await mustBelong(mailboxId)
      const { record } = mustFind(await readKeys(accountId, mailboxId), keyId)
      const fresh = newKey(
        mailboxId,
        {
          name: nameOf(record),
          scopes: scopesOf(record),
          expiresAt: record.expiresAt,
          requiresApproval: record.requiresApproval,
        },
        clock.now(),
      )
      const made = await change(mailboxId, [fresh.hash], (tx, keys) => {
        end(tx, mustFind(keys, keyId))
        return make(tx, fresh)
      })
      return { key: made, text: fresh.text }
    },

    async revokeKey(mailboxId, keyId) {
      await change(mailboxId, [], (tx, keys) => {
        const found = keys.find(({ record }) => record.keyId === keyId)
        if (found) end(tx, found)
      })
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
    requiresApproval: record.requiresApproval ?? false,
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
  // Invisible characters could make two names look the same.
  const isPlain = !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
  if (length >= 1 && length <= MAX_NAME_LENGTH && isPlain) return name
  throw invalidRequest(
    "The key's name is invalid.",
    `Give it 1 to ${MAX_NAME_LENGTH} characters on one line, such as "laptop".`,
    [
      {
        field: 'name',
        problem: `must have 1 to ${MAX_NAME_LENGTH} characters, none of them a control or invisible one`,
      },
    ],
  )
}

/** @throws ServiceError `invalid_request` */
function checkedExpiry(given: number | undefined, now: number): number | undefined {
  if (given === undefined || given > now) return given
  throw invalidRequest(
    'The end of the key is not in the future.',
    'Give a time in the future, or none for a key that stays.',
    [{ field: 'expires_at', problem: 'must be in the future' }],
  )
}

/** Distinct scopes in the order of SCOPES. @throws ServiceError `invalid_request` */
function checkedScopes(given: string[] | undefined): Scope[] {
  if (given === undefined) return [...AGENT_SCOPES]
  const scopes = SCOPES.filter((scope) => given.includes(scope))
  if (scopes.length > 0 && given.every((each) => SCOPES.some((scope) => scope === each))) return scopes
  throw invalidRequest(
    given.length === 0 ? 'A key needs at least one scope.' : 'A key has a scope that does not exist.',
    `Choose from: ${SCOPES.join(', ')}.`,
    [{ field: 'scopes', problem: `one or more of ${SCOPES.join(', ')}` }],
  )
}

/** For the operator, who names mailboxes by address. */
export function noSuchMailbox(): ServiceError {
  return new ServiceError('not_found', 'There is no such mailbox.', 'List mailboxes with `restante mailbox list`.')
}
