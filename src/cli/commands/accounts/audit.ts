/** `restante audit`: who did what, to whom, from where, by which key or session. */
import { z } from 'zod'
import { auditEntrySchema, type AuditEntry } from '../../../audit/types.js'
import { systemClock, timestamp } from '../../../lib/clock.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command, type Invocation } from '../../terminal/command.js'
import { json, table } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'
import { parseWhen } from '../../terminal/when.js'

const pageSchema = z.object({ data: z.array(auditEntrySchema), next_cursor: z.string().nullable(), not_kept: z.int() })

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 100_000
const MAX_PAGE = 500

export const audit: Command = {
  name: 'audit',
  args: ['[ID]'],
  options: ['since', 'until', 'action', 'account', 'address', 'actor', 'limit', 'json'],
  abouts: { address: 'only what was done to the mailbox of this address' },
  summary: 'show who did what: keys, mailboxes, accounts, claims, settings',
  about:
    'Asks the running daemon; newest first. ID is the object of the change: an account, mailbox, key, claim, message, connection, webhook, export or domain. Each\nentry has the actor (an agent by its key, a human by their session, staff, the operator by a command, or the service), the address, and the result; "unknown"\nmeans that a crash interrupted it. Entries are kept for retention.audit_days.',
  examples: [
    'restante audit --since 1d',
    'restante audit --action account.suspended --since 30d',
    'restante audit --address scout@agents.example.com --action key',
    `restante audit --actor operator --json | jq -r '.[] | [.at, .actor.name, .action] | @tsv'`,
  ],
  async run({ args: [subject], options, flags, config, print, note }) {
    const { limit, filter } = filterOf(options)
    const settings = config()
    const found: AuditEntry[] = []
    let cursor: string | null = null
    let notKept = 0
    do {
      const query = queryOf({ ...filter, subject, cursor: cursor ?? undefined })
      query.set('limit', String(Math.min(MAX_PAGE, limit - found.length)))
      const page: z.infer<typeof pageSchema> = await askDaemon(settings, 'GET', `/audit?${query}`, pageSchema)
      found.push(...page.data)
      cursor = page.next_cursor
      notKept = Math.max(notKept, page.not_kept)
    } while (cursor !== null && found.length < limit)
    if (flags.json) print(json(found))
    else if (found.length === 0) note('There is no entry that fits.')
    else print(table(['TIME', 'ACTION', 'RESULT', 'WHO', 'FROM', 'WHAT', 'REASON'], found.map(rowOf)))
    if (cursor !== null) note(`There are more: --until ${found.at(-1)?.at ?? ''} or a larger --limit shows them.`)
    if (notKept > 0)
      note(`${notKept} entries were not kept: one account or network made too many in a day. The log has them.`)
    return EXIT.ok
  },
}

/** @throws CommandError (usage) */
function filterOf({ since, until, limit, action, account, address, actor }: Invocation['options']) {
  const now = systemClock.now()
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit)
  if (limit?.trim() === '' || !Number.isInteger(count) || count < 1 || count > MAX_LIMIT)
    throw usage(`--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${limit}"`)
  return {
    limit: count,
    filter: { since: when('since', since, now), until: when('until', until, now), action, account, address, actor },
  }
}

function when(option: string, text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined
  const at = parseWhen(text, now)
  if (at !== undefined && at >= 0) return timestamp(at)
  throw usage(`--${option} takes a time such as 2026-11-20T08:00:00Z or an age such as 30m, 2h or 3d, not "${text}"`)
}

function usage(problem: string): CommandError {
  return new CommandError(EXIT.usage, `${problem}\nSee: restante audit -h`)
}

function rowOf({ at, action, result, code, actor, from, subject, reason }: AuditEntry): string[] {
  return [
    at,
    action,
    code === null ? result : `${result} (${code})`,
    [actor.type, actor.name ?? actor.id].filter((word) => word !== null).join(' '),
    from?.address ?? '',
    Object.values(subject).join(' '),
    reason ?? '',
  ]
}
