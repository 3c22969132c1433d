/** `restante audit`: who did what, to whom, from where, by which key or session. */
import { z } from 'zod'
import { auditEntrySchema, type AuditEntry } from '../../../audit/types.js'
import { systemClock, timestamp } from '../../../lib/clock.js'
import { askPages } from '../../terminal/admin.js'
import { numberOption, timeOption } from '../../terminal/arguments.js'
import { defineCommand } from '../../terminal/command.js'
import { printList } from '../../terminal/output.js'

const pageSchema = z.object({ data: z.array(auditEntrySchema), next_cursor: z.string().nullable(), not_kept: z.int() })

const MAX_LIMIT = 100_000
const PAGE_SIZE = 500

const audit = defineCommand({
  usage: 'audit [ID]',
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
  async run(invocation) {
    const { args, options, config, note } = invocation
    const { action, account, address, actor } = options
    const now = systemClock.now()
    const [since, until] = (['since', 'until'] as const).map((name) => {
      const at = timeOption(invocation, name, now)
      return at === undefined ? undefined : timestamp(at)
    })
    const query = { since, until, action, account, address, actor, subject: args[0] }
    const limit = numberOption(invocation, 'limit', MAX_LIMIT)
    const pages = await askPages(config(), '/audit', query, pageSchema, limit, PAGE_SIZE)
    const found = pages.flatMap(({ data }) => data)
    const head = ['TIME', 'ACTION', 'RESULT', 'WHO', 'FROM', 'WHAT', 'REASON']
    printList(invocation, found, head, rowOf, 'There is no entry that fits.')
    if (pages.at(-1)?.next_cursor)
      note(`There are more: --until ${found.at(-1)?.at ?? ''} or a larger --limit shows them.`)
    const notKept = Math.max(...pages.map((page) => page.not_kept))
    if (notKept > 0)
      note(`${notKept} entries were not kept: one account or network made too many in a day. The log has them.`)
  },
})

export const commands = [audit]

function rowOf({ at, action, result, code, actor, from, subject, reason }: AuditEntry) {
  return [
    at,
    action,
    code === null ? result : `${result} (${code})`,
    [actor.type, actor.name ?? actor.id].filter((word) => word !== null).join(' '),
    from?.address,
    Object.values(subject).join(' '),
    reason,
  ]
}
