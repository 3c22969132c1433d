/** oauth.toml: OAuth clients connected to mailboxes. */
import { z } from 'zod'
import { flag, setting, wholeNumber } from '../setting/setting.js'

export const oauth = z.strictObject({
  registration: setting(flag, true, {
    about:
      'Allow dynamic client registration (RFC 7591), as most MCP clients need. Without it only clients with a client metadata document are accepted.',
  }),
  registrations_per_hour: setting(wholeNumber(1, 100_000, 'registrations'), 500, {
    about:
      'Registrations per hour of all networks together; one network has 30. An unchanged repetition does not count.',
  }),
  connections_per_mailbox: setting(wholeNumber(1, 100, 'connections'), 20, {
    about: 'Connections of one mailbox. Another one is refused until one is removed.',
  }),
  connections_per_account: setting(wholeNumber(1, 500, 'connections'), 100, {
    about: 'The same for all mailboxes of an account together.',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      'Also fetch client metadata documents from loopback, private and link-local addresses, and from any port. Only for tests and for clients in your own network: a malicious link could make this server send requests into it.',
  }),
})
