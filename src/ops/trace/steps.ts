/** The steps of a trace in order of time, each in a few words. */
import type { Event } from '../../mailbox/objects/objects.js'
import type { Trace, TracedReceipt, TraceStep } from './types.js'

type Traced = Pick<Trace, 'message_id' | 'receipt' | 'review' | 'tasks' | 'deliveries' | 'send_at' | 'status'>

export function stepsOf(trace: Traced, events: readonly Event[]): TraceStep[] {
  const { message_id: messageId, receipt, review, tasks, deliveries } = trace
  const steps: TraceStep[] = events.map((event) => ({
    at: event.timestamp,
    kind: 'event',
    id: event.id,
    text: `${event.type}${event.type === 'message.status' ? ` ${statusWords(event)}` : ''}`,
  }))
  if (receipt) steps.push({ at: receipt.at, kind: 'receipt', id: receipt.id, text: receiptWords(receipt) })
  if (review?.at) steps.push({ at: review.at, kind: 'review', id: messageId, text: 'waits for review' })
  if (review?.decision) {
    const { id, at, decision, by } = review.decision
    steps.push({ at, kind: 'review', id, text: `${decision} by ${by}` })
  }
  if (trace.status === 'scheduled' && trace.send_at !== null)
    steps.push({ at: trace.send_at, kind: 'next', id: messageId, text: 'scheduled to be sent' })
  for (const { id, domain, next_attempt_at: at } of tasks)
    if (at !== null) steps.push({ at, kind: 'next', id, text: `next attempt at ${domain}` })
  for (const { id, webhook_id: webhook, event_type: type, attempts, next_attempt_at: next } of deliveries) {
    if (id === null) continue
    for (const { at, status_code: code, problem } of attempts)
      steps.push({ at, kind: 'webhook', id, text: `${type} to ${webhook}: ${problem ?? `accepted with ${code}`}` })
    if (next !== null) steps.push({ at: next, kind: 'next', id, text: `next attempt of ${type} to ${webhook}` })
  }
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function receiptWords({ outcome, reply, client_network: network, auth, virus, spam }: TracedReceipt): string {
  return [
    `${outcome} from ${network}`,
    reply ? `${reply.code} ${reply.enhanced}` : 'no reply',
    auth ? `spf ${auth.spf}, dkim ${auth.dkim}, dmarc ${auth.dmarc}` : '',
    virus ? `virus ${virus.verdict}` : '',
    spam ? `${spam.verdict} (${spam.score})` : '',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

/** As `restante queue show` has it. */
function statusWords({ data }: Event): string {
  const recipients: unknown = data['recipients']
  const each = (Array.isArray(recipients) ? recipients : []).map((one: Record<string, unknown>) => {
    const detail = typeof one['detail'] === 'string' ? `: ${one['detail']}` : ''
    return `<${String(one['address'])}> ${String(one['status'])}${detail}`
  })
  return [String(data['status']), ...each].join('; ')
}
