/** Error codes: meaning and next step, for the OpenAPI description and the guide. */
import type { ErrorCode } from '../../lib/errors.js'

export interface ErrorMeaning {
  meaning: string
  next: string
}

export const ERROR_MEANINGS: Record<ErrorCode, ErrorMeaning> = {
  invalid_request: {
    meaning: 'The request does not match the API description.',
    next: 'Correct what `fields` lists and send it again.',
  },
  proof_invalid: {
    meaning: 'The nonce does not solve the challenge; the challenge is spent.',
    next: 'Fetch a fresh challenge with `GET /v1/claim/challenge` and solve that one.',
  },
  unauthorized: {
    meaning: 'The request has no API key, or an unknown one.',
    next: 'Send `Authorization: Bearer <API_KEY>`; to get one, begin with `GET /v1/claim/challenge`.',
  },
  claim_pending: {
    meaning: 'No human has approved the mailbox yet.',
    next: 'Give the `claim_url` to your human, or `POST /v1/claim/notify`; then poll `GET /v1/claim/status`.',
  },
  claim_declined: {
    meaning: 'A human has declined the mailbox; it is removed when its 24 hours are over.',
    next: 'Ask your human before you claim another one.',
  },
  claim_expired: {
    meaning: 'Nobody approved the mailbox within 24 hours; it is removed with its key.',
    next: 'Claim again, and give the `claim_url` to your human at once.',
  },
  insufficient_scope: {
    meaning: 'The key lacks a scope; the message names it.',
    next: 'Ask your human for a key with that scope.',
  },
  account_suspended: {
    meaning: 'The account is suspended: its keys do not work and nothing is sent. Mail still arrives.',
    next: 'Tell your human; the operator can reinstate it.',
  },
  mailbox_paused: {
    meaning: 'A human has paused the mailbox: its sending, or all keys.',
    next: 'Ask your human, who alone can resume it.',
  },
  account_deletion_pending: {
    meaning: 'The account is about to be deleted.',
    next: 'Only the key or human that started the deletion can cancel it: `POST /v1/account/deletion/cancel`.',
  },
  sending_stopped: {
    meaning: 'Sending is stopped for this mailbox or server, or from a domain whose ownership is no longer verified.',
    next: 'Follow `hint`, or ask the operator; reading still works.',
  },
  recipient_blocked: {
    meaning: "The mailbox's own block list for sending names this address.",
    next: 'Leave it out, or remove it from the list with `DELETE /v1/lists/send/block/{entry}`.',
  },
  recipient_not_allowed: {
    meaning: 'The mailbox may write only to addresses on its allow list for sending.',
    next: 'Leave it out, or have it added with `POST /v1/lists/send/allow`.',
  },
  draft_of_human: {
    meaning: 'A human writes this draft: no key changes, sends or deletes it.',
    next: 'Make a draft of your own with `POST /v1/drafts`, or tell your human.',
  },
  recipient_suppressed: {
    meaning: 'Mail to this address bounced permanently, or was reported as spam.',
    next: 'Write to another address; see `GET /v1/suppressions`.',
  },
  not_found: {
    meaning: 'It does not exist, or is not yours.',
    next: 'Take the id from a list, such as `GET /v1/threads`.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    next: 'Use a method listed in `Allow`.',
  },
  length_required: { meaning: 'The body was sent without its length.', next: 'Send `Content-Length`.' },
  request_timeout: {
    meaning: 'The body stalled or took too long.',
    next: 'Send the request again without pauses.',
  },
  name_taken: {
    meaning: 'This name is taken; the challenge of a claim is spent.',
    next: 'Choose another name; for a claim fetch a fresh challenge first.',
  },
  name_reserved: {
    meaning: 'Nobody can have this name; the challenge of a claim is spent.',
    next: 'Choose another name; for a claim fetch a fresh challenge first.',
  },
  challenge_expired: { meaning: 'The challenge is older than ten minutes.', next: 'Fetch a fresh one.' },
  challenge_used: { meaning: 'The challenge was used before.', next: 'Fetch a fresh one for each claim.' },
  difficulty_raised: {
    meaning: 'Many claims raised the difficulty after this challenge was issued.',
    next: 'Fetch a new challenge, solve it, and claim again.',
  },
  idempotency_mismatch: {
    meaning: 'This `Idempotency-Key` was used for another request within 24 hours.',
    next: 'Use a fresh key for each new request, and the same one only for its retries.',
  },
  secret_shown_once: {
    meaning: 'This request was answered before, with a secret that is not stored and cannot be shown again.',
    next: 'If the response did not reach you, revoke what the request created and create a new one.',
  },
  too_late: {
    meaning: 'The message was sent or is being sent, so it can no longer be cancelled.',
    next: 'Read its status with `GET /v1/messages/{id}`.',
  },
  limit_reached: {
    meaning: 'The account or mailbox has reached its limit.',
    next: 'Remove one that is no longer needed; the hint says how.',
  },
  last_mailbox: {
    meaning: 'It is the last mailbox of the account.',
    next: 'Delete the account with `DELETE /v1/account`, or create another mailbox first.',
  },
  domain_taken: {
    meaning: 'Another account of this server has verified its ownership of the domain.',
    next: 'If the domain is yours, remove the other record from its DNS and try again after three days.',
  },
  domain_in_use: {
    meaning: 'The domain still has mailboxes or aliases.',
    next: 'Remove them first, with `DELETE /v1/aliases/{address}` and `DELETE /v1/mailboxes/{id}`.',
  },
  invite_limit: {
    meaning: 'Two invites have been sent for this claim.',
    next: 'Give the `claim_url` to your human in another way.',
  },
  message_on_its_way: {
    meaning: 'The message is being sent, so it cannot be deleted now.',
    next: 'Wait for its `message.status` event, or cancel it if it is scheduled; then delete it.',
  },
  events_expired: {
    meaning:
      'The events after `after` are no longer kept, or `after` is past the last event: the server was restored from a backup.',
    next: 'List the threads to see what you missed, then continue with the `after` in the error.',
  },
  payload_too_large: {
    meaning: 'The body is larger than the limit.',
    next: 'Leave attachments out or make them smaller; `GET /v1/account/usage` has the limits.',
  },
  unsupported_media_type: {
    meaning: 'The body is not JSON in UTF-8.',
    next: 'Send `Content-Type: application/json`, uncompressed.',
  },
  range_not_satisfiable: {
    meaning: 'The range starts beyond the end of the file.',
    next: 'Omit `Range`, or request bytes within the file; `Content-Range` has its size.',
  },
  rate_limited: { meaning: 'Too many requests in a minute.', next: 'Wait for the seconds in `Retry-After`.' },
  new_recipient_limit: {
    meaning: 'The account has used up its new recipients for today.',
    next: 'Write to people you have written to before, or wait: `GET /v1/account/usage` shows when the limit resets and what raises it.',
  },
  internal: {
    meaning: 'The server failed.',
    next: 'Try again in a moment; if it persists, give the operator the `request_id`.',
  },
  unavailable: {
    meaning: 'The server cannot do this now; nothing was stored.',
    next: 'Send the same request again after `Retry-After`; when sending mail, with the same `Idempotency-Key`.',
  },
  quota_exceeded: {
    meaning: 'The mailbox is full.',
    next: 'Delete what you do not need; `GET /v1/account/usage` shows how much is used.',
  },
}
