/**
 * Errors for models: what is wrong, by field, and the next step as a tool call or for a human. The domain's hints name /v1 calls, which MCP clients may not
 * have; this table replaces them.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { ServiceError, type ErrorCode } from '../../lib/errors.js'
import { ERROR_MEANINGS } from '../../http/answers/error-meanings.js'
import { asServiceError } from '../../http/answers/errors.js'
import { newFence, visible, type Fence } from './text/fence.js'
import type { ToolDeps } from './tool.js'

/** One next step, or one per tool with `else` for the others. */
type NextStep = string | ({ else: string } & Record<string, string>)

const FIND_IDS = 'Take the id from an answer of check_inbox, search_mail or read_conversation.'
const FIND_DRAFT = 'Take the id from list_drafts; sent and deleted drafts are gone. search_mail finds sent mail.'
const ASK_HUMAN_FOR_KEY = 'No tool can do this: ask your human.'

/** Next steps of all tools while the mailbox cannot be used. */
export const INACTIVE_STEPS = {
  claim_pending: 'Ask your human to approve the mailbox by its claim link; claim_status shows when they have.',
  claim_declined: 'A human declined this mailbox: ask yours whether they want another one.',
  claim_expired: 'This mailbox is gone, as nobody approved it within 24 hours: ask your human for another one.',
  account_suspended: 'Tell your human; the operator of the service can lift the suspension. Mail still arrives.',
} as const satisfies Partial<Record<ErrorCode, string>>

const NEXT: Record<ErrorCode, NextStep> = {
  ...INACTIVE_STEPS,
  invalid_request: {
    else: 'Correct what this error names, then call the tool again.',
    reply: 'Write a new mail with send_email, if somebody expects it.',
    send_draft: 'Add what is missing with save_draft, then call send_draft again.',
    save_draft:
      'Correct what this error names, then call save_draft again; list_drafts with the draft_id shows the draft.',
  },
  unauthorized: 'The access has ended: ask your human to reconnect this client or to give you a new key.',
  insufficient_scope: 'Ask your human to reconnect this client with that scope, or for a key that has it.',
  mailbox_paused:
    'Tell your human, who alone can resume it. While only sending is paused, you can read, wait for mail, and keep what you write with save_draft.',
  account_deletion_pending: 'Tell your human: only who started the deletion can stop it.',
  sending_stopped: 'Tell your human what this error says. You can still read and wait for mail.',
  recipient_suppressed:
    'Leave the address out, or use another address of that person. If you know that it works, remove_suppression takes it off the list.',
  recipient_blocked: 'Leave the address out, or ask your human to take it off the block list.',
  recipient_not_allowed: 'Leave the address out, or ask your human to put it on the allow list.',
  draft_of_human: 'Read it with list_drafts, and make one of your own with save_draft; your human sends theirs.',
  not_found: {
    else: FIND_IDS,
    save_draft: 'Take a draft_id from list_drafts, and the message_id to answer from read_conversation.',
    list_drafts: FIND_DRAFT,
    send_draft: FIND_DRAFT,
    trash: 'Take the id from an answer of check_inbox, read_conversation or list_trash.',
    remove_suppression: 'list_suppressions has the addresses that are on the list.',
    get_attachment: 'Take message_id and attachment_id from read_message or read_conversation.',
  },
  method_not_allowed: ASK_HUMAN_FOR_KEY,
  request_timeout: 'Call the tool again.',
  length_required: ASK_HUMAN_FOR_KEY,
  proof_invalid: ASK_HUMAN_FOR_KEY,
  name_taken: ASK_HUMAN_FOR_KEY,
  name_reserved: ASK_HUMAN_FOR_KEY,
  challenge_expired: ASK_HUMAN_FOR_KEY,
  challenge_used: ASK_HUMAN_FOR_KEY,
  difficulty_raised: ASK_HUMAN_FOR_KEY,
  invite_limit: ASK_HUMAN_FOR_KEY,
  last_mailbox: ASK_HUMAN_FOR_KEY,
  domain_taken: ASK_HUMAN_FOR_KEY,
  domain_in_use: ASK_HUMAN_FOR_KEY,
  secret_shown_once: ASK_HUMAN_FOR_KEY,
  idempotency_mismatch:
    'For a new mail use a new idempotency_key; to retry an earlier call, repeat it unchanged with the same key.',
  too_late: 'get_message_status shows its status.',
  limit_reached: 'Tell your human what this error says: something has to be removed first.',
  message_on_its_way: 'Wait until get_message_status shows a final status, or stop it with cancel_send.',
  events_expired: 'See what you missed with check_inbox, then call wait_for_mail without after_seq.',
  payload_too_large: 'Make the text shorter, or leave files out or make them smaller.',
  unsupported_media_type: 'Call the tool again with plain JSON arguments.',
  range_not_satisfiable: 'Start again with offset 0.',
  rate_limited: 'Wait, then call the tool again. To wait for mail, call wait_for_mail rather than polling check_inbox.',
  new_recipient_limit:
    'Write to people you have written to before, or wait; usage shows when the limit resets and what raises it.',
  internal: 'Try again in a minute; a sending tool is safe to repeat with the same idempotency_key.',
  unavailable: 'Call the tool again in a minute, a sending one with the same idempotency_key.',
  quota_exceeded: {
    else: 'Delete mail you do not need, or tell your human: deleting frees space once the trash is emptied. usage shows how much is used.',
    save_draft:
      'Send finished drafts with send_draft, or tell your human that the mailbox is full; usage shows how much is used.',
  },
}

