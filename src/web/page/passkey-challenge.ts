/** Challenges of passkeys: each is bound to the browser that asked by a sealed cookie, to what it is for, and is good for one response within five minutes. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Passkeys } from '../../accounts/sign-in/passkeys.js'
import type { SignInStates } from '../../accounts/sign-in/sign-in-states.js'
import { type Clock, MINUTE, SECOND } from '../../lib/clock.js'
import type { Transaction } from '../../store/types.js'
import { cookieOf, setCookie } from './cookies.js'
import { openCookie, sealCookie } from './sealed-cookie.js'

const COOKIE = '__Host-restante_passkey'
const PURPOSE = 'passkey cookie'
const LIFE_MS = 5 * MINUTE

export const END_CHALLENGE = setCookie(COOKIE, '', 0)

const schema = z.strictObject({ challenge: z.string(), of: z.string(), endsAt: z.int() })

/** Needs of pages with passkeys. */
export interface PasskeyParts {
  keys: Passkeys
  challenges: PasskeyChallenges
  /** Name of the service, as authenticators show it. */
  service: string
  /** Lays out the letter that tells the owner. @returns posts it, in the transaction of the change */
  letter: (change: PasskeyChange) => Promise<(tx: Transaction) => void>
}

export interface PasskeyChange {
  what: 'added' | 'removed'
  accountId: string
  name: string
  /** Of the browser. */
  network: string
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>

export function createPasskeyChallenges(deps: { webKey: Uint8Array; states: SignInStates; clock: Clock }) {
  const { webKey, states, clock } = deps
  return {
    /** @param of what the response is for: `sign-in`, or the id of the session that adds a passkey @returns the challenge, base64url */
    issue(of: string): { challenge: string; cookie: string } {
      const challenge = randomBytes(32).toString('base64url')
      const sealed = sealCookie(webKey, PURPOSE, { challenge, of, endsAt: clock.now() + LIFE_MS })
      return { challenge, cookie: setCookie(COOKIE, sealed, LIFE_MS / SECOND) }
    },
    /** The challenge of this browser, which is used up. Undefined for none, one that was used or is over, or one for something else. */
    async take(headers: Readonly<Record<string, string>>, of: string): Promise<string | undefined> {
      const asked = openCookie(webKey, PURPOSE, cookieOf(headers, COOKIE), schema)
      if (asked?.of !== of || !(await states.spend(asked.challenge, asked.endsAt))) return undefined
      return asked.challenge
    },
  }
}
