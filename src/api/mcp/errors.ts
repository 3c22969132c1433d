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

/** One next step for a code; or by tool, with `else` for the rest. */
type NextStep = string | ({ else: string } & Record<string, string>)

const FIND_IDS = 'Take the id from an answer of check_inbox, search_mail or read_conversation.'
const FIND_DRAFT =
  'Take the id from list_drafts; what was sent or deleted is no draft any more. search_mail finds what was sent.'
const ASK_HUMAN_FOR_KEY = 'This is nothing for a tool: ask your human.'

/** Next steps for a mailbox that can't be used, for all tools. */
export const STANDING_STEPS = {
  claim_pending: 'Ask your human to approve the mailbox by its claim link; claim_status says when that is done.',
  claim_declined: 'A human said no to this mailbox: ask yours whether they want another one.',
  claim_expired: 'This mailbox is gone, as nobody approved it within 24 hours: ask your human for another one.',
  account_suspended: 'Tell your human; the operator of the service can lift it. Mail still arrives.',
} as const satisfies Partial<Record<ErrorCode, string>>

const NEXT: Record<ErrorCode, NextStep> = {
  ...STANDING_STEPS,
  invalid_request: {
    else: 'Call the tool again with what is named here mended.',
    reply: 'Write a new mail with send_email, if there is somebody who expects it.',
    send_draft: 'Add what is missing with save_draft, then call send_draft again.',
    save_draft:
      'Call save_draft again with what is named here mended; list_drafts with the draft_id shows what it holds.',
  },
  unauthorized: 'The access has ended: ask your human to connect this client again, or for a new key.',
  insufficient_scope: 'Ask your human to allow it: by connecting again with that scope, or with a key that has it.',
  account_deletion_pending: 'Tell your human: only who started the deletion can stop it.',
  sending_stopped: 'Tell your human what stands here. Reading and waiting for mail go on.',
  recipient_suppressed:
    'Leave the address out, or write to another one of that person. remove_suppression takes it off the list, when you know that it works.',
  recipient_blocked: 'Leave the address out, or ask your human to take it off the block list.',
  recipient_not_allowed: 'Leave the address out, or ask your human to put it on the allow list.',
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
    'For a new mail take a new idempotency_key; to repeat an earlier call, repeat it unchanged under the same one.',
  too_late: 'get_message_status says what became of it.',
  limit_reached: 'Tell your human what stands here: something has to go first.',
  message_on_its_way: 'Wait until get_message_status says that it has ended, or stop it with cancel_send.',
  events_expired: 'See what you missed with check_inbox, then call wait_for_mail without after_seq.',
  payload_too_large: 'Make the text shorter, or leave files out or make them smaller.',
  unsupported_media_type: 'Call the tool again with plain JSON arguments.',
  range_not_satisfiable: 'Begin again with offset 0.',
  rate_limited:
    'Wait, then call the tool again. To wait for mail call wait_for_mail instead of check_inbox again and again.',
  new_recipient_limit:
    'Write to people you have written to before, or wait; usage says until when, and what raises the limit.',
  internal: 'Try again in a minute; a sending tool is safe to repeat with the same idempotency_key.',
  unavailable: 'Call the tool again in a minute, a sending one with the same idempotency_key.',
  quota_exceeded: {
    else: 'Delete what is not needed, or tell your human: the room is free again once the trash is emptied. usage says how much is used.',
    save_draft:
      'Send drafts that are done with send_draft, or tell your human that the mailbox is full; usage says how much is used.',
  },
}

/** Hints that only a client of /v1 can follow. */
const NAMES_REST = /\/v1\b|\b(?:GET|POST|PUT|PATCH|DELETE)\b|Retry-After|Authorization|`fields`/

/** Their messages contain addresses, which a stranger may have chosen. */
const QUOTES: ReadonlySet<ErrorCode> = new Set(['recipient_suppressed', 'recipient_blocked', 'recipient_not_allowed'])

/** The whole error text of a tool. */
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
    const told = asServiceError(error)
    const { text } = errorText(what, told, newFence())
    if (error instanceof ServiceError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text)
    const requestId = newRequestId()
    onError(error, requestId)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${text} (${requestId})`)
  }
}
