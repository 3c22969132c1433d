/** Recipient results after an attempt: outcomes with the retry schedule applied. */
import type { RecipientResult } from '../../mailbox/sending/outbound-mail.js'
import type { Outcome, Outcomes } from '../outcome.js'
import { gaveUpAfter } from '../schedule.js'

/**
 * @param attempts including this one
 * @param waitedMs since the first one
 * @param nextAttemptAt milliseconds since the epoch; null for none
 */
export function resultsOf(
  addresses: string[],
  outcomes: Outcomes,
  attempts: number,
  waitedMs: number,
  nextAttemptAt: number | null,
): RecipientResult[] {
  return addresses.map((address) =>
    resultFor(address, outcomes.get(address), gaveUpAfter(attempts, waitedMs), nextAttemptAt),
  )
}

function resultFor(
  address: string,
  outcome: Outcome | undefined,
  whenGivenUp: string,
  nextAttemptAt: number | null,
): RecipientResult {
  if (!outcome) throw new Error('a recipient has no outcome')
  const { kind, smtpCode, detail } = outcome
  switch (kind) {
    case 'delivered': {
      const { confirms } = outcome
      return { address, status: 'delivered', smtpCode, detail, ...(confirms && { confirms }), nextAttemptAt: null }
    }
    case 'failed':
      return { address, status: 'bounced', smtpCode, detail, nextAttemptAt: null }
    case 'deferred':
      if (nextAttemptAt !== null) return { address, status: 'deferred', smtpCode, detail, nextAttemptAt }
      return { address, status: 'bounced', smtpCode, detail: `${detail} (${whenGivenUp})`, nextAttemptAt }
  }
}

/** Part of an attempt's log line: recipients with the same outcome are grouped, each reply once. */
export interface LoggedOutcome {
  status: RecipientResult['status']
  code: number | null
  detail: string
  recipients: string[]
}

export function loggedOutcomes(results: readonly RecipientResult[]): LoggedOutcome[] {
  const outcomes = new Map<string, LoggedOutcome>()
  for (const { address, status, smtpCode: code, detail } of results) {
    const same = JSON.stringify([status, code, detail])
    const outcome = outcomes.get(same) ?? { status, code, detail, recipients: [] }
    outcome.recipients.push(address)
    outcomes.set(same, outcome)
  }
  return [...outcomes.values()]
}

export function countStatuses(results: RecipientResult[]): Partial<Record<RecipientResult['status'], number>> {
  const counts: Partial<Record<RecipientResult['status'], number>> = {}
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