/** Matches hints that only a /v1 client can follow. */
const NAMES_REST = /\/v1\b|\b(?:GET|POST|PUT|PATCH|DELETE)\b|Retry-After|Authorization|`fields`/

/** Their messages contain addresses, which a stranger may have chosen. */
const QUOTES: ReadonlySet<ErrorCode> = new Set(['recipient_suppressed', 'recipient_blocked', 'recipient_not_allowed'])

export function errorText(tool: string, error: ServiceError, fence: Fence): { text: string; untrusted: boolean } {
  const { code, message, retryAfterSeconds } = error
  const fields = error.fields?.map(({ field, problem }) => `\n- ${field}: ${problem}`).join('') ?? ''
  const retry = retryAfterSeconds === undefined ? '' : ` Wait ${retryAfterSeconds} seconds first.`
  const next = `\nNext: ${nextStep(tool, error)}${retry}`
  if (!QUOTES.has(code)) return { text: words(`${code}: ${message}${fields}${next}`), untrusted: false }
  const quoted = fence.wrap(words(`${message}${fields}`))
  return { text: words(`${code}: ${ERROR_MEANINGS[code].meaning}\n${fence.rule}\n${quoted}${next}`), untrusted: true }
}

/** The domain's hint is more specific; where it names /v1, the table names the tool. */
function nextStep(tool: string, { code, hint }: ServiceError): string {
  if (!NAMES_REST.test(hint)) return hint
  const next = NEXT[code]
  return typeof next === 'string' ? next : (next[tool] ?? next.else)
}

function words(text: string): string {
  return visible(text).replaceAll('Idempotency-Key', 'idempotency_key')
}

/**
 * For prompts and resources, whose errors are protocol errors.
 *
 * @param what the prompt or resource
 * @throws ProtocolError with the text of a tool's error
 */
export async function answeringProtocol<T>(
  what: string,
  { onError, newRequestId }: Pick<ToolDeps, 'onError' | 'newRequestId'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const shown = asServiceError(error)
    const { text } = errorText(what, shown, newFence())
    if (error instanceof ServiceError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text)
    const requestId = newRequestId()
    onError(error, requestId)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${text} (${requestId})`)
  }
}
