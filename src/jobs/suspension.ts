/** Follows up on a suspension or reinstatement: holds or releases the account's mail, and notifies its mailboxes and its owner. */
import type { Letter, Letters } from '../accounts/letters.js'
import { SUSPENSION_KIND, type SuspensionTask } from '../accounts/suspension.js'
import type { AccountRecord, Accounts } from '../accounts/types.js'
import { BY_ITSELF, type Audit, type NewEntry } from '../audit/types.js'
import type { Clock } from '../lib/clock.js'
import { derivedId } from '../lib/ids.js'
import { appendSuspensionEvents } from '../mailbox/settings/suspension-events.js'
import type { Log } from '../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../queue/types.js'
import type { Store } from '../store/types.js'
import type { OperatorMail, OperatorNotice } from './operator-mail.js'

export interface SuspensionDeps {
  store: Store
  queue: Pick<WorkQueue, 'run'>
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'mailboxes'>
  letters: Pick<Letters, 'post'>
  tellOperator?: OperatorMail['tell'] | undefined
  audit?: Pick<Audit, 'record'> | undefined
  outgoing: {
    holdAccount(account: { id: string; name: string; mailboxIds: string[]; reason: string }): Promise<void>
    releaseAccount(accountId: string): Promise<void>
  }
  /** Without a slash at its end. */
  baseUrl: string
  log: Pick<Log, 'error'>
}

export function startSuspensions(deps: SuspensionDeps): { stop(): Promise<void> } {
  return deps.queue.run<SuspensionTask>(SUSPENSION_KIND, (task) => follow(deps, task), {
    concurrency: 2,
    onError: (err: unknown, { id, attempts }) =>
      deps.log.error({ err, task_id: id, attempts }, 'notice of a suspension failed; it is tried again'),
    onQueueError: (err: unknown) => deps.log.error({ err }, 'the work queue failed; it is tried again'),
  })
}

/**
 * Uses the current status of the account, whatever queued the task, so tasks may run late, twice and in any order. Mail comes first: it cannot be
 * taken back.
 */
async function follow(deps: SuspensionDeps, { payload }: Task<SuspensionTask>): Promise<TaskOutcome<SuspensionTask>> {
  const { store, accounts, clock, outgoing } = deps
  const account = await accounts.get(payload.account_id)
  if (!account) return { done: true }
  const { id, suspension, owner } = account
  const mailboxIds = await accounts.mailboxes(id)
  if (suspension) await outgoing.holdAccount({ id, name: owner ?? id, mailboxIds, reason: suspension.reason })
  else await outgoing.releaseAccount(id)
  for (const mailboxId of mailboxIds) await appendSuspensionEvents(store, mailboxId, suspension, clock.now())
  if (suspension?.by === 'service') await deps.audit?.record(suspendedByService(id, suspension))
  if (suspension) await deps.tellOperator?.(suspensionNotice(account, suspension))
  await write(deps, account, payload)
  // The status may have changed meanwhile, with a task that finished before this one.
  const now = await accounts.get(id)
  const isSame = now?.suspension?.at === suspension?.at
  return isSame ? { done: true } : { done: false, retryAt: clock.now() }
}

async function write(deps: SuspensionDeps, account: AccountRecord, { since }: SuspensionTask): Promise<void> {
  const { id, owner, suspension } = account
  if (owner === null) return
  const host = new URL(deps.baseUrl).host
  const letter = suspension ? suspended(host, suspension) : reinstated(host)
  const link = { kind: 'link', label: 'Open your account', url: `${deps.baseUrl}/account` } as const
  await deps.letters.post(`${suspension ? 'suspended' : 'reinstated'}:${id}:${suspension?.at ?? since}`, {
    to: owner,
    subject: letter.subject,
    parts: [...letter.parts, link],
  })
}

function suspensionNotice(
  { id, owner }: AccountRecord,
  { at, by, reason }: NonNullable<AccountRecord['suspension']>,
): OperatorNotice {
  const who = by === 'service' ? 'The service has suspended' : 'The operator or the staff has suspended'
  const text = `${who} the account ${id}${owner === null ? '' : ` of ${owner}`}: ${reason} ("restante account show ${id}", "restante account reinstate ${id}")`
  return { id: `suspended:${id}:${at}`, text }
}

/** Actions of the operator and the staff are logged where they happen. */
function suspendedByService(accountId: string, { at, reason }: NonNullable<AccountRecord['suspension']>): NewEntry {
  return {
    id: derivedId('aud', `account.suspended ${accountId}`, at),
    at,
    action: 'account.suspended',
    actor: BY_ITSELF,
    subject: { account_id: accountId },
    reason,
  }
}

function suspended(
  host: string,
  { reason, by }: NonNullable<AccountRecord['suspension']>,
): Pick<Letter, 'subject' | 'parts'> {
  const isByService = by === 'service'
  const text = (words: string) => ({ kind: 'text', text: words }) as const
  return {
    subject: `Your account at ${host} is suspended`,
    parts: [
      text(
        isByService
          ? `${host} has suspended your account automatically, because of the results of your agents' mail:`
          : `The operator of ${host} has suspended your account. The reason they give:`,
      ),
      { kind: 'quote', by: isByService ? 'the server' : 'the operator', text: reason },
      text(
        'Your agents can neither send nor read mail, and what waited to be sent is held. Mail for your mailboxes still arrives and is kept.',
      ),
      text(
        isByService
          ? 'Find out where these recipients came from: mostly it is an old, bought or guessed list of addresses, or mail that nobody asked for. Then reply to this mail and explain what you have changed: it reaches the operator, who can end the suspension.'
          : 'If you think that this is a mistake, reply to this mail: it reaches the operator.',
      ),
    ],
  }
}

function reinstated(host: string): Pick<Letter, 'subject' | 'parts'> {
  return {
    subject: `Your account at ${host} is reinstated`,
    parts: [
      {
        kind: 'text',
        text: `The operator of ${host} has ended the suspension of your account. Keys work again, and mail that was held is on its way.`,
      },
    ],
  }
}
