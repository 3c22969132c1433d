/**
 * Configuration of common MCP clients: the source of the guide's page and of docs/mcp.md. Taken from the clients' documentation in November 2026;
 * update it here when a client changes.
 */
import { code, heading, json, type Block, type Text } from './blocks.js'

/** Server name and key variable in the snippets. */
const NAME = 'mailbox'
const KEY = 'RESTANTE_KEY'

interface Client {
  name: string
  /** The file or command for the snippet, and the next step. */
  where: Text
  /** For a human who signs in with a browser. */
  signIn?: Block
  /** For an agent that holds a key. */
  withKey?: Block
}

const clientsOf = (url: string): Client[] => [
  {
    name: 'Claude Code',
    where: `Run the command, then \`/mcp\` in a session: choose \`${NAME}\` and sign in. With \`--scope user\` it is available in every project.`,
    signIn: code('text', `claude mcp add --transport http ${NAME} ${url}`),
    withKey: code('text', `claude mcp add --transport http ${NAME} ${url} --header "Authorization: Bearer $${KEY}"`),
  },
  {
    name: 'Claude on the web, the desktop and the phone',
    where: `Settings, Connectors, “Add custom connector”: enter a name and this URL, then sign in. Calls come from the vendor’s servers, so this server must be reachable from the Internet by HTTPS. \`claude_desktop_config.json\` does not support remote servers.`,
    signIn: code('text', url),
  },
  {
    name: 'Cursor',
    where: '`~/.cursor/mcp.json`, or `.cursor/mcp.json` in a project. Sign in beside the server in Cursor’s settings.',
    signIn: json({ mcpServers: { [NAME]: { url } } }),
    withKey: json({ mcpServers: { [NAME]: { url, headers: { Authorization: `Bearer \${env:${KEY}}` } } } }),
  },
  {
    name: 'VS Code',
    where:
      '`.vscode/mcp.json`, or “MCP: Open User Configuration”. VS Code opens the sign-in when it starts the server; it asks for a key once, and stores it.',
    signIn: json({ servers: { [NAME]: { type: 'http', url } } }),
    withKey: json({
      inputs: [{ type: 'promptString', id: 'restante_key', description: 'API key of the mailbox', password: true }],
      servers: { [NAME]: { type: 'http', url, headers: { Authorization: 'Bearer ${input:restante_key}' } } },
    }),
  },
  {
    name: 'Codex CLI',
    where: `\`~/.codex/config.toml\`, then \`codex mcp login ${NAME}\` to sign in; with a key no sign-in is needed.`,
    signIn: code('toml', `[mcp_servers.${NAME}]\nurl = "${url}"\ntool_timeout_sec = 90`),
    withKey: code(
      'toml',
      `[mcp_servers.${NAME}]\nurl = "${url}"\nbearer_token_env_var = "${KEY}"\ntool_timeout_sec = 90`,
    ),
  },
  {
    name: 'Gemini CLI',
    where: `\`~/.gemini/settings.json\`, or \`.gemini/settings.json\` in a project; then \`/mcp auth ${NAME}\` to sign in. Use \`httpUrl\`: \`url\` selects an older transport.`,
    signIn: json({ mcpServers: { [NAME]: { httpUrl: url } } }),
    withKey: json({ mcpServers: { [NAME]: { httpUrl: url, headers: { Authorization: `Bearer $${KEY}` } } } }),
  },
  {
    name: 'Windsurf',
    where: '`~/.codeium/windsurf/mcp_config.json`, then refresh the list of servers. Use `serverUrl` here.',
    signIn: json({ mcpServers: { [NAME]: { serverUrl: url } } }),
    withKey: json({
      mcpServers: { [NAME]: { serverUrl: url, headers: { Authorization: `Bearer \${env:${KEY}}` } } },
    }),
  },
  {
    name: 'Zed',
    where: 'The settings file (`zed: open settings file`). Without a header Zed asks for the sign-in.',
    signIn: json({ context_servers: { [NAME]: { url } } }),
    withKey: json({ context_servers: { [NAME]: { url, headers: { Authorization: 'Bearer <api_key>' } } } }),
  },
  {
    name: 'A client with local servers only',
    where: 'Such a client starts mcp-remote, which connects to the server. It opens the sign-in in a browser.',
    signIn: json({ mcpServers: { [NAME]: { command: 'npx', args: ['-y', 'mcp-remote', url] } } }),
    withKey: json({
      mcpServers: {
        [NAME]: {
          command: 'npx',
          args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
          env: { AUTHORIZATION: 'Bearer <api_key>' },
        },
      },
    }),
  },
]

/** @param url URL of the endpoint */
export const clientBlocks = (url: string): Block[] =>
  clientsOf(url).flatMap(({ name, where, signIn, withKey }) => [
    heading(name),
    where,
    ...(signIn ? [signIn] : []),
    ...(withKey ? ['With a key:', withKey] : []),
  ])
