/** Scopes of connections: those of agents, for the MCP server, and those of mail programs, for IMAP and submission. */
import type { ProgramScope, Scope } from '../accounts/types.js'

/** `account:manage` is not among them: nothing at /mcp accepts it, and it is reserved for keys and humans. */
export const AGENT_SCOPES = ['mail:read', 'mail:send', 'mail:write'] as const satisfies readonly Scope[]

/** All of a mailbox in a mail program: the scope that programs ask of every server (draft-ietf-mailmaint-oauth-public-06 §3.9). */
export const MAIL_SCOPE = 'urn:ietf:params:oauth:scope:mail'

/** By their names in OAuth, with what they allow a mail program. */
const PROGRAM_RIGHTS = {
  imap: ['imap'],
  'imap:read': ['imap:read'],
  smtp: ['submission'],
  [MAIL_SCOPE]: ['imap', 'submission'],
} as const satisfies Record<string, readonly ProgramScope[]>

export const PROGRAM_SCOPES = ['imap', 'imap:read', 'smtp', MAIL_SCOPE] as const
type ProgramOAuthScope = (typeof PROGRAM_SCOPES)[number]

export const OAUTH_SCOPES = [...AGENT_SCOPES, ...PROGRAM_SCOPES] as const
export type OAuthScope = (typeof OAUTH_SCOPES)[number]

/** What a mail program gets that names no scopes. */
export const PROGRAM_DEFAULT: readonly OAuthScope[] = ['imap', 'smtp']

export function isProgramScope(scope: string): scope is ProgramOAuthScope {
  return PROGRAM_SCOPES.some((known) => known === scope)
}

/** What the scopes of a connection allow its tokens. */
export function rightsOf(scopes: readonly OAuthScope[]): Scope[] {
  const rights = scopes.flatMap((scope): readonly Scope[] => (isProgramScope(scope) ? PROGRAM_RIGHTS[scope] : [scope]))
  return [...new Set(rights)]
}

/** The scopes in their own order, without those that another one contains. */
export function withoutContained(scopes: readonly OAuthScope[]): OAuthScope[] {
  const hasAll = scopes.includes(MAIL_SCOPE)
  return scopes.filter(
    (scope) =>
      !(hasAll && scope !== MAIL_SCOPE && isProgramScope(scope)) && !(scope === 'imap:read' && scopes.includes('imap')),
  )
}
