/** Names that need a certificate from an authority: those of the settings without one of the operator. */
import { webOrigins } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import type { HeldCertificate } from './types.js'

/** In the order of requests: mail first. None without an authority. */
export function namesByAcme(config: Config): string[] {
  const { tls, domains, server } = config
  if (tls.acme === '') return []
  const web = server.https.length > 0 ? webOrigins(config).keys() : []
  return [...new Set([domains.hostname, ...web, ...tls.names].map((name) => name.toLowerCase()))]
}

/** True if the operator has one for it. That of smtp.tls_cert is used for the host name, whatever names it has. @param own of the operator */
export function isCovered(name: string, own: readonly HeldCertificate[], hostname: string): boolean {
  return own.some(
    ({ names, source }) =>
      (source === 'smtp.tls_cert' && name === hostname.toLowerCase()) ||
      names.includes(name) ||
      names.includes(name.replace(/^[^.]+/, '*')),
  )
}
