/** Types of a message's examination. */
import type { Verification } from '../../authentication/types.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { ParsedMessage } from '../../mime/types.js'
import type { Filter, FilterOpinion, Scanner, ScanVerdict } from '../../scan/types.js'
import type { ClientIdentity } from '../client.js'
import type { Judge } from './judge.js'

export interface Judging {
  judge: Judge
  scanner: Scanner
  filter?: Filter | undefined
  /** Collects garbage where messages are judged, if that is another thread: until then it holds the memory that they were in. */
  collect?: (() => void) | undefined
}

/** A message and where it came from. */
export interface Examinee {
  raw: Buffer
  /** Receipt id. */
  id: string
  clientAddress: string
  client: ClientIdentity
  helo: string
  /** Reverse-path, '' for the null sender. */
  from: string
  recipients: string[]
}

/** Results from its bytes, its client and DNS; the same for all recipients. */
export interface Examined {
  parsed: ParsedMessage
  verification: Verification
  /** As if no mailbox had the message that it quotes. */
  spam: SpamOpinion
  /** It is milder if a mailbox has it. */
  dependsOnParent?: boolean | undefined
  /** Index words, one a line. */
  words: string | undefined
  scan: ScanVerdict
  /** Opinion of the external filter. */
  rating: FilterOpinion | undefined
}
