/** doctor.toml: what `restante doctor` asks of others. */
import { z } from 'zod'
import { domain, listOf, serverAddress, setting } from '../setting/setting.js'

export const doctor = z.strictObject({
  block_lists: setting(listOf(domain, 'zones'), ['zen.spamhaus.org', 'bl.spamcop.net'], {
    about:
      'DNS block lists (RFC 5782) on which `restante doctor` looks for the addresses of this server. They are asked through the resolvers of server.dns. Which lists are asked about those who send mail to us is smtp.dnsbl.',
  }),
  outward: setting(serverAddress, 'gmail-smtp-in.l.google.com:25', {
    about:
      'Mail server of somebody else by which `restante doctor --outward` sees whether port 25 is open from here. It is connected to and greeted, and gets no mail.',
  }),
})
