/** Programs that a bench needs or compares with. */
import { peer } from '../../test/support/peers/peers.js'

export const SMTP_SINK = '/usr/sbin/smtp-sink'
export const POSTFIX = '/usr/sbin/postfix'
/** Starts a Postfix and gives it mail that is signed. */
export const POSTFIX_LOAD = [POSTFIX, '/usr/sbin/smtp-source', '/usr/bin/dkimsign']
export const CLAMD = '/usr/sbin/clamd'
export const RELAY_STACK = [POSTFIX, '/usr/sbin/opendkim']
export const RECEIVER_STACK = [...RELAY_STACK, '/usr/bin/policyd-spf', '/usr/sbin/opendmarc']

/**
 * @returns those that are not installed
 * @throws Error when there are any and `REQUIRE_PEERS=1`
 */
export function missingPrograms(paths: readonly string[]): string[] {
  return paths.filter((path) => peer('a program of this bench', path).skip !== false)
}
