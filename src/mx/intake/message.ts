/**
 * Takes an examined message, or refuses it:
 *
 * 1. A report about mail sent from here is recorded; one to a return path ends here. 2. Verdicts, policy and the mailboxes' lists decide: refused, or delivered
 * to some of them. 3. It gets trace fields and is stored for all of them, together with follow-up work: reading reports on our domains, forwarding operator
 * mail. 4. A requested delivery notice is queued.
 *
 * 250 is only said after every mailbox has it on disk.
 */
import type { DmarcEvidence } from '../../authentication/types.js'
import { withFilter } from '../../guard/verdict/spam.js'
import type { SpamOpinion } from '../../guard/types.js'
import { senderOf } from '../../mailbox/delivery/admission.js'
import { withFollowUp } from '../../mailbox/delivery/follow-up.js'
import type { Sender } from '../../mailbox/objects/set-types.js'
import type { Delivery } from '../../mailbox/delivery/deliver.js'
import { accepted, STORAGE_FAILED, type Reply } from '../../smtp/replies.js'
import type { Transaction } from '../../store/types.js'
import type { Examined } from '../judging/types.js'
import { NOT_WANTED } from '../limits/refusals.js'
import { spamAsReply } from './as-reply.js'
import { decide, type Delivered, type Findings } from './decide.js'
import { queueDeliveryNotice } from './dsn.js'
import { resultsWith, spamWith, unprovenOwnDomain } from './own-domain.js'
import { isReportToUs, takeReport } from './reports.js'
import type { Retries } from './retries.js'
import { storeForAll } from './store-for-all.js'
import { addTrace } from './trace-fields.js'
import type { Delivering, Envelope, ExaminedMessage, IntakeDeps, Outcome } from './types.js'

export type MessageDeps = IntakeDeps & { retries: Retries }

export interface Progress {
  /** Checked before storing: true if the client was already told to come again. */
  isAbandoned: () => boolean
  /** Writes the receipt in the transaction that stores the message, if there is one mailbox. @returns false if there is none to write */
  writeReceipt: (tx: Transaction, outcome: Outcome) => boolean
}

export interface Taken {
  outcome: Outcome
  /** For DMARC reports to the author's domain. */
  evidence?: DmarcEvidence | undefined
  hasReceipt?: boolean
  /** Internal fault behind the reply. */
  error?: unknown
}

export async function acceptMessage(
  deps: MessageDeps,
  { envelope, examined, raw }: Pick<ExaminedMessage, 'envelope' | 'examined' | 'raw'>,
  progress: Progress,
): Promise<Taken> {
  const { delivering } = deps
  const { parsed, verification } = examined
  const auth = verification.results

  const taken = await takeReport(delivering, envelope, parsed, auth, progress.isAbandoned)
  const report = taken && 'recorded'
  // Nothing of its content is kept, so viruses and authorship do not matter.
  if (taken === 'recorded' && envelope.returned) return { outcome: { auth, report, reply: accepted(envelope.id) } }

  const found = findingsOf(deps, envelope, { ...examined, spam: await spamAsReply(deps, envelope, examined) })
  // RFC 9990 does not say so, but two servers that report on each other's reports would never stop.
  const evidence = isReportToUs(envelope, parsed) ? undefined : verification.evidence
  const verdicts = { auth, scan: found.scan, spam: found.spam }
  const refused = (reply: Reply): Taken => ({ outcome: { reply, ...verdicts }, evidence })
  const { targets, refusal } = await targetsOf(deps, envelope, found, senderOf(envelope.from, parsed, auth))
  if (refusal) return refused(refusal)
  if (progress.isAbandoned()) return refused(STORAGE_FAILED)

  const [{ labels, virus } = { labels: [], virus: 'unscanned' as const }] = targets.values()
  const done = { ...verdicts, labels, reply: accepted(envelope.id) }
  let hasReceipt = false
  const writeReceipt = (tx: Transaction): void => {
    if (!progress.isAbandoned()) hasReceipt = progress.writeReceipt(tx, done)
  }
  const { spam } = found
  const traced = addTrace(raw, traceOf(deps, envelope, resultsWith(verification, found.ownDomain)))
  const deliveryFor = (mailboxId: string): Delivery => {
    const delivery: Delivery = {
      mailboxId,
      raw: traced,
      // Only programs write to a return path (RFC 3834 §4).
      parsed: envelope.returned ? { ...parsed, automation: parsed.automation ?? 'auto-reply' } : parsed,
      auth,
      labels: targets.get(mailboxId)?.labels ?? labels,
      virus,
      spam: { score: spam.score, verdict: spam.verdict === 'ham' ? 'ham' : 'spam', reasons: spam.reasons },
      envelopeFrom: envelope.from,
      recipients: envelope.recipients,
      requireTls: envelope.requireTls,
      words: examined.words,
      ...(targets.size === 1 && { also: writeReceipt }),
    }
    return withFollowUp(delivery, delivering.followUps)
  }
  const message = { from: envelope.from, raw }
  const { stored, failure } = await storeForAll(
    deps,
    message,
    { mailboxIds: [...targets.keys()], bytes: traced.length },
    deliveryFor,
    progress.isAbandoned,
  )
  if (failure) return { outcome: { ...verdicts, labels, stored, reply: failure.reply }, evidence, error: failure.error }

  const telling = { notices: delivering.notices, clock: deps.clock }
  const notice = await queueDeliveryNotice(telling, envelope, raw, auth)
  return { outcome: { ...done, stored, report, notice }, evidence, hasReceipt }
}

