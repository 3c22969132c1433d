/**
 * Connections: a human lets a client (an MCP client or a mail program) use one of their mailboxes, by OAuth 2.1 (authorization code with PKCE). This
 * server is both the authorization server and the resource server.
 */
import type { OAuthScope } from './scopes.js'

/** A client by its own metadata (RFC 7591 §2). All of it is unverified except `host`, and that only for a `document`. */
export interface OAuthClient {
  /** The URL of its document, or the id from its registration. */
  id: string
  /** `document`: its id is the https URL of its metadata, fetched from there. `registered`: by RFC 7591, by anyone. */
  kind: 'document' | 'registered'
  /** One line without invisible characters, at most 100 characters; the host or id if it has none. */
  name: string
  /** The host of its document; null for registered clients. */
  host: string | null
  redirectUris: readonly string[]
}

/** A fully checked authorization request. */
export interface AuthorizationRequest {
  client: OAuthClient
  /** As sent by the client: equal to a registered one, except for the port of a loopback address (RFC 8252 §7.3). */
  redirectUri: string
  state: string | undefined
  /** Requested scopes of the resource. */
  scopes: readonly OAuthScope[]
  /** The resource for its tokens (RFC 8707). */
  resource: string
  /** PKCE, S256 (RFC 7636). */
  codeChallenge: string
}

/**
 * `page`: the client or its redirect URI can't be trusted, so the human sees an error page, without a redirect (RFC 6749 §4.1.2.1). `redirect`: the
 * error is returned to the client at `location`; `words` describe it. The page decides if a browser goes there without asking.
 */
export type CheckedRequest =
  | { outcome: 'valid'; request: AuthorizationRequest }
  | { outcome: 'page'; problem: string; todo: string }
  | { outcome: 'redirect'; location: string; words: string }

/** A connected client, as shown to its owner. */
export interface Connection {
  id: string
  accountId: string
  mailboxId: string
  client: Pick<OAuthClient, 'id' | 'name' | 'host' | 'kind'>
  scopes: readonly OAuthScope[]
  resource: string
  createdAt: number
  /** Exact to the hour; null: never. */
  lastUsedAt: number | null
  /** Expiry without further use. */
  expiresAt: number
}

/** RFC 6749 §5.1. */
export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  /** Its scopes, separated by spaces. */
  scope: string
}

/** Functions of the consent page. */
export interface Consent {
  /**
   * Checks the query of an authorization request; fetches the client's document if unknown.
   *
   * @param remoteAddress address of the browser, for the limit of fetched documents per network
   */
  check(query: URLSearchParams, remoteAddress: string): Promise<CheckedRequest>
  /**
   * Creates a code, valid once and for a minute, and returns the URL for the browser (with `state` and `iss`, RFC 9207).
   *
   * @param scopes the allowed ones among those requested
   * @throws ServiceError `not_found` when the mailbox is not the account's; `limit_reached` when it has too many connections; the reason why account
   *   or mailbox can't be used
   */
  allow(
    request: AuthorizationRequest,
    given: { accountId: string; mailboxId: string; scopes: readonly OAuthScope[] },
  ): Promise<string>
  /** URL for the browser when the human refuses: `access_denied`. */
  refuse(request: AuthorizationRequest): string
}

/** An owner's functions for connections. */
export interface Connections {
  /** Newest first. */
  list(accountId: string): Promise<Connection[]>
  /** Ends a connection with all its tokens and streams. Idempotent. */
  revoke(accountId: string, connectionId: string): Promise<void>
  /** Ends the connections of an account, or of one of its mailboxes. Idempotent. */
  revokeAll(accountId: string, mailboxId?: string): Promise<void>
}
