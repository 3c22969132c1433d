/** `restante account trust`: an account's outcomes and level; setting it by hand. */
import type { z } from 'zod'
import { RAISE } from '../../../accounts/trust.js'
import { accountDetailsSchema } from '../../../admin/accounts.js'
import type { trustSchema } from '../../../admin/trust.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { defineCommand } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'

export const trust = defineCommand({
  usage: 'account trust ACCOUNT',
  options: ['level', 'pin', 'unpin', 'json'],
  summary: 'show, set or pin the trust level of an account',
  about:
    'Without an option it shows the outcomes of its mail by day, its level with the reason, and what is missing for the next one. A pinned level does not change by itself; the limits for suspension still apply.\nACCOUNT is its id (acc_…), the email of its owner, or the address of one of its mailboxes.',
  examples: ['restante account trust bob@example.com', 'restante account trust bob@example.com --level 3 --pin'],
  async run({ args: [account = ''], options, config, print, usage }) {
    const { level } = options
    if (options.pin && options.unpin) throw usage('--pin and --unpin do not go together')
    if (level !== undefined && !/^[0-6]$/.test(level)) throw usage('--level takes 0 to 6')
    const pinned = options.pin ? true : options.unpin ? false : undefined
    const found =
      level === undefined && pinned === undefined
        ? await askDaemon(config(), 'GET', `/accounts/show?${queryOf({ account })}`, accountDetailsSchema)
        : await askDaemon(config(), 'POST', '/accounts/trust', accountDetailsSchema, {
            account,
            level: level === undefined ? undefined : Number(level),
            pinned,
          })
    const name = found.owner === null ? found.id : `${printable(found.owner)} (${found.id})`
    print(options.json ? json(found.trust) : [`Account     ${name}`, ...describeTrust(found.trust)].join('\n'))
  },
})

export function describeTrust(found: z.infer<typeof trustSchema>): string[] {
  const { level, is_pinned: isPinned, last_change: last, next_level: next, suspension_lines: lines, days } = found
  const change =
    last &&
    `${last.from} to ${last.to} at ${last.at}, ${last.by === 'operator' ? '' : 'by itself: '}${printable(last.reason)}`
  const rows = days.map((day) => [day.date, ...[day.sent, day.delivered, day.bounced, day.complaints, day.blocks]])
  return [
    `Trust       level ${level}${isPinned ? ', pinned' : ''}`,
    ...(change === null ? [] : [`Changed     ${change}`]),
    ...(next === null
      ? []
      : [
          `Next level  ${next.active_days} of ${RAISE.activeDays} active days, ${next.delivered} of ${RAISE.delivered} delivered, ${next.bounce_percent} % bounced (under ${RAISE.bouncePercent}), ${next.complaints} complaints and ${next.blocks} blocks (0)`,
        ]),
    `Suspension  of ${lines.recipients} recipients in ${lines.days} days (from ${lines.min_recipients}): ${lines.bounce_percent} % bounced (at most ${lines.max_bounce_percent}), ${lines.complaint_percent} % complained (at most ${lines.max_complaint_percent})`,
    ...(rows.length === 0
      ? ['Nothing was sent in 30 days.']
      : ['', table(['DAY', 'SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINTS', 'BLOCKS'], rows)]),
  ]
}