function findingsOf(
  { names, policy, spamLines, scannerEnabled }: MessageDeps,
  { from }: Envelope,
  { parsed, verification, spam, scan, rating }: Examined,
): Findings {
  const authored = { envelopeFrom: from, parsed, results: verification.results }
  const ownDomain = policy.ownDomain === 'ignore' ? undefined : unprovenOwnDomain(authored, names.isLocalDomain)
  return {
    spam: spamWith(withFilter(spam, rating, spamLines), ownDomain, spamLines),
    scan,
    scannerEnabled: scannerEnabled(),
    verification,
    ownDomain,
  }
}

/** Mailboxes that get the message, with labels; without any, the reply that refuses it. */
async function targetsOf(
  { policy, delivering }: MessageDeps,
  envelope: Envelope,
  findings: Findings,
  sender: Sender,
): Promise<{ targets: ReadonlyMap<string, Delivered>; refusal: Reply | undefined }> {
  const usual = decide(findings, policy)
  const { taking, favouring } = await admissionsOf(delivering, envelope, sender)
  const ham: SpamOpinion = { ...findings.spam, verdict: 'ham' }
  const favoured = favouring.size > 0 ? decide({ ...findings, spam: ham }, policy) : usual
  const targets = new Map<string, Delivered>()
  for (const id of taking) {
    const decision = favouring.has(id) ? favoured : usual
    if (decision.kind === 'deliver') targets.set(id, decision)
  }
  if (targets.size > 0) return { targets, refusal: undefined }
  return { targets, refusal: usual.kind === 'refuse' ? usual.reply : NOT_WANTED }
}

/**
 * Mailboxes whose lists accept the message, and those whose allow list exempts it from spam checks. There is one reply, so it is refused only if no mailbox
 * accepts it.
 */
async function admissionsOf(
  { mailboxes }: Pick<Delivering, 'mailboxes'>,
  { mailboxIds, openIds, returned }: Envelope,
  sender: Sender,
): Promise<{ taking: string[]; favouring: ReadonlySet<string> }> {
  // Mail to a return path answers what the mailbox sent.
  if (returned) return { taking: mailboxIds, favouring: new Set() }
  const taking: string[] = []
  const favouring = new Set<string>()
  for (const id of mailboxIds) {
    const admission = openIds.includes(id) ? 'usual' : await mailboxes.delivery.admission?.(id, sender)
    if (admission !== 'refused') taking.push(id)
    if (admission === 'allowed') favouring.add(id)
  }
  return { taking, favouring }
}

function traceOf(
  { names, clock }: MessageDeps,
  envelope: Envelope,
  authenticationResults: string,
): Parameters<typeof addTrace>[1] {
  const { from, helo, clientAddress, client, protocol, cipher, id, recipients } = envelope
  return {
    envelopeFrom: from,
    helo,
    clientAddress,
    clientName: client.confirmed ? client.name : null,
    hostname: names.hostname,
    protocol,
    cipher,
    id,
    recipient: recipients.length === 1 ? recipients[0] : undefined,
    authenticationResults,
    now: clock.now(),
  }
}
