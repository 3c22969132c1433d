/** One message, from the last byte of its data to the reply: judged, traced, and stored for every recipient before it is accepted. */
import type { AuthenticationResults, DmarcEvidence, Verification } from '../../authentication/types.js'
import { addResult } from '../../authentication/results-field.js'
import { withFilter } from '../../guard/verdict/spam.js'
import type { SpamLines } from '../../guard/verdict/spam.js'
import type { SpamOpinion } from '../../guard/types.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { senderOf } from '../../mailbox/delivery/admission.js'
import type { ReportSource } from '../../mailbox/delivery/bounce-proof.js'
import type { Sender } from '../../mailbox/objects/set-types.js'
import type { Returned, Returns } from '../../mailbox/delivery/bounce-intake.js'
import type { Delivery, Mailboxes } from '../../mailbox/types.js'
import { isReportAddress, reportParts } from '../../reporting/received/recognise.js'
import type { Filter, Scanner, ScanVerdict } from '../../scan/types.js'
import type { ClientIdentity } from '../client.js'
import { decide } from './decide.js'
import { unprovenOwnDomain } from './own-domain.js'
import type { OwnDomainClaim } from './own-domain.js'
import { tellOfDelivery } from './dsn.js'
import type { DsnRequest, NoticeOutcome, NoticeQueue } from './dsn.js'
import type { Policy } from './decide.js'
import type { Judge } from './judge.js'
import { accepted, LOOP, MAILBOX_FULL, malformed, STORAGE_FAILED } from '../../smtp/replies.js'
import type { Reply } from '../../smtp/replies.js'
import type { Retries, TransmittedMessage } from '../limits/retries.js'
import { NOT_WANTED } from '../limits/refusals.js'
import { addTrace, isLooping } from './trace-fields.js'
import type { Transaction } from '../../store/types.js'

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
  mailboxes: Pick<Mailboxes, 'resolve' | 'get' | 'hasRoom' | 'deliver'> & Partial<Pick<Mailboxes, 'admission'>>
  /** Notices of delivery for senders who ask for them (RFC 3461). Without it none are promised. */
  notices?: NoticeQueue | undefined
  /** Takes reports about what was sent from here. Without it they are mail. */
  returns?: Pick<Returns, 'hasForm' | 'find' | 'take' | 'takeComplaint'> | undefined
}

