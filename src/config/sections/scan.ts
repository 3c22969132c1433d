/** scan.toml: looking for malware and spam in incoming mail. */
import { z } from 'zod'
import { decimal, httpServer, oneOf, optional, setting, socketAddress, wholeNumber } from '../setting/setting.js'

export const scan = z.strictObject({
  clamav: setting(optional(socketAddress), '', {
    about: 'Where clamd listens. Infected mail is refused with a 550.',
    otherwise: 'mail is not scanned, and is marked "unscanned"',
  }),
  timeout_seconds: setting(wholeNumber(1, 600), 60, {
    about: 'How long a message may take at clamd, all in all, the wait for its turn included.',
    unit: 'seconds',
  }),
  concurrency: setting(wholeNumber(1, 256), 8, {
    about:
      "Messages that clamd is given at once; not more than the MaxThreads of its clamd.conf (10 in clamd's defaults).",
  }),
  max_waiting: setting(wholeNumber(0, 100_000), 500, {
    about: 'Messages that wait for their turn at clamd. One more gets no scan, and scan.on_error decides.',
  }),
  on_error: setting(oneOf('defer', 'accept'), 'defer', {
    about:
      'When clamd is away, too slow or gives no clear answer: "defer" asks the sender to come again (451), "accept" delivers the message as "unscanned".',
  }),
  spam_score: setting(decimal(0.1, 1000), 5, {
    about:
      'Score from which mail is delivered with the label "spam" and not into the inbox: lists, waits and webhooks leave it out unless asked. Lower is stricter. The test string GTUBE with a Y for its first letter scores just this.',
    unit: 'points',
  }),
  reject_score: setting(decimal(0, 1000), 15, {
    about:
      'Score from which mail is refused with a 550; at least scan.spam_score. 0 refuses none for its score. The test string GTUBE scores 1000.',
    unit: 'points',
  }),
  rspamd: setting(optional(httpServer), '', {
    about:
      'Where a scanning worker of rspamd listens. The greater of its score and the own one counts; without an answer the own one alone.',
    otherwise: 'rspamd is not asked',
  }),
  rspamd_timeout_seconds: setting(wholeNumber(1, 120), 10, {
    about: 'How long rspamd may take over a message, all in all.',
    unit: 'seconds',
  }),
})
