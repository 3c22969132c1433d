/**
 * Resources of tokens (RFC 8707). This server has two: the MCP server for agents, and the mailbox as mail programs open it, by IMAP and submission. A token is for
 * one of them. Clients name the first by its own URL or by that of the whole server, the second by its URL, or by the name of the mail server.
 */
import { AGENT_SCOPES, isProgramScope, PROGRAM_SCOPES, type OAuthScope } from './scopes.js'

export type Resources = ReturnType<typeof createResources>

/** @param mailHost name of the mail server; undefined where mail programs have no port @param baseUrl without a trailing slash */
export function createResources(baseUrl: string, mailHost?: string) {
  const mcp = `${baseUrl}/mcp`
  const mail = mailHost === undefined ? undefined : `${baseUrl}/mail`

  /** A host without a scheme, or with one of the services there. */
  function isMailServer(text: string): boolean {
    const host = /^(?:(?:https|imaps?|smtps?|submissions?):\/\/)?([a-z0-9.-]+)(?::\d{1,5})?\/?$/i.exec(text)?.[1]
    return mailHost !== undefined && host?.toLowerCase() === mailHost.toLowerCase()
  }

  return {
    /** Resources that the MCP server accepts in tokens. */
    ofAgents: [mcp, baseUrl],
    /** The one that IMAP and submission accept. */
    ofPrograms: mail,
    all: mail === undefined ? [mcp] : [mcp, mail],
    /** A named resource in its normal form; undefined for unknown ones. */
    named(text: string): string | undefined {
      // RFC 3986 §6.2.3: an empty path equals a missing one.
      if (text === baseUrl || text === `${baseUrl}/`) return baseUrl
      if (text === mcp) return mcp
      return text === mail || isMailServer(text) ? mail : undefined
    },
    /** The part of a named resource that a request is for; both are parts of the whole server, and scopes of mail programs alone tell which. */
    meant(named: string | undefined, scopes: readonly string[]): string {
      const isOfPrograms =
        scopes.some(isProgramScope) && !scopes.some((scope) => AGENT_SCOPES.some((known) => known === scope))
      if (named === undefined || named === baseUrl) return (isOfPrograms ? mail : undefined) ?? named ?? mcp
      return named
    },
    /** True if a name in a request for tokens can mean the resource of a connection. */
    covers: (named: string, resource: string): boolean =>
      named === resource || (named === baseUrl && resource === mail),
    scopesOf: (resource: string): readonly OAuthScope[] => (resource === mail ? PROGRAM_SCOPES : AGENT_SCOPES),
  }
}

/** The resource that the `resource` parameters name; `none` without one, `unknown` for another one or several. */
export function resourceOf(
  resources: Resources,
  params: URLSearchParams,
): { is: 'none' | 'unknown' } | { is: 'named'; resource: string } {
  const asked = params.getAll('resource').filter((text) => text !== '')
  const [text, ...more] = asked
  if (text === undefined) return { is: 'none' }
  const resource = more.length === 0 ? resources.named(text) : undefined
  return resource === undefined ? { is: 'unknown' } : { is: 'named', resource }
}
