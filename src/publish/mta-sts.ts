/** Our own MTA-STS policy (RFC 8461 §3.2): the hosts that take our mail, and the requirement of TLS with a valid certificate. */
import { createHash } from 'node:crypto'
import { offersStartTls } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { DAY, SECOND } from '../lib/clock.js'

export interface PublishedPolicy {
  mode: 'none' | 'testing' | 'enforce'
  /** Patterns of the hosts that take mail. */
  mx: string[]
  /** The policy file as served. */
  text: string
  /** Id in the TXT record: changes with the policy. */
  id: string
}

export const POLICY_PATH = '/.well-known/mta-sts.txt'
/** RFC 8461 §3.1: up to 32 letters and digits. */
const ID_LENGTH = 20

/**
 * The policy by the settings; undefined if there is none. Without a certificate TLS is not offered, and a policy would keep senders from delivering.
 */
export function publishedPolicy(config: Pick<Config, 'smtp' | 'tls' | 'domains'>): PublishedPolicy | undefined {
  const { smtp, domains } = config
  if (smtp.mta_sts === 'off') return undefined
  if (smtp.mta_sts !== 'none' && !offersStartTls(config)) return undefined
  const mx = [domains.hostname]
  const lines = [
    'version: STSv1',
    `mode: ${smtp.mta_sts}`,
    // RFC 8461 §8.3: a policy being withdrawn names no hosts.
    ...(smtp.mta_sts === 'none' ? [] : mx.map((host) => `mx: ${host}`)),
    `max_age: ${(smtp.mta_sts_max_age_days * DAY) / SECOND}`,
  ]
  const text = lines.map((line) => `${line}\r\n`).join('')
  return { mode: smtp.mta_sts, mx, text, id: createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH) }
}
