/**
 * The way of a message from outside, from the last byte of its data to the reply:
 *
 * 1. It is refused when it goes in circles.
 * 2. It is scanned, read, authenticated and scored, all at once.
 * 3. A report about mail that was sent from here is written down with that mail; one that came to a return path ends here.
 * 4. Verdicts, policy and the lists of the mailboxes decide: refused, or delivered to some of them.
 * 5. It gets its trace and is stored for all of them, and with it what follows: a report on our domains is read, mail for the operator is
 *    passed on.
 * 6. A sender who asked for it is told.
 *
 * It is accepted with a 250 only after every mailbox has it on disk.
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
import { tellOfDelivery } from './dsn.js'
import type { Judge } from './judge.js'
import { resultsWith, spamWith, unprovenOwnDomain } from './own-domain.js'
import { isReportToUs, takeReport } from './reports.js'
import { storeForAll } from './store-for-all.js'
import { addTrace, isLooping } from './trace-fields.js'
import type { Delivering, Envelope, IncomingDeps, Outcome, Progress } from './types.js'

/** The reply does not wait for everybody who reads the message: `progress.isRead` is told of those. */
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
  // Nothing of its content is kept, so what it carries and who is said to have written it are of no matter.
  if (report && envelope.returned) return { auth, report, reply: accepted(envelope.id) }

  const found = await findingsOf(deps, envelope, { parsed, verification, spam: judgement.spam }, opinions)
  // RFC 9990 does not say so, but two servers that report on each other's reports would do so for ever.
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
  return { ...done, stored, report, hasReceipt, notice: await tellOfDelivery(telling, envelope, raw, auth) }
}

interface Opinions {
  judgement: ReturnType<Judge>
  scan: Promise<ScanVerdict>
  rating: ReturnType<Filter['rate']> | undefined
}

/** The scanner and the filter need nothing of the others, and the scanner is the slowest; neither of them throws. */
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

/** What is known of a message when it is decided about. */
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

/** The mailboxes that get the message, each with its labels; without one the reply that refuses it for all. */
async function targetsOf(
  { judging: { policy }, delivering }: Pick<IncomingDeps, 'judging' | 'delivering'>,
  envelope: Envelope,
  findings: Findings,
  sender: Sender,
): Promise<{ targets: ReadonlyMap<string, Delivered>; refusal: Reply | undefined }> {
  const usual = decide(findings, policy)
  const { taking, favouring } = await whoTakes(delivering, envelope, sender)
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
