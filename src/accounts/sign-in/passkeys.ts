/**
 * Passkeys of humans (Web Authentication Level 2), stored with their account. Each signs in with the identity of the session it was made in, so one that was
 * made by a link to an account is never staff. The user handle of a passkey is the id of its account, so that it is found without another index.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import { cut, oneLine } from '../../lib/text.js'
import { encode, key, prefixRange } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import { readValue, readValues } from '../../store/values.js'
import { accountPartition, readAccount } from '../record.js'
import type { AccountRecord, SignedIn } from '../types.js'
import type * as WebAuthn from './webauthn.js'

export const MAX_PASSKEYS = 10
const MAX_NAME = 64
/** WebAuthn §5.8.5 lets authenticators choose up to 1,023 bytes; a key of the store has room for less. */
const MAX_ID = 700

/** A passkey as its owner sees it. */
export interface Passkey {
  /** The credential's id, base64url. */
  id: string
  name: string
  createdAt: number
  lastUsedAt: number | null
  identity: SignedIn
}

interface Stored extends Passkey {
  /** COSE key, base64url. */
  publicKey: string
  counter: number
}

export interface PasskeysDeps {
  store: Store
  clock: Clock
  /** Origin of the pages, without a path; its host is the relying party. */
  origin: string
}

export type Proof =
  | { kind: 'proven'; account: AccountRecord; identity: SignedIn }
  /** `detail` is for the operator's log. */
  | { kind: 'refused'; detail: string }

const refused = (detail: string): Proof => ({ kind: 'refused', detail })

const rowOf = (id: string): Uint8Array => key('passkey', id)

export type Passkeys = ReturnType<typeof createPasskeys>

export function createPasskeys({ store, clock, origin }: PasskeysDeps) {
  const rpId = new URL(origin).hostname
  // Loaded with the first passkey.
  const library = (): Promise<typeof WebAuthn> => import('./webauthn.js')

  return {
    rpId,

    list: (accountId: string): Promise<Passkey[]> => passkeysOf(store, accountId),

    /** Options of `navigator.credentials.create()`, as JSON. */
    async creation(accountId: string, challenge: string, names: { service: string; user: string }): Promise<object> {
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: names.service,
        rpID: rpId,
        userName: names.user,
        userDisplayName: names.user,
        userID: new TextEncoder().encode(accountId),
        challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: (await passkeysOf(store, accountId)).map(({ id }) => ({ id })),
      })
    },

    /**
     * Stores a new passkey.
     *
     * @param challenge base64url, as given to the browser
     * @param tell is called for a response that fits; what it returns runs in the transaction
     * @throws ServiceError `invalid_request` for a response that does not fit, `limit_reached` for one too many
     */
    async add(
      accountId: string,
      given: { response: RegistrationResponseJSON; challenge: string; name: string; identity: SignedIn },
      tell?: (passkey: Passkey) => Promise<(tx: Transaction) => void>,
    ): Promise<Passkey> {
      const { verifyRegistrationResponse } = await library()
      const name = cut(oneLine(given.name), MAX_NAME)
      const { registrationInfo: info } = await verifyRegistrationResponse({
        response: given.response,
        expectedChallenge: given.challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
      }).catch((error: unknown) => {
        throw unusable(error)
      })
      if (!info || info.credential.id.length > MAX_ID) throw unusable(undefined)
      const { id, publicKey, counter } = info.credential
      const now = clock.now()
      const passkey: Passkey = {
        id,
        name: name === '' ? 'Passkey' : name,
        createdAt: now,
        lastUsedAt: null,
        identity: given.identity,
      }
      const post = await tell?.(passkey)
      await store.write(accountPartition(accountId), async (tx) => {
        if (!(await readAccount(tx))) throw unusable(undefined)
        const others = await tx.range(prefixRange('passkey'))
        if (others.length >= MAX_PASSKEYS || (await tx.get(rowOf(id)))) throw oneTooMany()
        tx.put(
          rowOf(id),
          encode({ ...passkey, publicKey: Buffer.from(publicKey).toString('base64url'), counter } satisfies Stored),
        )
        post?.(tx)
      })
      return passkey
    },

    /** The human of a response to `navigator.credentials.get()`; notes its use. */
    async prove(response: AuthenticationResponseJSON, challenge: string): Promise<Proof> {
      const accountId = Buffer.from(response.response.userHandle ?? '', 'base64url').toString('utf8')
      if (!isId('acc', accountId) || response.id.length > MAX_ID) return refused('it is of no account')
      const partition = accountPartition(accountId)
      const known = await store.read(partition, (view) => readValue<Stored>(view, rowOf(response.id)))
      if (!known) return refused('its account has no such passkey')
      const { verifyAuthenticationResponse } = await library()
      const checked = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: {
          id: known.id,
          publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
          counter: known.counter,
        },
        requireUserVerification: true,
      }).catch((error: unknown) => {
        // The library throws plain errors for whatever does not fit.
        if (error instanceof Error) return error
        throw error
      })
      if (checked instanceof Error) return refused(checked.message)
      if (!checked.verified) return refused('its signature is wrong')
      const { newCounter } = checked.authenticationInfo
      return store.write(partition, async (tx): Promise<Proof> => {
        const [account, current] = [await readAccount(tx), await readValue<Stored>(tx, rowOf(known.id))]
        // A counter that did not grow is one of a copy (WebAuthn §6.1.1); 0 is one of an authenticator that counts nothing.
        if (!account || !current || (newCounter <= current.counter && newCounter + current.counter > 0))
          return refused('it was removed, or its counter did not grow')
        tx.put(rowOf(known.id), encode({ ...current, counter: newCounter, lastUsedAt: clock.now() } satisfies Stored))
        return { kind: 'proven', account, identity: current.identity }
      })
    },

    /** Idempotent. @param post runs in the transaction that removes it */
    remove: (accountId: string, id: string, post?: (tx: Transaction) => void): Promise<void> =>
      store.write(accountPartition(accountId), async (tx) => {
        const row = rowOf(id.slice(0, MAX_ID))
        if (!(await tx.get(row))) return
        tx.delete(row)
        post?.(tx)
      }),
  }
}

/** Passkeys of an account, the oldest first. */
export async function passkeysOf(store: Pick<Store, 'read'>, accountId: string): Promise<Passkey[]> {
  const all = await store.read(accountPartition(accountId), (view) => readValues<Stored>(view, prefixRange('passkey')))
  return all
    .sort((a, b) => a.createdAt - b.createdAt)
    .map(({ publicKey: _key, counter: _counter, ...passkey }) => passkey)
}

function unusable(cause: unknown): ServiceError {
  const details = cause === undefined ? {} : { cause }
  return new ServiceError(
    'invalid_request',
    'The passkey could not be added: its response does not fit the request.',
    'Try again, with a device that asks for a PIN, a fingerprint or a face.',
    details,
  )
}

function oneTooMany(): ServiceError {
  return new ServiceError(
    'limit_reached',
    `An account has at most ${MAX_PASSKEYS} passkeys, each once.`,
    'Remove one that is not used, then add this one.',
  )
}
