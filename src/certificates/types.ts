/** What others may rely on of certificates: which is shown for which name, and what proves to an authority that a name is ours. */

/** One key pair as PEM files: the daemon's own, in its data folder, or the operator's. */
export interface HeldCertificate {
  /** Host names that its subjectAltName lists, lower case; may begin with `*.`. */
  names: readonly string[]
  keyFile: string
  /** The leaf first, then its chain. */
  certFile: string
  /** What the files held when they were read: both listeners show the same, whatever happens to the files meanwhile. */
  key: string
  cert: string
  /** Milliseconds since 1970. */
  notAfter: number
  /** `own`: named by the settings; `acme`: had from an authority and renewed by the daemon. */
  source: 'own' | 'acme'
}

export interface Certificates {
  /** The one to show for a host name: an exact name before a wildcard, the one that lasts longest among equals; undefined when there is none. */
  of(name: string): HeldCertificate | undefined
  all(): readonly HeldCertificate[]
  /** Called after every change, when what is new is in place. @returns how to stop being called */
  onChange(listener: () => void): () => void
  /** Reads the files again (SIGHUP). @throws Error that says which file is unusable and why; then everything stays as it was */
  reload(): Promise<void>
}

/** Answers to an authority that asks over HTTP (RFC 8555 §8.3). */
export interface HttpChallenges {
  /** What `/.well-known/acme-challenge/TOKEN` answers, as text; undefined for an unknown token. */
  answerOf(token: string): string | undefined
}
