/** webhooks.toml: delivery of events to webhooks. */
import { z } from 'zod'
import { flag, listOf, setting, wholeNumber } from '../setting/setting.js'

export const webhooks = z.strictObject({
  per_mailbox: setting(wholeNumber(0, 100, 'webhooks'), 10, {
    about: 'Webhooks of one mailbox. 0: no new ones; existing ones keep working.',
  }),
  ports: setting(listOf(wholeNumber(1, 65535), 'ports', 1), [443, 8443], {
    about: 'Ports allowed in the URL of a webhook. Other ports may belong to services that misinterpret a request.',
  }),
  allow_http: setting(flag, false, {
    about:
      'Also allow URLs that begin with http://, whose traffic can be read on the network; webhooks.ports has to include 80. Only for tests and for receivers inside your own network.',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      'Also deliver to loopback, private and link-local addresses. Leave it off unless your receivers are inside your own network: a malicious webhook could send requests into it.',
  }),
  timeout_seconds: setting(wholeNumber(1, 120, 'seconds'), 15, {
    about: 'Time limit for the complete response of a receiver; past it the attempt fails.',
  }),
  connections: setting(wholeNumber(1, 10_000, 'requests'), 200, {
    about: 'Concurrent requests to receivers, of the whole server.',
  }),
  connections_per_address: setting(wholeNumber(1, 10_000, 'requests'), 20, {
    about: 'The same to one address, so that a slow receiver does not delay others.',
  }),
})
