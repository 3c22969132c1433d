/** oauth.toml: programs that humans connect to their mailboxes. */
import { z } from 'zod'
import { flag, setting, wholeNumber } from '../setting/setting.js'

export const oauth = z.strictObject({
  registration: setting(flag, true, {
    about:
      'Whether programs may register themselves (RFC 7591), as most MCP clients do. Without it only those are known that have a client metadata document.',
  }),
  registrations_per_hour: setting(wholeNumber(1, 100_000), 500, {
    about:
      'Registrations in an hour of all networks together; one network has 30. What registers again unchanged is the same program.',
    unit: 'registrations',
  }),
  connections_per_mailbox: setting(wholeNumber(1, 100), 20, {
    about: 'Programs that one mailbox may be connected to. One more is refused until one was ended.',
    unit: 'connections',
  }),
  connections_per_account: setting(wholeNumber(1, 500), 100, {
    about: 'The same for all mailboxes of an account together.',
    unit: 'connections',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      'Also fetch client metadata documents from loopback, private and link-local addresses, and from any port. For tests, and for programs of your own network: whoever opens a link could otherwise have requests sent to your inside.',
  }),
})
