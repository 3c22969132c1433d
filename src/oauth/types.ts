/**
 * Connections: a human lets a client (an MCP client, as a rule) use one of their mailboxes, by OAuth 2.1 (authorization code with PKCE). This server is
 * both the authorization server and the resource server.
 */
import type { Scope } from '../accounts/types.js'

/** What a connection can be allowed. `account:manage` is not among them: nothing at /mcp takes it, and it stays with keys and humans. */
export const OAUTH_SCOPES = ['mail:read', 'mail:send', 'mail:write'] as const satisfies readonly Scope[]
export type OAuthScope = (typeof OAUTH_SCOPES)[number]

/** A client as its own metadata says it (RFC 7591 §2). All of it is a stranger's word; only `host` is proven, and only for a `document`. */
export interface OAuthClient {
  /** The URL of its document, or the id it was given when it registered. */
  id: string
  /** `document`: its id is the https URL of its metadata, fetched from there. `registered`: by RFC 7591, by anybody. */
  kind: 'document' | 'registered'
  /** One line without invisible characters, at most 100 of them; the host or id when it gave none. */
  name: string
  /** Whose web server vouches for it; null when nobody does. */
  host: string | null
  redirectUris: readonly string[]
}

/** An authorization request whose every part has been checked. */
export interface AuthorizationRequest {
  client: OAuthClient
  /** As the client sent it: equal to a registered one, but for the port of a loopback address (RFC 8252 §7.3). */
  redirectUri: string
  state: string | undefined
  /** What it asks for; all of OAUTH_SCOPES when it named none. */
  scopes: readonly OAuthScope[]
  /** The resource its tokens are for (RFC 8707). */
  resource: string
  /** PKCE, S256 (RFC 7636). */
  codeChallenge: string
}

/** `page`: the client or where it wants to be answered can't be trusted, so a human is told, and nobody is redirected (RFC 6749 §4.1.2.1). `redirect`: the client is to be
 * told what is wrong with its request; `words` say it, `location` is where. Whether a browser goes there unasked is the page's to decide. */
export type CheckedRequest =
  | { outcome: 'valid'; request: AuthorizationRequest }
  | { outcome: 'page'; problem: string; todo: string }
  | { outcome: 'redirect'; location: string; words: string }

/** A client that is connected, as its owner sees it. */
export interface Connection {
  /** `con_…` */
  id: string
  accountId: string
  mailboxId: string
  client: Pick<OAuthClient, 'id' | 'name' | 'host' | 'kind'>
  scopes: readonly OAuthScope[]
  resource: string
  createdAt: number
  /** Exact to the hour; null: never. */
  lastUsedAt: number | null
  /** When it ends unless it is used before. */
  expiresAt: number
}

/** RFC 6749 §5.1. */
export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  /** Those it has, separated by blanks. */
  scope: string
}

/** Where a human decides: what the consent page needs. */
export interface Consent {
  /**
   * Reads the query of an authorization request; fetches the client's document when it is not known.
   *
   * @param remoteAddress of the browser: a network can have so many documents fetched and no more
   */
  check(query: URLSearchParams, remoteAddress: string): Promise<CheckedRequest>
  /**
   * Makes a code, which works once and for a minute, and says where the browser goes with it (with `state` and `iss`, RFC 9207).
   *
   * @param scopes what the human allows: some of those that were asked for
   * @throws ServiceError `not_found` when the mailbox is not the account's; `limit_reached` when it has as many connections as it may; what keeps
   *   account or mailbox from being used at all
   */
  allow(
    request: AuthorizationRequest,
    given: { accountId: string; mailboxId: string; scopes: readonly OAuthScope[] },
  ): Promise<string>
  /** Where the browser goes when the human refuses: `access_denied`. */
  refuse(request: AuthorizationRequest): string
}

/** What an owner may do with what is connected. */
export interface Connections {
  /** The newest first. */
  list(accountId: string): Promise<Connection[]>
  /** Ends a connection with all its tokens, and what is open by it. Idempotent. */
  revoke(accountId: string, connectionId: string): Promise<void>
  /** Ends those of an account, or of one of its mailboxes. Idempotent. */
  revokeAll(accountId: string, mailboxId?: string): Promise<void>
}
