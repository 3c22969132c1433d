/** Requests of MCP as they stand on the wire. */

export type Revision = '2026-07-28' | '2025-11-25'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
export interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export function rpc(revision: Revision, method: string, params: Record<string, unknown>): Call {
  const isStateless = revision === '2026-07-28'
  const sent = isStateless ? { ...params, _meta: ENVELOPE } : params
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isStateless && { 'mcp-method': method }),
      ...(isStateless && typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: sent }),
  }
}
