/** submission.toml: sending by mail programs. */
import { z } from 'zod'
import { listenAddress, listOf, setting, wholeNumber } from '../setting/setting.js'

export const submission = z.strictObject({
  listen: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'Listener for mail programs with STARTTLS (RFC 6409): "[::]:587", which includes IPv4, or "0.0.0.0:587" on a host without IPv6. Programs sign in with an app password or by OAuth, over TLS only; the certificate is that of smtp.tls_cert or tls.acme for the host name. See docs/mail-programs.md.',
    otherwise: 'none',
  }),
  listen_tls: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'The same with TLS from the first byte, which programs prefer (RFC 8314): "[::]:465", which includes IPv4, or "0.0.0.0:465" on a host without IPv6.',
    otherwise: 'none',
  }),
  max_connections: setting(wholeNumber(1, 100_000, 'connections'), 200, {
    about: 'Concurrent connections in total; further ones get a 421.',
  }),
  max_connections_per_address: setting(wholeNumber(1, 100_000, 'connections'), 20, {
    about:
      'Concurrent connections of one client (an IPv4 address, an IPv6 /64); further ones get a 421. A network (an IPv4 /24, an IPv6 /48) may have four times as many.',
  }),
  max_connections_per_account: setting(wholeNumber(1, 10_000, 'connections'), 20, {
    about: 'Concurrent connections that are signed in to one account; further ones get a 421.',
  }),
})
