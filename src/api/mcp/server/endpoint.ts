/** The endpoint /mcp of a daemon. The tools and the SDK are loaded with the first request: many installations serve none. */
import type { Mount } from '../../../http/limits/web-handler.js'
import { mcpMount } from './mount.js'
import type { Mcp, McpDeps } from './server.js'

export type McpEndpoint = Pick<Mcp, 'mount' | 'close'>

export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  let mcp: Promise<Mcp> | undefined
  const load = async (): Promise<Mcp> => {
    const { createMcp } = await import('./server.js')
    return createMcp(deps)
  }
  const fetch: Mount['fetch'] = async (...given) => (await (mcp ??= load())).mount.fetch(...given)
  return {
    mount: { ...mcpMount(deps), fetch },
    close: async () => (await mcp)?.close(),
  }
}
