/** States of a message, as the end of a sentence: "It was bounced". Shared by all tools. */
import type { MessageStatus } from '../../../mailbox/objects/objects.js'

export const STATE: Record<MessageStatus, string> = {
  received: 'was received',
  checking: 'is being checked',
  scheduled: 'is scheduled',
  cancelled: 'is cancelled',
  held: 'is held',
  blocked: 'was blocked',
  queued: 'is queued',
  sending: 'is being sent',
  sent: 'was sent, and not everybody has it yet',
  delivered: 'was delivered',
  partially_delivered: 'was delivered to some only',
  bounced: 'bounced',
}
