/** The notice in a message's thread when a recipient is given up or waits long, and what its author's program asked for (RFC 3461). */
import type { Clock } from '../../lib/clock.js'
import type { Notice } from '../../mailbox/delivery/notice.js'
import type { OutboundMessage, RecipientResult } from '../../mailbox/sending/outbound-mail.js'
import { domainOf } from '../../mime/address.js'
import { prependFields } from '../../mime/headers.js'
import { wishesFor, type Notify } from '../../mime/dsn-request.js'
import { composeSenderNotice, type NoticedRecipient } from '../../mime/compose/sender-notice.js'
import type { ParseLimits } from '../../mime/types.js'
import { isLongDelay, notYetAfter, triedUntil } from '../schedule.js'

export interface SenderNoticesDeps {
  /** `failures`: recipients given up; `all`: long waits too. */
  mode: 'failures' | 'all' | 'off'
  hostname: string
  parseLimits: ParseLimits
  clock: Clock
}

export interface TriedMessage extends Omit<OutboundMessage, 'accountId'> {
  /** Results about to be recorded, of an attempt or a postponed one. The message has the state before. */
  results: RecipientResult[]
  attempts: number
  /** Time of the first attempt. */
  since: number
}

/** Undefined if there is nothing to report. A notice has the null sender and goes to the author only, so none can follow it. */
export type SenderNotices = (tried: TriedMessage) => Promise<Notice | undefined>

export function createSenderNotices({ mode, hostname, parseLimits, clock }: SenderNoticesDeps): SenderNotices {
  return async ({ message, raw, toldOfDelay = [], results, attempts, since, dsn, hasNullSender }) => {
    const from = message.from?.address
    const now = clock.now()
    // Stored with the message, not derived from times: operator holds change `since`.
    const isDelayed = (address: string): boolean => isLongDelay(since, now) && !toldOfDelay.includes(address)
    const recipients = results.flatMap((result): NoticedRecipient[] => {
      const { address, smtpCode, detail } = result
      const place = message.recipients.findIndex((one) => one.address === address)
      const { notify, original } = wishesFor(dsn, place, address)
      const isWanted = (value: Notify): boolean => (notify ? notify.includes(value) : USUAL[mode].includes(value))
      const action = actionOf(result, isWanted, isDelayed)
      return action ? [{ address, original, action, smtpCode, detail }] : []
    })
    if (hasNullSender || from === undefined || recipients.length === 0) return undefined
    const notice = composeSenderNotice(
      {
        to: from,
        messageId: message.message_id,
        envelopeId: dsn?.envelopeId,
        recipients,
        raw,
        returnsAll: dsn?.ret === 'FULL',
        acceptedAt: Date.parse(message.created_at),
        retryUntil: triedUntil(since),
        tried: notYetAfter(attempts, now - since),
      },
      { hostname, address: `postmaster@${domainOf(from)}`, now },
    )
    const delayed = recipients.filter(({ action }) => action === 'delayed').map(({ address }) => address)
    const text = prependFields(notice, ['Return-Path: <>'])
    // Loaded with the first notice.
    const { parseMessage } = await import('../../mime/parse/parse.js')
    const isConfirmation = recipients.every(({ action }) => action === 'delivered' || action === 'relayed')
    return { raw: text, parsed: await parseMessage(notice, parseLimits), delayed, isConfirmation }
  }
}

/** What is told of recipients whose author's program says nothing of it. */
const USUAL: Record<SenderNoticesDeps['mode'], readonly Notify[]> = {
  failures: ['FAILURE'],
  all: ['FAILURE', 'DELAY'],
  off: [],
}

/** What a notice says of a result; undefined if none is wanted. */
function actionOf(
  { address, status, confirms }: RecipientResult,
  isWanted: (value: Notify) => boolean,
  isDelayed: (address: string) => boolean,
): NoticedRecipient['action'] | undefined {
  switch (status) {
    case 'bounced':
      return isWanted('FAILURE') ? 'failed' : undefined
    case 'deferred':
      return isWanted('DELAY') && isDelayed(address) ? 'delayed' : undefined
    case 'delivered':
      return isWanted('SUCCESS') ? confirms : undefined
  }
}
