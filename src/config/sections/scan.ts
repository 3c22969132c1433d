/** scan.toml: malware and spam filters for incoming mail. */
import { z } from 'zod'
import { decimal, httpServer, oneOf, optional, setting, socketAddress, wholeNumber } from '../setting/setting.js'

export const scan = z.strictObject({
  clamav: setting(optional(socketAddress), '', {
    about: 'Address of clamd. Infected mail is refused with a 550.',
    otherwise: 'mail is not scanned, and is marked "unscanned"',
  }),
  timeout_seconds: setting(wholeNumber(1, 600, 'seconds'), 60, {
    about: 'Time limit for the clamd scan of a message, including its wait in the queue.',
  }),
  concurrency: setting(wholeNumber(1, 256), 8, {
    about: 'Concurrent scans; not more than MaxThreads in clamd.conf (by default 10).',
  }),
  max_waiting: setting(wholeNumber(0, 100_000), 500, {
    about: 'Messages that may wait for clamd. Another one is not scanned, and scan.on_error applies.',
  }),
  on_error: setting(oneOf('defer', 'accept'), 'defer', {
    about:
      'If clamd is unreachable, too slow or gives no clear result: "defer" asks the sender to try again (451), "accept" delivers the message as "unscanned".',
  }),
  spam_score: setting(decimal(0.1, 1000, 'points'), 5, {
    about:
      'Score from which mail gets the label "spam" instead of "inbox": lists, long polls and webhooks omit it unless requested. Lower is stricter. The test string GTUBE with a Y for its first letter scores exactly this.',
  }),
  reject_score: setting(decimal(0, 1000, 'points'), 15, {
    about:
      'Score from which mail is refused with a 550; at least scan.spam_score. 0: none is refused for its score. The test string GTUBE scores 1000.',
  }),
  rspamd: setting(optional(httpServer), '', {
    about:
      'Address of an rspamd scan worker. The greater of its score and our own counts; without a response, our own.',
    otherwise: 'rspamd is not used',
  }),
  rspamd_timeout_seconds: setting(wholeNumber(1, 120, 'seconds'), 10, {
    about: 'Time limit for the rspamd scan of a message.',
  }),
})
