/** `restante retention`: what is kept for a time only, how much of it there is, and when it was last swept. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import { EXIT } from '../../terminal/command.js'
import type { Command } from '../../terminal/command.js'
import { json, table } from '../../terminal/output.js'

const answerSchema = z.object({
  data: z.array(
    z.object({
      what: z.string(),
      kept: z.string(),
      setting: z.string().nullable(),
      removed_by: z.string(),
      amount: z.object({ count: z.int(), unit: z.string(), at_least: z.boolean() }).nullable(),
      last_swept_at: z.string().nullable(),
      last_removed: z.int().nullable(),
    }),
  ),
})

type Row = z.infer<typeof answerSchema>['data'][number]

export const retention: Command = {
  name: 'retention',
  args: [],
  options: ['json'],
  summary: 'show what is kept, how long, how much, and when it was last swept',
  about:
    'Asks the running daemon. What is kept for a time only has a row: how long, by which setting, what takes it away, how much of it there is\nwhere that is quickly counted, when its sweep last ran and how much that took away (of all that the sweep is for). Mail is kept until its\nmailbox deletes it or its account goes. See docs/accounts.md.',
  examples: ['restante retention', `restante retention --json | jq -r '.[] | select(.last_swept_at == null) | .what'`],
  async run({ flags, config, print }) {
    const { data } = await askDaemon(config(), 'GET', '/retention', answerSchema)
    if (flags.json) print(json(data))
    else print(table(['WHAT', 'KEPT', 'THERE NOW', 'LAST SWEPT', 'REMOVED', 'BY'], data.map(rowOf)))
    return EXIT.ok
  },
}

function rowOf({ what, kept, amount, last_swept_at, last_removed, removed_by }: Row): string[] {
  return [
    what,
    kept,
    amount === null ? '' : `${amount.at_least ? 'at least ' : ''}${amount.count} ${amount.unit}`,
    last_swept_at ?? '',
    last_removed === null ? '' : String(last_removed),
    removed_by.replaceAll('`', ''),
  ]
}
