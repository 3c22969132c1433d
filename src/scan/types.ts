/** What other programs are asked about a whole message: looking for malware, and another opinion on spam. */

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

export interface FilterSubject {
  /** As it came, without our trace. */
  raw: Buffer
  /** Of the receipt. */
  id: string
  clientAddress: string
  /** Name of the client's address, when it is known. */
  clientName: string | null
  helo: string
  /** Reverse-path, '' for the null sender. */
  from: string
  recipients: string[]
  /** Who sends it by leave of this server; missing of mail from outside. */
  user?: string | undefined
}

/** What another filter says. Its own lines, which its operator has set, tell what its score means. */
export interface FilterOpinion {
  verdict: 'ham' | 'spam' | 'reject'
  score: number
  /** What added to the score, strongest first. */
  reasons: { code: string; score: number; detail: string }[]
}

export interface Filter {
  /** Never throws; undefined when there is no answer. */
  rate(subject: FilterSubject): Promise<FilterOpinion | undefined>
}
