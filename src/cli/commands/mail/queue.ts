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
  type QueueHold,
} from '../../../relay/operator/types.js'
import { STATES } from '../../../relay/operator/waiting.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { recipientTable } from '../../terminal/recipient-table.js'
import { queryOf } from '../../terminal/query.js'
import { ago, inTime, size } from '../../terminal/words.js'
import { queueChanges } from './queue-changes.js'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 100_000
const MAX_PAGE = 1000

const list: Command = {
  name: 'queue list',
  args: [],
  options: ['mailbox', 'domain', 'state', 'limit', 'json'],
  summary: 'list the outbound queue',
  about:
    'Asks the running daemon. Each row is a message with its recipients at one domain, in the order of the next attempt, held ones last. sending: being delivered;\nqueued: due; deferred: waiting for its next attempt; held: by the operator, see "restante queue holds". Ids that begin with tsk_ are notices of this server.\nMessages held for review are not in the queue: see "restante review list".',
  examples: [
    'restante queue list --state deferred --limit 20',
    'restante queue list --domain example.com',
    `restante queue list --json --limit 100000 | jq -r '.[] | select(.attempts > 5) | .id'`,
  ],
  async run({ options: { mailbox, domain, state, limit }, flags, config, print, note }) {
    if (state !== undefined && !STATES.some((known) => known === state))
      throw usage(`--state takes ${STATES.join(', ')}, not "${state}"`, 'list')
    const count = limit === undefined ? DEFAULT_LIMIT : Number(limit)
    if (limit?.trim() === '' || !Number.isInteger(count) || count < 1 || count > MAX_LIMIT)
      throw usage(`--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${limit}"`, 'list')
    const settings = config()
    const found: QueueEntry[] = []
    let cursor: string | null = null
    do {
      const query = queryOf({ mailbox, domain, state, cursor: cursor ?? undefined })
      query.set('limit', String(Math.min(MAX_PAGE, count - found.length)))
      const page: z.infer<typeof pageSchema> = await askDaemon(settings, 'GET', `/queue?${query}`, pageSchema)
      found.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null && found.length < count)
    const now = systemClock.now()
    if (flags.json) print(json(found))
    else if (found.length === 0) note('Nothing that fits is in the queue.')
    else
      print(
        table(
          ['ID', 'AGE', 'SIZE', 'FROM', 'TO', 'RCPT', 'TRIES', 'NEXT', 'LAST ANSWER'],
          found.map((entry) => rowOf(entry, now)),
        ),
      )
    if (cursor !== null) note('There are more: a larger --limit shows them, and "restante queue stats" counts all.')
    return EXIT.ok
  },
}

const show: Command = {
  name: 'queue show',
  args: ['ID'],
  options: ['mailbox', 'json'],
  summary: 'show the delivery of one message',
  about:
    'Asks the running daemon: envelope, size, each recipient with its last reply, pending attempts and their next hop, and the history. No content is shown. With\n--mailbox it also finds a message that has left the queue.',
  examples: ['restante queue show msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'],
  async run({ args: [id = ''], options: { mailbox }, flags, config, print }) {
    const path = `/queue/message?${queryOf({ id, mailbox })}`
    const details = await askDaemon(config(), 'GET', path, detailsSchema)
    print(flags.json ? json(details) : describe(details, systemClock.now()))
    return EXIT.ok
  },
}

const stats: Command = {
  name: 'queue stats',
  args: [],
  options: ['json'],
  summary: 'count the queue by state and destination',
  about:
    'Asks the running daemon. A message counts once for each domain among its recipients. The twenty largest destinations are listed.',
  examples: ['restante queue stats'],
  async run({ flags, config, print }) {
    const counts = await askDaemon(config(), 'GET', '/queue/stats', statsSchema)
    if (flags.json) {
      print(json(counts))
      return EXIT.ok
    }
    const now = systemClock.now()
    const { states } = counts
    const oldest = counts.oldest_queued_at === null ? '' : `, the oldest ${ago(counts.oldest_queued_at, now)} old`
    print(`${counts.tasks} in the queue (${counts.notices} of them notices)${oldest}`)
    print(STATES.map((state) => `${state} ${states[state]}`).join(', '))
    if (counts.destinations.length === 0) return EXIT.ok
    const rows = counts.destinations.map((one) => [
      one.domain,
      String(one.tasks),
      ...STATES.map((state) => String(one[state])),
      ago(one.oldest_queued_at, now),
    ])
    if (counts.tasks_elsewhere > 0) rows.push(['(elsewhere)', String(counts.tasks_elsewhere)])
    print(`\n${table(['DESTINATION', 'ALL', ...STATES.map((state) => state.toUpperCase()), 'OLDEST'], rows)}`)
    return EXIT.ok
  },
}

