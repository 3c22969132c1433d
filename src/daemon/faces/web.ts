/** HTTPS by the daemon itself, and the redirects of plain HTTP. */
import type { Certificates, HttpChallenges } from '../../certificates/types.js'
import { webOrigins } from '../../config/derived.js'
import type { Config } from '../../config/schema.js'
import type { ServingOptions } from '../../http/server/serving.js'
import { createRedirect } from '../../http/routing/redirect.js'
import { listen } from '../../http/server/server.js'
import type { HttpsOptions } from '../../http/server/https.js'
import type { Driver } from '../../http/listener/types.js'
import { SECOND } from '../../lib/clock.js'
import { requireHostPort } from '../../lib/host-port.js'
import type { Stops } from '../layers/stops.js'

/** Undefined if a proxy serves HTTPS, or nothing does. */
export function tlsOf({ server }: Config, certificates: Certificates): HttpsOptions | undefined {
  if (server.https.length === 0) return undefined
  return { addresses: server.https.map(requireHostPort), certificates, host: new URL(server.base_url).hostname }
}

/** Requests there have no body. */
const MAX_HELD_BODY_BYTES = 64 * 1024

/** @throws Error when one of the addresses can't be listened on */
export async function startRedirects(
  config: Config,
  deps: { driver: Driver; challenges: HttpChallenges; warn: (message: string) => void } & Pick<
    ServingOptions,
    'onError'
  >,
  { active }: Stops,
): Promise<void> {
  const handler = createRedirect({ origins: webOrigins(config), challenges: deps.challenges })
  for (const address of config.server.redirect) {
    const { driver, onError, warn } = deps
    const listener = await listen({
      ...requireHostPort(address),
      driver,
      handler,
      maxHeldBodyBytes: MAX_HELD_BODY_BYTES,
      onError,
      warn,
    })
    active.push(() => listener.close(config.server.shutdown_seconds * SECOND))
  }
}
