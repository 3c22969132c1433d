/**
 * How each common client is told of the endpoint: the one source of the guide's page and of docs/mcp.md. The forms are those of the clients' own
 * documentation in November 2026; clients change theirs, and this file is where ours are changed.
 */
import { code, heading, json, paragraph, type Block, type Text } from './blocks.js'

/** What the snippets call the server, and the variable that they take the key from. */
const NAME = 'mailbox'
const KEY = 'RESTANTE_KEY'

interface Client {
  name: string
  /** Where the snippets belong, and what a human does after. */
  where: Text
  /** For a human who signs in with a browser. */
  signIn?: Block
  /** For an agent that holds a key. */
  withKey?: Block
}

const clientsOf = (url: string): Client[] => [
  {
    name: 'Claude Code',
    where: `Run the command, then \`/mcp\` in a session: choose \`${NAME}\` and sign in. With \`--scope user\` it is there in every project.`,
    signIn: code('text', `claude mcp add --transport http ${NAME} ${url}`),
    withKey: code('text', `claude mcp add --transport http ${NAME} ${url} --header "Authorization: Bearer $${KEY}"`),
  },
  {
    name: 'Claude on the web, the desktop and the phone',
    where: `Settings, Connectors, “Add custom connector”: a name, and this URL. It asks you to sign in. The calls come from the servers of its vendor: yours has to be reachable from the Internet by HTTPS. \`claude_desktop_config.json\` takes no remote servers.`,
    signIn: code('text', url),
  },
  {
    name: 'Cursor',
    where:
      '`~/.cursor/mcp.json`, or `.cursor/mcp.json` in a project. Cursor offers the sign-in beside the server in its settings.',
    signIn: json({ mcpServers: { [NAME]: { url } } }),
    withKey: json({ mcpServers: { [NAME]: { url, headers: { Authorization: `Bearer \${env:${KEY}}` } } } }),
  },
  {
    name: 'VS Code',
    where:
      '`.vscode/mcp.json`, or “MCP: Open User Configuration”. VS Code opens the sign-in when it starts the server; a key it asks for once, and keeps.',
    signIn: json({ servers: { [NAME]: { type: 'http', url } } }),
    withKey: json({
      inputs: [{ type: 'promptString', id: 'restante_key', description: 'API key of the mailbox', password: true }],
      servers: { [NAME]: { type: 'http', url, headers: { Authorization: 'Bearer ${input:restante_key}' } } },
    }),
  },
  {
    name: 'Codex CLI',
    where: `\`~/.codex/config.toml\`, then \`codex mcp login ${NAME}\` to sign in; with a key there is nothing to sign in to.`,
    signIn: code('toml', `[mcp_servers.${NAME}]\nurl = "${url}"\ntool_timeout_sec = 90`),
    withKey: code(
      'toml',
      `[mcp_servers.${NAME}]\nurl = "${url}"\nbearer_token_env_var = "${KEY}"\ntool_timeout_sec = 90`,
    ),
  },
  {
    name: 'Gemini CLI',
    where: `\`~/.gemini/settings.json\`, or \`.gemini/settings.json\` in a project; then \`/mcp auth ${NAME}\` to sign in. It is \`httpUrl\`: \`url\` means an older transport.`,
    signIn: json({ mcpServers: { [NAME]: { httpUrl: url } } }),
    withKey: json({ mcpServers: { [NAME]: { httpUrl: url, headers: { Authorization: `Bearer $${KEY}` } } } }),
  },
  {
    name: 'Windsurf',
    where: '`~/.codeium/windsurf/mcp_config.json`, then refresh its list of servers. It is `serverUrl` there.',
    signIn: json({ mcpServers: { [NAME]: { serverUrl: url } } }),
    withKey: json({
      mcpServers: { [NAME]: { serverUrl: url, headers: { Authorization: `Bearer \${env:${KEY}}` } } },
    }),
  },
  {
    name: 'Zed',
    where: 'The settings file (`zed: open settings file`). Without a header Zed asks you to sign in.',
    signIn: json({ context_servers: { [NAME]: { url } } }),
    withKey: json({ context_servers: { [NAME]: { url, headers: { Authorization: 'Bearer <api_key>' } } } }),
  },
  {
    name: 'A client that only starts programs',
    where:
      'mcp-remote stands between: a program that such a client starts, and that speaks to the server. It opens the sign-in in a browser.',
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

/** @param url of the endpoint */
export const clientBlocks = (url: string): Block[] =>
  clientsOf(url).flatMap(({ name, where, signIn, withKey }) => [
    heading(name),
    paragraph(where),
    ...(signIn ? [signIn] : []),
    ...(withKey ? [paragraph('With a key:'), withKey] : []),
  ])
