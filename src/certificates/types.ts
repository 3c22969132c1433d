/** Certificates for listeners by name, and responses to HTTP challenges. */
import type { Config } from '../config/schema.js'

/** Setting of the certificate of a pair provided by the operator. */
export type OwnSetting = 'smtp.tls_cert' | 'server.tls_cert'

/** One key pair in PEM: the daemon's own, or the operator's, which is in files. */
export interface HeldCertificate {
  /** Host names that its subjectAltName lists, lower case; may begin with `*.`. None for an old one that has only a common name. */
  names: readonly string[]
  /** Path of the file, or name of the row, shown to the operator. */
  keyFile: string
  /** The leaf first, then its chain. May be the same as `keyFile`. */
  certFile: string
  /** Contents when read, so that both listeners use the same, whatever happens to the files. */
  key: string
  cert: string
  /** Milliseconds since 1970. */
  notBefore: number
  notAfter: number
  /** Issuer, for display. */
  issuer: string
  /** Its setting, or `acme` if obtained and renewed by the daemon. */
  source: OwnSetting | 'acme'
}

export interface Certificates {
  /** The certificate for a host name: an exact name before a wildcard, then the latest expiry; undefined if there is none. */
  of(name: string): HeldCertificate | undefined
  /** Default of a listener for clients without SNI: the pair of its setting, whatever its names, else the one for the listener's name. */
  shownBy(setting: OwnSetting, name: string): HeldCertificate | undefined
  all(): readonly HeldCertificate[]
  /** Calls back after every change is in effect. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void
  /**
   * Reads the files again, by these settings.
   *
   * @returns a function that applies the result and notifies the listeners
   * @throws Error with the unusable file and the reason; then nothing changes
   */
  read(config: Config): Promise<() => void>
}

/** Responses to HTTP challenges (RFC 8555 §8.3). */
export interface HttpChallenges {
  /** Text for `/.well-known/acme-challenge/TOKEN`; undefined for an unknown token. */
  answerOf(token: string): Promise<string | undefined>
}
