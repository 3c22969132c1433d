/** `restante queue …`: viewing the outbound queue; `queue-changes.ts` changes it. */
import { z } from 'zod'
import { systemClock } from '../../../lib/clock.js'
import {
  detailsSchema,
  holdSchema,
  pageSchema,
  statsSchema,
  type QueueDetails,
  type QueueEntry,
} from '../../../relay/operator/types.js'
import { STATES } from '../../../relay/operator/waiting.js'
import { askDaemon, askPages, queryOf } from '../../terminal/admin.js'
import { numberOption } from '../../terminal/arguments.js'
import { defineCommand } from '../../terminal/command.js'
import { facts, json, optionalTable, printList, type Cell } from '../../terminal/output.js'
import { recipientTable } from '../../terminal/recipient-table.js'
import { ago, inTime, size } from '../../terminal/words.js'
import { queueChanges } from './queue-changes.js'

const MAX_LIMIT = 100_000
const PAGE_SIZE = 1000

const list = defineCommand({
  usage: 'queue list',
  options: ['mailbox', 'domain', 'state', 'limit', 'json'],
  summary: 'list the outbound queue',
  about:
    'Asks the running daemon. Each row is a message with its recipients at one domain, in the order of the next attempt, held ones last. sending: being delivered;\nqueued: due; deferred: waiting for its next attempt; held: by the operator, see "restante queue holds". Ids that begin with tsk_ are notices of this server.\nMessages held for review are not in the queue: see "restante review list".',
  examples: [
    'restante queue list --state deferred --limit 20',
    'restante queue list --domain example.com',
    `restante queue list --json --limit 100000 | jq -r '.[] | select(.attempts > 5) | .id'`,
  ],
  async run(invocation) {
    const { options, config, note, usage } = invocation
    const { mailbox, domain, state } = options
    if (state !== undefined && !STATES.some((known) => known === state))
      throw usage(`--state takes ${STATES.join(', ')}, not "${state}"`)
    const limit = numberOption(invocation, 'limit', MAX_LIMIT)
    const pages = await askPages(config(), '/queue', { mailbox, domain, state }, pageSchema, limit, PAGE_SIZE)
    const now = systemClock.now()
    printList(
      invocation,
      pages.flatMap(({ data }) => data),
      ['ID', 'AGE', 'SIZE', 'FROM', 'TO', 'RCPT', 'TRIES', 'NEXT', 'LAST ANSWER'],
      (entry) => rowOf(entry, now),
      'Nothing that fits is in the queue.',
    )
    if (pages.at(-1)?.next_cursor)
      note('There are more: a larger --limit shows them, and "restante queue stats" counts all.')
  },
})

const show = defineCommand({
  usage: 'queue show ID',
  options: ['mailbox', 'json'],
  summary: 'show the delivery of one message',
  about:
    'Asks the running daemon: envelope, size, each recipient with its last reply, pending attempts and their next hop, and the history. No content is shown. With\n--mailbox it also finds a message that has left the queue.',
  examples: ['restante queue show msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'],
  async run({ args: [id], options: { mailbox, json: asJson }, config, print }) {
    const path = `/queue/message?${queryOf({ id, mailbox })}`
    const details = await askDaemon(config(), 'GET', path, detailsSchema)
    print(asJson ? json(details) : describe(details, systemClock.now()))
  },
})

const stats = defineCommand({
  usage: 'queue stats',
  options: ['json'],
  summary: 'count the queue by state and destination',
  about:
    'Asks the running daemon. A message counts once for each domain among its recipients. The twenty largest destinations are listed.',
  examples: ['restante queue stats'],
  async run({ options, config, print }) {
    const counts = await askDaemon(config(), 'GET', '/queue/stats', statsSchema)
    print(options.json ? json(counts) : summary(counts, systemClock.now()))
  },
})

