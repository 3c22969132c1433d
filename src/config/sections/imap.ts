/** imap.toml: reading by mail programs. */
import { z } from 'zod'
import { listenAddress, listOf, setting, wholeNumber } from '../setting/setting.js'

export const imap = z.strictObject({
  listen: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'Listener for mail programs that read mail, with STARTTLS (RFC 9051): "[::]:143", which includes IPv4, or "0.0.0.0:143" on a host without IPv6. Programs sign in with an app password or by OAuth, over TLS only; the certificate is that of smtp.tls_cert or tls.acme for the host name. See docs/mail-programs.md.',
    otherwise: 'none',
  }),
  listen_tls: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'The same with TLS from the first byte, which programs prefer (RFC 8314): "[::]:993", which includes IPv4, or "0.0.0.0:993" on a host without IPv6.',
    otherwise: 'none',
  }),
  max_connections: setting(wholeNumber(1, 100_000, 'connections'), 2000, {
    about: 'Concurrent connections in total; further ones are refused. A program keeps one or several open all day.',
  }),
  max_connections_per_address: setting(wholeNumber(1, 100_000, 'connections'), 100, {
    about:
      'Concurrent connections of one client (an IPv4 address, an IPv6 /64); further ones are refused. A network (an IPv4 /24, an IPv6 /48) may have four times as many.',
  }),
  max_connections_per_account: setting(wholeNumber(1, 10_000, 'connections'), 50, {
    about: 'Concurrent connections that are signed in to one account; further sign-ins are refused.',
  }),
  max_append_bytes: setting(wholeNumber(1, 10_000_000_000, 'bytes'), 134_217_728, {
    about:
      'Memory for messages that programs are storing, of all connections; further ones are refused until there is room.',
  }),
})
