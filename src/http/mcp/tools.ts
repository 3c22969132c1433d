/** Every tool, in the order in which they are listed: what a model does first stands first, and the order never changes by itself. */
import { checkInbox, claimStatus, readConversation, searchMail, waitForMail } from './reading.js'
import { forward, reply, sendEmail } from './sending.js'
import type { Tool } from './tool.js'
import { accountUsage } from './usage.js'

export const TOOLS: readonly Tool[] = [
  checkInbox,
  readConversation,
  searchMail,
  waitForMail,
  sendEmail,
  reply,
  forward,
  claimStatus,
  accountUsage,
]
