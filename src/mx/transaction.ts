/** One message, from the last byte of its data to the reply: judged, traced, and stored for every recipient before it is accepted. */
import type { AuthenticationResults, Authenticator, Verification } from '../authentication/types.js'
import type { InboundMessage } from '../guard/spam.js'
import type { SpamOpinion } from '../guard/types.js'
import type { Clock } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import type { Delivery, Mailboxes } from '../mailbox/types.js'
import { parseMessage } from '../mime/parse.js'
import { MessageFormatError } from '../mime/types.js'
import type { ParsedMessage, ParseLimits } from '../mime/types.js'
import type { Filter, Scanner, ScanVerdict } from '../scan/types.js'
import { decide } from './decide.js'
import type { Policy } from './decide.js'
import { accepted, LOOP, MAILBOX_FULL, malformed, STORAGE_FAILED } from './replies.js'
import type { Reply } from './replies.js'
import { addTrace, headerBytes, isLooping } from './trace.js'

export interface Envelope {
  /** Of the receipt; the sender sees it in the reply, the recipient in the Received field. */
  id: string
  clientAddress: string
  helo: string
  /** What is known of the client's name, when it was asked for. */
  client?: InboundMessage['client']
  protocol: string
  cipher: { name: string; version: string } | undefined
  /** Reverse-path without angle brackets, '' for the null sender. */
  from: string
  /** Addresses as the client gave them. */
  recipients: string[]
  /** The mailboxes these addresses deliver to, each once. */
  mailboxIds: string[]
}

/** What the spam score is made from. */
export type SpamSubject = InboundMessage

export type SpamScore = (subject: SpamSubject) => SpamOpinion | Promise<SpamOpinion>

export interface TransactionDeps {
  hostname: string
  mailboxes: Pick<Mailboxes, 'get' | 'hasRoom' | 'deliver'>
  authenticator: Authenticator
  scanner: Scanner
  /** Without one every message is ham. */
  spamScore?: SpamScore | undefined
  /** Another opinion for the spam score. */
  filter?: Filter | undefined
  parseLimits: ParseLimits
  maxReceived: number
  policy: Policy
  clock: Clock
}

/** What is told of a message beside the reply: verdicts for the log, without content. */
export interface Outcome {
  reply: Reply
  auth?: AuthenticationResults
  scan?: ScanVerdict
  spam?: SpamOpinion
  labels?: string[]
  /** A fault of ours behind the reply. */
  error?: unknown
}

const HAM: SpamOpinion = { score: 0, verdict: 'ham', reasons: [] }

/**
 * Judges and stores a message. Resolves with a 250 only after every mailbox has it on disk.
 *
 * @param isAbandoned asked before anything is stored: true when the client was told already to come again
 */
export async function acceptMessage(
  deps: TransactionDeps,
  envelope: Envelope,
  raw: Buffer,
  isAbandoned: () => boolean,
): Promise<Outcome> {
  if (headerBytes(raw) > deps.parseLimits.maxHeaderBytes) return { reply: malformed('message has too large a header') }
  if (isLooping(raw, deps.hostname, deps.maxReceived)) return { reply: LOOP }

  // The scanner needs nothing of the others, and it is the slowest; it never throws.
  const scanning = deps.scanner.scan(raw)
  const rating = deps.filter?.rate({ ...envelope, raw, clientName: envelope.client?.name ?? null })
  const parsed = await parse(raw, deps.parseLimits)
  if (parsed instanceof MessageFormatError) return { reply: malformed(parsed.reason) }
  const verification = await deps.authenticator.verify({
    raw,
    ip: envelope.clientAddress,
    helo: envelope.helo,
    mailFrom: envelope.from,
    fromCount: parsed.fromCount,
  })
  const spam =
    (await deps.spamScore?.({
      parsed,
      auth: verification.results,
      envelopeFrom: envelope.from,
      client: envelope.client,
      filter: await rating,
      now: deps.clock.now(),
    })) ?? HAM
  const scan = await scanning

  const verdicts = { auth: verification.results, scan, spam }
  const decision = decide({ scan, scannerEnabled: deps.scanner.enabled, verification, spam }, deps.policy)
  if (decision.kind === 'refuse') return { reply: decision.reply, ...verdicts }
  if (isAbandoned()) return { reply: STORAGE_FAILED, ...verdicts }

  const delivery = {
    raw: addTrace(raw, traceOf(deps, envelope, verification)),
    parsed,
    auth: verification.results,
    virus: decision.virus,
    spam: {
      score: spam.score,
      verdict: spam.verdict === 'ham' ? ('ham' as const) : ('spam' as const),
      reasons: spam.reasons,
    },
    labels: decision.labels,
    envelopeFrom: envelope.from,
  }
  const failure = await storeForAll(deps.mailboxes, envelope.mailboxIds, delivery)
  return { ...verdicts, labels: decision.labels, ...(failure ?? { reply: accepted(envelope.id) }) }
}

async function parse(raw: Buffer, limits: ParseLimits): Promise<ParsedMessage | MessageFormatError> {
  try {
    return await parseMessage(raw, limits)
  } catch (error) {
    if (error instanceof MessageFormatError) return error
    throw error
  }
}

function traceOf(
  deps: TransactionDeps,
  envelope: Envelope,
  verification: Verification,
): Parameters<typeof addTrace>[1] {
  return {
    envelopeFrom: envelope.from,
    helo: envelope.helo,
    clientAddress: envelope.clientAddress,
    hostname: deps.hostname,
    protocol: envelope.protocol,
    cipher: envelope.cipher,
    id: envelope.id,
    recipient: envelope.recipients.length === 1 ? envelope.recipients[0] : undefined,
    authenticationResults: verification.header,
    now: deps.clock.now(),
  }
}

/**
 * There is one reply for all recipients, so when one of several mailboxes fails the sender comes again and the others get the message
 * twice. That all have room is therefore looked at before the first one gets it.
 */
async function storeForAll(
  mailboxes: TransactionDeps['mailboxes'],
  mailboxIds: string[],
  delivery: Omit<Delivery, 'mailboxId'>,
): Promise<{ reply: Reply; error?: unknown } | undefined> {
  if (mailboxIds.length > 1) {
    const records = await Promise.all(mailboxIds.map((id) => mailboxes.get(id)))
    const full = records.some((record) => record && !mailboxes.hasRoom(record, delivery.raw.length))
    if (full) return { reply: MAILBOX_FULL }
  }
  const stored = await Promise.allSettled(mailboxIds.map((mailboxId) => mailboxes.deliver({ ...delivery, mailboxId })))
  const failed = stored.find((result) => result.status === 'rejected')
  if (!failed) return undefined
  const full = failed.reason instanceof ServiceError && failed.reason.code === 'quota_exceeded'
  return full ? { reply: MAILBOX_FULL } : { reply: STORAGE_FAILED, error: failed.reason }
}
