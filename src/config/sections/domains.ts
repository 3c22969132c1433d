/** domains.toml: domains of this server. */
import { z } from 'zod'
import { domain, email, hostName, listOf, optional, path, setting } from '../setting/setting.js'

export const domains = z.strictObject({
  names: setting(listOf(domain, 'domains', 1), ['agents.localhost'], {
    about:
      'Domains on which addresses can be claimed and mail is received; the first is the default. Mail for other domains is refused.',
  }),
  catch_all: setting(listOf(email, 'addresses'), [], {
    about:
      'Catch-all addresses, one per domain, that get mail for names that do not exist there: ["post@agents.example"]. Their mailboxes get mail for every misspelt name, so use your own. Empty: such mail is refused.',
  }),
  hostname: setting(optional(hostName), '', {
    about:
      'Host name in the SMTP greeting, in HELO and in Authentication-Results. It should resolve to the address that sends mail, and that address back to it.',
    otherwise: 'the first of domains.names',
  }),
  dkim_dir: setting(path, 'dkim', {
    about:
      'Folder of the DKIM keys; a relative path starts at server.data_dir. A domain without keys gets a pair (RSA-2048 and Ed25519) at startup. SIGHUP reloads the folder.',
  }),
})
