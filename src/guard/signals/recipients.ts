/** Findings from the number of recipients and new recipients. Thresholds double with each trust level, like the daily limit of new recipients. */
import { found } from '../reason-codes.js'
import type { Finding } from '../finding.js'
import type { GuardSubject } from '../types.js'

const SOME_RECIPIENTS = 5
const MOST = 0.8
/** Share of the day's new recipients that may get nearly the same message before it counts; it counts more at the full limit. */
const SOME_DUPLICATES = 0.4
export const NEW_RECIPIENTS_PER_DAY = 25

/** @param perDay daily limit of new recipients at the lowest trust level */
export function recipientFindings(subject: GuardSubject, hasLink: boolean, perDay = NEW_RECIPIENTS_PER_DAY): Finding[] {
  const { recipientCount, newRecipientCount, trust, similar, isAnswer } = subject
  const findings: Finding[] = []
  if (recipientCount > 20) {
    const weight = recipientCount >= 40 ? 0.4 : 0.25
    findings.push(found('many_recipients', weight, `goes to ${recipientCount} recipients`))
  }
  const many = (hasLink ? 10 : 20) * 2 ** trust
  if (newRecipientCount >= many) {
    const detail = `goes to ${newRecipientCount} new recipients${hasLink ? ', with a link' : ''}`
    findings.push(found('many_new_recipients', hasLink ? 0.55 : 0.4, detail))
  } else if (recipientCount >= SOME_RECIPIENTS && newRecipientCount / recipientCount >= MOST) {
    const detail = `${newRecipientCount} of its ${recipientCount} recipients are new`
    findings.push(found('mostly_new_recipients', 0.15, detail))
  }
  const daily = Math.max(1, perDay) * 2 ** trust
  if (similar && isAnswer !== true && similar.newRecipients >= SOME_DUPLICATES * daily) {
    const weight = similar.newRecipients >= daily ? 0.6 : 0.4
    const detail = `${similar.messages} nearly identical messages went to ${similar.newRecipients} new recipients within a day`
    findings.push(found('near_duplicates', weight, detail))
  }
  return findings
}
