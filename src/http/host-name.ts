/** The requested host: Host without port, lower-case; '' if missing. */
import type { HttpRequest } from './message.js'

export function hostOf({ headers }: Pick<HttpRequest, 'headers'>): string {
  return (headers['host'] ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
