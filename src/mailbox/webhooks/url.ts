/** Allowed URLs of webhooks. Checked when set and before each attempt, since settings change. */
import { isIP } from 'node:net'
import { isPublicName } from '../../dns/public-address.js'
import { isHostName } from '../../lib/host-port.js'
import { isPublicAddress } from '../../lib/ip.js'
import { parseUrl, portOf } from '../../lib/url.js'

export interface UrlRules {
  ports: readonly number[]
  /** Allows `http://`, where anybody in between can read and change events. */
  allowHttp: boolean
  /** Allows names and addresses of private networks. */
  allowPrivateAddresses: boolean
  /** Host and port of this server, as clients reach it. */
  own: string
}

export const MAX_URL_CHARS = 2000

/** @returns the URL, or the problem in words that complete "It …" */
export function checkWebhookUrl(text: string, rules: UrlRules): URL | string {
  if (text.length > MAX_URL_CHARS) return `must have at most ${MAX_URL_CHARS} characters.`
  const url = /[\p{Cc}\s]/u.test(text) ? undefined : parseUrl(text)
  if (!url) return 'must be a URL such as https://example.com/hooks.'
  if (url.protocol !== 'https:' && !(rules.allowHttp && url.protocol === 'http:')) return 'must begin with https://.'
  if (url.username !== '' || url.password !== '')
    return 'may not hold a user name or password; check the signature of a request instead.'
  if (url.hash !== '') return 'may not end in a #fragment: it is never sent.'
  const port = portOf(url)
  if (!rules.ports.includes(port)) return `may only lead to port ${rules.ports.join(' or ')} here, not to ${port}.`
  if (`${url.hostname}:${port}` === rules.own) return 'may not lead back to this server.'
  return hostProblem(url.hostname.replace(/^\[(.*)\]$/, '$1'), rules) ?? url
}

function hostProblem(host: string, { allowPrivateAddresses }: UrlRules): string | undefined {
  if (isIP(host) !== 0)
    return allowPrivateAddresses || isPublicAddress(host)
      ? undefined
      : 'must lead to an address of the public Internet.'
  if (!isHostName(host.replace(/\.$/, ''))) return 'must name a host.'
  return allowPrivateAddresses || isPublicName(host) ? undefined : 'must name a host of the public Internet.'
}
