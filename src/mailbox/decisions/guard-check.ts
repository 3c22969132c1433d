/** Asks the guard about an outbound message. If the guard fails, the message is held for review. */
import { shownLinks } from '../../guard/links/links.js'
import type { Decision, Guard, GuardReason, GuardSubject, GuardVerdict, RawMessage } from '../../guard/types.js'
import type { Displayed } from '../../guard/reading/displayed.js'
import { domainOf } from '../../mime/address.js'
import type { AttachmentInside } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { MessageContent, StoredMessage } from '../message.js'
import type { Check, MessageStatus } from '../objects/objects.js'
import type { simulatedDecision } from './simulator.js'
import { MAX_SENDS_PER_HOUR } from '../threads/thread.js'

export const THREAD_RATE: GuardReason = {
  code: 'thread_rate',
  detail: `More than ${MAX_SENDS_PER_HOUR} messages within an hour in one conversation`,
}

/** Reason in a dry run, which asks no second opinion. */
export const OTHERS_ASKED: GuardReason = {
  code: 'second_opinion_pending',
  detail: 'A second opinion is requested before this message leaves, and may hold it',
}

export const STATUS_AFTER = { send: 'queued', hold: 'held', block: 'blocked' } as const satisfies Record<
  Decision,
  MessageStatus
>

export interface Facts {
  content: MessageContent
  recipientCount: number
  newRecipientCount: number
  trust: number
  /** True if it replies to a message from its only recipient. */
  isAnswer?: boolean | undefined
  /** Similar messages that the account sent in the last day. */
  similar?: GuardSubject['similar']
  /** How it departs from what the account usually sends. */
  story?: GuardSubject['story']
  /** What was read in the attachments, in their order. */
  insides?: AttachmentInside[]
  /** What its readers see, of the whole message; undefined where the content shows it. */
  displayed?: Displayed | undefined
  /** Text of the stored message that it replies to, '' for none; undefined where nothing is quoted. */
  parentText?: string | undefined
}

export interface GuardQuestion extends Facts {
  /** Reasons to hold it whatever the guard decides. */
  holdReasons: GuardReason[]
  /** Decision requested by a simulator address among the recipients. */
  simulated: ReturnType<typeof simulatedDecision>
}

/** The guard's verdict, made stricter by reasons to hold. Never throws. */
export async function askGuard(
  { guard, log }: { guard: Guard; log: Pick<Log, 'warn'> },
  question: GuardQuestion,
): Promise<GuardVerdict> {
  const verdict = withSimulated(await judged(guard, question, log), question.simulated)
  return heldFor(verdict, question.holdReasons)
}

/** True if the verdict needs a second opinion. */
export function isDoubtful(guard: Guard, verdict: GuardVerdict): boolean {
  return verdict.decision !== 'block' && guard.isDoubtful?.(verdict) === true
}

/** The verdict after second opinions, never less strict; unchanged if there are none. Never throws. */
export async function askOthers(
  { guard, log }: { guard: Guard; log: Pick<Log, 'warn'> },
  question: GuardQuestion,
  verdict: GuardVerdict,
  message: RawMessage,
): Promise<GuardVerdict> {
  try {
    const asked = (await guard.ask?.(subjectOf(question), verdict, message)) ?? verdict
    return STRICTNESS[asked.decision] < STRICTNESS[verdict.decision] ? verdict : asked
  } catch (error) {
    log.warn(
      { err: error, message_id: message.id },
      'Second opinions could not be requested; the verdict stands without them',
    )
    return verdict
  }
}

const STRICTNESS = { send: 0, hold: 1, block: 2 } as const satisfies Record<Decision, number>

export function heldFor(verdict: GuardVerdict, holdReasons: GuardReason[]): GuardVerdict {
  if (holdReasons.length === 0) return verdict
  return {
    ...verdict,
    decision: verdict.decision === 'send' ? 'hold' : verdict.decision,
    reasons: [...holdReasons, ...verdict.reasons],
  }
}

export function checkOf({ category, scores, decision, reasons }: GuardVerdict): Check {
  return { category, scores: { ...scores }, decision, reasons, reviewed_by: null, reviewed_at: null }
}

function withSimulated(verdict: GuardVerdict, simulated: GuardQuestion['simulated']): GuardVerdict {
  if (!simulated) return verdict
  const decision = verdict.decision === 'block' ? 'block' : simulated.decision
  return { ...verdict, decision, reasons: [simulated.reason, ...verdict.reasons] }
}

async function judged(guard: Guard, question: GuardQuestion, log: Pick<Log, 'warn'>): Promise<GuardVerdict> {
  try {
    return await guard.check(subjectOf(question))
  } catch (error) {
    log.warn({ err: error }, 'The guard failed; the message is held')
    const reason = {
      code: 'guard_failed',
      detail: 'The classifier gave no answer; staff have to review the message',
    }
    return { category: 'legitimate', scores: {}, decision: 'hold', reasons: [reason] }
  }
}

/** The guard's input. */
export function subjectOf(facts: Facts): GuardSubject {
  const {
    content,
    recipientCount,
    newRecipientCount,
    trust,
    isAnswer,
    similar,
    story,
    insides,
    displayed,
    parentText,
  } = facts
  return {
    kind: 'outbound',
    subject: content.subject,
    text: content.text,
    newText: content.extracted_text ?? content.text,
    hiddenWords: content.hidden_words,
    html: content.html,
    links: shownLinks(content.html, content.extracted.links),
    recipientCount,
    recipientDomains: [...content.to, ...content.cc].map(({ address }) => domainOf(address)),
    newRecipientCount,
    attachments: content.attachments.map(({ filename, content_type, size_bytes }, index) => ({
      filename,
      contentType: content_type,
      sizeBytes: size_bytes,
      ...insides?.[index],
    })),
    trust,
    from: content.from,
    replyTo: content.reply_to,
    isAnswer,
    similar,
    story,
    displayed,
    parentText,
  }
}

/** What is stored with a message; stored-facts.ts adds what has to be read again. */
export function factsOf({ state, content }: StoredMessage, trust: number): Facts {
  const { recipients, newRecipientCount, isAnswer, similar, story } = state
  return {
    content,
    recipientCount: recipients.length,
    newRecipientCount,
    trust,
    isAnswer: isAnswer === true,
    similar,
    story,
  }
}
