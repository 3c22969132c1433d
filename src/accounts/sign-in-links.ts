/** One-time links by which the operator lets a human sign in without an identity provider, within ten minutes. Only the token's hash is stored. */
import { type Clock, MINUTE } from '../lib/clock.js'
import { randomBase62, sha256Hex } from '../lib/ids.js'
import { createExpiring } from '../store/expiring.js'
import type { Store } from '../store/types.js'

const LIFE_MS = 10 * MINUTE
const TOKEN_FORM = /^[0-9A-Za-z]{43}$/

interface Stored {
  accountId: string
  expiresAt: number
}

export type SignInLinks = ReturnType<typeof createSignInLinks>

export function createSignInLinks({ store, clock }: { store: Store; clock: Clock }) {
  const links = createExpiring<Stored>(store, 'sign-in-link')
  const spent = createExpiring<1>(store, 'sign-in-link-spent')

  const read = async (token: string): Promise<Stored | undefined> =>
    TOKEN_FORM.test(token) ? links.get(sha256Hex(token), clock.now()) : undefined

  return {
    async make(accountId: string) {
      const token = randomBase62(32)
      const expiresAt = clock.now() + LIFE_MS
      await links.put(sha256Hex(token), { accountId, expiresAt }, expiresAt)
      return { token, expiresAt }
    },

    /** Its account, without using it up. Undefined for a link that is wrong, used or expired. */
    find: async (token: string) => (await read(token))?.accountId,

    /** `find` that uses it up: at most one caller gets the account. */
    async spend(token: string) {
      const link = await read(token)
      if (!link) return undefined
      const hash = sha256Hex(token)
      // Deleting the link does not decide who was first: two could find it.
      if (!(await spent.putNew(hash, 1, link.expiresAt, clock.now()))) return undefined
      await links.remove(hash)
      return link.accountId
    },
  }
}
