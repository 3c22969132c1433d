/**
 * The spam score of an incoming message from its content, its form, its sender's authentication, the text model and another filter, if any. Each
 * reason has points. 5 points are spam, as in SpamAssassin; no single weak sign reaches that, and HTML, another language or an unknown sender are no
 * signs at all.
 */
import type { AuthenticationResults } from '../../authentication/types.js'
import { domainOf } from '../../mime/address.js'
import type { ParsedMessage } from '../../mime/types.js'
import type { FilterOpinion } from '../../scan/types.js'
import { reweighed } from '../reason-codes.js'
import { reasonOf, risk, type Finding } from '../finding.js'
import { sigmoid, type TextModel } from '../model/model.js'
import { displayedOf } from '../reading/displayed.js'
import { readingOf } from '../text/text.js'
import { worstScore } from './worst.js'
import { shownLinks } from '../links/links.js'
import { lureFindings } from '../phrases/lures.js'
import { PHRASE_CODES } from '../phrases/phrases.js'
import { findingsOf, wordsOf } from './findings.js'
import { senderPoints, type Client } from '../signals/sender.js'
import { structurePoints } from '../signals/structure.js'
import { testPoints } from '../signals/test-strings.js'
import type { GuardSubject, SpamOpinion, SpamReason } from '../types.js'

export interface SpamLines {
  /** Score from which a message is spam. */
  spam: number
  /** Score from which it is refused; 0 refuses none. */
  reject: number
}

/** A trained classifier's view of a message. */
export interface SpamModel {
  /** Probability of unwanted mail, 0 to 1, calibrated; undefined if unknown. */
  unwanted(subject: GuardSubject): number | undefined
}

export interface InboundMessage {
  parsed: ParsedMessage
  auth: AuthenticationResults
  /** Reverse-path, '' for the null sender. */
  envelopeFrom?: string | undefined
  client?: Client | undefined
  /** Text of the stored message that it replies to, '' for none; undefined where nobody can know. */
  parentText?: string | undefined
  /** Another filter's opinion. */
  filter?: FilterOpinion | undefined
  /** Milliseconds since the epoch. */
  now?: number | undefined
}

export interface SpamScoreDeps {
  lines: SpamLines
  model?: SpamModel | undefined
}

export const DEFAULT_LINES: SpamLines = { spam: 5, reject: 15 }

/** Points if the rules are certain about the content. */
const CONTENT_POINTS = 9
/** Points if the model is certain, over the line by itself; doubt is worth nothing, and wanted words take little away. */
const MODEL_POINTS = 6
const MODEL_PRAISE = 1.5
/** The model was calibrated on half and half; labels on incoming mail are not reviewed, so it must be this much surer. */
const INBOUND_DOUBT = 2
/** Personal mail and spam are shorter than this; a longer text has every word somewhere. */
const PLAIN_CHARS = 2500
const MIN_SHARE = 0.4
/** Lures are near the start. */
const LURE_CHARS = 6000

/**
 * Weights for rules written for outgoing mail, where staff review findings. Incoming mail is not reviewed: strangers urge all day, and click trackers
 * make each link of a newsletter differ from its text.
 */
const INBOUND_WEIGHTS: Record<string, number> = {
  urgency: 0.1,
  // A raffle among colleagues reads the same; `prize_won` is the lure.
  lottery: 0.25,
  pills: 0.4,
  secrecy: 0.2,
  link_text_mismatch: 0.3,
  active_link: 0.4,
  // Newsletters have stubs as their text part, and are long.
  parts_differ: 0.05,
  not_all_read: 0.05,
}

/** Codes that `senderPoints` and `structurePoints` count by the facts about the sender. */
const SENDER_CODES: ReadonlySet<string> = new Set([
  'brand_in_name',
  'address_in_name',
  'answers_elsewhere',
  'answers_to_free_mail',
])

/** The text model on words alone: the findings of rules are counted separately. */
export function spamModelOf(model: TextModel): SpamModel {
  return {
    unwanted(subject) {
      const score = worstScore(model, readingOf(subject))
      return score === undefined ? undefined : sigmoid(score - INBOUND_DOUBT)
    },
  }
}

export function createSpamScore({ lines, model }: SpamScoreDeps): (message: InboundMessage) => SpamOpinion {
  return (message) => {
    const { parsed, auth, filter, parentText } = message
    const subject = { ...subjectOfParsed(parsed), auth, parentText }
    const trial = testPoints(subject, lines.spam)
    if (trial.length > 0) return withFilter(opinionOf(trial, lines), filter, lines)
    const own = [
      ...contentPoints(subject),
      ...modelPoints(model?.unwanted(subject)),
      ...senderPoints({ ...message, auth, from: parsed.from, isList: parsed.automation === 'list' }),
      ...structurePoints(parsed, message.now),
    ]
    return withFilter(opinionOf(own, lines), filter, lines)
  }
}

