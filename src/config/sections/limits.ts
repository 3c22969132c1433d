/** limits.toml: limits of clients, accounts and mailboxes. */
import { z } from 'zod'
import { decimal, setting, wholeNumber } from '../setting/setting.js'

const GIB = 1024 ** 3
const TIB = 1024 ** 4

export const limits = z.strictObject({
  claim_difficulty: setting(wholeNumber(1, 40, 'leading zero bits'), 22, {
    about:
      'Proof of work for one claim: each bit doubles it. 22 is a few seconds of one core; many claims from one network raise it.',
  }),
  invites_per_hour: setting(wholeNumber(0, 1_000_000, 'invites'), 200, {
    about:
      'Invites per hour of the whole server: mails that ask a human to approve a claim. Past it the response is a 429 with Retry-After. 0: none are sent.',
  }),
  new_recipients_per_day: setting(wholeNumber(0, 1_000_000, 'recipients'), 25, {
    about:
      'New recipients an account may write to per day at trust level 0; each level doubles it. Replies do not count.',
  }),
  lower_bounce_percent: setting(decimal(0, 100, '% of recipients'), 5, {
    about: 'Share of nonexistent recipients within 7 days, past which an account loses a trust level.',
  }),
  lower_min_recipients: setting(wholeNumber(1, 1_000_000, 'recipients'), 20, {
    about: 'Min recipients within 7 days before that share is considered: one wrong address of three means nothing.',
  }),
  suspend_bounce_percent: setting(decimal(0, 100, '% of recipients'), 10, {
    about:
      'Share of nonexistent recipients within 7 days, past which an account is suspended automatically. 100: never for bounces.',
  }),
  suspend_complaint_percent: setting(decimal(0, 100, '% of recipients'), 0.3, {
    about:
      'Share of recipients who complain within 7 days, past which an account is suspended automatically. 100: never for complaints.',
  }),
  suspend_min_recipients: setting(wholeNumber(1, 1_000_000, 'recipients'), 100, {
    about: 'Min recipients within 7 days before an account can be suspended automatically.',
  }),
  requests_per_minute: setting(wholeNumber(1, 1_000_000, 'requests'), 600, {
    about:
      'Requests of one API key, or of one client network (an IPv4 address, an IPv6 /64) without a key; past it the response is a 429 with Retry-After. A costly request counts as more: one more for each 25 ms of a worker thread.',
  }),
  account_requests_per_minute: setting(wholeNumber(1, 1_000_000, 'requests'), 3000, {
    about: 'Requests of all API keys of one account together; past it the response is a 429 with Retry-After.',
  }),
  requests_at_once_per_key: setting(wholeNumber(1, 10_000, 'requests'), 50, {
    about:
      'Concurrent requests of one API key, or of one client network without a key, not counting those that wait for events; past it the response is a 429.',
  }),
  mailboxes_per_account: setting(wholeNumber(1, 10_000, 'mailboxes'), 10, {
    about:
      'Mailboxes that an account can create over the API. Claims that its owner approves count, and are never refused.',
  }),
  aliases_per_mailbox: setting(wholeNumber(0, 100, 'addresses'), 10, {
    about: 'Further addresses of one mailbox. Addresses with a tag (name+tag@) need none and are not counted.',
  }),
  domains_per_account: setting(wholeNumber(0, 1000, 'domains'), 3, {
    about: 'Custom domains that an account may add over the API (POST /v1/domains). 0: no further ones.',
  }),
  storage_bytes: setting(wholeNumber(1024 * 1024, 64 * TIB, 'bytes'), GIB, {
    about: 'Storage of one mailbox; past it, mail to it is deferred with a 452.',
  }),
  pending_storage_bytes: setting(wholeNumber(0, 64 * TIB, 'bytes'), 10 * 1024 * 1024, {
    about: 'The same for a mailbox that is not approved yet.',
  }),
  body_bytes: setting(wholeNumber(1024, GIB, 'bytes'), 35 * 1024 * 1024, {
    about:
      'Max body of a request; past it the response is a 413. Attachments are base64 in JSON, which adds a third to their size.',
  }),
  recipients_per_message: setting(wholeNumber(1, 1000, 'recipients'), 50, {
    about: 'Recipients of one message: To, Cc and Bcc together.',
  }),
  attachments_per_message: setting(wholeNumber(1, 1000, 'attachments'), 50, {
    about: 'Attachments of one outgoing message, including those of a forwarded message.',
  }),
  long_poll_seconds: setting(wholeNumber(1, 600, 'seconds'), 60, {
    about: 'Max `wait` of GET /v1/events. A proxy in front needs a timeout at least as long.',
  }),
  long_polls_per_key: setting(wholeNumber(1, 10_000, 'requests'), 20, {
    about: 'Concurrent long polls and event streams of one API key.',
  }),
  event_stream_minutes: setting(wholeNumber(1, 1440, 'minutes'), 30, {
    about:
      'How long an event stream (GET /v1/events with Accept: text/event-stream) stays open; clients then reconnect and resume.',
  }),
})
