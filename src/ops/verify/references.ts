/**
 * Checks references between partitions: addresses, accounts, keys, claims, and the tasks of mail being sent. They are written in one transaction, so only
 * damage or a bug breaks them.
 */
import { accountPartition, readAccount } from '../../accounts/record.js'
import { readKey } from '../../accounts/keys.js'
import { readClaim } from '../../lifecycle/claims/record.js'
import { addressOwner } from '../../mailbox/addresses.js'
import { mailboxPartition, messagesRange } from '../../mailbox/keys.js'
import type { MessageState } from '../../mailbox/message.js'
import { unpackMessage } from '../../mailbox/message-rows.js'
import { hasEnded } from '../../mailbox/status.js'
import { checkTask, relayTasks, SCHEDULED_KIND, type CheckTask } from '../../mailbox/tasks.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { WorkQueue } from '../../queue/types.js'
import { rowsOf } from '../../store/pages.js'
import type { Store } from '../../store/types.js'
import { hex } from './families/row-tools.js'
import type { Report } from './families/types.js'

export async function verifyAddresses(store: Store, mailbox: MailboxRecord, report: Report): Promise<void> {
  if (mailbox.declinedAt !== undefined) return
  for (const address of [mailbox.address, ...(mailbox.aliases ?? []).map((alias) => alias.address)]) {
    const owner = await addressOwner(store, address)
    if (owner !== mailbox.id)
      report('address', mailbox.id, owner === undefined ? `${address} leads nowhere` : `${address} leads to ${owner}`)
  }
}

export async function verifyOwner(store: Store, mailbox: MailboxRecord, report: Report): Promise<void> {
  const { id, accountId, claimId, status } = mailbox
  if (status === 'pending') {
    if (mailbox.declinedAt === undefined && claimId !== null && !(await readClaim(store, claimId)))
      report('claim-missing', id, claimId)
    return
  }
  if (accountId === null) return
  const partition = accountPartition(accountId)
  const [account, listed] = await store.read(partition, async (view) => [
    await readAccount(view),
    await view.get(key('mailbox', id)),
  ])
  if (!account) report('account-missing', id, accountId)
  else if (!listed) {
    const rowRepair = {
      partition,
      key: hex(key('mailbox', id)),
      value: hex(encode(mailbox.claimedAt ?? mailbox.createdAt)),
    }
    report('row-missing', partition, `${accountId} does not list ${id}`, { rowRepair })
  }
  for await (const [row, value] of rowsOf(store, partition, prefixRange('key', id))) {
    const found = await readKey(store, decode<string>(value))
    if (found?.record.mailboxId !== id) report('key-row', id, `${String(keyParts(row)[2])} is listed and is not there`)
  }
}

export interface MissingTask {
  kind: 'relay' | 'check' | typeof SCHEDULED_KIND
  id: string
  payload: CheckTask
  due: number
}

export async function missingTasks(
  queue: WorkQueue,
  mailboxId: string,
  state: MessageState,
  now: number,
): Promise<MissingTask[]> {
  if (state.direction !== 'outbound') return []
  const payload = { mailbox_id: mailboxId, message_id: state.id }
  const lacks = async (task: MissingTask): Promise<MissingTask[]> =>
    (await queue.get(task.kind, task.id)) === undefined ? [task] : []
  switch (state.status) {
    case 'checking': {
      const task = checkTask(mailboxId, state.id, 1)
      return lacks({ kind: 'check', id: task.id, payload, due: now })
    }
    case 'scheduled':
      return lacks({ kind: SCHEDULED_KIND, id: state.id, payload, due: state.sendAt ?? now })
    case 'queued':
    case 'sending':
    case 'sent': {
      const waiting = state.recipients.filter(({ status }) => !hasEnded(status)).map(({ address }) => address)
      const tasks = relayTasks(mailboxId, state.id, waiting, 1)
      const missing = await Promise.all(
        tasks.map(({ id, payload: of }) => lacks({ kind: 'relay', id, payload: of, due: now })),
      )
      return missing.flat()
    }
    default:
      return []
  }
}

export async function verifyTasksOf(
  { store, queue, now }: { store: Store; queue: WorkQueue; now: number },
  mailboxId: string,
  report: Report,
): Promise<void> {
  for await (const [, value] of rowsOf(store, mailboxPartition(mailboxId), messagesRange)) {
    const state = unpackMessage(value)
    for (const { kind, id } of await missingTasks(queue, mailboxId, state, now))
      report('task-missing', mailboxId, `${state.id} is ${state.status} and has no ${kind} task ${id}`)
  }
}
