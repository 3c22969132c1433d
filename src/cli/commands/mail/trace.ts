/** `restante trace`: the path of one message from receiver to webhooks. */
import { traceSchema, type Trace } from '../../../ops/trace/types.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { defineCommand } from '../../terminal/command.js'
import { facts, json, optionalTable, table } from '../../terminal/output.js'
import { recipientTable } from '../../terminal/recipient-table.js'

const trace = defineCommand({
  usage: 'trace ID',
  options: ['mailbox', 'json'],
  abouts: { mailbox: 'the mailbox that has it; without it all are searched' },
  summary: 'follow one message from its receipt to webhooks',
  about:
    'ID is a message id (msg_…) or the receipt number in the 250 to the sender (rcp_…).\nAsks the running daemon: the receipt of incoming mail with verdicts and reply, events, recipients, pending attempts, review, and webhook deliveries, in order\nof time. No content is shown. Receipts, events and webhook deliveries are kept for different times, see "restante retention". The log has the same ids, see\ndocs/operations.md.',
  examples: [
    'restante trace msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
    'restante trace rcp_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
    `restante trace msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3 --json | jq -r '.deliveries[] | select(.status != "succeeded") | .webhook_id'`,
  ],
  async run({ args: [id], options: { mailbox, json: asJson }, config, print, note }) {
    const found = await askDaemon(config(), 'GET', `/trace?${queryOf({ id, mailbox })}`, traceSchema)
    print(asJson ? json(found) : describe(found))
    if (!asJson) for (const line of found.missing) note(line)
  },
})

export const commands = [trace]

function describe(found: Trace): string {
  const { receipt, check, review, recipients, tasks, deliveries, steps } = found
  const head = facts(
    [
      ['Message', found.message_id],
      ['Mailbox', found.mailbox_id],
      ['Status', `${found.direction}, ${found.status}${found.in_trash ? ', in the trash' : ''}`],
      ['Size', `${found.size_bytes} bytes`],
      ['Receipt', receipt?.id],
      ['Checked', check && `${check.decision}, ${check.category} (${check.codes.join(', ')})`],
      ['Review', review?.waits_as && `waits for a person as ${review.waits_as}`],
    ],
    10,
  )
  const path = steps.map(({ at, kind, id, text }) => [at, kind, id, text])
  const waiting = tasks.map(({ id, state, next_attempt_at: next, held_by: rule, route }) => [
    id,
    state,
    next,
    rule ? `held: ${rule.kind} ${rule.name}` : (route.problem ?? route.hosts.join(', ')),
  ])
  const posts = deliveries.map((one) => [
    one.webhook_id,
    one.event_id,
    one.id,
    one.status,
    one.attempts.length,
    one.next_attempt_at,
  ])
  return [
    head,
    table(['WHEN', 'WHAT', 'ID', 'OUTCOME'], path),
    ...(recipients.length > 0 ? [recipientTable(recipients)] : []),
    ...optionalTable(['WAITS', 'STATE', 'NEXT', 'WHY OR WHERE'], waiting),
    ...optionalTable(['WEBHOOK', 'EVENT', 'DELIVERY', 'STATUS', 'TRIES', 'NEXT'], posts),
  ].join('\n\n')
}
