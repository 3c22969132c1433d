/** Interfaces of external programs that read whole messages: malware scanners, and spam filters. */

export type ScanVerdict =
  | { virus: 'clean' }
  | { virus: 'infected'; signature: string }
  /** No explicit reply: the scanner is off, unreachable, too slow, or replied with something else. */
  | { virus: 'unscanned'; reason: string }

export interface Scanner {
  readonly enabled: boolean
  /** Never throws; only an explicit clean reply is `clean`. */
  scan(raw: Buffer): Promise<ScanVerdict>
}

export interface FilterSubject {
  /** As received, without our trace fields. */
  raw: Buffer
  /** Id of the receipt. */
  id: string
  clientAddress: string
  /** Name of the client's address, when it is known. */
  clientName: string | null
  helo: string
  /** Reverse-path, '' for the null sender. */
  from: string
  recipients: string[]
  /** The authenticated sender; missing for incoming mail. */
  user?: string | undefined
}

/** Another filter's opinion. Its thresholds, set by its operator, give its score its meaning. */
export interface FilterOpinion {
  verdict: 'ham' | 'spam' | 'reject'
  score: number
  /** The symbols that added to the score, strongest first. */
  reasons: { code: string; score: number; detail: string }[]
}

export interface Filter {
  /** Never throws; undefined without a response. */
  rate(subject: FilterSubject): Promise<FilterOpinion | undefined>
}
