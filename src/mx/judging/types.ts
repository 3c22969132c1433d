/** Types of a message on its way in: envelope, judging parts, destinations, outcome. */
import type { AuthenticationResults, DmarcEvidence } from '../../authentication/types.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { SpamLines } from '../../guard/verdict/spam.js'
import type { Clock } from '../../lib/clock.js'
import type { Returned, Returns } from '../../mailbox/delivery/bounce-intake.js'
import type { FollowUps } from '../../mailbox/delivery/follow-up.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import type { Deliveries } from '../../mailbox/delivery/deliver.js'
import type { Filter, Scanner, ScanVerdict } from '../../scan/types.js'
import type { Reply } from '../../smtp/replies.js'
import type { Transaction } from '../../store/types.js'
import type { ClientIdentity } from '../client.js'
import type { Retries } from '../limits/retries.js'
import type { Policy } from './decide.js'
import type { DsnRequest, NoticeOutcome, NoticeQueue } from './dsn.js'
import type { Judge } from './judge.js'

export interface Envelope {
  /** Receipt id, shown to the sender in the reply and to the recipient in the Received field. */
  id: string
  clientAddress: string
  client: ClientIdentity
  helo: string
  protocol: string
  cipher: { name: string; version: string } | undefined
  /** Reverse-path without angle brackets, '' for the null sender. */
  from: string
  recipients: string[]
  /** Distinct mailboxes of the recipients. */
  mailboxIds: string[]
  /** Mailboxes addressed as postmaster or abuse, which accept mail from everybody. */
  openIds: ReadonlySet<string>
  /** Set for mail to a return path; `mailboxIds` then has its mailbox. */
  returned?: Returned | undefined
  /** REQUIRETLS (RFC 8689): it came over TLS, and is delivered here only. */
  requireTls: boolean
  dsn: DsnRequest
}

export interface Names {
  hostname: string
  /** For mail to `<postmaster>` without a domain (RFC 5321 §4.5.1). */
  primaryDomain: string
  /** @param domain lower-case ASCII */
  isLocalDomain: (domain: string) => boolean
}

export interface Judging {
  judge: Judge
  scanner: Scanner
  filter?: Filter | undefined
  spamLines: SpamLines
  policy: Policy
}

export interface Delivering {
  /** Without `admission`, mailboxes have no lists. */
  mailboxes: { directory: Directory; delivery: Pick<Deliveries, 'deliver'> } & {
    delivery: Partial<Pick<Deliveries, 'admission'>>
  }
  /** Takes reports about mail sent from here. Without it they are ordinary mail. */
  returns?: Pick<Returns, 'hasForm' | 'find' | 'take' | 'takeComplaint'> | undefined
  /** Reads reports on our domains, and forwards operator mail. */
  followUps?: FollowUps | undefined
  /** Sends delivery notices (RFC 3461). Without it DSN is not offered. */
  notices?: NoticeQueue | undefined
}

export interface IncomingDeps {
  names: Names
  judging: Judging
  delivering: Delivering
  maxReceived: number
  retries: Retries
  clock: Clock
}

/** Result of a message beside the reply: verdicts for the log, without content. */
export interface Outcome {
  reply: Reply
  auth?: AuthenticationResults
  scan?: ScanVerdict
  spam?: SpamOpinion
  labels?: string[]
  notice?: NoticeOutcome
  stored?: StoredAs[]
  /** For DMARC reports to the author's domain. */
  evidence?: DmarcEvidence | undefined
  /** A report was recorded with its message. */
  report?: 'recorded' | undefined
  hasReceipt?: boolean
  /** Internal fault behind the reply. */
  error?: unknown
}

export interface StoredAs {
  mailboxId: string
  messageId: string
}

export interface Progress {
  /** Checked before storing: true if the client was already told to come again. */
  isAbandoned: () => boolean
  /** The message's memory is in use until this promise settles. */
  isRead: (work: Promise<unknown>) => void
  /** Writes the receipt in the transaction that stores the message, if there is one mailbox. */
  writeReceipt?: ((tx: Transaction, outcome: Outcome) => void) | undefined
}
