/**
 * Traces one message by its id, from the receiver to webhooks, from stored data: the message, its events, the receipt, the queue, the review and the
 * webhook deliveries.
 */
import { MINUTE, timestamp } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { idTime, isId, firstId } from '../../lib/ids.js'
import { mailboxPartition, placeKey } from '../../mailbox/keys.js'
import { mailboxIds } from '../../mailbox/all-mailboxes.js'
import type { MessageState } from '../../mailbox/message.js'
import { idInPlace, readState } from '../../mailbox/message-rows.js'
import { mailboxOf } from '../../mailbox/record.js'
import { readPlace, readReview, REVIEW_PARTITION } from '../../mailbox/review/rows.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Reading } from '../../mailbox/composition/mailboxes.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import type { ReadEvents } from '../../mailbox/events.js'
import type { Receipt, Receipts } from '../../receipts/types.js'
import type { OperatorQueue } from '../../relay/operator/types.js'
import type { Store } from '../../store/types.js'
import { deliveriesOf } from './deliveries.js'
import { eventsOf } from './events.js'
import { receiptIdOf, tracedReceipt } from './receipt.js'
import { stepsOf } from './steps.js'
import type { Trace } from './types.js'

export interface TraceDeps {
  store: Store
  mailboxes: { reading: Pick<Reading, 'raw'>; directory: Pick<Directory, 'resolve' | 'get'>; events: ReadEvents }
  receipts: Pick<Receipts, 'find'>
  queue: Pick<OperatorQueue, 'show'>
}

/** @param id of a message, or of a receipt, as in the reply to its sender @throws ServiceError `invalid_request`, `not_found` */
export type TraceMessage = (id: string, mailbox?: string) => Promise<Trace>

/** The clock may have been set between the receipt and the message. */
const CLOCK_SLACK_MS = MINUTE
/** Max messages of one mailbox that are compared with a receipt. */
const MAX_CANDIDATES = 1000

interface Found {
  mailbox: MailboxRecord
  state: MessageState
}

