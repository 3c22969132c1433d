/** Identity providers: who somebody is, in the words of another server. */

/** What a provider says of a human. Text of strangers, bounded and on one line. */
export interface Identity {
  /** Never changes and is never given to another, at this provider (OpenID Connect Core §5.7). */
  subject: string
  username: string | null
  email: string | null
  emailVerified: boolean
}

/** What ties an answer of a provider to the one browser that asked; each is new for each sign-in. */
export interface SignInSecrets {
  state: string
  nonce: string
  /** PKCE (RFC 7636 §4.1). */
  verifier: string
}

export interface IdentityProvider {
  id: string
  /** As its link calls it. */
  name: string
  /** Where to send the browser. @param redirectUri where it comes back to @throws ProviderError `unavailable` */
  begin(redirectUri: string, secrets: SignInSecrets): Promise<URL>
  /**
   * Takes the answer that the browser came back with, and asks the provider for the rest.
   *
   * @param answer the query of the way back, whose `state` was compared before
   * @throws ProviderError
   */
  complete(redirectUri: string, answer: URLSearchParams, secrets: SignInSecrets): Promise<Identity>
}

/** `denied`: the human, or a rule of the provider, said no. `unavailable`: it can't be asked now. `refused`: its answer can't be trusted or used. */
export type ProviderProblem = 'denied' | 'unavailable' | 'refused'

/** The message is for the operator's log and holds nothing of whose sign-in it was. */
export class ProviderError extends Error {
  constructor(
    readonly problem: ProviderProblem,
    message: string,
  ) {
    super(message)
    this.name = 'ProviderError'
  }
}

/** A provider as the settings name it. */
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
