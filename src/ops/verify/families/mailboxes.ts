/** Rows of a mailbox, its search index and its webhooks. mailbox.ts compares messages, conversations and counts with each other. */
import { filesOf, type DraftRecord } from '../../../mailbox/draft.js'
import { unpackBody } from '../../../mailbox/body-row.js'
import { timeOfEvents, unpackEvents } from '../../../mailbox/event-rows.js'
import {
  countersKey,
  draftKey,
  draftsRange,
  draftWordsKey,
  EMPTY_VALUE,
  entryCountKey,
  expiryKey,
  mailboxKey,
  mailboxListKey,
  mailboxPartition,
  messageIdKey,
  messageKey,
  META_PARTITION,
  trashKey,
  webhookListKey,
  type ExpiringKind,
} from '../../../mailbox/keys.js'
import { unpackUids, unpackVanished } from '../../../mailbox/folders/index-rows.js'
import { mailboxOf, unpackCounters } from '../../../mailbox/mailbox-rows.js'
import { othersIn, type StoredMessage } from '../../../mailbox/message.js'
import { readStateAt, readStoredAt, unpackMessage } from '../../../mailbox/message-rows.js'
import { isWaiting } from '../../../mailbox/review/reading.js'
import { listedKey, placeKey, REVIEW_LISTS, REVIEW_PARTITION, type ReviewPlace } from '../../../mailbox/review/rows.js'
import { unpackIndex } from '../../../mailbox/search/segments.js'
import { readThread, unpackThread } from '../../../mailbox/threads/thread-rows.js'
import { isOwnMessageId, subjectEntry, subjectKeys } from '../../../mailbox/threads/threading.js'
import { dueKey, dueUlid, stateKey, webhookKey, deliveryKey, ulidOf } from '../../../mailbox/webhooks/keys.js'
import { newDeliveryState } from '../../../mailbox/webhooks/rows.js'
import type { DeliveryRecord, DeliveryState } from '../../../mailbox/webhooks/types.js'
import { idBytes, idOf } from '../../../lib/ids.js'
import { DAY } from '../../../lib/clock.js'
import { domainOf } from '../../../mime/address.js'
import { decode, encode } from '../../../store/keys.js'
import { packNumber, unpackNumber } from '../../../store/packed.js'
import type { RowTools, Row } from './row-tools.js'
import { derived, passing, truth, type Family, type PartitionKind } from './family.js'

/** Older subjects are not looked up (threading.ts). */
const SUBJECT_DAYS = 30
/** Beyond this number, only some are indexed. */
const MAX_OTHERS = 20

async function checkMessage(row: Row, tools: RowTools): Promise<void> {
  const { partition } = row
  const { seq } = unpackMessage(row.value)
  const { mailbox, stored } = await tools.store.read(partition, async (view) => ({
    mailbox: await mailboxOf(view),
    stored: await readStoredAt(view, seq),
  }))
  if (!mailbox || !stored) return
  const { state, content } = stored
  await reviewRow(mailbox.id, stored, tools)
  if (state.trashed) {
    const { id, trashed } = state
    await tools.present(partition, trashKey(trashed.seq), packNumber(seq), `${id} is in the trash and not in its list`)
  }
  if (content.message_id !== null && !isOwnMessageId(content.message_id, state.id)) {
    const known = messageIdKey(content.message_id)
    const threadId = await tools.get(partition, known)
    const isThere =
      threadId !== undefined &&
      (await tools.store.read(partition, (view) => readThread(view, idOf('thr', threadId)))) !== undefined
    if (!isThere)
      await tools.same(partition, known, idBytes(state.threadId), `the Message-ID of ${state.id} leads nowhere`)
  }
  const all = othersIn(content, mailbox)
  if (state.createdAt < tools.now - SUBJECT_DAYS * DAY || all.length > MAX_OTHERS) return
  // Own domains are left out: an alias added or removed since would change who counts as another.
  const own = [mailbox.address, ...(mailbox.aliases ?? []).map(({ address }) => address)].map(domainOf)
  const others = all.filter(({ address }) => !own.includes(domainOf(address)))
  const entry = subjectEntry(state.threadId, state.createdAt)
  for (const subject of subjectKeys(content, others))
    await tools.present(partition, subject, entry, `${state.id} is not found by its subject`)
}