export function createTrace(deps: TraceDeps): TraceMessage {
  const { store, mailboxes } = deps

  const look = (mailboxId: string, messageId: string): Promise<Found | undefined> =>
    store.read(mailboxPartition(mailboxId), async (view) => {
      const [mailbox, state] = [await mailboxOf(view), await readState(view, messageId)]
      return mailbox && state && { mailbox, state }
    })

  async function mustFindMailbox(named: string): Promise<MailboxRecord> {
    const mailbox = isId('mbx', named) ? await mailboxes.directory.get(named) : await mailboxes.directory.resolve(named)
    if (!mailbox) throw notFound(`There is no mailbox ${named}.`, 'restante mailbox list shows those that exist.')
    return mailbox
  }

  /** The id does not contain the mailbox: without a name all mailboxes are searched. */
  async function find(messageId: string, named: string | undefined): Promise<Found> {
    if (named !== undefined) {
      const mailbox = await mustFindMailbox(named)
      const found = await look(mailbox.id, messageId)
      if (found) return found
      throw noSuchMessage(messageId)
    }
    for await (const id of mailboxIds(store)) {
      const found = await look(id, messageId)
      if (found) return found
    }
    throw noSuchMessage(messageId)
  }

  const reviewOf = ({ id, reviewId }: MessageState): Promise<Trace['review']> =>
    store.read(REVIEW_PARTITION, async (view) => {
      const place = await readPlace(view, id)
      const row = reviewId === undefined ? undefined : await readReview(view, reviewId)
      if (!place && !row) return null
      return {
        waits_as: row ? null : (place?.list ?? null),
        at: place ? timestamp(place.at) : null,
        decision: row ? { id: row.id, at: timestamp(row.at), decision: row.decision, by: row.by } : null,
      }
    })

  /** Messages of a delivery attempt, by their Received field. A message is stored between the creation of its receipt's id and the receipt's own time. */
  async function ofReceipt(receipt: Receipt, named: string | undefined): Promise<Found[]> {
    const made = idTime(receipt.id)
    // Ids don't go back when the clock does.
    const [from, until] = [made - CLOCK_SLACK_MS, Math.max(made, Date.parse(receipt.at)) + CLOCK_SLACK_MS]
    const range = { gte: placeKey(firstId('msg', from)), lt: placeKey(firstId('msg', until)) }
    const found: Found[] = []
    const only = named === undefined ? undefined : (await mustFindMailbox(named)).id
    for (const mailbox of mailboxesOf(receipt)) {
      if (only !== undefined && only !== mailbox.id) continue
      const rows = await store.read(mailboxPartition(mailbox.id), (view) =>
        view.range({ ...range, limit: MAX_CANDIDATES }),
      )
      for (const [row] of rows) {
        const messageId = idInPlace(row)
        const message = await look(mailbox.id, messageId)
        if (message?.state.direction !== 'inbound') continue
        if (receiptIdOf(await mailboxes.reading.raw(mailbox.id, messageId)) === receipt.id) found.push(message)
      }
    }
    return found
  }

  /** Finds the message of an id, and others of the same attempt. */
  async function lookUp(id: string, named: string | undefined): Promise<{ found: Found; others: Found[] }> {
    if (isId('msg', id)) return { found: await find(id, named), others: [] }
    if (!isId('rcp', id))
      throw new ServiceError(
        'invalid_request',
        `${id.slice(0, 60)} is neither the id of a message nor of a receipt.`,
        'Give an id such as msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3, or the rcp_… in the reply to the sender; restante queue list shows ids of queued mail, restante review list of held mail.',
      )
    const receipt = await deps.receipts.find(id)
    if (!receipt)
      throw notFound(
        `There is no receipt ${id}.`,
        'Check the id. Receipts are kept for retention.receipts_days; after that only log lines are left.',
      )
    const [found, ...others] = await ofReceipt(receipt, named)
    if (!found) throw noMessageOf(receipt)
    return { found, others }
  }

  async function receiptOf({ mailbox, state }: Found): Promise<{ receipt: Trace['receipt']; missing: string[] }> {
    if (state.direction === 'outbound') return { receipt: null, missing: [] }
    const id = receiptIdOf(await mailboxes.reading.raw(mailbox.id, state.id))
    if (id === undefined) return { receipt: null, missing: ['It has no receipt: it did not come from outside.'] }
    const receipt = await deps.receipts.find(id)
    if (receipt) return { receipt: tracedReceipt(receipt), missing: [] }
    return { receipt: null, missing: [`Its receipt ${id} is no longer kept (retention.receipts_days).`] }
  }

  return async (id, named) => {
    const { found, others } = await lookUp(id, named)
    const { mailbox, state } = found
    const messageId = state.id
    const { events, missing } = await eventsOf(mailboxes, mailbox.id, messageId, state.seq)
    const { receipt, missing: noReceipt } = await receiptOf(found)
    const delivery = state.direction === 'outbound' ? await deps.queue.show(messageId, mailbox.id) : undefined
    const known = {
      message_id: messageId,
      mailbox_id: mailbox.id,
      direction: state.direction,
      status: state.status,
      size_bytes: state.rawBytes,
      created_at: timestamp(state.createdAt),
      send_at: state.sendAt === undefined ? null : timestamp(state.sendAt),
      sent_at: state.sentAt === null ? null : timestamp(state.sentAt),
      in_trash: state.trashed !== undefined,
      receipt,
      recipients: delivery?.recipients ?? [],
      tasks: delivery?.tasks ?? [],
      check: state.check && {
        decision: state.check.decision,
        category: state.check.category,
        codes: state.check.reasons.map(({ code }) => code),
      },
      review: await reviewOf(state),
      deliveries: await deliveriesOf(store, mailbox.id, events),
    }
    return {
      ...known,
      events: events.map(({ id, seq, timestamp: at, type, data }) => ({
        id,
        seq,
        at,
        type,
        status: typeof data['status'] === 'string' ? data['status'] : null,
      })),
      steps: stepsOf(known, events),
      missing: [
        ...noReceipt,
        ...missing,
        ...others.map((other) => `The same mail is ${other.state.id} in ${other.mailbox.address}, with its own trace.`),
      ],
    }
  }
}

function mailboxesOf({ recipients }: Receipt): { id: string; address: string }[] {
  return [...new Map(recipients.flatMap(({ mailbox }) => (mailbox ? [[mailbox.id, mailbox] as const] : []))).values()]
}

function notFound(problem: string, hint: string): ServiceError {
  return new ServiceError('not_found', problem, hint)
}

function noMessageOf({ id, at, outcome, reply }: Receipt): ServiceError {
  const answer = reply ? `${reply.code} ${reply.enhanced} ${reply.text}` : 'none, the client had gone'
  return notFound(
    `No message of ${id} is stored here: ${at}, ${outcome}; reply to the sender: ${answer}`,
    `"restante receipts ${id} --json" shows all that is known of the attempt.`,
  )
}

function noSuchMessage(messageId: string): ServiceError {
  return notFound(
    `No message ${messageId} is stored here.`,
    `Check the id. Of a message that was deleted for good only log lines are left: journalctl --namespace=restante | grep ${messageId}. restante receipts --address ADDRESS shows what was received for an address.`,
  )
}
