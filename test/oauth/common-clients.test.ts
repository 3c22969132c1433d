/** The clients of docs/mcp.md can register with the addresses that they come back to, and are known again by them. */
import t from 'tap'
import { parseMetadata } from '../../src/oauth/client-metadata.js'
import { isRegistered } from '../../src/oauth/redirect-uris.js'

/** As their documentation, or those who run servers for them, tell of it (November 2026). */
const CALLBACKS: Record<string, string[]> = {
  'Claude Code': ['http://localhost:54212/callback'],
  'Claude on the web': ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  Cursor: ['cursor://anysphere.cursor-mcp/oauth/callback'],
  'Cursor, some versions': ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
  'VS Code': ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  'Codex CLI': ['http://127.0.0.1:1455/callback'],
  'Gemini CLI': ['http://localhost:7777/oauth/callback'],
  'mcp-remote': ['http://localhost:3334/oauth/callback'],
}

t.test('every common client can register, and is answered where it wants to be', async (t) => {
  for (const [name, uris] of Object.entries(CALLBACKS)) {
    const { redirectUris } = parseMetadata({
      client_name: name,
      redirect_uris: uris,
      // Cursor says so of itself, though it is an app.
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    for (const uri of uris) t.ok(isRegistered(redirectUris, uri), `${name}: ${uri}`)
  }
})

t.test('a scheme without a domain is for the clients that are known', async (t) => {
  for (const uri of ['cursors://x/callback', 'javascript://cursor:%0aalert(1)', 'data:text/html,x', 'myapp://callback'])
    t.throws(() => parseMetadata({ redirect_uris: [uri] }), { code: 'invalid_redirect_uri' }, uri)
})
