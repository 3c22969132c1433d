/** The guard's verdict on a prepared message, and the resulting status. */
import type { Accounts } from '../../accounts/types.js'
import type { GuardReason, GuardVerdict } from '../../guard/types.js'
import { askGuard, checkOf, heldFor, isDoubtful, STATUS_AFTER } from '../decisions/guard-check.js'
import { labelsFor } from '../decisions/release.js'
import { simulatedDecision } from '../decisions/simulator.js'
import type { MessageState } from '../message.js'
import { isAnswer, type Prepared } from './prepare.js'
import type { SendDeps } from './send-deps.js'

/** Facts about an account for the guard, which concurrent sends change. */
export type Counted = Awaited<ReturnType<Accounts['countMessage']>>

export function judged(
  deps: SendDeps,
  prepared: Prepared,
  { fresh, similar, story }: Counted,
  holdReasons: GuardReason[] = [],
): Promise<GuardVerdict> {
  const { account, content, insides, displayed, parentText, recipients } = prepared
  return askGuard(deps, {
    content,
    insides,
    displayed,
    parentText,
    recipientCount: recipients.length,
    newRecipientCount: fresh.length,
    trust: account.trust,
    isAnswer: isAnswer(prepared),
    similar,
    story,
    holdReasons,
    simulated: simulatedDecision(recipients, deps.domains.isLocal),
  })
}

/** True if the guard would decide the same for both. */
export function isSame(a: Counted, b: Counted): boolean {
  return (
    a.fresh.length === b.fresh.length &&
    a.similar?.newRecipients === b.similar?.newRecipients &&
    JSON.stringify(a.story) === JSON.stringify(b.story)
  )
}

export interface Fate {
  verdict: GuardVerdict
  asksOthers: boolean
  /** Undefined: now. */
  sendAt: number | undefined
  status: MessageState['status']
  holdReasons: GuardReason[]
}

export function fateOf(
  { guard }: SendDeps,
  { mail }: Prepared,
  judged: GuardVerdict,
  holdReasons: GuardReason[],
): Fate {
  const verdict = heldFor(judged, holdReasons)
  // Blocks take effect now, even for scheduled mail, so that the agent hears of them at once.
  const sendAt = verdict.decision === 'block' ? undefined : mail.sendAt
  const asksOthers = sendAt === undefined && isDoubtful(guard, verdict)
  const status = sendAt !== undefined ? 'scheduled' : asksOthers ? 'checking' : STATUS_AFTER[verdict.decision]
  return { verdict, asksOthers, sendAt, status, holdReasons }
}

export function stateOf({ verdict, asksOthers, sendAt, status, holdReasons }: Fate, labels: readonly string[]) {
  return {
    status,
    labels: [...new Set([...labelsFor(status), ...labels])],
    check: asksOthers || sendAt !== undefined ? null : checkOf(verdict),
    holdReasons,
    ...(asksOthers ? { verdict } : {}),
    ...(sendAt === undefined ? {} : { sendAt }),
  }
}
