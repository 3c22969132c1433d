/**
 * Questions of SMTP sessions to the process that has the store: may this client connect, is there such a mailbox, take this message. Questions and
 * answers are plain data, so that sessions can run in processes of their own (mx/fronts/).
 */
import type { AuthenticationResults } from '../../authentication/types.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { SpamLines } from '../../guard/verdict/spam.js'
import type { Clock } from '../../lib/clock.js'
import type { Maybe } from '../../lib/maybe.js'
import type { Returned, Returns } from '../../mailbox/delivery/bounce-intake.js'
import type { Deliveries } from '../../mailbox/delivery/deliver.js'
import type { FollowUps } from '../../mailbox/delivery/follow-up.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import type { Disk } from '../../observe/disk.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { Receipt, Receipts } from '../../receipts/types.js'
import type { DmarcResults } from '../../reporting/sent/dmarc-counts.js'
import type { ScanVerdict } from '../../scan/types.js'
import type { SharedCounts } from '../../store/nodes/shared-counts.js'
import type { Refusal, Reply } from '../../smtp/replies.js'
import type { Answer, Door } from '../../smtp/server/door.js'
import type { ClientIdentity } from '../client.js'
import type { SpamScore } from '../judging/judge.js'
import type { Examined } from '../judging/types.js'
import type { MxLimits } from '../limits/limits.js'
import type { ClientRates } from './client-limits.js'
import type { Policy } from './decide.js'
import type { DsnRequest, NoticeOutcome, NoticeQueue } from './dsn.js'
import type { Greylist } from './greylist.js'

/** Connections are named by the id of their session. */
export interface Intake extends Door {
  mail(connection: string): Answer<Refusal | undefined>
  recipient(connection: string, question: RecipientQuestion): Answer<RecipientAnswer>
  /** Takes an examined message, or refuses it, within its time. Its receipt is written. @param inUse gets the work that reads `raw`, if it outlasts the answer */
  message(message: ExaminedMessage, inUse: (work: Promise<unknown>) => void): Promise<Outcome>
  /** The receipt of an attempt without a message. */
  receipt(receipt: Receipt): void
}

export interface RecipientQuestion {
  clientAddress: string
  address: string
  /** Reverse-path, '' for the null sender. */
  from: string
  /** Declared size of the message, at least 1. */
  bytes: number
  /** Recipients accepted before in this transaction. */
  before: 'none' | 'mailboxes' | 'return path'
  /** The blocklist that refuses the client, if any. */
  listedBy?: string | undefined
}

export type RecipientAnswer =
  | { kind: 'refused'; refusal: Reply }
  | { kind: 'mailbox'; id: string; address: string }
  | { kind: 'return path'; returned: Returned }

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
  openIds: string[]
  /** Set for mail to a return path; `mailboxIds` then has its mailbox. */
  returned?: Returned | undefined
  /** REQUIRETLS (RFC 8689): it came over TLS, and is delivered here only. */
  requireTls: boolean
  dsn: DsnRequest
}

/** The steps of an attempt, before its outcome. */
export interface Attempt extends Pick<Receipt, 'client' | 'helo' | 'protocol' | 'tls' | 'from' | 'recipients'> {
  startedAt: number
  leftOut: number
}

/** A message with all that its bytes, its client and DNS say about it. */
export interface ExaminedMessage {
  connection: string
  envelope: Envelope
  examined: Examined
  raw: Buffer
  /** For its receipt. */
  attempt: Attempt | undefined
  /** Time until the client has to get a reply. */
  leftMs: number
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
  /** A report was recorded with its message. */
  report?: 'recorded' | undefined
}

export interface StoredAs {
  mailboxId: string
  messageId: string
}

export interface Names {
  hostname: string
  /** For mail to `<postmaster>` without a domain (RFC 5321 §4.5.1). */
  primaryDomain: string
  /** @param domain lower-case ASCII */
  isLocalDomain: (domain: string) => boolean
  /** Reads what `isLocalDomain` needs to know of a domain that is not one of the server's. Without it, that is always known. */
  look?: ((domain: string) => Maybe<unknown>) | undefined
}

export interface Delivering {
  /** Without `admission`, mailboxes have no lists; without `parentOf`, what is quoted is always new. */
  mailboxes: { directory: Omit<Directory, 'resolve'>; delivery: Pick<Deliveries, 'deliver'> } & {
    delivery: Partial<Pick<Deliveries, 'admission' | 'parentOf'>>
  }
  /** Takes reports about mail sent from here. Without it they are ordinary mail. */
  returns?: Pick<Returns, 'hasForm' | 'find' | 'take' | 'isAskedFor' | 'takeComplaint'> | undefined
  /** Reads reports on our domains, and forwards operator mail. */
  followUps?: FollowUps | undefined
  /** Sends delivery notices (RFC 3461). Without it DSN is not offered. */
  notices?: NoticeQueue | undefined
}

export interface Records {
  receipts?: Pick<Receipts, 'add' | 'addWithin'> | undefined
  dmarcResults?: DmarcResults | undefined
}

export interface IntakeDeps {
  names: Names
  /** Concurrent connections. */
  limits: Pick<MxLimits, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxConnectionsPerNetwork'>
  /** Rates of clients; without them only concurrent connections are limited. */
  rates?: ClientRates | undefined
  /** Without it, rates are of this process. */
  shared?: SharedCounts | undefined
  greylist?: Greylist | undefined
  disk?: Pick<Disk, 'isLow' | 'isReadable'> | undefined
  policy: Policy
  spamLines: SpamLines
  /** Judges messages again whose parent is found. */
  spamScore?: SpamScore | undefined
  scannerEnabled: () => boolean
  delivering: Delivering
  records: Records
  clock: Clock
  log: Log
  metrics?: Pick<Metrics, 'gauge'> | undefined
}
