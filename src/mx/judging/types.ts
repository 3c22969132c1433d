/** A message on its way in: what its envelope says, who judges it, where it may go, and what became of it. */
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
  /** Of the receipt; the sender sees it in the reply, the recipient in the Received field. */
  id: string
  clientAddress: string
  /** What DNS tells of the client. */
  client: ClientIdentity
  helo: string
  protocol: string
  cipher: { name: string; version: string } | undefined
  /** Reverse-path without angle brackets, '' for the null sender. */
  from: string
  /** Addresses as the client gave them. */
  recipients: string[]
  /** The mailboxes these addresses deliver to, each once. */
  mailboxIds: string[]
  /** Those among them that are written to as postmaster or abuse, who take mail from everybody. */
  openIds: ReadonlySet<string>
  /** What was sent to a return path of ours; then `mailboxIds` has the mailbox that it belongs to. */
  returned?: Returned | undefined
  /** The sender asked that it travels under TLS alone (RFC 8689); it came so, and is delivered here and nowhere else. */
  requireTls: boolean
  dsn: DsnRequest
}

export interface Names {
  hostname: string
  /** Where mail to `<postmaster>` without a domain goes (RFC 5321 §4.5.1). */
  primaryDomain: string
  /** Asked with a domain in lower-case ASCII. */
  isLocalDomain: (domain: string) => boolean
}

/** What gives verdicts on a message, and what becomes of them. */
export interface Judging {
  judge: Judge
  scanner: Scanner
  /** Another opinion for the spam score. */
  filter?: Filter | undefined
  spamLines: SpamLines
  policy: Policy
}

/** Where messages go. */
export interface Delivering {
  /** Without `admission` mailboxes have no lists. */
  mailboxes: { directory: Directory; delivery: Pick<Deliveries, 'deliver'> } & {
    delivery: Partial<Pick<Deliveries, 'admission'>>
  }
  /** Takes reports about what was sent from here. Without it they are mail. */
  returns?: Pick<Returns, 'hasForm' | 'find' | 'take' | 'takeComplaint'> | undefined
  /** Reports on our domains, which are read; and mail for the operator, which is passed on. */
  followUps?: FollowUps | undefined
  /** Notices of delivery for senders who ask for them (RFC 3461). Without it none are promised. */
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

/** What is told of a message beside the reply: verdicts for the log, without content. */
export interface Outcome {
  reply: Reply
  auth?: AuthenticationResults
  scan?: ScanVerdict
  spam?: SpamOpinion
  labels?: string[]
  /** What became of the sender's wish to be told of the delivery. */
  notice?: NoticeOutcome
  /** What it became, in each mailbox that got it this time. */
  stored?: StoredAs[]
  /** For the reports that the author's domain asks for. */
  evidence?: DmarcEvidence | undefined
  /** What it reported was written down with the message it is about. */
  report?: 'recorded' | undefined
  /** Its receipt was written with it. */
  hasReceipt?: boolean
  /** A fault of ours behind the reply. */
  error?: unknown
}

export interface StoredAs {
  mailboxId: string
  messageId: string
}

export interface Progress {
  /** Asked before anything is stored: true when the client was told already to come again. */
  isAbandoned: () => boolean
  /** The message's memory is read until this has ended. */
  isRead: (work: Promise<unknown>) => void
  /** Writes the receipt in the transaction that stores the message, when one mailbox gets it. */
  writeReceipt?: ((tx: Transaction, outcome: Outcome) => void) | undefined
}
