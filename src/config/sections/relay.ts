/** relay.toml: sending mail out. */
import { z } from 'zod'
import {
  flag,
  listOf,
  needed,
  nextHop,
  oneOf,
  optional,
  optionally,
  path,
  routePattern,
  serverAddress,
  setting,
  tablesOf,
  text,
  wholeNumber,
} from '../setting/setting.js'

export const relay = z.strictObject({
  outbound: setting(oneOf('auto', 'on', 'off'), 'auto', {
    about:
      'Whether mail leaves this server. "off": only mail between its own mailboxes is delivered, other recipients bounce. "auto" is "on" when relay.smarthost is set, relay.allow_private_addresses is true, or the first domain is not under .localhost.',
  }),
  smarthost: setting(optional(serverAddress), '', {
    about: 'Server that takes all outgoing mail, for hosts that may not use port 25.',
    otherwise: "mail goes straight to each recipient's MX",
  }),
  smarthost_user: setting(optional(text), '', {
    about: 'User name at the smart host; with one, TLS is required before it is told.',
  }),
  smarthost_password_file: setting(optional(path), '', {
    about: "File that holds the smart host's password on its first line.",
  }),
  mta_sts: setting(oneOf('on', 'off'), 'on', {
    about:
      'Whether the MTA-STS policies of other domains are fetched and kept to (RFC 8461): where one says "enforce", mail waits rather than go to another host or without a valid certificate.',
  }),
  dane: setting(oneOf('auto', 'on', 'off'), 'auto', {
    about:
      'Whether certificates are checked against the TLSA records of signed domains (RFC 7672). It takes a resolver that validates DNSSEC, see server.dns_validates. "auto" looks where there is one; "on" also warns at the start when there is none.',
  }),
  port: setting(wholeNumber(1, 65535), 25, {
    about: 'Port on which the MX of others are reached. Anything but 25 is for tests.',
    unit: 'port',
  }),
  return_path: setting(oneOf('message', 'mailbox'), 'message', {
    about:
      'Envelope sender of mail that leaves. "message": an address of its own for each message and recipient (VERP), so that bounces and complaints are written down with the recipient they are about. "mailbox": the sending mailbox itself, to which bounces come as mail; for smart hosts that take no other sender.',
  }),
  sender_notices: setting(oneOf('failures', 'all', 'off'), 'failures', {
    about:
      'Mail to the sending mailbox, in the thread of its message, when a recipient is given up ("failures"), and also once when one has waited for four hours ("all"). An agent that looks for unread mail learns of a failure by it and can act; of a delay it need know nothing, and it can read both from the message itself.',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      "Also deliver to loopback, private and link-local addresses. Leave it off unless you relay inside your own network: a stranger's MX record could otherwise point at your inside.",
  }),
  tls_reports: setting(flag, true, {
    about:
      'Whether domains that ask for it (RFC 8460) get a daily report on the TLS of our deliveries to them. Only where mail leaves this server.',
  }),
  concurrency: setting(wholeNumber(1, 1000), 20, {
    about:
      'Deliveries at once, to everybody. Those that have taken longer than a second do not count; there may be four times as many of them.',
    unit: 'deliveries',
  }),
  per_destination: setting(wholeNumber(1, 1000), 5, {
    about: 'Deliveries at once to one domain, and to one host that takes mail for several.',
    unit: 'deliveries',
  }),
  connect_timeout_seconds: setting(wholeNumber(1, 600), 30, {
    about: 'How long one address of an MX may take to connect and greet; then the next is tried.',
    unit: 'seconds',
  }),
  response_timeout_seconds: setting(wholeNumber(1, 3600), 300, {
    about: 'How long the other side may take to answer a command (RFC 5321 §4.5.3.2 asks for 5 minutes and more).',
    unit: 'seconds',
  }),
  routes: setting(
    tablesOf('routes', {
      domains: needed(
        listOf(routePattern, 'domains', 1),
        ['example.com'],
        'Whose mail takes this route: "example.com" is the domain itself, ".example.com" all under it, "*" all there are.',
      ),
      host: needed(nextHop, 'mail.internal:25', 'The server that takes it; "direct" is the MX of each domain.'),
      tls: optionally(
        oneOf('auto', 'opportunistic', 'required', 'implicit', 'none'),
        'auto',
        'How the host is spoken to. "required" is STARTTLS with a certificate that is valid for the host\'s name, "implicit" is that from the first byte on, "opportunistic" is whatever the host can; "auto" is "implicit" on port 465, "required" with a user, else "opportunistic".',
      ),
      user: optionally(optional(text), '', 'User name at the host.'),
      password_file: optionally(optional(path), '', 'File that holds the password on its first line.'),
      ca_file: optionally(optional(path), '', 'File of certificates (PEM) to trust there beside the usual ones.'),
    }),
    [],
    {
      about:
        'Ways that mail for some domains takes, instead of the smart host or the MX. The most specific route counts: the domain itself, then the longest ending, then "*". Tables stand at the end of a file.',
      otherwise: "all mail goes to the smart host where there is one, else to each domain's MX",
    },
  ),
})
