/** `restante mailbox …`: list; a new key for a lost one. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import { defineCommand } from '../../terminal/command.js'
import { json, printList } from '../../terminal/output.js'

const mailboxesSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      address: z.string(),
      status: z.string(),
      account_id: z.string().nullable(),
      message_count: z.int(),
      used_bytes: z.int(),
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
    const head = ['ADDRESS', 'STATUS', 'ACCOUNT', 'MESSAGES', 'BYTES', 'CREATED']
    printList(
      invocation,
      data,
      head,
      (one) => [one.address, one.status, one.account_id, one.message_count, one.used_bytes, one.created_at],
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

export const commands = [list, key]
