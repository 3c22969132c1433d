/** Changes by forms of the inbox: of conversations and trashed messages, by the calls that the API makes for the same. */
import type { Note } from '../../audit/types.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { LABEL, type MessageChange } from '../../mailbox/labels.js'
import { redirect } from '../page/frame.js'
import { localPath } from '../page/local-path.js'
import { PATHS } from '../page/person-frame.js'
import { ACT_PATH, ACTS, type Act, type Done } from './action-forms.js'
import {
  inboxMailbox,
  itemPath,
  PAGE_SIZE,
  requireActiveAccount,
  writePath,
  type InboxDeps,
  type InboxPage,
} from './deps.js'
import { orGone } from './gone.js'

/** Max size of a form: 50 selected lines, a label and the way back. */
const FORM_BYTES = 16 * 1024

const act: InboxPage = {
  method: 'POST',
  path: ACT_PATH,
  access: 'session',
  formBytes: FORM_BYTES,
  async answer({ form: sent, visitor }, deps) {
    const what = actOf(sent.get('do'))
    const back = (STAYING.has(what) ? sent.get('stay') : null) ?? sent.get('back')
    const items = itemsIn(sent.getAll('item'))
    if (items.size === 0) return redirect(backTo(back, 'nothing'))
    const label = (sent.get('label') ?? '').trim().toLowerCase()
    const change = changeOf(what, label)
    if (change === 'nolabel') return redirect(backTo(back, 'nolabel'))
    await requireActiveAccount(visitor.session.accountId, deps)
    let left = 0
    for (const [mailboxId, ids] of items) {
      const mailbox = await inboxMailbox(visitor, mailboxId, deps)
      left += await applied(mailbox.id, [...ids], change, deps)
    }
    return redirect(backTo(back, left > 0 ? 'some' : what))
  },
}

const withdraw: InboxPage = {
  method: 'POST',
  path: `${itemPath('{mailbox_id}', '{id}')}/withdraw`,
  access: 'session',
  async answer({ params, visitor, noted }, deps) {
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const id = params['id'] ?? ''
    const entry = { action: 'message.withdrawn', subject: { mailbox_id: mailbox.id, message_id: id } } as const
    const message = await orGone(() => noted(entry, (note) => withdrawn(mailbox.id, id, note, deps)))
    return redirect(`${itemPath(mailbox.id, message.thread_id)}?done=withdrawn`)
  },
}

/** Mail of the human's own that has not gone becomes a draft again, which opens for writing. */
const undo: InboxPage = {
  method: 'POST',
  path: `${itemPath('{mailbox_id}', '{id}')}/undo`,
  access: 'session',
  async answer({ params, visitor, noted }, deps) {
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const id = params['id'] ?? ''
    const entry = { action: 'message.recalled', subject: { mailbox_id: mailbox.id, message_id: id } } as const
    const draft = await orGone(() => noted(entry, (note) => deps.mailboxes.sending.recall(mailbox.id, id, note)))
    return redirect(writePath({ draft: `${mailbox.id}/${draft.id}`, done: 'undone' }))
  },
}

export const actionPages: readonly InboxPage[] = [act, withdraw, undo]

async function withdrawn(
  mailboxId: string,
  messageId: string,
  note: Note | undefined,
  { mailboxes }: Pick<InboxDeps, 'mailboxes'>,
) {
  try {
    return await mailboxes.sending.cancel(mailboxId, messageId, { note })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too_late') throw error
    throw new ServiceError('too_late', 'It is too late: its delivery has begun.', 'Go back to see what became of it.')
  }
}

function actOf(value: string | null): Act {
  const found = ACTS.find((each) => each === value)
  if (found !== undefined) return found
  throw invalidRequest('This form is not one of ours.', 'Go back, reload the page, and press one of its buttons.', [
    { field: 'do', problem: 'not one of the buttons' },
  ])
}

/** After these a conversation is still worth looking at. */
const STAYING: ReadonlySet<Act> = new Set(['label', 'unlabel', 'inbox', 'ham'])

type Change = MessageChange | 'delete' | 'restore'

function changeOf(act: Act, label: string): Change | 'nolabel' {
  switch (act) {
    case 'archive':
      return { removeLabels: ['inbox'] }
    case 'inbox':
      return { addLabels: ['inbox'] }
    case 'read':
      return { unread: false }
    case 'unread':
      return { unread: true }
    case 'label':
      return LABEL.test(label) ? { addLabels: [label] } : 'nolabel'
    case 'unlabel':
      return LABEL.test(label) ? { removeLabels: [label] } : 'nolabel'
    case 'spam':
      return { addLabels: ['spam'] }
    case 'ham':
      return { removeLabels: ['spam'] }
    case 'delete':
    case 'restore':
      return act
  }
}

/** Ids by mailbox: `mbx_…/thr_…`, or `msg_…` of the trash. */
function itemsIn(values: readonly string[]): Map<string, Set<string>> {
  const items = new Map<string, Set<string>>()
  for (const value of values.slice(0, PAGE_SIZE)) {
    const [, mailboxId, id] = /^(mbx_\w{1,40})\/((?:thr|msg)_\w{1,40})$/.exec(value) ?? []
    if (mailboxId === undefined || id === undefined) continue
    items.set(mailboxId, (items.get(mailboxId) ?? new Set()).add(id))
  }
  return items
}

/** @returns how many could not be changed @throws ServiceError of the only one, which says why */
async function applied(
  mailboxId: string,
  ids: readonly string[],
  change: Change,
  { mailboxes: { labels, trash } }: Pick<InboxDeps, 'mailboxes'>,
): Promise<number> {
  switch (change) {
    case 'delete':
      return each(ids, (id) => trash.deleteThread(mailboxId, id))
    case 'restore':
      return each(ids, (id) => trash.restoreMessage(mailboxId, id))
    default:
      return (await labels.updateThreads(mailboxId, [...ids], change)).not_found.length
  }
}

async function each(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<number> {
  let left = 0
  for (const id of ids) {
    try {
      await work(id)
    } catch (error) {
      if (!(error instanceof ServiceError) || !['not_found', 'message_on_its_way'].includes(error.code)) throw error
      left++
    }
  }
  return left
}

/** A page of the inbox, which then says what was done. */
export function backTo(given: string | null, done: Done): string {
  const origin = 'http://inbox.invalid'
  const path = localPath(given, origin)
  const url = new URL(path !== undefined && /^\/inbox(?:[/?]|$)/.test(path) ? path : PATHS.inbox, origin)
  url.searchParams.set('done', done)
  return url.pathname + url.search
}
