/** Human sign-ins. The account of an identity is decided once, in `meta`; the provider's latest claims are stored with the account, under the same key. */
import type { Clock } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import { newId, sha256Hex } from '../lib/ids.js'
import { cut, oneLine } from '../lib/text.js'
import { addressKey, parseAddress } from '../mime/address.js'
import { encode, key, prefixRange } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import { readValue, readValues } from '../store/values.js'
import {
  accountIdOf,
  accountPartition,
  ensureRecord,
  enterAccount,
  enterOwner,
  forgetAccount,
  putAccount,
} from './record.js'
import type { AccountRecord, Accounts, Identity, SignedIn } from './types.js'

const META = 'meta'
const MAX_PROVIDER_LENGTH = 64
/** OpenID Connect Core §2 allows 255 characters; some providers exceed it. */
const MAX_SUBJECT_LENGTH = 1000
const MAX_USERNAME_LENGTH = 100

export interface IdentitiesDeps {
  store: Store
  clock: Clock
  /** Lower-cased email whose account is the operator's own. */
  operator: string | undefined
  /** Lower-cased emails. */
  staff: ReadonlySet<string>
}

export const identityKey = ({ provider, subject }: Pick<SignedIn, 'provider' | 'subject'>): Uint8Array =>
  key('identity', provider, sha256Hex(subject))

export function createIdentities({
  store,
  clock,
  operator,
  staff,
}: IdentitiesDeps): Pick<Accounts, 'signIn' | 'identities' | 'isStaff'> {
  const read = async (accountId: string): Promise<Identity[]> => {
    const all = await store.read(accountPartition(accountId), (view) =>
      readValues<Identity>(view, prefixRange('identity')),
    )
    return all.sort((a, b) => a.firstAt - b.firstAt)
  }

  return {
    async signIn(given) {
      const identity = checked(given)
      const now = clock.now()
      const index = identityKey(identity)
      const email = verifiedEmail(identity)
      const owner = email !== undefined && email === operator ? null : email

      const known = async (meta: View): Promise<string | undefined> => {
        const indexed = await readValue<{ accountId: string }>(meta, index)
        return indexed?.accountId ?? (owner === undefined ? undefined : accountIdOf(meta, owner))
      }
      for (;;) {
        const found = await store.read(META, known)
        const accountId = found ?? newId('acc', now)
        const partition = accountPartition(accountId)
        const signedIn = await store.write([META, partition], async (meta) => {
          if ((await known(meta)) !== found) return undefined
          if (found === undefined) enterAccount(meta, accountId, owner)
          if (!(await meta.get(index))) meta.put(index, encode({ accountId }))
          const tx = meta.in(partition)
          const { account, isNew } = await ensureRecord(tx, accountId, owner ?? null, now)
          const firstAt = (await readValue<Identity>(tx, index))?.firstAt ?? now
          tx.put(index, encode({ ...identity, firstAt, lastAt: now } satisfies Identity))
          // An account whose human had no verified email gets the first one as its owner, if no account has that.
          if (account.owner !== null || typeof owner !== 'string' || !(await enterOwner(meta, accountId, owner)))
            return { account, isNew }
          const owned = { ...account, owner }
          putAccount(tx, owned)
          return { account: owned, isNew }
        })
        if (signedIn) return signedIn
      }
    },

    identities: read,

    isStaff(identity) {
      const email = verifiedEmail(identity)
      return email !== undefined && staff.has(email)
    },
  }
}

/** Removes all ways to an account: its owner's email and its identities. Idempotent; called before the account's partition is cleared. */
export async function forgetOwner(store: Store, account: Pick<AccountRecord, 'id' | 'owner'>): Promise<void> {
  await store.write([META, accountPartition(account.id)], async (meta) => {
    const rows = await meta.in(accountPartition(account.id)).range(prefixRange('identity'))
    for (const [index] of rows) {
      const known = await readValue<{ accountId: string }>(meta, index)
      if (known?.accountId === account.id) meta.delete(index)
    }
    await forgetAccount(meta, account)
  })
}

function verifiedEmail({ email, emailVerified }: Pick<SignedIn, 'email' | 'emailVerified'>): string | undefined {
  const parsed = email !== null && emailVerified ? parseAddress(email) : undefined
  return parsed?.name === '' ? addressKey(parsed.address) : undefined
}

/** The provider's claims, in a form that can be stored and shown. @throws ServiceError `invalid_request` */
function checked({ provider, subject, username, email, emailVerified }: SignedIn): SignedIn {
  const fits = (text: string, max: number): boolean => text !== '' && text.length <= max
  if (!fits(provider, MAX_PROVIDER_LENGTH) || !fits(subject, MAX_SUBJECT_LENGTH)) {
    throw invalidRequest(
      'The sign-in has no usable identity.',
      'Sign in once more; if it fails again, contact the operator.',
    )
  }
  const parsed = email === null ? undefined : parseAddress(email)
  const isPlain = parsed?.name === ''
  return {
    provider,
    subject,
    username: username === null ? null : cut(oneLine(username), MAX_USERNAME_LENGTH) || null,
    email: isPlain ? parsed.address : null,
    emailVerified: isPlain && emailVerified,
  }
}
