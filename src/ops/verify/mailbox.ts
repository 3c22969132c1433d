/** Checks one mailbox for consistency, with memory for a page and one conversation. */
import { filesOf, type DraftRecord } from '../../mailbox/draft.js'
import { lastOfRow, unpackEvents } from '../../mailbox/event-rows.js'
import {
  bodyKey,
  draftFileKey,
  draftsRange,
  eventsRange,
  listsRange,
  mailboxPartition,
  messagesRange,
  placeKey,
  threadsRange,
} from '../../mailbox/keys.js'
import { isListedAt, listsIn, listsOf, seqsIn, type Listed, type Listing } from '../../mailbox/lists.js'
import { rawIn } from '../../mailbox/body-row.js'
import { readStateAt, unpackMessage } from '../../mailbox/message-rows.js'
import { nextSeq } from '../../mailbox/events.js'
import { mailboxOf } from '../../mailbox/record.js'
import { listingOf } from '../../mailbox/threads/thread.js'
import { readThread, unpackThread } from '../../mailbox/threads/thread-rows.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { decode } from '../../store/keys.js'
import { unpackNumber } from '../../store/packed.js'
import { rowsOf } from '../../store/pages.js'
import type { Store, View } from '../../store/types.js'
import { verifyFile, type FilesDeps, type WantedFile } from './files.js'
import { messagesOf, summaryIn, summaryOf } from './threads.js'
import type { Report } from './families/types.js'

export interface MailboxDeps extends FilesDeps {
  store: Store
}

export interface Counted {
  messages: number
  threads: number
  events: number
  files: number
  /** Files whose contents were compared. */
  hashed: number
}

/** @returns undefined if there is no such mailbox */
export async function verifyMailbox(deps: MailboxDeps, id: string, report: Report): Promise<Counted | undefined> {
  const { store } = deps
  const mailbox = await store.read(mailboxPartition(id), mailboxOf)
  if (!mailbox) return undefined
  const counted: Counted = { messages: 0, threads: 0, events: 0, files: 0, hashed: 0 }
  await messages(deps, mailbox, counted, report)
  await threads(deps, mailbox, counted, report)
  await lists(deps, mailbox, report)
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
    const state = unpackMessage(value)
    counted.messages++
    bytes += state.rawBytes
    if (state.status === 'scheduled') scheduled++
    await store.read(partition, async (view) => {
      const [body, place] = await view.getMany([bodyKey(state.seq), placeKey(state.id)])
      if (!body) report('content-missing', id, state.id)
      else if (state.rawIn === 'store' && rawIn(body).length !== state.rawBytes) report('raw-missing', id, state.id)
      if (!place || unpackNumber(place) !== state.seq) report('place-row', id, `${state.id} is not found by its id`)
      const thread = await readThread(view, state.threadId)
      if (!thread) report('thread-missing', id, `${state.threadId} of ${state.id}`)
      else if (!(state.trashed ? thread.trash : thread.places).includes(state.seq))
        report('thread-wrong', id, `${state.id} is not in ${state.threadId}`)
      await reportMissing(view, 'message', { seq: state.seq, names: listsOf(state) }, state.id)
    })
    if (state.rawIn === 'blob') await file('message', state.id, { bytes: state.rawBytes, sha256: state.rawSha256 })
  }
  let drafts = 0
  for await (const [, value] of rowsOf(store, partition, draftsRange)) {
    const draft = decode<DraftRecord>(value)
    drafts++
    bytes += draft.bytes
    for (const one of filesOf(draft)) {
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

  async function reportMissing(view: View, kind: Listed, { seq, names }: Listing, what: string): Promise<void> {
    for (const name of names)
      if (!(await isListedAt(view, name, kind, seq))) report('list-row', id, `${what} is missing in ${name}`)
  }
}

async function threads({ store }: MailboxDeps, { id }: MailboxRecord, counted: Counted, report: Report): Promise<void> {
  for await (const [, value] of rowsOf(store, mailboxPartition(id), threadsRange)) {
    const thread = unpackThread(value)
    counted.threads++
    await store.read(mailboxPartition(id), async (view) => {
      const { here, trash, strays } = await messagesOf(view, thread)
      for (const seq of strays) report('thread-wrong', id, `${thread.id} has a message at ${seq} that is not its own`)
      if (JSON.stringify(summaryOf(here, trash)) !== JSON.stringify(summaryIn(thread)))
        report(
          'thread-wrong',
          id,
          `${thread.id}: it has ${here.length} messages, its record says ${thread.places.length}`,
        )
      for (const side of ['mail', 'spam'] as const) {
        const { seq, names } = listingOf(thread, side) ?? { seq: 0, names: [] }
        for (const name of names)
          if (!(await isListedAt(view, name, 'thread', seq)))
            report('list-row', id, `${thread.id} is missing in ${name}`)
      }
    })
  }
}

async function lists({ store }: MailboxDeps, { id }: MailboxRecord, report: Report): Promise<void> {
  for await (const [row, value] of rowsOf(store, mailboxPartition(id), listsRange)) {
    await store.read(mailboxPartition(id), async (view) => {
      for (const name of listsIn(row)) {
        for (const seq of seqsIn(row, value, name, 'message')) {
          const state = await readStateAt(view, seq)
          if (!state || !listsOf(state).includes(name))
            report('list-row', id, `the message at ${seq} should not be in ${name}`)
        }
        for (const seq of seqsIn(row, value, name, 'thread'))
          if (!(await isThreadListed(view, name, seq)))
            report('list-row', id, `no conversation should be in ${name} at ${seq}`)
      }
    })
  }
}

async function isThreadListed(view: View, name: string, seq: number): Promise<boolean> {
  const state = await readStateAt(view, seq)
  const thread = state && (await readThread(view, state.threadId))
  if (!thread) return false
  const standing = [listingOf(thread, 'mail'), listingOf(thread, 'spam')]
  return standing.some((side) => side?.seq === seq && side.names.includes(name))
}

async function events({ store }: MailboxDeps, mailbox: MailboxRecord, counted: Counted, report: Report): Promise<void> {
  let before: number | undefined
  for await (const [row, value] of rowsOf(store, mailboxPartition(mailbox.id), eventsRange)) {
    for (const { seq } of unpackEvents(value, lastOfRow(row), mailbox.id)) {
      counted.events++
      if (before !== undefined && seq !== nextSeq(mailbox, before))
        report('event-gap', mailbox.id, `${seq} follows ${before}`)
      before = seq
    }
  }
  if (before !== undefined && nextSeq(mailbox, before) !== mailbox.seq + 1)
    report('event-gap', mailbox.id, `the newest event is ${before}, the mailbox says ${mailbox.seq}`)
}
