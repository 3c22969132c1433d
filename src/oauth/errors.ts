/** Errors of the endpoints for clients. */

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

/** An error that the client or its human can fix. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    /** `error_description`: the problem and the remedy, for the client's developer. */
    description: string,
  ) {
    super(description)
    this.name = 'OAuthError'
  }
}