const holds: Command = {
  name: 'queue holds',
  args: [],
  options: ['json'],
  summary: 'list the rules that hold mail',
  about:
    'Asks the running daemon. Each row is a rule made by "restante queue hold"; "restante queue release" with the same arguments ends it.',
  examples: ['restante queue holds'],
  async run({ flags, config, print, note }) {
    const { data } = await askDaemon(config(), 'GET', '/queue/holds', z.object({ data: z.array(holdSchema) }))
    if (flags.json) print(json(data))
    else if (data.length === 0) note('Nothing is held.')
    else
      print(
        table(
          ['WHAT', 'NAME', 'SINCE', 'BY', 'REASON'],
          data.map(({ kind, name, at, by, reason }) => [kind, name, at, by ?? '', reason ?? '']),
        ),
      )
    return EXIT.ok
  },
}

export const queueCommands: readonly Command[] = [list, show, ...queueChanges, stats, holds]

function rowOf(entry: QueueEntry, now: number): string[] {
  return [
    entry.id,
    ago(entry.queued_at, now),
    entry.size_bytes === null ? '' : size(entry.size_bytes),
    entry.sender === null ? '(gone)' : `<${entry.sender}>`,
    entry.domain,
    String(entry.recipients_left),
    String(entry.attempts),
    nextOf(entry, now),
    entry.last_answer ?? '',
  ]
}

type Waits = Pick<QueueEntry, 'state' | 'next_attempt_at' | 'held_by'>

function nextOf({ state, next_attempt_at: next, held_by: rule }: Waits, now: number): string {
  if (state === 'held') return rule ? `held: ${ruleName(rule)}` : 'held: being released'
  return next === null ? 'sending' : inTime(next, now)
}

function ruleName({ kind, name }: QueueHold): string {
  return kind === 'message' ? 'message' : `${kind} ${name}`
}

function describe(details: QueueDetails, now: number): string {
  const { recipients, tasks, history } = details
  const head = [
    [details.kind === 'notice' ? 'Notice' : 'Message', details.id],
    ['From', `<${details.sender}>${details.mailbox_id === null ? '' : ` (${details.mailbox_id})`}`],
    ['Status', details.status ?? ''],
    ['Size', `${details.size_bytes} bytes`],
    ['Accepted', `${details.created_at} (${ago(details.created_at, now)} ago)`],
    ['First attempt', details.sent_at ?? 'none yet'],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`${name.padEnd(14)}${printable(value)}`]))
  const parts = [head.join('\n')]
  parts.push(recipientTable(recipients))
  if (tasks.length > 0) {
    const rows = tasks.map((task) => [
      task.id,
      task.state,
      nextOf(task, now),
      task.route.problem ?? task.route.hosts.join(', '),
    ])
    parts.push(table(['WAITS', 'STATE', 'NEXT', 'WOULD GO TO'], rows))
  }
  const rows = history.flatMap(({ at, status, recipients: all }) =>
    all.map((one, i) => [i === 0 ? at : '', i === 0 ? status : '', `<${one.address}>`, one.status, one.detail ?? '']),
  )
  if (rows.length > 0) parts.push(table(['WHEN', 'MESSAGE', 'RECIPIENT', 'STATUS', 'DETAIL'], rows))
  if (!details.history_complete)
    parts.push('Earlier or later events of it are not shown: there are too many in this mailbox.')
  return parts.join('\n\n')
}

function usage(problem: string, command: string): CommandError {
  return new CommandError(EXIT.usage, `${problem}\nSee: restante queue ${command} -h`)
}
