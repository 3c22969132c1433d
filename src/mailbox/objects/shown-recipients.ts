/** Recipients of an outbound message as shown in the API. */
import type { MessageStatus, Recipient } from './objects.js'

/** Recipients not handed to delivery have the status of the message. */
export function shownRecipients({
  status,
  recipients,
}: {
  status: MessageStatus
  recipients: Recipient[]
}): Recipient[] {
  switch (status) {
    case 'checking':
    case 'scheduled':
    case 'held':
    case 'blocked':
    case 'cancelled':
      return recipients.map((recipient) => (recipient.status === 'queued' ? { ...recipient, status } : recipient))
    case 'received':
    case 'queued':
    case 'sending':
    case 'sent':
    case 'delivered':
    case 'partially_delivered':
    case 'bounced':
      return recipients
  }
}
