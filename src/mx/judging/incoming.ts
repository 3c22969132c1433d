/**
 * The way of an incoming message, from the last byte of its data to the reply:
 *
 * 1. Loops are refused. 2. It is scanned, parsed, authenticated and scored in parallel. 3. A report about mail sent from here is recorded; one to a return path
 * ends here. 4. Verdicts, policy and the mailboxes' lists decide: refused, or delivered to some of them. 5. It gets trace fields and is stored for all of them,
 * together with follow-up work: reading reports on our domains, forwarding operator mail. 6. A requested delivery notice is queued.
 *
 * 250 is only said after every mailbox has it on disk.
 */
import type { Verification } from '../../authentication/types.js'
import { withFilter } from '../../guard/verdict/spam.js'
import type { SpamOpinion } from '../../guard/types.js'
import { senderOf } from '../../mailbox/delivery/admission.js'
import { withFollowUp } from '../../mailbox/delivery/follow-up.js'
import type { Sender } from '../../mailbox/objects/set-types.js'
import type { Delivery } from '../../mailbox/delivery/deliver.js'
import type { ParsedMessage } from '../../mime/types.js'
import type { Filter, ScanVerdict } from '../../scan/types.js'
import { accepted, LOOP, malformed, STORAGE_FAILED, type Reply } from '../../smtp/replies.js'
import type { Transaction } from '../../store/types.js'
import { NOT_WANTED } from '../limits/refusals.js'
import { decide, type Delivered, type Findings } from './decide.js'
import { queueDeliveryNotice } from './dsn.js'
import type { Judge } from './judge.js'
import { resultsWith, spamWith, unprovenOwnDomain } from './own-domain.js'
import { isReportToUs, takeReport } from './reports.js'
import { storeForAll } from './store-for-all.js'
import { addTrace, isLooping } from './trace-fields.js'
import type { Delivering, Envelope, IncomingDeps, Outcome, Progress } from './types.js'

/** The reply may come before all readers of the message are done: `progress.isRead` gets their promises. */
export async function acceptMessage(
  deps: IncomingDeps,
  envelope: Envelope,
  raw: Buffer,
  progress: Progress,
): Promise<Outcome> {
  const { names, delivering } = deps
  if (isLooping(raw, names.hostname, deps.maxReceived)) return { reply: LOOP }

  const opinions = startJudging(deps, envelope, raw, progress)
  const judgement = await opinions.judgement
  if (judgement.kind === 'malformed') return { reply: malformed(judgement.problem) }
  const { parsed, verification } = judgement
  const auth = verification.results

  const report = await takeReport(delivering, envelope, parsed, auth, progress.isAbandoned)
  // Nothing of its content is kept, so viruses and authorship do not matter.
  if (report && envelope.returned) return { auth, report, reply: accepted(envelope.id) }

  const found = await findingsOf(deps, envelope, { parsed, verification, spam: judgement.spam }, opinions)
  // RFC 9990 does not say so, but two servers that report on each other's reports would never stop.
  const evidence = isReportToUs(envelope, parsed) ? undefined : verification.evidence
  const verdicts = { auth, scan: found.scan, spam: found.spam, evidence }
  const { targets, refusal } = await targetsOf(deps, envelope, found, senderOf(envelope.from, parsed, auth))
  if (refusal) return { reply: refusal, ...verdicts }
  if (progress.isAbandoned()) return { reply: STORAGE_FAILED, ...verdicts }

  const [{ labels, virus } = { labels: [], virus: 'unscanned' as const }] = targets.values()
  const done = { ...verdicts, labels, reply: accepted(envelope.id) }
  let hasReceipt = false
  const writeReceipt = (tx: Transaction): void => {
    if (progress.isAbandoned() || !progress.writeReceipt) return
    progress.writeReceipt(tx, done)
    hasReceipt = true
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
  if (failure) return { ...verdicts, labels, stored, ...failure }

  const telling = { notices: delivering.notices, clock: deps.clock }
  return { ...done, stored, report, hasReceipt, notice: await queueDeliveryNotice(telling, envelope, raw, auth) }
}

interface Opinions {
  judgement: ReturnType<Judge>
  scan: Promise<ScanVerdict>
  rating: ReturnType<Filter['rate']> | undefined
}

/** Scanner and filter are independent of the rest, and the scanner is slowest; neither throws. */
function startJudging(
  { judging: { judge, scanner, filter } }: Pick<IncomingDeps, 'judging'>,
  envelope: Envelope,
  raw: Buffer,
  { isRead }: Progress,
): Opinions {
  const { clientAddress: ip, helo, from: mailFrom, client } = envelope
  const scan = scanner.scan(raw)
  isRead(scan)
  const rating = filter?.rate({ ...envelope, raw, clientName: client.name })
  if (rating) isRead(rating)
  const judgement = judge({ raw, ip, helo, mailFrom, client })
  isRead(judgement)
  return { judgement, scan, rating }
}

async function findingsOf(
  { names, judging }: Pick<IncomingDeps, 'names' | 'judging'>,
  { from }: Envelope,
  { parsed, verification, spam }: { parsed: ParsedMessage; verification: Verification; spam: SpamOpinion },
  { scan, rating }: Opinions,
): Promise<Findings> {
  const { policy, spamLines, scanner } = judging
  const authored = { envelopeFrom: from, parsed, results: verification.results }
  const ownDomain = policy.ownDomain === 'ignore' ? undefined : unprovenOwnDomain(authored, names.isLocalDomain)
  return {
    spam: spamWith(withFilter(spam, await rating, spamLines), ownDomain, spamLines),
    scan: await scan,
    scannerEnabled: scanner.enabled,
    verification,
    ownDomain,
  }
}

/** Mailboxes that get the message, with labels; without any, the reply that refuses it. */
async function targetsOf(
  { judging: { policy }, delivering }: Pick<IncomingDeps, 'judging' | 'delivering'>,
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
    const admission = openIds.has(id) ? 'usual' : await mailboxes.delivery.admission?.(id, sender)
    if (admission !== 'refused') taking.push(id)
    if (admission === 'allowed') favouring.add(id)
  }
  return { taking, favouring }
}

function traceOf(
  { names, clock }: Pick<IncomingDeps, 'names' | 'clock'>,
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
