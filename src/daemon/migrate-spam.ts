/**
 * Version 2: a message has the label `inbox` or the label `spam`, and a thread counts spam apart from its mail. Threads with spam are found by
 * their list; each is put right in one commit, and comes to the same when that is done again.
 */
import {
  listRange,
  mailboxListKey,
  mailboxListRange,
  mailboxPartition,
  messageKey,
  META_PARTITION,
  progressKey,
  searchPartition,
  trashRange,
} from '../mailbox/keys.js'
import { INBOX_LABEL, isSpam } from '../mailbox/label-names.js'
import type { MessageState } from '../mailbox/message.js'
import { readState } from '../mailbox/message.js'
import { changeIfThere } from '../mailbox/record.js'
import { readThread, saveThread, SPAM_LIST } from '../mailbox/thread.js'
import { encode, keyAfter, keyParts } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { readRows, remakeThread } from '../verify/threads.js'

/** Threads, or messages in the trash, of one step. */
const STEP = 20

/** @param cursor id of the mailbox that was finished last, or of one that is under way with the row of its list that was */
export async function spamOutOfInbox(store: Store, cursor: string): Promise<string | undefined> {
  const [last = '', row] = cursor.split(' ')
  const mailboxId = row === undefined ? await mailboxAfter(store, last) : last
  if (mailboxId === undefined) return undefined
  const from = row === undefined || row === '' ? listRange(SPAM_LIST).gte : keyAfter(Buffer.from(row, 'base64url'))
  const rows = await store.read(mailboxPartition(mailboxId), (view) =>
    view.range({ gte: from, lt: listRange(SPAM_LIST).lt, limit: STEP }),
  )
  const next = rows.at(-1)
  if (next) {
    // The index knows the labels as they were, and is made again by whoever asks for it first.
    await store.write(searchPartition(mailboxId), (tx) => tx.delete(progressKey))
    for (const [listed] of rows) await splitThread(store, mailboxId, String(keyParts(listed)[3]))
    return `${mailboxId} ${Buffer.from(next[0]).toString('base64url')}`
  }
  await clearTrash(store, mailboxId)
  return mailboxId
}

async function mailboxAfter(store: Store, last: string): Promise<string | undefined> {
  const { gte, lt } = mailboxListRange
  const from = last === '' ? gte : keyAfter(mailboxListKey(last))
  const [next] = await store.read(META_PARTITION, (view) => view.range({ gte: from, lt, limit: 1 }))
  return next && String(keyParts(next[0])[1])
}

async function splitThread(store: Store, mailboxId: string, threadId: string): Promise<void> {
  await changeIfThere(
    store,
    mailboxId,
    async (tx, mailbox) => {
      const before = await readThread(tx, threadId)
      if (!before || before.spam) return
      const { messages, trash } = await readRows(tx, threadId)
      const present = (rows: typeof messages) => rows.flatMap(({ state }) => (state ? [state] : []))
      const states = present(messages).map((state) => outOfInbox(tx, state))
      const after = await remakeThread(tx, mailbox, threadId, states, present(trash), before)
      if (after) saveThread(tx, before, { ...after, recentSends: before.recentSends })
    },
    () => undefined,
  )
}

/** What is restored from the trash comes back with the labels that it had. */
async function clearTrash(store: Store, mailboxId: string): Promise<void> {
  for (let from = trashRange.gte; ;) {
    const rows = await store.read(mailboxPartition(mailboxId), (view) =>
      view.range({ gte: from, lt: trashRange.lt, limit: STEP }),
    )
    const last = rows.at(-1)
    if (!last) return
    await store.write(mailboxPartition(mailboxId), async (tx) => {
      for (const [row] of rows) {
        const state = await readState(tx, String(keyParts(row)[2]))
        if (state) outOfInbox(tx, state)
      }
    })
    from = keyAfter(last[0])
  }
}

function outOfInbox(tx: Transaction, state: MessageState): MessageState {
  if (!isSpam(state) || !state.labels.includes(INBOX_LABEL)) return state
  const after = { ...state, labels: state.labels.filter((label) => label !== INBOX_LABEL) }
  tx.put(messageKey(state.id), encode(after))
  return after
}
