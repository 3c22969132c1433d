/** The text a human sees when the daemon is up: addresses and next steps. */
import { mayRelayOut } from '../../../config/derived.js'
import type { Config } from '../../../config/schema.js'

/** @param settings options for other commands, as typed @param httpDriver HTTP server in use */
export function banner(config: Config, settings: string, httpDriver: string): string {
  const { server, smtp, domains } = config
  return `
  Restante is running.

    API and MCP   http://${server.http} (/v1, /mcp), served by ${httpDriver}
    SMTP          ${smtp.listen.join(', ')} for ${domains.names.map((name) => `@${name}`).join(', ')}
    Admin         ${server.admin}
    Data          ${server.data_dir}
    Mail out      ${mayRelayOut(config) ? 'on' : 'off: mail to other servers bounces (relay.outbound)'}

  Try next, in another terminal:

    curl http://${server.http}/v1/claim/challenge
    bin/restante claim list${settings === '' ? '' : ` ${settings}`}
    npm run demo

  Ctrl-C stops it.
`
}
