/** `restante mailbox …`: list; a new key for a lost one. */
import { z } from 'zod'
import { askDaemon } from '../../terminal/admin.js'
import { EXIT, type Command } from '../../terminal/command.js'
import { json, table } from '../../terminal/output.js'

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

const list: Command = {
  name: 'mailbox list',
  args: [],
  options: ['json'],
  summary: 'list all mailboxes',
  about: 'Asks the running daemon.',
  examples: ['restante mailbox list', "restante mailbox list --json | jq 'length'"],
  async run({ config, flags, print, note }) {
    const { data } = await askDaemon(config(), 'GET', '/mailboxes', mailboxesSchema)
    if (flags.json) {
      print(json(data))
    } else if (data.length === 0) {
      note('There is no mailbox yet.')
    } else {
      const rows = data.map((mailbox) => [
        mailbox.address,
        mailbox.status,
        mailbox.account_id ?? '',
        String(mailbox.message_count),
        String(mailbox.used_bytes),
        mailbox.created_at,
      ])
      print(table(['ADDRESS', 'STATUS', 'ACCOUNT', 'MESSAGES', 'BYTES', 'CREATED'], rows))
    }
    return EXIT.ok
  },
}

const key: Command = {
  name: 'mailbox key',
  args: ['ADDRESS'],
  options: ['json'],
  summary: 'make a further API key for a mailbox',
  about:
    'Prints the key on standard output, this once: only its hash is stored. The keys the mailbox has go on working.',
  examples: ['restante mailbox key ada@agents.example.com'],
  async run({ args: [address], config, flags, print }) {
    const made = await askDaemon(config(), 'POST', '/mailboxes/key', keySchema, { address })
    print(flags.json ? json(made) : made.api_key)
    return EXIT.ok
  },
}

export const mailboxCommands: readonly Command[] = [list, key]
