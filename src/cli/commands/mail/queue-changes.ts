/** `restante queue hold|release|retry|delete`. */
import { changeSchema, statsSchema } from '../../../relay/operator/types.js'
import { STATES } from '../../../relay/operator/waiting.js'
import { askDaemon, operatingUser, queryOf } from '../../terminal/admin.js'
import { defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json, printable } from '../../terminal/output.js'

const WHAT = ['mailbox', 'domain'] as const

type Action = 'hold' | 'release' | 'retry' | 'delete'

const hold = defineCommand({
  usage: 'queue hold [ID]',
  options: [...WHAT, 'reason', 'json'],
  summary: 'hold queued mail until it is released',
  about:
    'Holds one message (msg_…), its part for one domain (msg_…:example.com) or a notice (tsk_…); or, with --mailbox or --domain, everything queued now or later.\nAn attempt in progress is not interrupted. Senders see that the operator holds the message.',
  examples: [
    'restante queue hold --domain example.com --reason "their MX loses mail"',
    'restante queue hold --mailbox ada@agents.example.com',
    'restante queue hold msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
  ],
  run: (invocation) => change(invocation, 'hold', 'Held', invocation.options.reason),
})

const release = defineCommand({
  usage: 'queue release [ID]',
  options: [...WHAT, 'json'],
  summary: 'release held mail',
  about:
    'Ends a rule made by "restante queue hold" with the same arguments. Its mail is released, a hundred messages a second, unless another rule holds it.',
  examples: ['restante queue release --domain example.com', 'restante queue release msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'],
  run: (invocation) => change(invocation, 'release', 'Released'),
})

const retry = defineCommand({
  usage: 'queue retry [ID]',
  options: [...WHAT, 'all', 'json'],
  summary: 'retry deferred mail now',
  about:
    'A failed attempt counts in the retry schedule. Held mail stays held. At most a hundred messages a second are retried.',
  examples: ['restante queue retry --domain example.com', 'restante queue retry --all'],
  async run(invocation) {
    const { id, mailbox, domain } = targetOf(invocation)
    const named = id !== undefined || mailbox !== undefined || domain !== undefined
    if (named === (invocation.options.all === true))
      throw invocation.usage(named ? 'give either a name or --all' : 'name what to try, or give --all')
    return change(invocation, 'retry', 'Trying now')
  },
})

const remove = defineCommand({
  usage: 'queue delete [ID]',
  options: [...WHAT, 'yes', 'json'],
  summary: 'delete mail from the queue',
  about:
    'Recipients who do not have the message yet become "bounced" with the reason that the operator deleted it; the sender gets an event. A message that is being\ndelivered cannot be deleted. Shows what would be deleted and asks; in a script, give --yes.',
  examples: [
    'restante queue delete msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
    'restante queue delete --domain exmaple.com --yes',
  ],
  async run(invocation) {
    const { id, mailbox, domain } = oneTarget(invocation, 'delete')
    const agreed = await isAgreed(invocation, async () => {
      if (id !== undefined)
        return `This would delete ${printable(id)} from the queue; recipients who do not have it yet never get it.`
      const query = queryOf({ mailbox, domain })
      const { tasks, states } = await askDaemon(invocation.config(), 'GET', `/queue/stats?${query}`, statsSchema)
      const counts = STATES.map((state) => `${state} ${states[state]}`).join(', ')
      return `This would delete ${tasks} (${counts}).`
    })
    return agreed ? change(invocation, 'delete', 'Deleted') : EXIT.failed
  },
})

export const queueChanges = [hold, release, retry, remove]

async function change(invocation: Invocation, action: Action, done: string, reason?: string): Promise<void> {
  const { options, config, print, note } = invocation
  const body = { ...oneTarget(invocation, action), reason, by: operatingUser() }
  const answer = await askDaemon(config(), 'POST', `/queue/${action}`, changeSchema, body)
  const { changed, busy, finished } = answer
  const rest = finished ? '' : ' so far; the rest follows in the background'
  print(options.json ? json(answer) : `${done}: ${changed}${rest}`)
  if (busy > 0 && !options.json) note(`Left alone because it is being delivered right now: ${busy}`)
}

/** @throws CommandError (usage) when nothing is named, or too much */
function oneTarget(invocation: Invocation, action: Action) {
  const target = targetOf(invocation)
  const { id } = target
  const named = Object.values(target).filter((name) => name !== undefined).length
  if (named === 0 && !invocation.options.all)
    throw invocation.usage('name what is meant: an id, --mailbox ADDRESS or --domain DOMAIN')
  if (named > 1 && (id !== undefined || action === 'hold' || action === 'release'))
    throw invocation.usage('name one thing only')
  return target
}

function targetOf({ args: [id], options: { mailbox, domain } }: Invocation) {
  return { id, mailbox, domain }
}
