/** The host that a request is for: the Host field without its port, in lower case; '' when there is none. */
import type { HttpRequest } from './message.js'

export function hostOf({ headers }: Pick<HttpRequest, 'headers'>): string {
  return (headers['host'] ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
