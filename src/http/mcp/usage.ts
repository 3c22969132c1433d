/** The tool account_usage: the limits of the account, as GET /v1/account/usage says them. */
import { z } from 'zod'
import { usageSchema } from '../v1/account.js'
import { defineTool, READS } from './tool.js'

const input = z.strictObject({})

export const accountUsage = defineTool({
  name: 'account_usage',
  title: 'Account usage',
  description:
    'Says what may still be sent today and when that resets, what became of what was sent, what earns the next level of trust, and how near the account is to being suspended.',
  input,
  output: usageSchema,
  annotations: READS,
  scope: 'mail:read',
  async run({ accounts }, _input, { caller }) {
    if (!caller.account) throw new Error(`Mailbox ${caller.mailboxId} is claimed and has no account`)
    const usage = await accounts.usage(caller.account.id)
    const { new_recipients: recipients, outcomes, next_level: next, suspension_lines: lines } = usage
    const week = outcomes.last_7_days
    const text = [
      `New recipients today: ${recipients.used} of ${recipients.limit}, ${recipients.left} left until ${recipients.resets_at}. Answers to people who wrote first cost nothing.`,
      `Last 7 days: ${week.sent} recipients, ${week.delivered} delivered, ${week.bounced} bounced, ${week.complaints} complaints, ${week.blocks} blocked.`,
      `Trust level ${usage.trust_level}.${next === null ? '' : ` Level ${next.level} takes ${next.requires}; so far ${next.progress.active_days} days with ${next.progress.delivered} delivered.`}`,
      `The account is suspended past ${lines.max_bounce_percent} % bounces (now ${lines.bounce_percent}) or ${lines.max_complaint_percent} % complaints (now ${lines.complaint_percent}) of at least ${lines.min_recipients} recipients in ${lines.days} days.`,
    ].join('\n')
    return { text, structured: usage, untrusted: false }
  },
})
