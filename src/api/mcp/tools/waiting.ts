/** The tool wait_for_mail. */
import { z } from 'zod'
import { SECOND } from '../../../lib/clock.js'
import { notFound, ServiceError } from '../../../lib/errors.js'
import { isSpam, SPAM_LABEL } from '../../../mailbox/labels.js'
import type { EventType, Message } from '../../../mailbox/objects/objects.js'
import { charactersEach, messageOutput, messageResult, messageText, newWords } from '../text/messages.js'
import { whileWaiting } from '../progress.js'
import { defineTool, READS, threadId, type ToolContext, type ToolDeps } from '../tool.js'

const input = z.strictObject({
  after_seq: z.int().min(0).optional().describe('next_after_seq of the last call; default: only mail from now on'),
  timeout_seconds: z.int().min(1).max(60).default(30),
  from: z.string().min(1).max(320).optional().describe('Address or @domain'),
  subject_contains: z.string().min(1).max(200).optional(),
  thread_id: threadId.optional(),
  label: z.string().min(1).max(64).optional(),
  include_spam: z.boolean().default(false),
})
const output = z.strictObject({
  messages: z.array(messageOutput),
  next_after_seq: z.int(),
  timed_out: z.boolean(),
})

export const waitForMail = defineTool({
  name: 'wait_for_mail',
  title: 'Wait for mail',
  description: 'Waits for new mail and returns it; times out if none arrives.',
  input,
  output,
  ...READS,
  run: (deps, given, context) =>
    deps.holds.hold(context.caller, context.signal, (signal) =>
      whileWaiting(deps, context, { seconds: given.timeout_seconds, message: 'Waiting for mail' }, () =>
        wait(deps, given, { ...context, signal }),
      ),
    ),
})

/** Max messages per answer; the next call returns more. */
const MAX_MESSAGES = 10

const RECEIVED: ReadonlySet<EventType> = new Set(['message.received'])

async function wait(deps: ToolDeps, given: z.infer<typeof input>, { caller, fence, signal }: ToolContext) {
  let after = given.after_seq ?? (await currentSeq(deps, caller.mailboxId))
  const deadline = performance.now() + Math.min(given.timeout_seconds, deps.limits.longPollSeconds) * SECOND
  const messages: Message[] = []
  const { from, subject_contains: subjectContains, thread_id: thread, label } = given
  const withoutSpam = !given.include_spam && label !== SPAM_LABEL
  const filter = { types: RECEIVED, from, subjectContains, threadId: thread, withoutSpam }
  const isMeant = (message: Message): boolean =>
    (label === undefined || message.labels.includes(label)) && !(withoutSpam && isSpam(message))
  for (;;) {
    const waitMs = Math.max(0, deadline - performance.now())
    const events = await deps.mailboxes.events(caller.mailboxId, { after, limit: 100, waitMs, filter }, signal)
    for (const event of events.data) {
      if (messages.length === MAX_MESSAGES) break
      after = event.seq
      const message = await messageOf(deps, caller.mailboxId, event.data['message_id'])
      if (message && isMeant(message)) messages.push(message)
    }
    if (messages.length < MAX_MESSAGES) after = events.next_after
    if (messages.length > 0 || waitMs === 0 || signal.aborted) break
  }
  const characters = charactersEach(messages.length)
  const shown = messages.map((message) => ({ message, words: newWords(message, characters) }))
  const structured = {
    messages: shown.map(({ message, words }) => messageResult(fence, message, words)),
    next_after_seq: after,
    timed_out: messages.length === 0,
  }
  const again = `To keep waiting, call wait_for_mail with after_seq ${after}.`
  if (messages.length === 0) return { text: `No mail came. ${again}`, structured, untrusted: false }
  const text = shown.map(({ message, words }) => messageText(fence, message, words)).join('\n\n')
  return { text: `${text}\n\n${again}`, structured, untrusted: true }
}

/** Undefined if it was purged since the event. */
async function messageOf({ mailboxes }: ToolDeps, mailboxId: string, messageId: unknown): Promise<Message | undefined> {
  try {
    return await mailboxes.reading.message(mailboxId, String(messageId))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

async function currentSeq(deps: ToolDeps, mailboxId: string): Promise<number> {
  const mailbox = await deps.mailboxes.directory.get(mailboxId)
  if (!mailbox) throw notFound('mailbox')
  return mailbox.seq
}
