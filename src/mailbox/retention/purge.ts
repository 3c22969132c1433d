/**
 * Purging the trash, on request or after 7 days. A large message's file is deleted after the commit; a crash in between leaves an orphan that the nightly
 * sweep finds.
 */
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { idBytes, idOf } from '../../lib/ids.js'
import { unpackNumber } from '../../store/packed.js'
import type { Blobs, Store, Transaction } from '../../store/types.js'
import { appendEvent } from '../events.js'
import { messageIdKey, threadKey, trashKey, trashRange } from '../keys.js'
import { type MessageState, TRASH_MS } from '../message.js'
import { dropMessage, readShownOf, readState, readStateAt } from '../message-rows.js'
import { changeIfThere, changeMailbox, readMailbox } from '../record.js'
import { readThread, saveThread } from '../threads/thread-rows.js'
import { isOwnMessageId } from '../threads/threading.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** Messages per commit and per request. */
const STEP = 50
const MAX_A_REQUEST = 500

export interface PurgingDeps {
  store: Store
  blobs: Pick<Blobs, 'delete'>
}

export interface Purged {
  count: number
  files: string[]
}

export function createPurging(deps: PurgingDeps & { clock: Clock }) {
  const { store, clock } = deps
  return {
    /** Deletes permanently. @throws ServiceError `not_found` if not in the trash */
    async purge(mailboxId: string, messageId: string) {
      const purged = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const state = await readState(tx, messageId)
        if (!state?.trashed)
          throw new ServiceError(
            'not_found',
            'There is no such message in the trash.',
            `DELETE /v1/messages/${messageId.slice(0, 64)} moves a message there first; GET /v1/trash lists what is there.`,
          )
        return purge(tx, mailbox, [state], clock.now())
      })
      await letGo(deps, mailboxId, purged)
      return { id: messageId, object: 'message' as const, deleted: true as const, permanent: true as const }
    },

    /** Deletes permanently what was in the trash at the call, oldest first; some hundreds per call. */
    async empty(mailboxId: string): Promise<{ deleted: number; has_more: boolean }> {
      // Messages deleted from now on are not purged.
      const upTo = (await readMailbox(store, mailboxId))?.seq ?? 0
      let deleted = 0
      while (deleted < MAX_A_REQUEST) {
        const { count } = await purgeStep(deps, mailboxId, clock.now(), ({ seq }) => seq <= upTo)
        deleted += count
        if (count < STEP) return { deleted, has_more: false }
      }
      return { deleted, has_more: true }
    },
  }
}

/** Purges expired messages, in bounded steps. @returns their number */
export async function sweepTrash(deps: PurgingDeps, mailboxId: string, now: number): Promise<number> {
  let all = 0
  for (;;) {
    const { count } = await purgeStep(deps, mailboxId, now, ({ at }) => at <= now - TRASH_MS)
    all += count
    if (count < STEP) return all
  }
}

/** Purges the oldest selected messages that fit into one commit. */
async function purgeStep(
  deps: PurgingDeps,
  mailboxId: string,
  now: number,
  isMeant: (trashed: NonNullable<MessageState['trashed']>) => boolean,
): Promise<Purged> {
  const purged = await changeIfThere(deps.store, mailboxId, async (tx, mailbox) => {
    const states: MessageState[] = []
    for (const [, row] of await tx.range({ ...trashRange, limit: STEP })) {
      const state = await readStateAt(tx, unpackNumber(row))
      if (!state?.trashed || !isMeant(state.trashed)) break
      states.push(state)
    }
    return purge(tx, mailbox, states, now)
  })
  if (!purged) return { count: 0, files: [] }
  await letGo(deps, mailboxId, purged)
  return purged
}

/** Within a commit. @param states of messages in the trash @returns what `letGo` has to remove after it */
export async function purge(
  tx: Transaction,
  mailbox: MailboxRecord,
  states: MessageState[],
  now: number,
): Promise<Purged> {
  for (const state of states) {
    const { id, threadId, seq, trashed } = state
    await leaveThread(tx, state)
    await dropMessage(tx, state)
    if (trashed) tx.delete(trashKey(trashed.seq))
    mailbox.usedBytes = Math.max(0, mailbox.usedBytes - state.rawBytes)
    mailbox.messageCount--
    appendEvent(mailbox, now, 'message.deleted', {
      message_id: id,
      thread_id: threadId,
      message_seq: seq,
      direction: state.direction,
      labels: state.labels,
      permanent: true,
    })
  }
  return { count: states.length, files: states.filter(({ rawIn }) => rawIn === 'blob').map(({ id }) => id) }
}

/** A thread is deleted with its last message. Until then it keeps the ids of purged ones, so that replies to them join it. */
async function leaveThread(tx: Transaction, state: MessageState): Promise<void> {
  const { threadId } = state
  const thread = await readThread(tx, threadId)
  if (!thread) return
  const after = { ...thread, trash: thread.trash.filter((seq) => seq !== state.seq) }
  const messageId = (await readShownOf(tx, state))?.message_id
  if (after.places.length + after.trash.length > 0) {
    // Own Message-IDs are resolved without a row while the message exists.
    if (messageId && isOwnMessageId(messageId, state.id)) tx.put(messageIdKey(messageId), idBytes(threadId))
    return saveThread(tx, thread, after)
  }
  tx.delete(threadKey(threadId))
  if (messageId === null || messageId === undefined) return
  const known = await tx.get(messageIdKey(messageId))
  if (known && idOf('thr', known) === threadId) tx.delete(messageIdKey(messageId))
}

/** Deletes the files of purged messages. */
export async function letGo(
  { blobs }: Pick<PurgingDeps, 'blobs'>,
  mailboxId: string,
  { files }: Purged,
): Promise<void> {
  for (const id of files) await blobs.delete(mailboxId, id)
}
