/** doctor.toml: external services that `restante doctor` uses. */
import { z } from 'zod'
import { domain, listOf, serverAddress, setting } from '../setting/setting.js'

export const doctor = z.strictObject({
  block_lists: setting(listOf(domain, 'zones'), ['zen.spamhaus.org', 'bl.spamcop.net'], {
    about:
      'DNS block lists (RFC 5782) that `restante doctor` checks for the addresses of this server, through the resolvers of server.dns. smtp.dnsbl names the lists for incoming mail.',
  }),
  outward: setting(serverAddress, 'gmail-smtp-in.l.google.com:25', {
    about:
      'External mail server with which `restante doctor --outward` tests outgoing connections to port 25. It gets a greeting and no mail.',
  }),
})
