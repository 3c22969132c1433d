/** limits.toml: how much anybody may use. */
import { z } from 'zod'
import { decimal, setting, wholeNumber } from '../setting/setting.js'

const GIB = 1024 ** 3
const TIB = 1024 ** 4

export const limits = z.strictObject({
  claim_difficulty: setting(wholeNumber(1, 40), 22, {
    about:
      'Proof of work for one address: each bit doubles it. 22 is a few seconds of one core; many claims from one network raise it.',
    unit: 'leading zero bits',
  }),
  invites_per_hour: setting(wholeNumber(0, 1_000_000), 200, {
    about:
      'Mails by which pending agents ask a human for approval, of the whole server in an hour; past it the answer is a 429 with Retry-After. 0 lets none be sent.',
    unit: 'invites',
  }),
  new_recipients_per_day: setting(wholeNumber(0, 1_000_000), 25, {
    about:
      'People an account may write to for the first time in a day, at trust level 0; each level doubles it. Answers cost nothing.',
    unit: 'recipients',
  }),
  lower_bounce_percent: setting(decimal(0, 100), 5, {
    about: 'Share of recipients within 7 days whose address does not exist, past which an account loses a trust level.',
    unit: '% of recipients',
  }),
  lower_min_recipients: setting(wholeNumber(1, 1_000_000), 20, {
    about: 'The same is looked at only from so many recipients within 7 days: one wrong address of three says nothing.',
    unit: 'recipients',
  }),
  suspend_bounce_percent: setting(decimal(0, 100), 10, {
    about:
      'Share of recipients within 7 days whose address does not exist, past which an account is suspended by itself. 100 suspends nobody for bounces.',
    unit: '% of recipients',
  }),
  suspend_complaint_percent: setting(decimal(0, 100), 0.3, {
    about:
      'Share of recipients within 7 days who complain, past which an account is suspended by itself. 100 suspends nobody for complaints.',
    unit: '% of recipients',
  }),
  suspend_min_recipients: setting(wholeNumber(1, 1_000_000), 100, {
    about: 'An account that had fewer recipients within 7 days is not suspended by itself.',
    unit: 'recipients',
  }),
  requests_per_minute: setting(wholeNumber(1, 1_000_000), 600, {
    about:
      'Requests of one API key, and of one client network (an IPv4 address, an IPv6 /64) without a key; past them the answer is a 429 with Retry-After. A costly one counts as more: one more for each 25 ms of a worker thread.',
    unit: 'requests',
  }),
  account_requests_per_minute: setting(wholeNumber(1, 1_000_000), 3000, {
    about: 'Requests of all API keys of one account together; past them the answer is a 429 with Retry-After.',
    unit: 'requests',
  }),
  requests_at_once_per_key: setting(wholeNumber(1, 10_000), 50, {
    about:
      'Requests of one API key, and of one client network without a key, that may be at work at once, those that wait for events left out; past them the answer is a 429.',
    unit: 'requests',
  }),
  mailboxes_per_account: setting(wholeNumber(1, 10_000), 10, {
    about:
      'Mailboxes that an account can make for itself over the API. Claims that its owner approves count, and are never refused.',
    unit: 'mailboxes',
  }),
  aliases_per_mailbox: setting(wholeNumber(0, 100), 10, {
    about: 'Further addresses of one mailbox. Addresses with a tag (name+tag@) need none and are not counted.',
    unit: 'addresses',
  }),
  domains_per_account: setting(wholeNumber(0, 1000), 3, {
    about:
      'Domains that an account may bring along over the API (POST /v1/domains) and, once its DNS proves that they are its own, have addresses on. 0: no further ones.',
    unit: 'domains',
  }),
  storage_bytes: setting(wholeNumber(1024 * 1024, 64 * TIB), GIB, {
    about: 'Mail one mailbox may hold; past it, mail to it is deferred with a 452.',
    unit: 'bytes',
  }),
  pending_storage_bytes: setting(wholeNumber(0, 64 * TIB), 10 * 1024 * 1024, {
    about: 'The same for a mailbox that nobody has approved yet.',
    unit: 'bytes',
  }),
  body_bytes: setting(wholeNumber(1024, GIB), 35 * 1024 * 1024, {
    about:
      'Body of one request; past it the answer is a 413. Attachments are base64 in JSON, a third larger than they are.',
    unit: 'bytes',
  }),
  recipients_per_message: setting(wholeNumber(1, 1000), 50, {
    about: 'To, Cc and Bcc of one message together.',
    unit: 'recipients',
  }),
  attachments_per_message: setting(wholeNumber(1, 1000), 50, {
    about: 'Attachments of one message that is sent, those that a forward takes along included.',
    unit: 'attachments',
  }),
  long_poll_seconds: setting(wholeNumber(1, 600), 60, {
    about: 'The longest `wait` of GET /v1/events. A proxy in front has to allow as much.',
    unit: 'seconds',
  }),
  long_polls_per_key: setting(wholeNumber(1, 10_000), 20, {
    about: 'Requests of one API key that may wait at once, streams of events among them.',
    unit: 'requests',
  }),
  event_stream_minutes: setting(wholeNumber(1, 1440), 30, {
    about:
      'How long a stream of events (GET /v1/events with Accept: text/event-stream) stays open; clients take it up again where it ended.',
    unit: 'minutes',
  }),
})
