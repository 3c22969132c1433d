/** Outcomes that count for or against an account. Mail within this server and to the simulator does not: an account could gain trust with it. */
import { NO_OUTCOMES, plus, type OutcomeCounts } from '../../accounts/outcomes.js'
import type { GuardVerdict } from '../../guard/types.js'
import { domainOf } from '../../mime/address.js'
import type { Recipient } from '../objects/objects.js'
import { isSimulatorAddress, isSimulatorDomain, type simulatedDecision } from './simulator.js'
import { hasEnded } from '../status.js'

/**
 * Replies that mean a bad address (RFC 3463 §3.2, §3.3): no such mailbox, moved, malformed, disabled. Not 5.2.x for full mailboxes, nor 5.1.x that blame the
 * sender; 5.4.1 with these words is Exchange Online's reply for an unknown address.
 */
const BAD_ADDRESS =
  /^(?:\d{3}[ -])?(?:5\.1\.(?:0|1|2|3|6|10)(?!\d)|5\.2\.1(?!\d)|5\.4\.1(?!\d).{0,200}recipient address rejected)/i
/** Servers without such a code say it in words (RFC 5321 §4.2.2: 550, 551, 553). */
const HAS_STATUS = /^(?:\d{3}[ -])?[245]\.\d{1,3}\.\d{1,3}/
const BAD_WORDS =
  /\b(?:user|mailbox|recipient|address|account)\b.{0,80}\b(?:unknown|not found|not exist|doesn't exist|not known|invalid|disabled|inactive|unavailable)\b|\b(?:unknown|no such|invalid|no)\b.{0,20}\b(?:user|mailbox|recipient|address|account)\b/i
const POLICY_WORDS = /\b(?:spam|policy|blocked|blacklist|blocklist|reputation|listed|denied|spf|dkim|dmarc|sender)\b/i

export type OwnDomain = (domain: string) => boolean

/**
 * Outcomes of the recipients between two states of a message. Unchanged recipients are the same objects.
 *
 * @param how `cameBack`: reported later, not in the reply to our attempt
 */
export function outcomesOf(
  before: readonly Recipient[],
  after: readonly Recipient[],
  { isLocalDomain, cameBack }: { isLocalDomain: OwnDomain; cameBack: boolean },
): OutcomeCounts {
  let counts = NO_OUTCOMES
  after.forEach((recipient, i) => {
    const earlier = before[i]
    if (!earlier || recipient === earlier || recipient.status === earlier.status) return
    const domain = domainOf(recipient.address)
    if (isLocalDomain(domain) || isSimulatorDomain(domain, isLocalDomain)) return
    counts = plus(counts, outcomeOf(earlier, recipient, cameBack))
  })
  return counts
}

function outcomeOf(before: Recipient, after: Recipient, cameBack: boolean): OutcomeCounts {
  if (!hasEnded(after.status)) return NO_OUTCOMES
  const had = before.status === 'delivered' ? 1 : 0
  const sent = hasEnded(before.status) ? 0 : 1
  switch (after.status) {
    case 'bounced':
      return { ...NO_OUTCOMES, sent, delivered: -had, bounced: isBadAddress(after, cameBack) ? 1 : 0 }
    // A complaint implies delivery.
    case 'complained':
      return { ...NO_OUTCOMES, sent, delivered: 1 - had, complaints: 1 }
    default:
      return { ...NO_OUTCOMES, sent, delivered: 1 }
  }
}

/** True if a bounce blames the address, not the message, its sender or a server. */
export function isBadAddress(
  { smtp_code: code, detail }: Pick<Recipient, 'smtp_code' | 'detail'>,
  cameBack: boolean,
): boolean {
  const words = detail ?? ''
  // Without a reply it is our own conclusion, and a broken resolver finds no domain at all.
  if (BAD_ADDRESS.test(words)) return cameBack || code !== null
  if (HAS_STATUS.test(words)) return false
  return (code === 550 || code === 551 || code === 553) && BAD_WORDS.test(words) && !POLICY_WORDS.test(words)
}

/** Counts a block, unless `block@` of the simulator asked for it or all recipients are simulated. */
export function blocksOf(
  { decision }: Pick<GuardVerdict, 'decision'>,
  simulated: ReturnType<typeof simulatedDecision>,
  addresses: readonly string[],
  isLocalDomain: OwnDomain,
): OutcomeCounts {
  const counts =
    decision === 'block' &&
    simulated?.decision !== 'block' &&
    addresses.some((address) => !isSimulatorAddress(address, isLocalDomain))
  return counts ? { ...NO_OUTCOMES, blocks: 1 } : NO_OUTCOMES
}