/** A message in review is in the list of all mailboxes too. */
async function reviewRow(mailboxId: string, { state, content }: StoredMessage, tools: RowTools): Promise<void> {
  const at = state.updatedAt
  // The time of the block is unknown. Its place expires 7 days later, and is not required once it may have expired.
  const list = REVIEW_LISTS.find((each) => isWaiting({ state, content }, each, state.createdAt, tools.now))
  // Messages rejected before the log existed have no review.
  if (!list || (list === 'blocked' && state.check?.decision !== 'block')) return
  const place = encode({ mailboxId, list, at } satisfies ReviewPlace)
  const known = await tools.json<ReviewPlace>(REVIEW_PARTITION, placeKey(state.id))
  if (known) return
  await tools.present(
    REVIEW_PARTITION,
    placeKey(state.id),
    place,
    `${state.id} waits for review and has no place there`,
  )
  await tools.present(
    REVIEW_PARTITION,
    listedKey(list, at, state.id),
    EMPTY_VALUE,
    `${state.id} is not listed as ${list}`,
  )
}

function expiring(kind: ExpiringKind): Family {
  return passing('json', async ({ partition, parts, value }, tools) => {
    const { expiresAt } = decode<{ expiresAt: number }>(value)
    const row = expiryKey(expiresAt, kind, String(parts[1]))
    await tools.present(partition, row, EMPTY_VALUE, `a ${kind} row would never expire`)
  })
}

const mailbox: PartitionKind = {
  name: 'mailbox',
  match: /^mailbox\/(.+)$/,
  families: {
    mailbox: truth('json', async ({ of, partition }, tools) => {
      await tools.present(META_PARTITION, mailboxListKey(of), EMPTY_VALUE, `${of} is in no list`)
      if (!(await tools.get(partition, countersKey))) tools.report('record-missing', partition, `the counters of ${of}`)
    }),
    counters: truth(unpackCounters, async ({ partition }, tools) => {
      if (!(await tools.get(partition, mailboxKey))) tools.report('record-missing', partition, 'counters')
    }),
    // A place without its message is harmless.
    place: derived(unpackNumber),
    message: truth(unpackMessage, checkMessage),
    body: truth(unpackBody, async ({ partition, parts }, tools) => {
      const seq = Number(parts[1])
      if (!(await tools.get(partition, messageKey(seq))))
        tools.report('record-missing', partition, `the body at ${seq}`)
    }),
    thread: derived(unpackThread),
    trash: derived(unpackNumber, async (row, tools) => {
      const seq = unpackNumber(row.value)
      const state = await tools.store.read(row.partition, (view) => readStateAt(view, seq))
      if (state?.trashed?.seq !== Number(row.parts[1])) tools.stray(row, `the message at ${seq} is not in the trash`)
    }),
    list: derived('octets'),
    // A deleted thread leaves some of its rows behind, which is harmless: they are overwritten.
    'message-id': derived('octets'),
    subject: derived('octets'),
    correspondent: passing(unpackNumber),
    event: truth((row) => unpackEvents(row, timeOfEvents(row), '')),
    idempotency: expiring('idempotency'),
    delivery: expiring('delivery'),
    imported: expiring('imported'),
    // One whose record is gone, or expires later, does nothing.
    expiry: derived('mark'),
    draft: truth('json', async ({ partition, parts }, tools) => {
      const id = String(parts[1])
      if (!(await tools.get(partition, draftWordsKey(id)))) tools.report('content-missing', partition, id)
    }),
    'draft-words': truth('json', async ({ partition, parts }, tools) => {
      const id = String(parts[1])
      if (!(await tools.get(partition, draftKey(id)))) tools.report('record-missing', partition, `the words of ${id}`)
    }),
    'draft-file': truth('octets', ({ parts }, tools) => tools.count(`draft-file ${String(parts[1])}`)),
    'drafts-mark': derived('octets'),
    // One whose task has ended does nothing.
    'paused-task': passing('json'),
    'deletion-told': passing('json'),
    'suspension-told': passing('json'),
    settings: truth('json'),
    entry: truth('json', ({ parts }, tools) => tools.count(`entry ${String(parts[1])} ${String(parts[2])}`)),
    'entry-count': derived('json', ({ partition, parts, key, value }, tools) => {
      const [, direction, type] = parts.map(String)
      // Entries sort before their counts.
      const is = tools.counted(`entry ${direction} ${type}`)
      const stored = decode<number>(value)
      if (stored !== is)
        return tools.same(
          partition,
          key,
          encode(is),
          `${direction} ${type} list: ${stored} entries are counted, there are ${is}`,
        )
    }),
  },
  async end(partition, id, tools) {
    // A listed one is being created or removed, by its task.
    if (!(await tools.get(partition, mailboxKey)) && !(await tools.get(META_PARTITION, mailboxListKey(id))))
      tools.report('record-missing', partition, `${id} has rows and no record`)
    for (const name of tools.names()) {
      const [family, a, b] = name.split(' ')
      const is = tools.counted(name)
      if (family === 'entry')
        await tools.present(
          partition,
          entryCountKey(a ?? '', b ?? ''),
          encode(is),
          `${a} ${b} list: ${is} entries and no count`,
        )
      if (family === 'draft-file' && !(await isOfDraft(partition, a ?? '', tools)))
        tools.report('record-missing', partition, `no draft has the file ${a}`)
    }
  },
}

