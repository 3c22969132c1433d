/** Links that work once, within ten minutes. Only the token's hash is stored. */
import { type Clock, MINUTE } from '../../lib/clock.js'
import { randomBase62, sha256Hex } from '../../lib/ids.js'
import { createExpiring } from '../../store/expiring.js'
import type { Store, Transaction } from '../../store/types.js'

export const LINK_LIFE_MS = 10 * MINUTE
const TOKEN_FORM = /^[0-9A-Za-z]{43}$/

export interface NewLink {
  /** Its secret part, for the URL. */
  token: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** Stores it within a transaction; its partitions need not be named. */
  enter: (tx: Transaction) => void
}

/** @param kind of its records; those of spent links have the kind with `-spent` */
export function createOneTimeLinks<T extends object>({ store, clock }: { store: Store; clock: Clock }, kind: string) {
  type Stored = T & { expiresAt: number }
  const links = createExpiring<Stored>(store, kind)
  const spent = createExpiring<1>(store, `${kind}-spent`)

  const read = async (token: string): Promise<Stored | undefined> =>
    TOKEN_FORM.test(token) ? links.get(sha256Hex(token), clock.now()) : undefined

  /** @param what the link stands for */
  function prepare(what: T, expiresAt = clock.now() + LINK_LIFE_MS): NewLink {
    const token = randomBase62(32)
    return { token, expiresAt, enter: (tx) => links.enter(tx, sha256Hex(token), { ...what, expiresAt }, expiresAt) }
  }

  return {
    prepare,

    async make(what: T): Promise<Pick<NewLink, 'token' | 'expiresAt'>> {
      const { token, expiresAt } = prepare(what)
      await links.put(sha256Hex(token), { ...what, expiresAt }, expiresAt)
      return { token, expiresAt }
    },

    /** Reads a link without using it up. Undefined for one that is wrong, used or expired. */
    find: (token: string): Promise<T | undefined> => read(token),

    /** `find` that uses it up: at most one caller gets an answer. */
    async spend(token: string): Promise<T | undefined> {
      const link = await read(token)
      if (!link) return undefined
      const hash = sha256Hex(token)
      // Deleting the link does not decide who was first: two could find it.
      if (!(await spent.putNew(hash, 1, link.expiresAt, clock.now()))) return undefined
      await links.remove(hash)
      return link
    },
  }
}
