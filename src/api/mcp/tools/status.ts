/** The tool get_message_status: each recipient's state, and what to do. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import type { Message, MessageStatus, Recipient } from '../../../mailbox/objects/objects.js'
import type { Fence } from '../text/fence.js'
import { plural, reasonName, toTheSecond } from '../text/people.js'
import { smtpMeaning } from '../text/smtp-meanings.js'
import { STATE } from '../text/states.js'
import { defineTool, messageId, READS } from '../tool.js'

const MAX_RECIPIENTS = 100
const MAX_REASON = 500

const output = z.strictObject({
  message_id: z.string(),
  status: z.string(),
  next_step: z.string(),
  send_at: z.string().optional(),
  reasons: z.array(z.string()),
  recipients: z.array(
    z.strictObject({
      status: z.string(),
      meaning: z.string(),
      next_attempt_at: z.string().optional(),
      untrusted: z.strictObject({ address: z.string(), answer: z.string() }),
    }),
  ),
  untrusted: z.strictObject({ details: z.array(z.string()) }),
})
type Output = z.infer<typeof output>

export const getMessageStatus = defineTool({
  name: 'get_message_status',
  title: 'Message status',
  description: 'Shows the delivery status of a sent message for each recipient, and what to do next.',
  input: z.strictObject({ message_id: messageId }),
  output,
  ...READS,
  async run({ mailboxes }, input, { caller, fence }) {
    const message = await mailboxes.reading.message(caller.mailboxId, input.message_id)
    if (message.direction === 'inbound') {
      throw invalidRequest(
        'This message was received, so it has no delivery status.',
        'Use the message_id returned by send_email, reply, forward or send_draft; read_message shows this one.',
        [{ field: 'message_id', problem: 'It names received mail.' }],
      )
    }
    const structured = statusOf(fence, message)
    return { text: statusText(fence, message, structured), structured, untrusted: true }
  },
})

function statusOf(fence: Fence, message: Message): Output {
  const { check } = message
  return {
    message_id: message.id,
    status: message.status,
    next_step: nextStep(message),
    ...(message.status === 'scheduled' && message.send_at !== undefined && { send_at: message.send_at }),
    reasons: check?.reasons.map(({ code }) => code) ?? [],
    recipients: message.recipients.slice(0, MAX_RECIPIENTS).map((each) => ({
      status: each.status,
      meaning: meaningOf(each),
      ...(each.next_attempt_at !== null && { next_attempt_at: toTheSecond(each.next_attempt_at) }),
      untrusted: {
        address: fence.inline(each.address, 254),
        answer: fence.inline(answerOf(each), MAX_REASON),
      },
    })),
    // Details quote the mail, and what it replies to.
    untrusted: { details: check?.reasons.map(({ detail }) => fence.inline(detail, MAX_REASON)) ?? [] },
  }
}

/** The receiver's reply, which usually starts with its code. */
function answerOf({ smtp_code: code, detail }: Recipient): string {
  const said = detail ?? ''
  return code === null || said.startsWith(String(code)) ? said : `${code} ${said}`
}

function statusText(fence: Fence, message: Message, s: Output): string {
  const ours = s.recipients.map(({ status, meaning, next_attempt_at: next }, i) => {
    const attempts = message.recipients[i]?.attempts ?? 0
    const tries = attempts === 0 ? '' : ` Tries so far: ${attempts}.`
    return `${i + 1}. ${status}: ${meaning}${tries}${next === undefined ? '' : ` Next try at ${next}.`}`
  })
  const unseen = message.recipients.length - s.recipients.length
  const reviewedAt = message.check?.reviewed_at ?? null
  const by = reviewedAt === null ? '' : `, and a person decided at ${reviewedAt}`
  const why = s.reasons.length === 0 ? [] : [`Check: ${message.check?.decision} (${s.reasons.join(', ')})${by}.`]
  const theirs = [
    ...s.recipients.map(({ untrusted: { address, answer } }, i) => `${i + 1}. ${address} ${answer}`.trim()),
    ...(message.check?.reasons ?? []).map((reason, i) => `${reasonName(reason)}: ${s.untrusted.details[i]}`),
  ]
  return [
    `${s.message_id} ${STATE[message.status]} (${s.status}).`,
    ...(s.send_at === undefined ? [] : [`It goes at ${s.send_at}.`]),
    ...why,
    ...ours,
    ...(unseen > 0 ? [`And ${plural(unseen, 'recipient')} more.`] : []),
    fence.wrap(theirs.join('\n')),
    `Next: ${s.next_step}`,
  ].join('\n')
}

const NEXT: Record<MessageStatus, string> = {
  received: 'Nothing: this mail came in.',
  checking: 'Ask again in a moment.',
  scheduled: 'Wait until send_at, or stop it with cancel_send.',
  cancelled: 'Nothing: it will not be sent. send_email sends a new one.',
  held: 'Wait for the review by staff. Do not send it again; cancel_send withdraws it.',
  blocked: 'It is not sent. Fix what the reasons name, test it with check_before_sending, then send it again.',
  queued: 'Wait: it will be delivered soon.',
  sending: 'Wait: the service retries it. Do not send it again.',
  sent: 'Wait: some recipients have it, and the service retries the others. Do not send it again.',
  delivered: 'Nothing: all recipients have it. wait_for_mail waits for an answer.',
  partially_delivered:
    'Some recipients have it. Check the other addresses with your human; do not send it to everybody again.',
  bounced: 'No recipient has it. Check the address with your human, or write to another one.',
}

function nextStep({ status, cancelled }: Message): string {
  if (status !== 'cancelled' || cancelled === undefined) return NEXT[status]
  return cancelled.code === 'requested'
    ? NEXT.cancelled
    : `It was not sent: ${CANCELLED[cancelled.code] ?? 'it could not be sent'}. ${NEXT.cancelled}`
}

/** Reasons for cancelling scheduled mail at its time. */
const CANCELLED: Record<string, string> = {
  account_stopped: 'sending was stopped when its time came',
  recipient_suppressed: 'a recipient is on the suppression list',
  new_recipient_limit: 'the limit of new recipients was reached; usage says when it resets',
}

const MEANINGS: Record<Recipient['status'], string> = {
  queued: 'Not tried yet.',
  checking: 'Not sent: it waits for the check.',
  held: 'Not sent: it waits for the check.',
  scheduled: 'Not sent: scheduled for later.',
  blocked: 'Not sent.',
  cancelled: 'Not sent.',
  delivered: 'The receiving server accepted it.',
  complained: 'The recipient reported it as spam: do not write there again.',
  deferred: 'Not yet: the receiving server could not be reached.',
  bounced: 'Not delivered: the receiving server did not accept it.',
}

function meaningOf({ status, smtp_code: code, detail }: Recipient): string {
  const said = status === 'deferred' || status === 'bounced' ? smtpMeaning(code, detail) : undefined
  return said === undefined ? MEANINGS[status] : `${status === 'deferred' ? 'Not yet' : 'Not delivered'}: ${said}`
}
