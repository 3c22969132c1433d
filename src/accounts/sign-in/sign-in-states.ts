/** States of completed sign-ins, each valid once. Used ones are stored until their expiry. */
import type { Clock } from '../../lib/clock.js'
import { sha256Hex } from '../../lib/ids.js'
import { createExpiring } from '../../store/expiring.js'
import type { Store } from '../../store/types.js'

export type SignInStates = ReturnType<typeof createSignInStates>

export function createSignInStates({ store, clock }: { store: Store; clock: Clock }) {
  const spent = createExpiring<1>(store, 'sign-in')
  return {
    /** @param endsAt its expiry @returns false when it was used before, or has expired */
    async spend(state: string, endsAt: number) {
      const now = clock.now()
      return now < endsAt && (await spent.putNew(sha256Hex(state), 1, endsAt, now))
    },
  }
}
