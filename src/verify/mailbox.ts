/** Everything of one mailbox, held against each other. Memory holds a page and one conversation, whatever the mailbox holds. */
import type { DraftRecord } from '../mailbox/draft.js'
import {
  contentKey,
  draftFileKey,
  draftsRange,
  eventsRange,
  heldKey,
  heldRange,
  listKey,
  mailboxPartition,
  messageKey,
  messagesRange,
  rawKey,
  threadKey,
  threadMessageKey,
  threadsRange,
  threadTrashKey,
} from '../mailbox/keys.js'
import type { MessageState } from '../mailbox/message.js'
import { nextSeq } from '../mailbox/numbering.js'
import { mailboxOf } from '../mailbox/record.js'
import { isListed, placesOf, standingIn } from '../mailbox/thread.js'
import type { ThreadRecord } from '../mailbox/thread.js'
import type { MailboxRecord } from '../mailbox/types.js'
import { decode, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { verifyFile } from './files.js'
import type { FilesDeps, WantedFile } from './files.js'
import { rowsOf } from './rows.js'
import { readRows, summaryIn, summaryOf } from './threads.js'
import type { Report } from './types.js'

export interface MailboxDeps extends FilesDeps {
  store: Store
}

export interface Counted {
  messages: number
  threads: number
  events: number
  files: number
  /** Files whose bytes were compared. */
  hashed: number
}

/** @returns undefined when there is no such mailbox */
export async function verifyMailbox(deps: MailboxDeps, id: string, report: Report): Promise<Counted | undefined> {
  const { store } = deps
  const mailbox = await store.read(mailboxPartition(id), mailboxOf)
  if (!mailbox) return undefined
  const counted: Counted = { messages: 0, threads: 0, events: 0, files: 0, hashed: 0 }
  await messages(deps, mailbox, counted, report)
  await threads(deps, mailbox, counted, report)
  await lists(deps, mailbox, report)
  await held(deps, mailbox, report)
  await events(deps, mailbox, counted, report)
  return counted
}

async function messages(deps: MailboxDeps, mailbox: MailboxRecord, counted: Counted, report: Report): Promise<void> {
  const { store } = deps
  const { id } = mailbox
  const partition = mailboxPartition(id)
  let bytes = 0
  let scheduled = 0
  const file = async (what: string, fileId: string, wanted: WantedFile): Promise<void> => {
    counted.files++
    if (await verifyFile(deps, { owner: id, id: fileId }, wanted, what, report)) counted.hashed++
  }
  for await (const [, value] of rowsOf(store, partition, messagesRange)) {
    const state = decode<MessageState>(value)
    counted.messages++
    bytes += state.rawBytes
    if (state.status === 'scheduled') scheduled++
    const row = state.trashed ? threadTrashKey : threadMessageKey
    const [content, raw, place, thread] = await store.read(partition, (view) =>
      view.getMany([
        contentKey(state.id),
        rawKey(state.id),
        row(state.threadId, state.seq, state.id),
        threadKey(state.threadId),
      ]),
    )
    if (!content) report('content-missing', id, state.id)
    if (state.rawIn === 'blob') await file('message', state.id, { bytes: state.rawBytes, sha256: state.rawSha256 })
    else if (!raw) report('raw-missing', id, state.id)
    if (!place) report('thread-row', id, `${state.id} is not in ${state.threadId}`)
    if (!thread) report('thread-missing', id, `${state.threadId} of ${state.id}`)
  }
  let drafts = 0
  for await (const [, value] of rowsOf(store, partition, draftsRange)) {
    const draft = decode<DraftRecord>(value)
    drafts++
    bytes += draft.bytes
    for (const one of draft.files) {
      if (one.in === 'blob') await file(`draft ${draft.id}`, one.id, one)
      const row = await store.read(partition, (view) => view.get(draftFileKey(one.id)))
      if (!row) report('raw-missing', id, `file ${one.id} of draft ${draft.id}`)
    }
  }
  const wrong = (name: string, stored: number, is: number): void => {
    if (stored !== is) report('counter', id, `${name} is ${stored}, and should be ${is}`)
  }
  wrong('messageCount', mailbox.messageCount, counted.messages)
  wrong('usedBytes', mailbox.usedBytes, bytes)
  wrong('draftCount', mailbox.draftCount ?? 0, drafts)
  wrong('scheduledCount', mailbox.scheduledCount ?? 0, scheduled)
}

async function threads(
  { store }: MailboxDeps,
  mailbox: MailboxRecord,
  counted: Counted,
  report: Report,
): Promise<void> {
  const { id } = mailbox
  const partition = mailboxPartition(id)
  for await (const [, value] of rowsOf(store, partition, threadsRange)) {
    const thread = decode<ThreadRecord>(value)
    counted.threads++
    const { rows, listed } = await store.read(partition, async (view) => {
      const lists = placesOf(thread).map(([name, seq]) => listKey(name, seq, thread.id))
      return { rows: await readRows(view, thread.id), listed: await view.getMany(lists) }
    })
    for (const [where, all] of [
      ['', rows.messages],
      ['the trash of ', rows.trash],
    ] as const)
      for (const { seq, messageId, state } of all) {
        const fits =
          state?.threadId === thread.id && state.seq === seq && (where !== '') === (state.trashed !== undefined)
        if (!fits) report('thread-row', id, `${messageId} should not be in ${where}${thread.id}`)
      }
    const here = rows.messages.flatMap(({ state }) => (state && !state.trashed ? [state] : []))
    const wanted = JSON.stringify(summaryOf(here, rows.trash.length))
    if (wanted !== JSON.stringify(summaryIn(thread)))
      report('thread-wrong', id, `${thread.id}: its messages make ${here.length}, it says ${standingIn(thread)}`)
    placesOf(thread).forEach(([name], i) => {
      if (!listed[i]) report('list-row', id, `${thread.id} is missing in ${name}`)
    })
  }
}

async function lists({ store }: MailboxDeps, { id }: MailboxRecord, report: Report): Promise<void> {
  const partition = mailboxPartition(id)
  for await (const [row] of rowsOf(store, partition, prefixRange('list'))) {
    const [, name, seq, threadId] = keyParts(row)
    const bytes = await store.read(partition, (view) => view.get(threadKey(String(threadId))))
    const thread = bytes && decode<ThreadRecord>(bytes)
    if (!thread || !isListed(thread, String(name), Number(seq)))
      report('list-row', id, `${threadId} should not be in ${name} at ${seq}`)
  }
}

async function held({ store }: MailboxDeps, { id }: MailboxRecord, report: Report): Promise<void> {
  const partition = mailboxPartition(id)
  for await (const [row] of rowsOf(store, partition, heldRange)) {
    const messageId = String(keyParts(row)[1])
    const bytes = await store.read(partition, (view) => view.get(messageKey(messageId)))
    if (!bytes || decode<MessageState>(bytes).status !== 'held')
      report('held-row', id, `${messageId} does not wait for review`)
  }
  for await (const [, value] of rowsOf(store, partition, messagesRange)) {
    const state = decode<MessageState>(value)
    if (state.status !== 'held') continue
    if (!(await store.read(partition, (view) => view.get(heldKey(state.id)))))
      report('held-row', id, `${state.id} waits for review and is not listed`)
  }
}

async function events({ store }: MailboxDeps, mailbox: MailboxRecord, counted: Counted, report: Report): Promise<void> {
  let before: number | undefined
  for await (const [row] of rowsOf(store, mailboxPartition(mailbox.id), eventsRange)) {
    const seq = Number(keyParts(row)[1])
    counted.events++
    if (before !== undefined && seq !== nextSeq(mailbox, before))
      report('event-gap', mailbox.id, `${seq} follows on ${before}`)
    before = seq
  }
  if (before !== undefined && nextSeq(mailbox, before) !== mailbox.seq + 1)
    report('event-gap', mailbox.id, `the newest event is ${before}, the mailbox says ${mailbox.seq}`)
}
