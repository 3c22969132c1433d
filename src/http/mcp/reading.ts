/** Tools that read: check_inbox, read_conversation, search_mail, wait_for_mail, claim_status. */
import { z } from 'zod'
import { SECOND } from '../../lib/clock.js'
import { notFound } from '../../lib/errors.js'
import type { Message } from '../../mailbox/objects.js'
import { messageOutput, messageResult, messageText, threadOutput, threadResult, threadText } from './render.js'
import { whileWaiting } from './progress.js'
import { defineTool, READS, type ToolContext, type ToolDeps } from './tool.js'

const page = {
  limit: z.int().min(1).max(50).default(10),
  cursor: z.string().max(500).optional().describe('next_cursor of the page before'),
}
const threadPage = z.object({ threads: z.array(threadOutput), next_cursor: z.string().nullable() })

const checkInboxInput = z.strictObject({
  unread_only: z.boolean().default(true),
  label: z.string().max(64).optional().describe('Only conversations with this label, such as inbox, spam or sent'),
  ...page,
})
export const checkInbox = defineTool({
  name: 'check_inbox',
  title: 'Check inbox',
  description: 'Lists conversations, newest first; by default those with unread mail. Reading changes nothing.',
  input: checkInboxInput,
  output: threadPage,
  annotations: READS,
  scope: 'mail:read',
  run: (deps, input, context) =>
    listThreads(deps, context, {
      limit: input.limit,
      cursor: input.cursor,
      label: input.label,
      ...(input.unread_only && { unread: true }),
      empty: input.unread_only
        ? 'No unread mail. Call wait_for_mail to wait for some, or check_inbox with unread_only false for older mail.'
        : 'No mail yet. Call wait_for_mail to wait for some.',
    }),
})

const searchInput = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(500)
    .describe(
      'Words that all have to be found in text, subject, addresses or file names; also "phrases", from: to: subject: label: has:attachment is:unread before: after: and - before what is not wanted',
    ),
  ...page,
})
export const searchMail = defineTool({
  name: 'search_mail',
  title: 'Search mail',
  description: 'Finds conversations by words, phrases and operators such as from:ada or has:attachment, newest first.',
  input: searchInput,
  output: threadPage,
  annotations: READS,
  scope: 'mail:read',
  run: (deps, input, context) =>
    listThreads(deps, context, {
      limit: input.limit,
      cursor: input.cursor,
      q: input.query,
      empty: 'Nothing found. Try fewer or shorter words.',
    }),
})

async function listThreads(
  deps: ToolDeps,
  { caller, fence }: ToolContext,
  query: {
    limit: number
    cursor?: string | undefined
    unread?: boolean
    q?: string
    label?: string | undefined
    empty: string
  },
) {
  const { empty, ...rest } = query
  const list = await deps.mailboxes.listThreads(caller.mailboxId, rest)
  const structured = {
    threads: list.data.map((thread) => threadResult(fence, thread)),
    next_cursor: list.next_cursor,
  }
  if (list.data.length === 0) return { text: empty, structured, untrusted: false }
  const more = list.next_cursor === null ? '' : `\n\nMore: call again with cursor ${list.next_cursor}`
  const text = `${list.data.map((thread) => threadText(fence, thread)).join('\n\n')}${more}`
  return { text, structured, untrusted: true }
}

const readInput = z.strictObject({
  thread_id: z.string().max(64).describe('thr_… from check_inbox or search_mail'),
  mark_read: z.boolean().default(false).describe('Also mark its messages as read; takes a key with mail:write'),
})
const readOutput = z.object({ thread_id: z.string(), messages: z.array(messageOutput) })
export const readConversation = defineTool({
  name: 'read_conversation',
  title: 'Read conversation',
  description: 'Shows the messages of a conversation, oldest first. Marks nothing as read unless asked to.',
  input: readInput,
  output: readOutput,
  annotations: { ...READS, readOnlyHint: false },
  scope: 'mail:read',
  scopeFor: ({ mark_read }) => (mark_read ? 'mail:write' : undefined),
  async run(deps, input, { caller, fence }) {
    const thread = await deps.mailboxes.getThread(caller.mailboxId, input.thread_id)
    if (input.mark_read) await deps.mailboxes.updateThread(caller.mailboxId, thread.id, { unread: false })
    const structured = { thread_id: thread.id, messages: thread.messages.map((m) => messageResult(fence, m)) }
    const text = thread.messages.map((m) => messageText(fence, m)).join('\n\n')
    return { text: `${text}\n\nTo answer, call reply with the message_id.`, structured, untrusted: true }
  },
})

