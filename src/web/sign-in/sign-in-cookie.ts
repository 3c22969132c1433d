/** A sign-in at a provider under way, as the browser carries it: which provider, what ties the answer to this browser, and where to go then. */
import { z } from 'zod'
import type { SignInSecrets } from '../../identity/types.js'
import { openCookie, sealCookie } from '../page/sealed-cookie.js'

const PURPOSE = 'sign-in cookie'

const schema = z.strictObject({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  endsAt: z.int(),
})

export interface SignInUnderWay extends SignInSecrets {
  provider: string
  /** A checked path of ours. */
  next: string
  endsAt: number
}

export const sealSignIn = (webKey: Uint8Array, signIn: SignInUnderWay): string => sealCookie(webKey, PURPOSE, signIn)

/** Undefined for what was not sealed with this key. Says nothing of its end. */
export const openSignIn = (webKey: Uint8Array, value: string): SignInUnderWay | undefined =>
  openCookie(webKey, PURPOSE, value, schema)
