/** Identity providers: users as another server identifies them. */

/** A user's identity at a provider. Untrusted text, of limited length and on one line. */
export interface Identity {
  /** Never changes and is never reassigned at this provider (OpenID Connect Core §5.7). */
  subject: string
  username: string | null
  email: string | null
  emailVerified: boolean
}

/** Secrets that bind a provider's response to the browser that began the sign-in; new for each sign-in. */
export interface SignInSecrets {
  state: string
  nonce: string
  /** PKCE (RFC 7636 §4.1). */
  verifier: string
}

export interface IdentityProvider {
  id: string
  /** Name in its link. */
  name: string
  /** @returns the URL to send the browser to @param redirectUri where it comes back to @throws ProviderError `unavailable` */
  begin(redirectUri: string, secrets: SignInSecrets): Promise<URL>
  /**
   * Completes a sign-in with the browser's redirect, and requests the rest from the provider.
   *
   * @param answer query of the redirect, whose `state` was checked before
   * @throws ProviderError
   */
  complete(redirectUri: string, answer: URLSearchParams, secrets: SignInSecrets): Promise<Identity>
}

/** `denied`: by the human or a rule of the provider. `unavailable`: the provider cannot be reached. `refused`: its response is invalid or untrusted. */
export type ProviderProblem = 'denied' | 'unavailable' | 'refused'

/** The message is for the operator's log and contains no personal data. */
export class ProviderError extends Error {
  constructor(
    readonly problem: ProviderProblem,
    message: string,
  ) {
    super(message)
    this.name = 'ProviderError'
  }
}

/** Settings of a provider. */
export interface ProviderSettings {
  id: string
  kind: 'oidc' | 'github'
  name: string
  client_id: string
  /** '' for a client without one. */
  clientSecret: string
  issuer: string
  trust_email: boolean
  url: string
  api_url: string
}
