/** Error codes: meaning and next step, for the OpenAPI description and the guide. */
import type { ErrorCode } from '../../lib/errors.js'

export interface ErrorMeaning {
  meaning: string
  next: string
}

export const ERROR_MEANINGS: Record<ErrorCode, ErrorMeaning> = {
  invalid_request: {
    meaning: 'The request is not as the description says.',
    next: 'Correct what `fields` lists and send it again.',
  },
  proof_invalid: {
    meaning: 'The nonce does not solve the challenge; the challenge is spent.',
    next: 'Fetch a fresh challenge with `GET /v1/claim/challenge` and solve that one.',
  },
  unauthorized: {
    meaning: 'The request has no key, or one that this server does not know.',
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
    meaning: 'The key may not do this; the message names the scope that is missing.',
    next: 'Ask your human for a key with that scope.',
  },
  account_suspended: {
    meaning: 'The account is suspended: nothing is sent, and keys do nothing else either. Mail still arrives.',
    next: 'Tell your human; the operator can reinstate it.',
  },
  account_deletion_pending: {
    meaning: 'The account is about to be deleted.',
    next: 'Who started it, key or human, can stop it: `POST /v1/account/deletion/cancel`.',
  },
  sending_stopped: {
    meaning: 'Sending is stopped for this mailbox or server, or from a domain whose ownership is no longer verified.',
    next: 'Follow `hint`, or ask the operator; reading still works.',
  },
  recipient_blocked: {
    meaning: "The mailbox's own block list for sending names this address.",
    next: 'Leave it out, or take it off with `DELETE /v1/lists/send/block/{entry}`.',
  },
  recipient_not_allowed: {
    meaning: 'The mailbox may write only to those on its allow list for sending.',
    next: 'Leave it out, or have it added with `POST /v1/lists/send/allow`.',
  },
  recipient_suppressed: {
    meaning: 'Mail to this address bounced permanently, or was reported as spam.',
    next: 'Write to another address; see `GET /v1/suppressions`.',
  },
  not_found: {
    meaning: 'There is no such thing here, or it is not yours.',
    next: 'List what there is, with `GET /v1/threads` for example.',
  },
  method_not_allowed: { meaning: 'The path is right, the method is not.', next: 'Use one of those in `Allow`.' },
  length_required: { meaning: 'The body came in chunks.', next: 'Send Content-Length.' },
  request_timeout: {
    meaning: 'The body stalled or took too long.',
    next: 'Send it again, all at once.',
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
    meaning: 'Claims have become harder since the challenge was issued: many were made meanwhile.',
    next: 'Fetch a fresh challenge, solve that, and claim again.',
  },
  idempotency_mismatch: {
    meaning: 'This `Idempotency-Key` was used for another request within 24 hours.',
    next: 'Use a fresh key for each new request, and the same one only for its retries.',
  },
  secret_shown_once: {
    meaning: 'This request was answered before, with a secret that is not stored and cannot be shown again.',
    next: 'Revoke what it made and make a new one, if the response did not reach you.',
  },
  too_late: {
    meaning: 'The message was sent, or is being sent: it can no longer be cancelled.',
    next: 'See `GET /v1/messages/{id}` for what became of it.',
  },
  limit_reached: {
    meaning: 'The account or the mailbox has reached the limit for these.',
    next: 'Remove one that is no longer needed; the hint says how.',
  },
  last_mailbox: {
    meaning: 'It is the last mailbox of the account.',
    next: 'End the account with `DELETE /v1/account`, or make another mailbox first.',
  },
  domain_taken: {
    meaning: 'Another account of this server has verified its ownership of the domain.',
    next: 'Remove its record from the DNS of the domain, and try again after three days.',
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
    meaning: 'The message is being sent: it cannot be deleted now.',
    next: 'Wait for its `message.status` event, or cancel it where it is scheduled; then delete it.',
  },
  events_expired: {
    meaning:
      'The events after `after` are no longer kept, or `after` is past the last event: the server was restored from a backup.',
    next: 'Read the threads for what you missed, then go on with the `after` that the error names.',
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
    meaning: 'The range begins behind the end of the file.',
    next: 'Ask without `Range`, or for bytes within it; `Content-Range` has its size.',
  },
  rate_limited: { meaning: 'Too many requests in a minute.', next: 'Wait as many seconds as `Retry-After` says.' },
  new_recipient_limit: {
    meaning: 'The account has used up its new recipients for today.',
    next: 'Write to people you have written to before, or wait: `GET /v1/account/usage` says how long, and what raises it.',
  },
  internal: {
    meaning: 'A fault of the server.',
    next: 'Try again in a moment; if it persists, give the operator the `request_id`.',
  },
  unavailable: {
    meaning: 'The server cannot do this now; nothing was stored.',
    next: 'Send the same request again after `Retry-After`, a sending one with the same `Idempotency-Key`.',
  },
  quota_exceeded: {
    meaning: 'The mailbox is full.',
    next: 'Delete what is not needed; `GET /v1/account/usage` says how much is used.',
  },
}
