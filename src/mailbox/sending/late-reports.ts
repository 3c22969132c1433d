/** Reports about recipients after handover. A bounce may arrive before our record of the delivery, so unfinished recipients are updated too. */
import { type Clock, timestamp } from '../../lib/clock.js'
import { addressKey } from '../../mime/address.js'
import type { Store, View } from '../../store/types.js'
import type { AccountOutcomes } from './account-outcomes.js'
import { MAX_DETAIL_CHARS } from './attempts.js'
import { mailboxPartition } from '../keys.js'
import { toMessage, type StoredMessage } from '../message.js'
import { readStored } from '../message-rows.js'
import type { Recipient } from '../objects/objects.js'
import { changeWithAccount } from '../record.js'
import { hasEnded, moved, saveStatus, statusFrom } from '../status.js'
import type { RecipientReport } from '../delivery/bounce-proof.js'
import type { RecordReport } from '../delivery/bounce-intake.js'

/** Prefix of the reply of a server that accepted a message and is still trying. */
const DELAYED = 'delayed on its way: '

export interface ReportedDeps {
  store: Store
  clock: Clock
  accountOutcomes: AccountOutcomes
}

export function createReported({ store, clock, accountOutcomes }: ReportedDeps): { recordReport: RecordReport } {
  return {
    async recordReport(mailboxId, messageId, reports) {
      if (!(await store.read(mailboxPartition(mailboxId), (view) => readSent(view, messageId)))) return undefined
      return changeWithAccount(store, mailboxId, async (tx, mailbox) => {
        const stored = await readSent(tx, messageId)
        if (!stored) return undefined
        const { state, content } = stored
        const now = clock.now()
        const recipients = withReports(state.recipients, reports, now)
        if (recipients.every((recipient, i) => recipient === state.recipients[i])) {
          return toMessage(mailboxId, state, content)
        }
        const status = statusFrom(recipients)
        const next = { ...(status === state.status ? state : moved(state, status)), recipients, updatedAt: now }
        await saveStatus(tx, mailbox, state, next, now)
        const before = state.recipients
        await accountOutcomes(tx, mailbox, { messageId, before, after: recipients, cameBack: true })
        return toMessage(mailboxId, next, content)
      })
    },
  }
}

/** A message that a server may have accepted; undefined for unknown ids. */
async function readSent(view: View, messageId: string): Promise<StoredMessage | undefined> {
  const stored = await readStored(view, messageId)
  switch (stored?.state.status) {
    case 'sending':
    case 'sent':
    case 'delivered':
    case 'partially_delivered':
    case 'bounced':
      return stored
    default:
      return undefined
  }
}

/** Recipients after the reports; unaffected ones stay the same objects. */
export function withReports(recipients: Recipient[], reports: RecipientReport[], now: number): Recipient[] {
  return reports.reduce((before, report) => {
    const only = before.length === 1
    return before.map((recipient) =>
      only || addressKey(recipient.address) === addressKey(report.address)
        ? reported(recipient, report, now)
        : recipient,
    )
  }, recipients)
}

function reported(recipient: Recipient, report: RecipientReport, now: number): Recipient {
  const { status } = recipient
  const ended = hasEnded(status)
  switch (report.kind) {
    case 'bounced':
      return !ended || status === 'delivered' ? withStatus(recipient, 'bounced', report, now) : recipient
    case 'complained':
      return !ended || status === 'delivered' ? withStatus(recipient, 'complained', report, now) : recipient
    case 'delivered':
      return ended ? recipient : withStatus(recipient, 'delivered', report, now)
    case 'delayed': {
      // Our own attempts report themselves; and one delay notice suffices.
      if (status !== 'delivered' || recipient.detail?.startsWith(DELAYED)) return recipient
      return { ...recipient, detail: `${DELAYED}${report.detail}`.slice(0, MAX_DETAIL_CHARS) }
    }
  }
}

function withStatus(
  recipient: Recipient,
  status: 'bounced' | 'complained' | 'delivered',
  { smtpCode, detail }: RecipientReport,
  now: number,
): Recipient {
  return {
    ...recipient,
    status,
    smtp_code: smtpCode,
    detail: detail.slice(0, MAX_DETAIL_CHARS),
    next_attempt_at: null,
    at: timestamp(now),
  }
}
