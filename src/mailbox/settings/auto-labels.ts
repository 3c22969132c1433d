/** Rules that label incoming mail: bounded, applied in order. They see the message's own claims. */
import { invalidRequest } from '../../lib/errors.js'
import { matchesPattern, parsePattern, PATTERN_FORMS } from './address-pattern.js'
import { checkLabels } from '../labels.js'
import type { MessageContent } from '../message.js'
import type { AutoLabel } from '../objects/set-types.js'

export const MAX_RULES = 50
export const MAX_RULE_LABELS = 10
export const MAX_SUBJECT_WORDS = 200

/** @param recipients of the envelope, the only place that names Bcc */
export function autoLabelsFor(
  rules: readonly AutoLabel[],
  content: Pick<MessageContent, 'from' | 'to' | 'cc' | 'subject' | 'attachments'>,
  recipients: readonly string[],
): { labels: string[]; markRead: boolean } {
  const to = [...content.to, ...content.cc].map(({ address }) => address).concat(recipients)
  const subject = content.subject.toLowerCase()
  const matching = rules.filter((rule) => {
    if (rule.from !== undefined && !(content.from && matchesPattern(rule.from, content.from.address))) return false
    const { to: wanted } = rule
    if (wanted !== undefined && !to.some((address) => matchesPattern(wanted, address))) return false
    if (rule.subjectContains !== undefined && !subject.includes(rule.subjectContains.toLowerCase())) return false
    return rule.hasAttachment === undefined || rule.hasAttachment === content.attachments.length > 0
  })
  return {
    labels: [...new Set(matching.flatMap(({ labels }) => labels))],
    markRead: matching.some(({ markRead }) => markRead),
  }
}

/** Validated rules. @throws ServiceError `invalid_request` */
export function checkedAutoLabels(given: readonly AutoLabel[]): AutoLabel[] {
  if (given.length > MAX_RULES)
    throw invalidRequest(`There are ${given.length} rules.`, `Give at most ${MAX_RULES}.`, [
      { field: 'auto_labels', problem: `At most ${MAX_RULES} rules` },
    ])
  return given.map((rule, i) => checkedRule(rule, `auto_labels.${i}`))
}

function checkedRule(rule: AutoLabel, field: string): AutoLabel {
  const { subjectContains, hasAttachment, labels, markRead } = rule
  checkLabels(labels, `${field}.labels`)
  const from = checkedPattern(rule.from, `${field}.from`)
  const to = checkedPattern(rule.to, `${field}.to`)
  const subject = subjectContains?.trim()
  if (subject !== undefined && (subject === '' || subject.length > MAX_SUBJECT_WORDS || /\p{Cc}/u.test(subject)))
    throw refused(`${field}.subject_contains`, `1 to ${MAX_SUBJECT_WORDS} characters, none of them a control character`)
  if (from === undefined && to === undefined && subject === undefined && hasAttachment === undefined)
    throw refused(field, 'It needs a condition: from, to, subject_contains or has_attachment')
  if (labels.length > MAX_RULE_LABELS || (labels.length === 0 && !markRead))
    throw refused(`${field}.labels`, `1 to ${MAX_RULE_LABELS} labels, or mark_read`)
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(subject !== undefined && { subjectContains: subject }),
    ...(hasAttachment !== undefined && { hasAttachment }),
    labels: [...new Set(labels)],
    markRead,
  }
}

function checkedPattern(given: string | undefined, field: string): string | undefined {
  if (given === undefined) return undefined
  const pattern = parsePattern(given)
  if (pattern === undefined) throw refused(field, `It must be ${PATTERN_FORMS}.`)
  return pattern
}

function refused(field: string, problem: string): Error {
  return invalidRequest("A rule can't be used.", 'Correct what `fields` lists, and send all rules again.', [
    { field, problem },
  ])
}
