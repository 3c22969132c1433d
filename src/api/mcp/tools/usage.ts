/** The tool usage: what may still be sent, and the account's state. The resource mailbox://usage has all numbers. */
import { z } from 'zod'
import type { Caller, Usage } from '../../../accounts/types.js'
import { accountOf } from '../../../http/limits/authorize.js'
import { plural } from '../text/people.js'
import { defineTool, READS, type ToolDeps } from '../tool.js'

const output = z.strictObject({
  trust_level: z.int(),
  new_recipients: z.strictObject({ used: z.int(), limit: z.int(), left: z.int(), resets_at: z.string() }),
  storage: z.strictObject({ used_bytes: z.int(), limit_bytes: z.int() }),
  last_7_days: z.strictObject({
    sent: z.int(),
    delivered: z.int(),
    bounced: z.int(),
    complaints: z.int(),
    blocks: z.int(),
  }),
  next_level: z.string().optional().describe('What earns it'),
})

export async function usageOf({ accounts }: Pick<ToolDeps, 'accounts'>, caller: Caller): Promise<Usage> {
  return accounts.usage(accountOf(caller).id)
}

export const usage = defineTool({
  name: 'usage',
  title: 'Usage',
  description: 'Shows how much may still be sent today, recent delivery results, and what raises the limits.',
  input: z.strictObject({}),
  output,
  ...READS,
  async run(deps, _input, { caller }) {
    const found = await usageOf(deps, caller)
    const { new_recipients: recipients, storage, next_level: next, suspension_lines: lines } = found
    const { active_days: _days, ...week } = found.outcomes.last_7_days
    const structured = {
      trust_level: found.trust_level,
      new_recipients: recipients,
      storage,
      last_7_days: week,
      ...(next && {
        next_level: `Level ${next.level} takes ${next.requires}; so far ${plural(next.progress.active_days, 'day')} with ${next.progress.delivered} delivered.`,
      }),
    }
    const text = [
      `New recipients today: ${recipients.used} of ${recipients.limit}, ${recipients.left} left until ${recipients.resets_at}. Answers to people who wrote first do not count.`,
      `Storage: ${storage.used_bytes} of ${storage.limit_bytes} bytes.`,
      `Last 7 days: ${plural(week.sent, 'recipient')}, ${week.delivered} delivered, ${week.bounced} bounced, ${plural(week.complaints, 'complaint')}, ${week.blocks} blocked.`,
      `Trust level ${found.trust_level}.${structured.next_level === undefined ? '' : ` ${structured.next_level}`}`,
      `The account is suspended past ${lines.max_bounce_percent} % bounces (now ${lines.bounce_percent}) or ${lines.max_complaint_percent} % complaints (now ${lines.complaint_percent}) of at least ${lines.min_recipients} recipients in ${lines.days} days.`,
    ].join('\n')
    return { text, structured, untrusted: false }
  },
})
