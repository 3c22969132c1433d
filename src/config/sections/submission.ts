/** submission.toml: sending by mail programs. */
import { z } from 'zod'
import { listenAddress, listOf, setting, wholeNumber } from '../setting/setting.js'

interface ProgramServer {
  /** Completes "Listener for". */
  who: string
  /** Ports of the standard, with STARTTLS and with TLS. */
  ports: [startTls: number, tls: number]
  /** Defaults: in total, of a client, of an account. */
  most: [all: number, address: number, account: number]
  /** Completes "further connections". */
  excess: string
  /** Completes "further", where an account has too many. */
  excessSignIn: string
  /** Completes the limit in total. */
  more?: string
}

/** Ports and limits, as imap.toml has them too. */
export function programServer({ who, ports: [startTls, tls], most, excess, excessSignIn, more = '' }: ProgramServer) {
  const [all, address, account] = most
  const anyHost = (port: number): string =>
    `"[::]:${port}", which includes IPv4, or "0.0.0.0:${port}" on a host without IPv6`
  return {
    listen: setting(listOf(listenAddress, 'addresses'), [], {
      about: `Listener for ${who}: ${anyHost(startTls)}. Programs sign in with an app password or by OAuth, over TLS only; the certificate is that of smtp.tls_cert or tls.acme for the host name. See docs/mail-programs.md.`,
      otherwise: 'none',
    }),
    listen_tls: setting(listOf(listenAddress, 'addresses'), [], {
      about: `The same with TLS from the first byte, which programs prefer (RFC 8314): ${anyHost(tls)}.`,
      otherwise: 'none',
    }),
    max_connections: setting(wholeNumber(1, 100_000, 'connections'), all, {
      about: `Concurrent connections in total; further ones ${excess}.${more}`,
    }),
    max_connections_per_address: setting(wholeNumber(1, 100_000, 'connections'), address, {
      about: `Concurrent connections of one client (an IPv4 address, an IPv6 /64); further ones ${excess}. A network (an IPv4 /24, an IPv6 /48) may have four times as many.`,
    }),
    max_connections_per_account: setting(wholeNumber(1, 10_000, 'connections'), account, {
      about: `Concurrent connections that are signed in to one account; further ${excessSignIn}.`,
    }),
  }
}

export const submission = z.strictObject(
  programServer({
    who: 'mail programs with STARTTLS (RFC 6409)',
    ports: [587, 465],
    most: [200, 20, 20],
    excess: 'get a 421',
    excessSignIn: 'ones get a 421',
  }),
)
