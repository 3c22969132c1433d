/**
 * Discovery for clients that know only the domain: the server card of SEP-2127 and the AI catalog that links to it. Both say where and how to connect; tools
 * are listed after connecting.
 */
import { isIP } from 'node:net'
import { documentPage } from '../../oauth/metadata.js'
import type { Page } from '../../../http/routing/router.js'

/** Protocol revisions of the endpoint, newest first. */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']

const CARD_TYPE = 'application/mcp-server-card+json'
const CATALOG_TYPE = 'application/ai-catalog+json'

/** The same for any MCP server URL. */
const CARD_PATH = '/mcp/server-card'

export interface DiscoveryDeps {
  /** Without a trailing slash. */
  baseUrl: string
  version: string
}

export function discoveryPages(deps: DiscoveryDeps): Page[] {
  return [
    documentPage(CARD_PATH, serverCard(deps), CARD_TYPE),
    documentPage('/.well-known/ai-catalog.json', aiCatalog(deps), CATALOG_TYPE),
  ]
}

function serverCard({ baseUrl, version }: DiscoveryDeps): Record<string, unknown> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed(new URL(baseUrl).hostname)}/restante`,
    version,
    title: 'Restante mailbox',
    description: 'A mailbox for a software agent: it reads, searches, waits for, writes and answers mail.',
    websiteUrl: `${baseUrl}/docs/mcp`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp`,
        supportedProtocolVersions: PROTOCOL_VERSIONS,
        headers: [
          {
            name: 'Authorization',
            description:
              'For an agent with a key of its own; without it the client is led through the sign-in by OAuth.',
            isRequired: false,
            isSecret: true,
            value: 'Bearer {api_key}',
            variables: { api_key: { description: 'The API key of the mailbox', isSecret: true } },
          },
        ],
      },
    ],
  }
}

/** AI Catalog, 1.0; the card has name and description. */
function aiCatalog({ baseUrl }: DiscoveryDeps): Record<string, unknown> {
  const { hostname } = new URL(baseUrl)
  return {
    specVersion: '1.0',
    host: { displayName: hostname, documentationUrl: `${baseUrl}/docs` },
    entries: [{ identifier: `urn:air:${hostname}:restante`, type: CARD_TYPE, url: `${baseUrl}${CARD_PATH}` }],
  }
}

/** `mail.example.org` as `org.example.mail`; addresses stay, without brackets. */
function reversed(hostname: string): string {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? bare.split('.').reverse().join('.') : bare.replaceAll(':', '-')
}
