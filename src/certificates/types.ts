/** What others may rely on of certificates: which is shown for which name, and what proves to an authority that a name is ours. */
import type { Config } from '../config/schema.js'

/** A setting that names a pair of the operator's own: the certificate of that pair, its key stands beside it. */
export type OwnSetting = 'smtp.tls_cert' | 'server.tls_cert'

/** One key pair as PEM files: the daemon's own, in its data folder, or the operator's. */
export interface HeldCertificate {
  /** Host names that its subjectAltName lists, lower case; may begin with `*.`. None for an old one that has only a common name. */
  names: readonly string[]
  keyFile: string
  /** The leaf first, then its chain. May be the same file as `keyFile`. */
  certFile: string
  /** What the files held when they were read: both listeners show the same, whatever happens to the files meanwhile. */
  key: string
  cert: string
  /** Milliseconds since 1970. */
  notBefore: number
  notAfter: number
  /** Who made it out, for people. */
  issuer: string
  /** Whose it is: of the setting that names it, or had from an authority and renewed by the daemon. */
  source: OwnSetting | 'acme'
}

export interface Certificates {
  /** The one to show for a host name: an exact name before a wildcard, the one that lasts longest among equals; undefined when there is none. */
  of(name: string): HeldCertificate | undefined
  /** What a listener shows to who names no host: the pair of its own setting, whatever its names, else the one for the listener's name. */
  shownBy(setting: OwnSetting, name: string): HeldCertificate | undefined
  all(): readonly HeldCertificate[]
  /** Called after every change, when what is new is in place. @returns how to stop being called */
  onChange(listener: () => void): () => void
  /**
   * Reads the files again, by these settings.
   *
   * @returns takes over what was read, and tells the listeners
   * @throws Error that says which file is unusable and why; then everything stays as it was
   */
  read(config: Config): Promise<() => void>
}

/** Answers to an authority that asks over HTTP (RFC 8555 §8.3). */
export interface HttpChallenges {
  /** What `/.well-known/acme-challenge/TOKEN` answers, as text; undefined for an unknown token. */
  answerOf(token: string): string | undefined
}