export interface TransactionDeps {
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
  evidence?: DmarcEvidence
  /** What it reported was written down with the message it is about. */
  report?: 'recorded'
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

/**
 * Judges and stores a message. Resolves with a 250 only after every mailbox has it on disk.
 *
 * Its reply does not wait for everybody who reads the message: `progress.isRead` is told of those.
 */
export async function acceptMessage(
  deps: TransactionDeps,
  envelope: Envelope,
  raw: Buffer,
  progress: Progress,
): Promise<Outcome> {
  const { isAbandoned } = progress
  const { names, judging, delivering } = deps
  const { policy, spamLines } = judging
  if (isLooping(raw, names.hostname, deps.maxReceived)) return { reply: LOOP }

  // The scanner needs nothing of the others, and it is the slowest; it never throws.
  const scanning = judging.scanner.scan(raw)
  progress.isRead(scanning)
  const rating = judging.filter?.rate({ ...envelope, raw, clientName: envelope.client.name })
  if (rating) progress.isRead(rating)
  const verdict = judging.judge({
    raw,
    ip: envelope.clientAddress,
    helo: envelope.helo,
    mailFrom: envelope.from,
    client: envelope.client,
  })
  progress.isRead(verdict)
  const judgement = await verdict
  if (judgement.kind === 'malformed') return { reply: malformed(judgement.problem) }
  const { parsed, verification } = judgement
  const source = { envelopeFrom: envelope.from, auth: verification.results }
  const report = await takeReport(delivering, envelope, parsed, source, isAbandoned)
  // Nothing of its content is kept, so what it carries and who is said to have written it are of no matter.
  if (report && envelope.returned) return { auth: verification.results, report, reply: accepted(envelope.id) }
  const authored = { envelopeFrom: envelope.from, parsed, results: verification.results }
  const ownDomain = policy.ownDomain === 'ignore' ? undefined : unprovenOwnDomain(authored, names.isLocalDomain)
  const spam = withOwnDomain(withFilter(judgement.spam, await rating, spamLines), ownDomain, spamLines)
  const scan = await scanning

  // RFC 9990 does not say so, but two servers that report on each other's reports would do so for ever.
  const evidence = isReportToUs(envelope, parsed) ? undefined : verification.evidence
  const verdicts = { auth: verification.results, scan, spam, evidence }
  const findings = { scan, scannerEnabled: judging.scanner.enabled, verification, spam, ownDomain }
  const usual = decide(findings, policy)
  const { taking, favouring } = await whoTakes(
    delivering,
    envelope,
    senderOf(envelope.from, parsed, verification.results),
  )
  const favoured = favouring.size > 0 ? decide({ ...findings, spam: { ...spam, verdict: 'ham' } }, policy) : usual
  const decisions = new Map(taking.map((id) => [id, favouring.has(id) ? favoured : usual]))
  const targets = taking.filter((id) => decisions.get(id)?.kind === 'deliver')
  const [decision = usual] = targets.map((id) => decisions.get(id))
  if (decision.kind === 'refuse') return { reply: decision.reply, ...verdicts }
  if (targets.length === 0) return { reply: NOT_WANTED, ...verdicts }
  if (isAbandoned()) return { reply: STORAGE_FAILED, ...verdicts }

  const traced = addTrace(raw, traceOf(deps, envelope, headerWith(verification, ownDomain)))
  let hasReceipt = false
  const also = (tx: Transaction): void => {
    if (isAbandoned()) return
    const auth = verification.results
    progress.writeReceipt?.(tx, { auth, scan, spam, evidence, labels: decision.labels, reply: accepted(envelope.id) })
    hasReceipt = progress.writeReceipt !== undefined
  }
  const deliveryFor = (mailboxId: string): Delivery => {
    const own = decisions.get(mailboxId)
    return {
      mailboxId,
      raw: traced,
      // Only programs write to a return path (RFC 3834 §4).
      parsed: envelope.returned ? { ...parsed, automation: parsed.automation ?? 'auto-reply' } : parsed,
      auth: verification.results,
      labels: own?.kind === 'deliver' ? own.labels : decision.labels,
      virus: decision.virus,
      spam: { score: spam.score, verdict: spam.verdict === 'ham' ? 'ham' : 'spam', reasons: spam.reasons },
      envelopeFrom: envelope.from,
      recipients: envelope.recipients,
      requireTls: envelope.requireTls,
      also: targets.length === 1 ? also : undefined,
    }
  }
  const { stored, failure } = await storeForAll(deps, { from: envelope.from, raw }, targets, deliveryFor, isAbandoned)
  if (failure) return { ...verdicts, labels: decision.labels, stored, ...failure }
  const notice = await tellOfDelivery(
    { notices: delivering.notices, clock: deps.clock },
    envelope,
    raw,
    verification.results,
  )
  return {
    auth: verification.results,
    scan,
    spam,
    evidence,
    labels: decision.labels,
    stored,
    notice,
    report,
    hasReceipt,
    reply: accepted(envelope.id),
  }
}

/**
 * The mailboxes of a message whose own lists take it, and those among them whose allow list spares it the judgement for spam. To refuse it is
 * for all of them: there is one reply, so who does not take what others take is left out.
 */
async function whoTakes(
  { mailboxes }: Pick<Delivering, 'mailboxes'>,
  { mailboxIds, openIds, returned }: Envelope,
  sender: Sender,
): Promise<{ taking: string[]; favouring: ReadonlySet<string> }> {
  // What comes to a return path is an answer to what the mailbox sent.
  if (returned) return { taking: mailboxIds, favouring: new Set() }
  const taking: string[] = []
  const favouring = new Set<string>()
  for (const id of mailboxIds) {
    const admission = openIds.has(id) ? 'usual' : await mailboxes.admission?.(id, sender)
    if (admission !== 'refused') taking.push(id)
    if (admission === 'allowed') favouring.add(id)
  }
  return { taking, favouring }
}

/** What names a domain of ours without proof is spam; the score says so too. */
function withOwnDomain(spam: SpamOpinion, claim: OwnDomainClaim | undefined, lines: SpamLines): SpamOpinion {
  if (!claim || claim.undecided) return spam
  const { domain, field } = claim
  const detail = `${field} names ${domain}, a domain of this server, but neither SPF nor DKIM passes for it.`
  const score = Math.max(0, lines.spam - spam.score)
  return {
    score: spam.score + score,
    verdict: spam.verdict === 'ham' ? 'spam' : spam.verdict,
    reasons: [...spam.reasons, { code: 'own_domain', detail, score }],
  }
}

/** The results with ours on the claim; what we found ourselves has a name that says so (RFC 8601 §2.7.7). */
function headerWith({ header }: Verification, claim: OwnDomainClaim | undefined): string {
  if (!claim) return header
  const property = claim.field === 'From' ? 'header.from' : 'smtp.mailfrom'
  const result = claim.undecided ? 'temperror' : 'fail'
  return addResult(header, { method: 'x-own-domain', result, properties: [[property, claim.domain]] })
}

/** A report on our domains, to addresses that are there for reports. */
function isReportToUs({ recipients }: Pick<Envelope, 'recipients'>, parsed: Delivery['parsed']): boolean {
  const isForReports = recipients.every((address) => isReportAddress(address) || TAKES_COMPLAINTS.test(address))
  return isForReports && reportParts(parsed, recipients.every(isReportAddress)).length > 0
}

/** Where providers send the complaints of their users (RFC 5965, RFC 2142 §4). */
const TAKES_COMPLAINTS = /^(?:abuse|postmaster)(?:@|$)/i

async function takeReport(
  { returns }: Pick<Delivering, 'returns'>,
  { returned, recipients }: Pick<Envelope, 'returned' | 'recipients'>,
  { report }: Pick<Delivery['parsed'], 'report'>,
  source: ReportSource,
  isAbandoned: () => boolean,
): Promise<'recorded' | undefined> {
  if (!returns || !report || isAbandoned()) return undefined
  if (returned) return (await returns.take(returned, report, source)) ? 'recorded' : undefined
  if (!recipients.some((address) => TAKES_COMPLAINTS.test(address))) return undefined
  return (await returns.takeComplaint(report, source)) ? 'recorded' : undefined
}

function traceOf(
  deps: TransactionDeps,
  envelope: Envelope,
  authenticationResults: string,
): Parameters<typeof addTrace>[1] {
  return {
    envelopeFrom: envelope.from,
    helo: envelope.helo,
    clientAddress: envelope.clientAddress,
    clientName: envelope.client.confirmed ? envelope.client.name : null,
    hostname: deps.names.hostname,
    protocol: envelope.protocol,
    cipher: envelope.cipher,
    id: envelope.id,
    recipient: envelope.recipients.length === 1 ? envelope.recipients[0] : undefined,
    authenticationResults,
    now: deps.clock.now(),
  }
}

/**
 * There is one reply for all recipients, so when one of several mailboxes fails the sender comes again with all of it. That all have room is
 * therefore looked at before the first one gets it, and who got it all the same is remembered for the retry.
 */
async function storeForAll(
  { delivering: { mailboxes }, retries }: Pick<TransactionDeps, 'delivering' | 'retries'>,
  message: TransmittedMessage,
  mailboxIds: string[],
  deliveryFor: (mailboxId: string) => Delivery,
  isAbandoned: () => boolean,
): Promise<{ stored: StoredAs[]; failure?: { reply: Reply; error?: unknown } }> {
  const have = retries.have(message)
  const wanting = mailboxIds.filter((id) => !have.has(id))
  if (wanting.length > 1) {
    const records = await Promise.all(wanting.map((id) => mailboxes.get(id)))
    const full = records.some((record) => record && !mailboxes.hasRoom(record, deliveryFor(record.id).raw.length))
    if (full) return { stored: [], failure: { reply: MAILBOX_FULL } }
  }
  const results = await Promise.allSettled(wanting.map((mailboxId) => mailboxes.deliver(deliveryFor(mailboxId))))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed || isAbandoned()) {
    retries.remember(
      message,
      wanting.filter((_id, index) => results[index]?.status === 'fulfilled'),
    )
  } else retries.settle(message, mailboxIds)
  const stored = results.flatMap((result) =>
    result.status === 'fulfilled' ? [{ mailboxId: result.value.mailbox_id, messageId: result.value.id }] : [],
  )
  if (!failed) return { stored }
  const full = failed.reason instanceof ServiceError && failed.reason.code === 'quota_exceeded'
  return { stored, failure: full ? { reply: MAILBOX_FULL } : { reply: STORAGE_FAILED, error: failed.reason } }
}
