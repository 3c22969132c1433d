/** What the endpoints for clients answer when they refuse. */

/** RFC 6749 §5.2, RFC 8707 §2, RFC 7591 §3.2.2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** An error that the client can mend, or that its human has to. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    /** `error_description`: what is wrong and what to do, for whoever develops the client. */
    description: string,
  ) {
    super(description)
    this.name = 'OAuthError'
  }
}
