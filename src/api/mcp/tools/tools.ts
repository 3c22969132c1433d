/** All tools, in listed order: first steps first; the order is stable. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { getAttachment } from './attachment.js'
import { label, markRead } from './changing.js'
import { checkBeforeSending } from './checking.js'
import { claimStatus } from './claim.js'
import { listDrafts, saveDraft, sendDraft } from './drafts.js'
import { readMessage } from './read-message.js'
import { checkInbox, readConversation, searchMail } from './reading.js'
import { cancelSend, forward, reply, sendEmail } from './sending.js'
import { getMessageStatus } from './status.js'
import { listSuppressions, removeSuppression } from './suppressions.js'
import type { Tool } from '../tool.js'
import { listTrash, trash } from './trash.js'
import { usage } from './usage.js'
import { waitForMail } from './waiting.js'

export const TOOLS: readonly Tool[] = [
  checkInbox,
  readConversation,
  searchMail,
  waitForMail,
  sendEmail,
  reply,
  forward,
  readMessage,
  getAttachment,
  markRead,
  label,
  trash,
  listTrash,
  listDrafts,
  saveDraft,
  sendDraft,
  checkBeforeSending,
  getMessageStatus,
  cancelSend,
  listSuppressions,
  removeSuppression,
  usage,
  claimStatus,
]

/** As sent to clients, generated once; the same for every caller. */
export const TOOL_LIST: ListedTool[] = TOOLS.map(
  ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  }),
)

export const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]))
