/** `restante connection …`: OAuth connections: list, revoke. */
import type { z } from 'zod'
import { connectionListSchema, connectionSchema } from '../../../admin/connections.js'
import { askDaemon } from '../../terminal/admin.js'
import { EXIT, type Command } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'

const NAMED = 'ACCOUNT is its id (acc_…), the email of its owner, or the address of one of its mailboxes.'

const list: Command = {
  name: 'connection list',
  args: ['ACCOUNT'],
  options: ['json'],
  summary: 'list the programs connected by OAuth',
  about: `What each program may do in which mailbox, and when it was last here. ${NAMED} See docs/oauth.md.`,
  examples: ['restante connection list bob@example.com', 'restante connection list ada@agents.example.com --json'],
  async run({ args: [account = ''], config, flags, print, note }) {
    const { data } = await askDaemon(config(), 'GET', `/connections?${queryOf({ account })}`, connectionListSchema)
    if (flags.json) print(json(data))
    else if (data.length === 0) note('No program is connected.')
    else print(table(['CONNECTION', 'MAILBOX', 'PROGRAM', 'HOST', 'SCOPES', 'LAST USED'], data.map(rowOf)))
    return EXIT.ok
  },
}

const revoke: Command = {
  name: 'connection revoke',
  args: ['ACCOUNT', 'ID'],
  options: ['json'],
  summary: 'end a connection',
  about: `The tokens of the program end at once, and what is open by them. It can be connected again by its human. ${NAMED}`,
  examples: ['restante connection revoke bob@example.com con_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'],
  async run({ args: [account, id], config, flags, print }) {
    const ended = await askDaemon(config(), 'POST', '/connections/revoke', connectionSchema, { account, id })
    print(flags.json ? json(ended) : `${ended.id} has ended: ${printable(ended.client.name)} can do nothing any more.`)
    return EXIT.ok
  },
}

export const connectionCommands: readonly Command[] = [list, revoke]

function rowOf({ id, mailbox, client, scopes, last_used_at: lastUsedAt }: z.infer<typeof connectionSchema>): string[] {
  return [
    id,
    mailbox ?? '',
    printable(client.name),
    client.host ?? 'nobody vouches',
    scopes.join(' '),
    lastUsedAt ?? 'never',
  ]
}
