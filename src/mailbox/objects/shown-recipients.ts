/** How the recipients of an outbound message stand, for whoever asks. What is stored of them is delivery's. */
import type { MessageStatus, Recipient } from './objects.js'

/** Recipients as they are shown: those of a message that delivery does not have stand as the message does. */
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
