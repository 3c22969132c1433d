/** domains.toml: whose mail this is. */
import { z } from 'zod'
import { domain, email, hostName, listOf, optional, path, setting } from '../setting/setting.js'

export const domains = z.strictObject({
  names: setting(listOf(domain, 'domains', 1), ['agents.localhost'], {
    about:
      'Domains on which addresses can be claimed and mail is received; the first is the default. Mail for any other domain is refused.',
  }),
  catch_all: setting(listOf(email, 'addresses'), [], {
    about:
      'Addresses that get the mail for names nobody has at their domain, one a domain: ["post@agents.example"]. Whoever has such a mailbox can read mail for every misspelt name, so it had better be your own. Empty: such mail is refused.',
  }),
  hostname: setting(optional(hostName), '', {
    about:
      "The host's name in the SMTP greeting, in HELO and in Authentication-Results. It should resolve to the address mail is sent from, and back.",
    otherwise: 'the first of domains.names',
  }),
  dkim_dir: setting(path, 'dkim', {
    about:
      'Folder of the DKIM keys; a relative path starts at server.data_dir. A domain without keys gets a pair (RSA-2048 and Ed25519) at the start. SIGHUP reads the folder again.',
  }),
})
