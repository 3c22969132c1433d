/** Links by which the operator lets a human sign in without an identity provider: once, within ten minutes. */
import type { Clock } from '../../lib/clock.js'
import type { Store } from '../../store/types.js'
import { createOneTimeLinks } from './one-time-links.js'

/** The human that a link signs in: by their account, or as staff by their lower-cased email. */
export type LinkedHuman = { accountId: string } | { staff: string }

export type SignInLinks = ReturnType<typeof createSignInLinks>

export function createSignInLinks(deps: { store: Store; clock: Clock }) {
  const { make, find, spend } = createOneTimeLinks<LinkedHuman>(deps, 'sign-in-link')
  return {
    make: (accountId: string) => make({ accountId }),
    /** @param email lower-cased; the caller has checked that it is in `identity.staff` */
    makeForStaff: (email: string) => make({ staff: email }),
    find,
    spend,
  }
}
