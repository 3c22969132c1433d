/** `restante retention`: retention periods, amounts, last sweeps. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import { defineCommand } from '../../terminal/command.js'
import { json, table, type Cell } from '../../terminal/output.js'

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

const retention = defineCommand({
  usage: 'retention',
  options: ['json'],
  summary: 'show what is kept for how long, and when it was last removed',
  about:
    'Asks the running daemon. Each row is data with a limited lifetime: how long it is kept, by which setting, what removes it, how much there is (where that is\nquick to count), when its sweep last ran and how much it removed. Mail is kept until its mailbox deletes it or its account is deleted. See docs/accounts.md.',
  examples: ['restante retention', `restante retention --json | jq -r '.[] | select(.last_swept_at == null) | .what'`],
  async run({ options, config, print }) {
    const { data } = await askDaemon(config(), 'GET', '/retention', answerSchema)
    if (options.json) print(json(data))
    else print(table(['WHAT', 'KEPT', 'THERE NOW', 'LAST SWEPT', 'REMOVED', 'BY'], data.map(rowOf)))
  },
})

export const commands = [retention]

function rowOf({ what, kept, amount, last_swept_at, last_removed, removed_by }: Row): Cell[] {
  return [
    what,
    kept,
    amount && `${amount.at_least ? 'at least ' : ''}${amount.count} ${amount.unit}`,
    last_swept_at,
    last_removed,
    removed_by.replaceAll('`', ''),
  ]
}