const waitInput = z.strictObject({
  after_seq: z
    .int()
    .min(0)
    .optional()
    .describe('next_after_seq of the call before; without it only mail from now on counts'),
  timeout_seconds: z.int().min(1).max(60).default(30),
})
const waitOutput = z.object({
  messages: z.array(messageOutput),
  next_after_seq: z.int().describe('Pass as after_seq to the next call, so that nothing is missed'),
  timed_out: z.boolean(),
})
export const waitForMail = defineTool({
  name: 'wait_for_mail',
  title: 'Wait for mail',
  description: 'Waits until new mail comes in and returns it, or says that none came in time.',
  input: waitInput,
  output: waitOutput,
  annotations: READS,
  scope: 'mail:read',
  run: (deps, input, context) =>
    deps.holds.hold(context.caller, context.signal, (signal) =>
      whileWaiting(deps, context, { seconds: input.timeout_seconds, message: 'Waiting for mail' }, () =>
        wait(deps, input, { ...context, signal }),
      ),
    ),
})

/** Mails one answer carries; the rest comes with the next call. */
const MAX_MESSAGES = 10

async function wait(deps: ToolDeps, input: z.infer<typeof waitInput>, { caller, fence, signal }: ToolContext) {
  let after = input.after_seq ?? (await currentSeq(deps, caller.mailboxId))
  const deadline = performance.now() + Math.min(input.timeout_seconds, deps.limits.longPollSeconds) * SECOND
  const messages: Message[] = []
  for (;;) {
    const waitMs = Math.max(0, deadline - performance.now())
    const events = await deps.mailboxes.events(caller.mailboxId, { after, limit: 100, waitMs }, signal)
    for (const event of events.data) {
      if (messages.length === MAX_MESSAGES) break
      after = event.seq
      if (event.type !== 'message.received') continue
      messages.push(await deps.mailboxes.getMessage(caller.mailboxId, String(event.data['message_id'])))
    }
    if (messages.length > 0 || waitMs === 0 || signal.aborted) break
  }
  const structured = {
    messages: messages.map((m) => messageResult(fence, m)),
    next_after_seq: after,
    timed_out: messages.length === 0,
  }
  const again = `To go on waiting, call wait_for_mail with after_seq ${after}.`
  if (messages.length === 0) return { text: `No mail came. ${again}`, structured, untrusted: false }
  return {
    text: `${messages.map((m) => messageText(fence, m)).join('\n\n')}\n\n${again}`,
    structured,
    untrusted: true,
  }
}

async function currentSeq(deps: ToolDeps, mailboxId: string): Promise<number> {
  const mailbox = await deps.mailboxes.get(mailboxId)
  if (!mailbox) throw notFound('mailbox')
  return mailbox.seq
}

const claimInput = z.strictObject({})
const claimOutput = z.object({
  status: z.string(),
  address: z.string(),
  expires_at: z.string().nullable(),
  next_steps: z.array(z.string()),
})
export const claimStatus = defineTool({
  name: 'claim_status',
  title: 'Claim status',
  description: 'Says whether a human has approved this mailbox. Everything else works once it says claimed.',
  input: claimInput,
  output: claimOutput,
  annotations: READS,
  scope: undefined,
  async run(deps, _input, { caller }) {
    const structured = await deps.claims.status(caller.mailboxId)
    const text = [
      `${structured.address}: ${structured.status}`,
      ...structured.next_steps.map((step) => `- ${step}`),
    ].join('\n')
    return { text, structured, untrusted: false }
  },
})