const holds = defineCommand({
  usage: 'queue holds',
  options: ['json'],
  summary: 'list the rules that hold mail',
  about:
    'Asks the running daemon. Each row is a rule made by "restante queue hold"; "restante queue release" with the same arguments ends it.',
  examples: ['restante queue holds'],
  async run(invocation) {
    const schema = z.object({ data: z.array(holdSchema) })
    const { data } = await askDaemon(invocation.config(), 'GET', '/queue/holds', schema)
    const head = ['WHAT', 'NAME', 'SINCE', 'BY', 'REASON']
    printList(invocation, data, head, (one) => [one.kind, one.name, one.at, one.by, one.reason], 'Nothing is held.')
  },
})

export const commands = [list, show, ...queueChanges, stats, holds]

function rowOf(entry: QueueEntry, now: number): Cell[] {
  return [
    entry.id,
    ago(entry.queued_at, now),
    entry.size_bytes === null ? '' : size(entry.size_bytes),
    entry.sender === null ? '(gone)' : `<${entry.sender}>`,
    entry.domain,
    entry.recipients_left,
    entry.attempts,
    nextOf(entry, now),
    entry.last_answer,
  ]
}

function summary(counts: z.infer<typeof statsSchema>, now: number): string {
  const { states } = counts
  const oldest = counts.oldest_queued_at === null ? '' : `, the oldest ${ago(counts.oldest_queued_at, now)} old`
  const rows: Cell[][] = counts.destinations.map((one) => [
    one.domain,
    one.tasks,
    ...STATES.map((state) => one[state]),
    ago(one.oldest_queued_at, now),
  ])
  if (rows.length > 0 && counts.tasks_elsewhere > 0) rows.push(['(elsewhere)', counts.tasks_elsewhere])
  const head = ['DESTINATION', 'ALL', ...STATES.map((state) => state.toUpperCase()), 'OLDEST']
  return [
    `${counts.tasks} in the queue (${counts.notices} of them notices)${oldest}`,
    STATES.map((state) => `${state} ${states[state]}`).join(', '),
    ...optionalTable(head, rows).map((text) => `\n${text}`),
  ].join('\n')
}

type Waits = Pick<QueueEntry, 'state' | 'next_attempt_at' | 'held_by'>

function nextOf({ state, next_attempt_at: next, held_by: rule }: Waits, now: number): string {
  if (state === 'held')
    return rule ? `held: ${rule.kind}${rule.kind === 'message' ? '' : ` ${rule.name}`}` : 'held: being released'
  return next === null ? 'sending' : inTime(next, now)
}

function describe(details: QueueDetails, now: number): string {
  const { recipients, tasks, history } = details
  const head = facts(
    [
      [details.kind === 'notice' ? 'Notice' : 'Message', details.id],
      ['From', `<${details.sender}>${details.mailbox_id === null ? '' : ` (${details.mailbox_id})`}`],
      ['Status', details.status],
      ['Size', `${details.size_bytes} bytes`],
      ['Accepted', `${details.created_at} (${ago(details.created_at, now)} ago)`],
      ['First attempt', details.sent_at ?? 'none yet'],
    ],
    14,
  )
  const waiting = tasks.map((task) => [
    task.id,
    task.state,
    nextOf(task, now),
    task.route.problem ?? task.route.hosts.join(', '),
  ])
  const events = history.flatMap(({ at, status, recipients: all }) =>
    all.map((one, i) => [i === 0 ? at : '', i === 0 ? status : '', `<${one.address}>`, one.status, one.detail]),
  )
  return [
    head,
    recipientTable(recipients),
    ...optionalTable(['WAITS', 'STATE', 'NEXT', 'WOULD GO TO'], waiting),
    ...optionalTable(['WHEN', 'MESSAGE', 'RECIPIENT', 'STATUS', 'DETAIL'], events),
    ...(details.history_complete
      ? []
      : ['Earlier or later events of it are not shown: there are too many in this mailbox.']),
  ].join('\n\n')
}
