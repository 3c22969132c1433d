/** What a human sees when the daemon is up: where it is, and what to try next. */
import type { Config } from '../config/schema.js'
import { mayRelayOut } from '../config/derived.js'

/** Where a running daemon listens. */
export interface Listening {
  /** `host:port` each. */
  http: string
  admin: string
  smtp: string[]
}

export function banner(config: Config, listening: Listening): string {
  const outside = mayRelayOut(config) ? 'goes out' : 'stays here (relay.outbound)'
  return `
  Restante is running.

    API and MCP   http://${listening.http}   (/v1, /mcp)
    SMTP          ${listening.smtp.join(', ')}   for ${config.domains.names.map((name) => `@${name}`).join(', ')}
    Admin         ${listening.admin}
    Data          ${config.server.data_dir}
    Mail for others ${outside}

  Try next, in another terminal:

    curl http://${listening.http}/v1/claim/challenge
    bin/restante claim list
    npm run demo

  Ctrl-C stops it.
`
}
