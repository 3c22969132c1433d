/** guard.toml: checking what agents send before it leaves. */
import { z } from 'zod'
import { baseAddress, flag, httpServer, optional, path, setting, share, text, wholeNumber } from '../setting/setting.js'

export const guard = z.strictObject({
  hold_score: setting(share(), 0.5, {
    about:
      'Risk from which a message is held for review. Lower is stricter: docs/guard.md has what each line costs in wanted mail, as measured.',
  }),
  block_score: setting(share(), 0.98, {
    about:
      'Risk of words and findings together from which a message is blocked, when findings alone weigh at least half; at least guard.hold_score. Hard evidence, such as a program that poses as a document, blocks whatever this says.',
  }),
  review_reminder_hours: setting(wholeNumber(0, 720), 24, {
    about:
      'When a held message has waited so long for review, a letter a day reminds identity.staff, or identity.operator where there is no staff; 0 reminds nobody.',
    unit: 'hours',
  }),
  bad_hosts_file: setting(optional(path), '', {
    about:
      'File with hosts that no message may link to, one a line, each for all below it; # begins a note. A link to one of them blocks. Read at the start.',
    otherwise: 'no host is known to be bad',
  }),
  second_opinion_score: setting(share(), 0.2, {
    about:
      'Risk from which others are asked about a message that the classifier alone would let go, where guard.rspamd or guard.model_url names some. Their word can have it held; without an answer it goes. Lower asks about more messages.',
  }),
  second_opinion_timeout_seconds: setting(wholeNumber(1, 30), 10, {
    about: 'How long each of them may take over a message, all in all. Such a message is "checking" meanwhile.',
    unit: 'seconds',
  }),
  rspamd: setting(optional(httpServer), '', {
    about:
      'Where a scanning worker of rspamd listens that is asked about outgoing mail. It is given the whole message. What it would mark or refuse is held for review.',
    otherwise: 'rspamd is not asked about outgoing mail',
  }),
  model_url: setting(optional(baseAddress), '', {
    about:
      'Address of a language model that speaks the chat completions of OpenAI, without the /chat/completions at its end. It is told subject, new words, link hosts and counts of the message, no recipients; docs/guard-opinions.md says exactly what. Redirects are not followed.',
    otherwise: 'no language model is asked, and no content goes to one',
  }),
  model_name: setting(optional(text), '', {
    about: 'Name of the model at guard.model_url.',
    otherwise: 'there is none',
  }),
  model_key_file: setting(optional(path), '', {
    about: 'File with the API key for guard.model_url on its first line.',
    otherwise: 'it is asked without a key',
  }),
  model_requests_per_hour: setting(wholeNumber(1, 1_000_000), 500, {
    about:
      'How often the model is asked within an hour, which bounds what it costs. What comes above that goes without its opinion.',
    unit: 'requests',
  }),
  model_plain_http: setting(flag, false, {
    about:
      'Whether guard.model_url may be an http address of another machine. Words of messages and the key can then be read on their way.',
  }),
  learn_from_review: setting(flag, false, {
    about:
      'Whether approvals and rejections by staff shift the risk of messages with much the same words, by a little and for a time. Kept are salted hashes of words, on this server only; docs/guard-opinions.md says what that means for privacy.',
  }),
})