/** There are a hundred drafts at most. */
async function isOfDraft(partition: string, fileId: string, tools: RowTools): Promise<boolean> {
  const rows = await tools.store.read(partition, (view) => view.range(draftsRange))
  return rows.some(([, value]) => filesOf(decode<DraftRecord>(value)).some(({ id }) => id === fileId))
}

/** search.ts compares it with the mail. */
const search: PartitionKind = {
  name: 'search index',
  match: /^search\/(.+)$/,
  families: {
    index: derived(unpackIndex),
    chunk: derived('octets'),
  },
}

/** Derived from the mailbox but for the names; one of an older version is built anew when a mail program looks. */
const folders: PartitionKind = {
  name: 'folders',
  match: /^folders\/(.+)$/,
  families: {
    index: derived('json'),
    folder: derived('json'),
    page: derived('octets'),
    uids: derived(unpackUids),
    'draft-uid': derived('json'),
    vanished: derived(unpackVanished),
    name: truth('json'),
  },
}

/** All rows of a webhook are deleted in one commit, so rows without it have lost it. */
const ofWebhook = async ({ partition, parts }: Row, tools: RowTools): Promise<boolean> => {
  const id = String(parts[1])
  if (await tools.get(partition, webhookKey(id))) return true
  tools.report('record-missing', partition, `${id} has ${String(parts[0])} rows and no record`)
  return false
}

const webhooks: PartitionKind = {
  name: 'webhooks',
  match: /^webhooks\/(.+)$/,
  families: {
    webhook: truth('json', async ({ partition, of, parts }, tools) => {
      const id = String(parts[1])
      if (!(await tools.get(mailboxPartition(of), mailboxKey)))
        tools.report('record-missing', partition, `${id}: there is no mailbox ${of}`)
      const mailbox = await tools.store.read(mailboxPartition(of), mailboxOf)
      // Events since then are not delivered: its position is unknown.
      const state = newDeliveryState(mailbox?.seq ?? 0)
      await tools.present(partition, stateKey(id), encode(state), `${id} has no position`)
      await tools.present(
        META_PARTITION,
        webhookListKey(of),
        EMPTY_VALUE,
        `${of} has webhooks and is not listed for that`,
      )
    }),
    state: derived('json', async (row, tools) => {
      if (!(await ofWebhook(row, tools))) return
      // Deliveries sort before states.
      const id = String(row.parts[1])
      const state = decode<DeliveryState>(row.value)
      const is = { kept: tools.counted(`kept ${id}`), waiting: tools.counted(`waiting ${id}`) }
      if (state.kept !== is.kept || state.waiting !== is.waiting)
        await tools.same(
          row.partition,
          row.key,
          encode({ ...state, ...is }),
          `${id}: ${state.kept} deliveries and ${state.waiting} waiting are counted, there are ${is.kept} and ${is.waiting}`,
        )
    }),
    delivery: passing('json', async (row, tools) => {
      if (!(await ofWebhook(row, tools))) return
      const id = String(row.parts[1])
      const { dueAt, status, id: deliveryId } = decode<DeliveryRecord>(row.value)
      tools.count(`kept ${id}`)
      if (status === 'waiting') tools.count(`waiting ${id}`)
      if (dueAt !== null)
        await tools.present(
          row.partition,
          dueKey(id, dueAt, ulidOf(deliveryId)),
          EMPTY_VALUE,
          `${deliveryId} of ${id} is not in the list of due deliveries`,
        )
    }),
    due: derived('mark', async (row, tools) => {
      const [, id, at] = row.parts
      const delivery = await tools.json<DeliveryRecord>(row.partition, deliveryKey(String(id), dueUlid(row.key)))
      if (delivery?.dueAt !== Number(at)) tools.stray(row, `nothing of ${String(id)} is due then`)
    }),
  },
}

export const mailboxKinds: readonly PartitionKind[] = [mailbox, search, folders, webhooks]
