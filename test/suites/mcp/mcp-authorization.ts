/**
 * The scenarios for authorization servers: the suite is the client, registered as any other, and waits where the browser comes back to. The human who
 * signs in and allows is played here, by the forms of the pages.
 */
import { approvedAgent, request } from '../../support/agent.js'
import { allowOn, sessionOf } from '../../support/consent.js'
import { startDaemon } from '../../support/daemon.js'
import { freePort } from '../../support/ports.js'
import { cleaned, runMcpSuite } from './mcp-run.js'
import type { Suite } from '../suite.js'

const OWNER = 'grace@owner.example'

export const mcpAuthorizationSuite: Suite = {
  folder: 'mcp-authorization',
  title: 'MCP: the authorization server, by the suite 0.2.0-alpha.12',
  rule: 'MCP 2025-03-26 to 2026-07-28, OAuth 2.1',
  dir: 'test/conformance/node_modules/conformance-0.2',
  source:
    'The daemon, with a registered client and a human who allows. No release has more scenarios for authorization servers: 0.1.16 has none. The scenarios named auth/… test clients.',
  size: 2,
  explanations: {},
  run: (dir) =>
    cleaned(async (onEnd) => {
      const daemon = await startDaemon({ 'domains.names': 'agents.test' })
      onEnd(() => daemon.remove())
      const { address } = await approvedAgent(daemon, 'conformance.agent', OWNER)
      const port = await freePort()
      const metadata = {
        client_name: 'Conformance',
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        token_endpoint_auth_method: 'none',
      }
      const { body: client } = await request(`${daemon.url}/oauth/register`, 'POST', metadata)
      const asClient = ['--client-id', client.client_id, '--resource', `${daemon.url}/mcp`, '--port', String(port)]
      const cookie = await sessionOf(daemon, address)
      return runMcpSuite(dir, ['authorization', '--url', daemon.url, ...asClient], async (line) => {
        if (line.startsWith(`${daemon.url}/oauth/authorize?`)) await fetch(await allowOn(line, cookie))
      })
    }),
}