export function subjectOfParsed(parsed: ParsedMessage): GuardSubject {
  const { subject, text, extractedText, hiddenWords, html, extracted, attachments, pictures, to, cc, from, replyTo } =
    parsed
  // What a report returns is what others were sent.
  const isReturned = (contentType: string): boolean => parsed.report !== null && contentType.startsWith('message/')
  return {
    kind: 'inbound',
    subject,
    text,
    newText: extractedText,
    hiddenWords,
    html,
    displayed: { ...displayedOf(parsed), pictures },
    links: shownLinks(html, extracted.links),
    attachments: attachments.filter(({ contentType }) => !isReturned(contentType)),
    recipientCount: to.length + cc.length,
    recipientDomains: [...to, ...cc].map(({ address }) => domainOf(address)),
    newRecipientCount: 0,
    trust: 0,
    from,
    replyTo,
  }
}

/** Points of the content: each finding adds its share of the doubt that the stronger ones left. */
function contentPoints(subject: GuardSubject): SpamReason[] {
  const words = wordsOf(subject)
  const share = Math.max(MIN_SHARE, Math.min(1, PLAIN_CHARS / Math.max(1, words.length)))
  const findings = [
    ...findingsOf(subject).map((finding) =>
      PHRASE_CODES.has(finding.code) ? weighed(finding, share) : weighed(finding, 1),
    ),
    ...lureFindings(words, LURE_CHARS).map((finding) => weighed(finding, share)),
  ]
    // Bulk matters for senders only: recipients of a list have usually asked for it.
    .filter(({ category, code }) => category !== 'bulk' && !SENDER_CODES.has(code))
    .sort((a, b) => b.weight - a.weight)
  return findings.map((finding, index) => ({
    ...reasonOf(finding),
    score: CONTENT_POINTS * (risk(findings.slice(0, index + 1)) - risk(findings.slice(0, index))),
  }))
}

function weighed(finding: Finding, share: number): Finding {
  return reweighed(finding, (INBOUND_WEIGHTS[finding.code] ?? finding.weight) * share)
}

function modelPoints(unwanted: number | undefined): SpamReason[] {
  if (unwanted === undefined) return []
  const score = (unwanted > 0.5 ? MODEL_POINTS : MODEL_PRAISE) * (2 * unwanted - 1)
  const detail = `text model: ${Math.round(100 * unwanted)} % unwanted`
  return Math.abs(score) < 0.1 ? [] : [{ code: 'model', score, detail }]
}

function opinionOf(own: SpamReason[], lines: SpamLines): SpamOpinion {
  const reasons = own.filter(({ score }) => score !== 0)
  return opinionWith(
    reasons,
    own.reduce((total, { score }) => total + score, 0),
    lines,
  )
}

function opinionWith(reasons: SpamReason[], total: number, lines: SpamLines): SpamOpinion {
  const score = Math.max(0, rounded(total))
  const verdict = lines.reject > 0 && score >= lines.reject ? 'reject' : score >= lines.spam ? 'spam' : 'ham'
  return { score, verdict, reasons: reasons.map((reason) => ({ ...reason, score: rounded(reason.score) })) }
}

/**
 * The greater of our score and the other filter's, since both see much the same signs. The other filter's thresholds give its score its meaning: what
 * it calls ham stays below our spam line whatever its points, and what it would refuse is above our reject line.
 */
export function withFilter(own: SpamOpinion, filter: FilterOpinion | undefined, lines: SpamLines): SpamOpinion {
  if (!filter) return own
  const theirs = onOurScale(filter, lines)
  return theirs > own.score ? opinionWith(theirReasons(filter, theirs), theirs, lines) : own
}

function onOurScale({ verdict, score }: FilterOpinion, lines: SpamLines): number {
  switch (verdict) {
    case 'ham':
      return Math.min(score, lines.spam - 0.1)
    case 'spam':
      return Math.max(score, lines.spam)
    case 'reject':
      return Math.max(score, lines.spam, lines.reject)
  }
}

function theirReasons({ reasons, verdict }: FilterOpinion, score: number): SpamReason[] {
  const summary = { code: 'rspamd', score, detail: `rspamd: ${verdict}` }
  return [summary, ...reasons.map(({ code, detail }) => ({ code: `rspamd:${code}`, score: 0, detail }))]
}

const rounded = (score: number): number => Math.round(score * 10) / 10
