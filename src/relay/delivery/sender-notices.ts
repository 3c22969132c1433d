/** The notice that a mailbox gets in the thread of its message when a recipient is given up, or waits for long. */
import type { Clock } from '../../lib/clock.js'
import type { Notice } from '../../mailbox/delivery/notice.js'
import type { OutboundMessage, RecipientResult } from '../../mailbox/sending/outbound-mail.js'
import { domainOf } from '../../mime/address.js'
import { prependFields } from '../../mime/headers.js'
import { parseMessage } from '../../mime/parse/parse.js'
import { composeSenderNotice, type FailedRecipient } from '../../mime/compose/sender-notice.js'
import type { ParseLimits } from '../../mime/types.js'
import { notYetAfter, tellsOfDelay, triedUntil } from '../schedule.js'

export interface SenderNoticesDeps {
  /** `failures`: of recipients that are given up; `all`: of long waits too. */
  mode: 'failures' | 'all' | 'off'
  hostname: string
  parseLimits: ParseLimits
  clock: Clock
}

export interface TriedMessage extends Omit<OutboundMessage, 'accountId'> {
  /** What is about to be written down: of an attempt, or of a turn at which none could be made. The message has how it stood before. */
  results: RecipientResult[]
  /** Attempts so far, with this one. */
  attempts: number
  /** When it was first tried, or would have been. */
  since: number
}

/** Undefined when there is nothing to tell. A notice is from the null sender and goes to nobody but the author, so none can follow on it. */
export type SenderNotices = (tried: TriedMessage) => Promise<Notice | undefined>

export function createSenderNotices({ mode, hostname, parseLimits, clock }: SenderNoticesDeps): SenderNotices {
  return async ({ message, raw, toldOfDelay = [], results, attempts, since }) => {
    const from = message.from?.address
    const now = clock.now()
    // Kept with the message and not worked out from times: what an operator holds has another `since` afterwards.
    const isDelayed = (address: string): boolean =>
      mode === 'all' && tellsOfDelay(since, now) && !toldOfDelay.includes(address)
    const recipients = results.flatMap(({ address, status, smtpCode, detail }): FailedRecipient[] => {
      if (status === 'bounced') return [{ address, action: 'failed', smtpCode, detail }]
      return status === 'deferred' && isDelayed(address) ? [{ address, action: 'delayed', smtpCode, detail }] : []
    })
    if (mode === 'off' || from === undefined || recipients.length === 0) return undefined
    const notice = composeSenderNotice(
      {
        to: from,
        messageId: message.message_id,
        recipients,
        raw,
        acceptedAt: Date.parse(message.created_at),
        retryUntil: triedUntil(since),
        tried: notYetAfter(attempts, now - since),
      },
      { hostname, address: `postmaster@${domainOf(from)}`, now },
    )
    const delayed = recipients.filter(({ action }) => action === 'delayed').map(({ address }) => address)
    const text = prependFields(notice, ['Return-Path: <>'])
    return { raw: text, parsed: await parseMessage(notice, parseLimits), delayed }
  }
}
