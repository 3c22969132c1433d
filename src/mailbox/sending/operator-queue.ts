/** Operator actions on queued mail as its sender sees them, and the operator's view: envelope, no content. */
import { type Clock, timestamp } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store, Transaction } from '../../store/types.js'
import { mailboxPartition } from '../keys.js'
import type { MessageState } from '../message.js'
import { readState } from '../message-rows.js'
import type { Recipient } from '../objects/objects.js'
import { changeWithin, mailboxOf } from '../record.js'
import { detailBefore, heldDetail, isHeld } from '../held-detail.js'
import { hasEnded, moved, saveStatus, statusFrom } from '../status.js'
import { relayTaskId } from '../tasks.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Envelope } from './outbound-mail.js'

const DELETED_BY_OPERATOR = 'deleted by the operator of this server before it was delivered'

export interface OperatingDeps {
  store: Store
  clock: Clock
  queue: Pick<WorkQueue, 'finish'>
}

export function createOperating({ store, clock, queue }: OperatingDeps) {
  /** @returns number of recipients; 0 if the message is gone or not with the relay */
  function changePending(
    mailboxId: string,
    messageId: string,
    domain: string,
    change: (recipient: Recipient) => Recipient,
  ): Promise<number> {
    // A deleted mailbox is no error.
    return store.write(mailboxPartition(mailboxId), (tx) => changeWithin(tx, pending(messageId, domain, change), none))
  }

  /** Changes unfinished recipients of a domain. @returns their number */
  function pending(messageId: string, domain: string, change: (recipient: Recipient) => Recipient) {
    return async (tx: Transaction, mailbox: MailboxRecord): Promise<number> => {
      const state = await readState(tx, messageId)
      if (!state || !isWithRelay(state)) return 0
      const isMeant = ({ address, status }: Recipient): boolean => !hasEnded(status) && domainOf(address) === domain
      const count = state.recipients.filter(isMeant).length
      const recipients = state.recipients.map((recipient) => (isMeant(recipient) ? change(recipient) : recipient))
      if (recipients.every((recipient, i) => recipient === state.recipients[i])) return count
      await saveStatus(tx, mailbox, state, withEnds({ ...state, recipients }), clock.now())
      return count
    }
  }

  return {
    /** Undefined for unknown outbound messages. */
    envelope: (mailboxId: string, messageId: string): Promise<Envelope | undefined> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const mailbox = await mailboxOf(view)
        const state = await readState(view, messageId)
        if (!mailbox || state?.direction !== 'outbound') return undefined
        return {
          messageId,
          mailboxId,
          from: mailbox.address,
          status: state.status,
          sizeBytes: state.rawBytes,
          recipients: state.recipients,
          firstEvent: state.seq,
          createdAt: state.createdAt,
          sentAt: state.sentAt,
        }
      }),

    /**
     * Shows the sender that recipients of a domain are held by the operator. Idempotent.
     *
     * @returns number of recipients; 0 if the message is gone or not with the relay. So do the next two
     */
    recordHold: (mailboxId: string, messageId: string, domain: string) =>
      changePending(mailboxId, messageId, domain, (recipient) =>
        isHeld(recipient, 'operator') && recipient.next_attempt_at === null
          ? recipient
          : {
              ...recipient,
              detail: heldDetail(recipient, 'operator'),
              next_attempt_at: null,
              at: timestamp(clock.now()),
            },
      ),

    recordRelease: (mailboxId: string, messageId: string, domain: string, nextAttemptAt: number) =>
      changePending(mailboxId, messageId, domain, (recipient) =>
        isHeld(recipient, 'operator')
          ? {
              ...recipient,
              detail: detailBefore(recipient, 'operator'),
              next_attempt_at: timestamp(nextAttemptAt),
              at: timestamp(clock.now()),
            }
          : recipient,
      ),

    /** Bounces remaining recipients of a domain without an attempt, and removes its task. @param why shown to the sender */
    recordDeletion: (mailboxId: string, messageId: string, domain: string, why = DELETED_BY_OPERATOR) => {
      const end = pending(messageId, domain, (recipient) => ({
        ...recipient,
        status: 'bounced',
        smtp_code: null,
        detail: why,
        next_attempt_at: null,
        at: timestamp(clock.now()),
      }))
      return store.write(mailboxPartition(mailboxId), (tx) => {
        queue.finish(tx, 'relay', relayTaskId(messageId, domain))
        return changeWithin(tx, end, none)
      })
    },
  }
}

const none = (): number => 0

function isWithRelay({ status }: MessageState): boolean {
  return status === 'queued' || status === 'sending' || status === 'sent'
}

/** Status from ended recipients; untried messages stay `queued` while any is left. */
function withEnds(state: MessageState): MessageState {
  if (state.status === 'queued' && !state.recipients.every(({ status }) => hasEnded(status))) return state
  const begun = state.status === 'queued' ? moved(state, 'sending') : state
  const status = statusFrom(state.recipients)
  return status === begun.status ? begun : moved(begun, status)
}
