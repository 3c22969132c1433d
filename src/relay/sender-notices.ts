/** The notice that a mailbox gets in the thread of its message when a recipient is given up, or waits for long. */
import type { Clock } from '../lib/clock.js'
import type { Notice, OutboundMessage, RecipientResult } from '../mailbox/types.js'
import { domainOf } from '../mime/address.js'
import { prependFields } from '../mime/headers.js'
import { parseMessage } from '../mime/parse.js'
import { composeSenderNotice, type FailedRecipient } from '../mime/sender-notice.js'
import type { ParseLimits } from '../mime/types.js'
import { lastAttemptAt, notYetAfter, tellsOfDelay } from './schedule.js'

export interface SenderNoticesDeps {
  /** `failures`: of recipients that are given up; `all`: of long waits too. */
  mode: 'failures' | 'all' | 'off'
  hostname: string
  parseLimits: ParseLimits
  clock: Clock
}

export interface TriedMessage extends OutboundMessage {
  /** Of this attempt. */
  results: RecipientResult[]
  /** Attempts so far, with this one. */
  attempts: number
  nextAttemptAt: number | null
}

/** Undefined when there is nothing to tell. A notice is from the null sender and goes to nobody but the author, so none can follow on it. */
export type SenderNotices = (tried: TriedMessage) => Promise<Notice | undefined>

export function createSenderNotices({ mode, hostname, parseLimits, clock }: SenderNoticesDeps): SenderNotices {
  return async ({ message, raw, results, attempts, nextAttemptAt }) => {
    const from = message.from?.address
    const delays = mode === 'all' && tellsOfDelay(attempts)
    const recipients = results.flatMap(({ address, status, smtpCode, detail }): FailedRecipient[] => {
      if (status === 'bounced') return [{ address, action: 'failed', smtpCode, detail }]
      return status === 'deferred' && delays ? [{ address, action: 'delayed', smtpCode, detail }] : []
    })
    if (mode === 'off' || from === undefined || recipients.length === 0) return undefined
    const notice = composeSenderNotice(
      {
        to: from,
        messageId: message.message_id,
        recipients,
        raw,
        acceptedAt: Date.parse(message.created_at),
        retryUntil: nextAttemptAt === null ? null : lastAttemptAt(attempts, nextAttemptAt),
        tried: notYetAfter(attempts),
      },
      { hostname, address: `postmaster@${domainOf(from)}`, now: clock.now() },
    )
    return { raw: prependFields(notice, ['Return-Path: <>']), parsed: await parseMessage(notice, parseLimits) }
  }
}
