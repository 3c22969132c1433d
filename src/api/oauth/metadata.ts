/** OAuth metadata: RFC 8414 for the authorization server, RFC 9728 for the protected resources. Public, the same for all clients. */
import type { Resources } from '../../oauth/resources.js'
import { AGENT_SCOPES } from '../../oauth/scopes.js'
import type { HttpResponse } from '../../http/message.js'
import type { Page } from '../../http/routing/router.js'

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  server: '/.well-known/oauth-authorization-server',
  /** RFC 9728 §3.1: the path of the resource is appended. */
  resource: '/.well-known/oauth-protected-resource',
} as const

/** URL of the authorization server's metadata (RFC 8414 §3). @param baseUrl without a trailing slash */
export const serverMetadataUrl = (baseUrl: string): string => `${baseUrl}${PATHS.server}`

/** Max delay until clients see changed settings. */
const MAX_AGE_SECONDS = 3600

export interface MetadataDeps {
  /** Without a trailing slash. */
  baseUrl: string
  /** True if clients may register. */
  registers: boolean
  resources: Pick<Resources, 'all' | 'scopesOf' | 'ofPrograms'>
}

export function serverMetadata({ baseUrl, registers, resources }: MetadataDeps): Record<string, unknown> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${PATHS.authorize}`,
    token_endpoint: `${baseUrl}${PATHS.token}`,
    ...(registers && { registration_endpoint: `${baseUrl}${PATHS.register}` }),
    revocation_endpoint: `${baseUrl}${PATHS.revoke}`,
    scopes_supported: resources.all.flatMap(resources.scopesOf),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: resources.all,
    service_documentation: `${baseUrl}/llms.txt`,
  }
}

export function resourceMetadata(
  { baseUrl }: Pick<MetadataDeps, 'baseUrl'>,
  path: '' | '/mcp',
): Record<string, unknown> {
  return {
    resource: `${baseUrl}${path}`,
    resource_name: 'Restante mailbox',
    authorization_servers: [baseUrl],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/llms.txt`,
  }
}

/** The resource of mail programs: IMAP and submission, to which tokens are sent by SASL (RFC 7628) and never by HTTP. */
export function mailMetadata(deps: MetadataDeps, resource: string): Record<string, unknown> {
  return {
    ...resourceMetadata(deps, ''),
    resource,
    resource_name: 'Restante mailbox, for mail programs',
    scopes_supported: deps.resources.scopesOf(resource),
    bearer_methods_supported: [],
  }
}

/** `WWW-Authenticate` of the MCP server's 401, which points to the metadata (RFC 9728 §5.1, RFC 6750 §3). */
export function challengeOf(baseUrl: string): (sent: boolean) => string {
  const rest = `resource_metadata="${baseUrl}${PATHS.resource}/mcp", scope="${AGENT_SCOPES.join(' ')}"`
  return (sent) =>
    `Bearer ${sent ? 'error="invalid_token", error_description="The token is wrong, has ended, or is not for here", ' : ''}${rest}`
}

export function metadataPages(deps: MetadataDeps): Page[] {
  const mail = deps.resources.ofPrograms
  return [
    documentPage(PATHS.server, serverMetadata(deps)),
    documentPage(PATHS.resource, resourceMetadata(deps, '')),
    documentPage(`${PATHS.resource}/mcp`, resourceMetadata(deps, '/mcp')),
    ...(mail === undefined ? [] : [documentPage(`${PATHS.resource}/mail`, mailMetadata(deps, mail))]),
  ]
}

/** A public document, the same for all clients. */
export function documentPage(path: string, content: Record<string, unknown>, type = 'application/json'): Page {
  const response: HttpResponse = {
    status: 200,
    headers: { 'Content-Type': type, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` },
    body: JSON.stringify(content),
  }
  return { method: 'GET', path, readableBy: 'anybody', answer: async () => response }
}
