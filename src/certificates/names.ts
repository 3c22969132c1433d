/** Which names are to have a certificate from an authority: by the settings, less those for which the operator has one. */
import { webOrigins } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import type { HeldCertificate } from './types.js'

/** In the order in which they are asked for: mail first. None while no authority is set. */
export function namesByAcme(config: Config): string[] {
  const { tls, domains, server } = config
  if (tls.acme === '') return []
  const web = server.https.length > 0 ? webOrigins(config).keys() : []
  return [...new Set([domains.hostname, ...web, ...tls.names].map((name) => name.toLowerCase()))]
}

/**
 * Whether the operator has one for it. That of smtp.tls_cert is shown for the host's name whatever its own names are.
 *
 * @param own of the operator
 */
export function isCovered(name: string, own: readonly HeldCertificate[], hostname: string): boolean {
  return own.some(
    ({ names, source }) =>
      (source === 'smtp.tls_cert' && name === hostname.toLowerCase()) ||
      names.includes(name) ||
      names.includes(name.replace(/^[^.]+/, '*')),
  )
}
