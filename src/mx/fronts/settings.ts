/** The settings of a front process: what its sessions and its judging need, and nothing more. */
import type { ParseLimits } from '../../mime/types.js'
import type { SpamLines } from '../../guard/verdict/spam.js'
import type { ListenAddress } from '../../smtp/listener.js'
import type { MxLimits } from '../limits/limits.js'
import type { SessionLimits } from '../../smtp/server/session-limits.js'
import type { KeyPair } from '../../smtp/tls.js'

export interface FrontSettings {
  listen: ListenAddress[]
  hostname: string
  limits: MxLimits
  sessionLimits: SessionLimits
  dns: { servers: string[]; validates: 'auto' | 'on' | 'off' }
  dnsbl: { zones: string[]; action: 'reject' | 'score' }
  parseLimits: ParseLimits
  spamLines: SpamLines
  scan: ScanSettings
  /** True if messages of a client are limited. */
  limitsMail: boolean
  dsn: boolean
  certificate: SentCertificate | undefined
  logLevel: string
}

export interface ScanSettings {
  /** '' is off. */
  clamav: string
  timeoutMs: number
  maxBytes: number
  concurrency: number
  maxWaiting: number
  /** '' is off. */
  rspamd: string
  rspamdTimeoutMs: number
}

export interface SentCertificate extends KeyPair {
  byName: [name: string, pair: KeyPair][]
}
