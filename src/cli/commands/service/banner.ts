/** What a human sees when the daemon is up: where it is, and what to try next. */
import { mayRelayOut } from '../../../config/derived.js'
import type { Config } from '../../../config/schema.js'

/** @param settings the options that lead another command to this daemon, as they are typed @param httpDriver what serves HTTP */
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
