/** `restante queue hold|release|retry|delete`. */
import { changeSchema, statsSchema, type QueueChange } from '../../../relay/operator/types.js'
import { STATES } from '../../../relay/operator/waiting.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command, type Invocation } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json, printable } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'
import { operatingUser } from '../../terminal/user.js'

const WHAT = ['mailbox', 'domain'] as const

type Action = 'hold' | 'release' | 'retry' | 'delete'
interface Target {
  id: string | undefined
  mailbox: string | undefined
  domain: string | undefined
}

const hold: Command = {
  name: 'queue hold',
  args: ['[ID]'],
  options: [...WHAT, 'reason', 'json'],
  summary: 'hold queued mail until it is released',
  about:
    'Holds one message (msg_…), its part for one domain (msg_…:example.com) or a notice (tsk_…); or, with --mailbox or --domain, everything queued now or later.\nAn attempt in progress is not interrupted. Senders see that the operator holds the message.',
  examples: [
    'restante queue hold --domain example.com --reason "their MX loses mail"',
    'restante queue hold --mailbox ada@agents.example.com',
    'restante queue hold msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
  ],
  run: (invocation) => change(invocation, 'hold', 'Held', { reason: invocation.options.reason }),
}

const release: Command = {
  name: 'queue release',
  args: ['[ID]'],
  options: [...WHAT, 'json'],
  summary: 'release held mail',
  about:
    'Ends a rule made by "restante queue hold" with the same arguments. Its mail is released, a hundred messages a second, unless another rule holds it.',
  examples: ['restante queue release --domain example.com', 'restante queue release msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'],
  run: (invocation) => change(invocation, 'release', 'Let go'),
}

const retry: Command = {
  name: 'queue retry',
  args: ['[ID]'],
  options: [...WHAT, 'all', 'json'],
  summary: 'retry deferred mail now',
  about:
    'A failed attempt counts in the retry schedule. Held mail stays held. At most a hundred messages a second are retried.',
  examples: ['restante queue retry --domain example.com', 'restante queue retry --all'],
  async run(invocation) {
    const { id, mailbox, domain } = targetOf(invocation)
    const named = id !== undefined || mailbox !== undefined || domain !== undefined
    if (named === invocation.flags.all)
      throw usage(named ? 'give either a name or --all' : 'name what to try, or give --all', 'retry')
    return change(invocation, 'retry', 'Trying now')
  },
}

const remove: Command = {
  name: 'queue delete',
  args: ['[ID]'],
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
        return `This would take ${printable(id)} out of the queue; who does not have it never gets it.`
      const query = queryOf({ mailbox, domain })
      const { tasks, states } = await askDaemon(invocation.config(), 'GET', `/queue/stats?${query}`, statsSchema)
      const counts = STATES.map((state) => `${state} ${states[state]}`).join(', ')
      return `This would delete ${tasks} (${counts}).`
    })
    return agreed ? change(invocation, 'delete', 'Deleted') : EXIT.failed
  },
}

export const queueChanges: readonly Command[] = [hold, release, retry, remove]

async function change(
  invocation: Invocation,
  action: Action,
  done: string,
  more: Record<string, string | undefined> = {},
): Promise<typeof EXIT.ok> {
  const { flags, config, print, note } = invocation
  const target = oneTarget(invocation, action)
  const body = { ...target, ...more, by: operatingUser() }
  const changed = await askDaemon(config(), 'POST', `/queue/${action}`, changeSchema, body)
  if (flags.json) print(json(changed))
  else tell(changed, done, print, note)
  return EXIT.ok
}

/** @throws CommandError (usage) when nothing is named, or too much */
function oneTarget(invocation: Invocation, action: Action): Target {
  const target = targetOf(invocation)
  const { id, mailbox, domain } = target
  if ([id, mailbox, domain].every((name) => name === undefined) && !invocation.flags.all)
    throw usage('name what is meant: an id, --mailbox ADDRESS or --domain DOMAIN', action)
  if (
    [id, mailbox, domain].filter((name) => name !== undefined).length > 1 &&
    (id !== undefined || action === 'hold' || action === 'release')
  )
    throw usage('name one thing only', action)
  return target
}

function tell(
  { changed, busy, finished }: QueueChange,
  done: string,
  print: (text: string) => void,
  note: (text: string) => void,
): void {
  print(`${done}: ${changed}${finished ? '' : ' so far; the rest follows in the background'}`)
  if (busy > 0) note(`Left alone because it is being delivered right now: ${busy}`)
}

function targetOf({ args: [id], options: { mailbox, domain } }: Invocation): Target {
  return { id, mailbox, domain }
}

function usage(problem: string, action: Action): CommandError {
  return new CommandError(EXIT.usage, `${problem}\nSee: restante queue ${action} -h`)
}
