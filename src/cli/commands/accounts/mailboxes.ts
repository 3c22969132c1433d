/** `restante mailbox …`: list; a new key for a lost one; pause the agent, and resume. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import type { Config } from '../../../config/schema.js'
import { defineCommand, EXIT } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json, printable, printList } from '../../terminal/output.js'

const mailboxesSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      address: z.string(),
      status: z.string(),
      account_id: z.string().nullable(),
      message_count: z.int(),
      used_bytes: z.int(),
      paused: z.string().nullable(),
      created_at: z.string(),
    }),
  ),
})

const keySchema = z.object({ api_key: z.string() })

const list = defineCommand({
  usage: 'mailbox list',
  options: ['json'],
  summary: 'list all mailboxes',
  about: 'Asks the running daemon.',
  examples: ['restante mailbox list', "restante mailbox list --json | jq 'length'"],
  async run(invocation) {
    const { data } = await askDaemon(invocation.config(), 'GET', '/mailboxes', mailboxesSchema)
    const head = ['ADDRESS', 'STATUS', 'ACCOUNT', 'MESSAGES', 'BYTES', 'PAUSED', 'CREATED']
    printList(
      invocation,
      data,
      head,
      (one) => [
        one.address,
        one.status,
        one.account_id,
        one.message_count,
        one.used_bytes,
        one.paused ?? '-',
        one.created_at,
      ],
      'There is no mailbox yet.',
    )
  },
})

const key = defineCommand({
  usage: 'mailbox key ADDRESS',
  options: ['json'],
  summary: 'make another API key for a mailbox',
  about: 'Prints the key, only this once: the server stores its hash. Existing keys keep working.',
  examples: ['restante mailbox key ada@agents.example.com'],
  async run({ args: [address], config, options, print }) {
    const made = await askDaemon(config(), 'POST', '/mailboxes/key', keySchema, { address })
    print(options.json ? json(made) : made.api_key)
  },
})

const pausedSchema = z.object({ id: z.string(), address: z.string(), paused: z.string().nullable() })

const withdrawnSchema = z.object({ withdrawn: z.int(), on_their_way: z.int(), has_more: z.boolean() })

const pause = defineCommand({
  usage: 'mailbox pause ADDRESS',
  options: ['all', 'withdraw', 'json', 'yes'],
  summary: 'stop what the agent of a mailbox sends',
  about:
    'What was accepted and is not being delivered waits; mail still arrives. With --all no key and no connection of the mailbox works either. With --withdraw what waits is cancelled, after a question; a delivery that has begun is not stopped. The same command again goes on where it was interrupted. Its human can do the same, and end it, on the page of the mailbox: to stop mail against their will use "restante queue hold" or "restante account suspend".',
  examples: [
    'restante mailbox pause ada@agents.example.com',
    'restante mailbox pause ada@agents.example.com --all --withdraw',
  ],
  async run(invocation) {
    const { config, options, print } = invocation
    const [address = ''] = invocation.args
    const what = options.all ? 'all' : 'sending'
    const question = `This would pause ${printable(address)} and cancel for good what its agent sent and waits.`
    if (options.withdraw && !(await isAgreed(invocation, () => question))) return EXIT.failed
    const paused = await askDaemon(config(), 'POST', '/mailboxes/pause', pausedSchema, { address, what })
    const left = options.withdraw ? await withdraw(config(), address) : undefined
    if (options.json) return print(json({ ...paused, ...left }))
    print(`${paused.address} is paused: ${what === 'all' ? 'no key of it works' : 'it sends nothing'}.`)
    if (left) print(`Withdrawn: ${left.withdrawn}. Too late, since the delivery has begun: ${left.on_their_way}.`)
  },
})

/** In steps, until nothing of the agent waits. */
async function withdraw(config: Config, address: string) {
  let withdrawn = 0
  for (;;) {
    const step = await askDaemon(config, 'POST', '/mailboxes/withdraw', withdrawnSchema, { address })
    withdrawn += step.withdrawn
    if (!step.has_more) return { withdrawn, on_their_way: step.on_their_way }
  }
}

const resume = defineCommand({
  usage: 'mailbox resume ADDRESS',
  options: ['json'],
  summary: 'let the agent of a paused mailbox go on',
  about: 'Its keys work again, and what waited is sent.',
  examples: ['restante mailbox resume ada@agents.example.com'],
  async run({ args: [address], config, options, print }) {
    const resumed = await askDaemon(config(), 'POST', '/mailboxes/resume', pausedSchema, { address })
    print(options.json ? json(resumed) : `${resumed.address} is not paused.`)
  },
})

export const commands = [list, key, pause, resume]
