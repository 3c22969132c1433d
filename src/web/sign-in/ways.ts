/** The ways to sign in, as pages offer them to those who are signed out. */
import type { Identity } from '../../identity/types.js'
import { html, type Html } from '../page/html.js'
import { SIGN_IN_PATH, signInUrl } from '../page/page.js'

export interface SignInWays {
  providers: readonly { id: string; name: string }[]
  /** Owners and staff get a link by mail. */
  byMail: boolean
}

/** The operator's commands that make sign-in links. */
export const SIGN_IN_COMMAND = 'restante account sign-in EMAIL|ADDRESS|ACCOUNT'
export const STAFF_SIGN_IN_COMMAND = 'restante account sign-in --staff EMAIL'

export const signInPath = (providerId: string, next: string): string =>
  `${SIGN_IN_PATH}/${providerId}?next=${encodeURIComponent(next)}`

/** Links of all providers, and to the other ways, for pages that need somebody signed in; after signing in, the browser goes to `next`. */
export function signInLinks(ways: SignInWays, next: string): Html {
  return html`${providerLinks(ways, next)}
  ${
    ways.byMail &&
    html`<p>
      <a class="${ways.providers.length > 0 ? 'button plain' : 'button'}" href="${signInUrl(next)}"
        >Sign in with a link by email</a
      >
    </p>`
  }
  ${!ways.byMail && ways.providers.length === 0 && operatorsLink(next)}`
}

/** @param look of the links */
export function providerLinks({ providers }: SignInWays, next: string, look = 'button'): Html | false {
  return (
    providers.length > 0 &&
    html`${providers.map(
        ({ id, name }) => html`<p><a class="${look}" href="${signInPath(id, next)}">Continue with ${name}</a></p>`,
      )}
      <p class="small">
        The provider gives us your name, your email address and whether it is verified; we store them with your account.
        Nothing is published, and we never see your password.
      </p>`
  )
}

/** The way that is left where there is no other. */
export function operatorsLink(next: string): Html {
  return html`<p>
      No identity provider is set up on this server. Its operator can make you a link that signs you in, once, within
      ten minutes:
    </p>
    <pre>${next.startsWith('/staff/') ? STAFF_SIGN_IN_COMMAND : SIGN_IN_COMMAND}</pre>`
}

/** Display name on the user's own pages. */
export function whoIs({ username, email }: Pick<Identity, 'username' | 'email'>): string {
  return email ?? username ?? 'an unnamed user'
}
