/** `restante guard correction …`: what reviews taught the guard; reset. */
import type { z } from 'zod'
import { correctionSchema } from '../../../admin/guard.js'
import { askDaemon } from '../../terminal/admin.js'
import { defineCommand, EXIT } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json } from '../../terminal/output.js'
import { guardExplain } from './guard-explain.js'
import { guardMeasure } from './guard-measure.js'

const show = defineCommand({
  usage: 'guard correction show',
  options: ['json'],
  summary: 'show what the guard has learnt from reviews',
  about:
    'Asks the running daemon: how many approvals and rejections still count, and how much the strongest of them weighs. The weight of\na decision halves every 30 days and ends after 180. See docs/guard-opinions.md.',
  examples: ['restante guard correction show'],
  async run({ options, config, print }) {
    const found = await askDaemon(config(), 'GET', '/guard/correction', correctionSchema)
    print(options.json ? json(found) : described(found))
  },
})

const reset = defineCommand({
  usage: 'guard correction reset',
  options: ['yes', 'json'],
  summary: 'forget what the guard has learnt from reviews',
  about:
    'Asks the running daemon. Decisions on messages stay as they are; what was learnt from them is deleted for good. Asks first; in\na script, give --yes.',
  examples: ['restante guard correction reset'],
  async run(invocation) {
    const { options, config, print } = invocation
    if (!(await isAgreed(invocation, () => 'This would forget for good what the guard has learnt from reviews.')))
      return EXIT.failed
    const left = await askDaemon(config(), 'POST', '/guard/correction/reset', correctionSchema)
    print(options.json ? json(left) : 'Forgotten.')
  },
})

export const commands = [guardExplain, guardMeasure, show, reset]

function described(found: z.infer<typeof correctionSchema>): string {
  const { learns, approvals, rejections, oldest_at: oldest, newest_at: newest, strongest_weight: strongest } = found
  const lines = [
    learns
      ? 'Approvals and rejections are learnt from.'
      : 'Nothing is learnt (guard.learn_from_review is false), and nothing that was learnt counts.',
    `${approvals} approvals and ${rejections} rejections are kept.`,
  ]
  if (oldest !== null && newest !== null) lines.push(`The first is of ${oldest}, the last of ${newest}.`)
  if (strongest > 0) lines.push(`The strongest word weighs ${strongest} of 0.25.`)
  return lines.join('\n')
}
