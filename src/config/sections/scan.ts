/** scan.toml: looking for malware in incoming mail. */
import { z } from 'zod'
import { oneOf, optional, setting, socketAddress, wholeNumber } from '../setting.js'

export const scan = z.strictObject({
  clamav: setting(optional(socketAddress), '', {
    about: 'Where clamd listens. Infected mail is refused with a 550.',
    otherwise: 'mail is not scanned, and is marked "unscanned"',
  }),
  timeout_seconds: setting(wholeNumber(1, 600), 60, {
    about: 'How long clamd may take over one message, all in all.',
    unit: 'seconds',
  }),
  on_error: setting(oneOf('defer', 'accept'), 'defer', {
    about:
      'When clamd is away, too slow or gives no clear answer: "defer" asks the sender to come again (451), "accept" delivers the message as "unscanned".',
  }),
})
