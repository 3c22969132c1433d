/** guard.toml: classification of outgoing mail. */
import { z } from 'zod'
import {
  baseAddress,
  decimal,
  flag,
  httpServer,
  optional,
  path,
  setting,
  text,
  wholeNumber,
} from '../setting/setting.js'

export const guard = z.strictObject({
  hold_score: setting(decimal(0, 1), 0.45, {
    about:
      'Risk from which a message is held for review. Lower is stricter: docs/guard.md has the measured rate of false alarms for each value.',
  }),
  block_score: setting(decimal(0, 1), 0.98, {
    about:
      'Risk from which a message is blocked, if findings make up at least half of it; at least guard.hold_score. Hard evidence, such as a program disguised as a document, always blocks.',
  }),
  review_reminder_hours: setting(wholeNumber(0, 720, 'hours'), 24, {
    about:
      'Once a held message has waited this long for review, a daily mail reminds identity.staff, or identity.operator if there is no staff. 0: no reminders.',
  }),
  bad_hosts_file: setting(optional(path), '', {
    about:
      'File with hosts that no message may link to, one per line, subdomains included; # begins a comment. A message with such a link is blocked. Read at startup.',
    otherwise: 'no host is known to be bad',
  }),
  second_opinion_score: setting(decimal(0, 1), 0.2, {
    about:
      'Risk from which a message that the classifier would send gets a second opinion from guard.rspamd or guard.model_url. A second opinion can hold the message; without a response it is sent. Lower asks about more messages.',
  }),
  second_opinion_timeout_seconds: setting(wholeNumber(1, 30, 'seconds'), 10, {
    about: 'Time limit for each second opinion on a message. The message has the status "checking" meanwhile.',
  }),
  rspamd: setting(optional(httpServer), '', {
    about:
      'Address of an rspamd scan worker for outgoing mail. It gets the whole message. Mail that it would mark or refuse is held for review.',
    otherwise: 'outgoing mail is not sent to rspamd',
  }),
  model_url: setting(optional(baseAddress), '', {
    about:
      'Base address of a language model with the chat completions API of OpenAI, without /chat/completions. It gets the subject, new text, link hosts and counts of the message, no recipients; docs/guard-opinions.md lists exactly what. Redirects are not followed.',
    otherwise: 'no language model is used, and no content is sent to one',
  }),
  model_name: setting(optional(text), '', {
    about: 'Name of the model at guard.model_url.',
    otherwise: 'no model',
  }),
  model_key_file: setting(optional(path), '', {
    about: 'File with the API key for guard.model_url on its first line.',
    otherwise: 'requests carry no key',
  }),
  model_requests_per_hour: setting(wholeNumber(1, 1_000_000, 'requests'), 500, {
    about:
      'Max requests to the model per hour, which limits its cost. Messages above that are sent without its opinion.',
  }),
  model_plain_http: setting(flag, false, {
    about:
      'Allow guard.model_url to be an http address of another machine. Message text and the key can then be read on the network.',
  }),
  learn_from_review: setting(flag, false, {
    about:
      'Let reviews by staff shift the risk of messages with similar text, slightly and for a limited time. Only salted hashes of words are stored, on this server only; docs/guard-opinions.md covers privacy.',
  }),
})
