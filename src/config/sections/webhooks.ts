/** webhooks.toml: telling the receivers of agents what happens, by HTTP. */
import { z } from 'zod'
import { flag, listOf, setting, wholeNumber } from '../setting/setting.js'

export const webhooks = z.strictObject({
  per_mailbox: setting(wholeNumber(0, 100), 10, {
    about: 'Webhooks that one mailbox may have. 0 lets none be made; those that are there go on.',
    unit: 'webhooks',
  }),
  ports: setting(listOf(wholeNumber(1, 65535), 'ports', 1), [443, 8443], {
    about:
      'Ports that the URL of a webhook may lead to. Others might be services that take a request for something else.',
  }),
  allow_http: setting(flag, false, {
    about:
      'Also take URLs that begin with http://, on which anybody in between reads what is sent; 80 has to be among webhooks.ports then. For tests, and for receivers inside your own network.',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      "Also deliver to loopback, private and link-local addresses. Leave it off unless your agents' receivers are inside your own network: whoever may make a webhook could otherwise have requests sent to your inside.",
  }),
  timeout_seconds: setting(wholeNumber(1, 120), 15, {
    about: 'How long a receiver has for its whole answer; past it the attempt has failed.',
    unit: 'seconds',
  }),
  connections: setting(wholeNumber(1, 10_000), 200, {
    about: 'Requests to receivers that are on their way at once, of the whole server.',
    unit: 'requests',
  }),
  connections_per_address: setting(wholeNumber(1, 10_000), 20, {
    about: 'The same to one address, so that a slow receiver leaves room for the others.',
    unit: 'requests',
  }),
})
