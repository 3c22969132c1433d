/** The notice in a message's thread when a recipient is given up or waits long. */
import type { Clock } from '../../lib/clock.js'
import type { Notice } from '../../mailbox/delivery/notice.js'
import type { OutboundMessage, RecipientResult } from '../../mailbox/sending/outbound-mail.js'
import { domainOf } from '../../mime/address.js'
import { prependFields } from '../../mime/headers.js'
import { composeSenderNotice, type FailedRecipient } from '../../mime/compose/sender-notice.js'
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
  return async ({ message, raw, toldOfDelay = [], results, attempts, since }) => {
    const from = message.from?.address
    const now = clock.now()
    // Stored with the message, not derived from times: operator holds change `since`.
    const isDelayed = (address: string): boolean =>
      mode === 'all' && isLongDelay(since, now) && !toldOfDelay.includes(address)
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
    // Loaded with the first notice.
    const { parseMessage } = await import('../../mime/parse/parse.js')
    return { raw: text, parsed: await parseMessage(notice, parseLimits), delayed }
  }
}
