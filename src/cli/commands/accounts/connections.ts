/** `restante connection …`: OAuth connections: list, revoke. */
import type { z } from 'zod'
import { connectionListSchema, connectionSchema } from '../../../admin/connections.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { defineCommand } from '../../terminal/command.js'
import { json, printable, printList } from '../../terminal/output.js'

const NAMED = 'ACCOUNT is its id (acc_…), the email of its owner, or the address of one of its mailboxes.'

const list = defineCommand({
  usage: 'connection list ACCOUNT',
  options: ['json'],
  summary: 'list the programs connected by OAuth',
  about: `What each program may do in which mailbox, and when it was last here. ${NAMED} See docs/oauth.md.`,
  examples: ['restante connection list bob@example.com', 'restante connection list ada@agents.example.com --json'],
  async run(invocation) {
    const path = `/connections?${queryOf({ account: invocation.args[0] })}`
    const { data } = await askDaemon(invocation.config(), 'GET', path, connectionListSchema)
    const head = ['CONNECTION', 'MAILBOX', 'PROGRAM', 'HOST', 'SCOPES', 'LAST USED']
    printList(invocation, data, head, rowOf, 'No program is connected.')
  },
})

const revoke = defineCommand({
  usage: 'connection revoke ACCOUNT ID',
  options: ['json'],
  summary: 'end a connection',
  about: `Its tokens end at once, and so do its open requests. Its human can connect it again. ${NAMED}`,
  examples: ['restante connection revoke bob@example.com con_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'],
  async run({ args: [account, id], config, options, print }) {
    const ended = await askDaemon(config(), 'POST', '/connections/revoke', connectionSchema, { account, id })
    print(options.json ? json(ended) : `${ended.id} has ended: ${printable(ended.client.name)} has no access any more.`)
  },
})

export const commands = [list, revoke]

function rowOf({ id, mailbox, client, scopes, last_used_at: lastUsedAt }: z.infer<typeof connectionSchema>) {
  return [id, mailbox, client.name, client.host ?? 'nobody vouches', scopes.join(' '), lastUsedAt ?? 'never']
}
