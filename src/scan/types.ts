/** Looking for malware in a whole message. */

export type ScanVerdict =
  | { virus: 'clean' }
  | { virus: 'infected'; signature: string }
  /** No explicit answer: the scanner is off, unreachable, too slow, or answered something else. */
  | { virus: 'unscanned'; reason: string }

export interface Scanner {
  readonly enabled: boolean
  /** Never throws; only an explicit clean answer is `clean`. */
  scan(raw: Buffer): Promise<ScanVerdict>
}
