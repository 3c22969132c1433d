/** relay.toml: delivery of outgoing mail. */
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
      'Delivery to other servers. "off": only mail between own mailboxes is delivered, other recipients bounce. "auto" is "on" when relay.smarthost is set, relay.allow_private_addresses is true, or the first domain is not under .localhost.',
  }),
  smarthost: setting(optional(serverAddress), '', {
    about: 'Smart host: server that takes all outgoing mail, for hosts that cannot use port 25.',
    otherwise: "mail goes straight to each recipient's MX",
  }),
  smarthost_user: setting(optional(text), '', {
    about: 'User name at the smart host. If set, TLS is required before login.',
  }),
  smarthost_password_file: setting(optional(path), '', {
    about: "File with the smart host's password on its first line.",
  }),
  mta_sts: setting(oneOf('on', 'off'), 'on', {
    about:
      'Follow the MTA-STS policies of other domains (RFC 8461): with "enforce", mail waits rather than go to another host or one without a valid certificate.',
  }),
  dane: setting(oneOf('auto', 'on', 'off'), 'auto', {
    about:
      'Check certificates against the TLSA records of signed domains (RFC 7672). This needs a resolver that validates DNSSEC, see server.dns_validates. "auto" checks if there is one; "on" also warns at startup if there is none.',
  }),
  port: setting(wholeNumber(1, 65535), 25, {
    about: 'Port of other MX. Anything but 25 is for tests.',
  }),
  return_path: setting(oneOf('message', 'mailbox'), 'message', {
    about:
      'Envelope sender of outgoing mail. "message": a separate address for each message and recipient (VERP), so that bounces and complaints are recorded for the right recipient. "mailbox": the sending mailbox, which then receives bounces as mail; for smart hosts that accept no other sender.',
  }),
  sender_notices: setting(oneOf('failures', 'all', 'off'), 'failures', {
    about:
      'Notices of delivery in the sending mailbox, in the thread of the message: when delivery to a recipient has failed for good ("failures"), and also once after a delay of four hours ("all"). Agents that poll for unread mail learn of failures this way; the message itself shows both.',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      'Also deliver to loopback, private and link-local addresses. Leave it off unless you relay inside your own network: a malicious MX record could point into it.',
  }),
  tls_reports: setting(flag, true, {
    about: 'Send daily TLS reports to domains that request them (RFC 8460). Only where mail leaves this server.',
  }),
  concurrency: setting(wholeNumber(1, 1000, 'deliveries'), 20, {
    about:
      'Concurrent deliveries in total. Those that take longer than a second do not count; of these there may be four times as many.',
  }),
  per_destination: setting(wholeNumber(1, 1000, 'deliveries'), 5, {
    about: 'Concurrent deliveries to one domain, and to one host that takes mail for several.',
  }),
  connect_timeout_seconds: setting(wholeNumber(1, 600, 'seconds'), 30, {
    about: 'Time limit for one address of an MX to accept a connection and greet; then the next is tried.',
  }),
  response_timeout_seconds: setting(wholeNumber(1, 3600, 'seconds'), 300, {
    about: 'Time limit for a reply to a command (RFC 5321 §4.5.3.2 recommends 5 minutes and more).',
  }),
  routes: setting(
    tablesOf('routes', {
      domains: needed(
        listOf(routePattern, 'domains', 1),
        ['example.com'],
        'Domains of this route: "example.com" is the domain itself, ".example.com" its subdomains, "*" all domains.',
      ),
      host: needed(nextHop, 'mail.internal:25', 'Server that takes the mail; "direct" is the MX of each domain.'),
      tls: optionally(
        oneOf('auto', 'opportunistic', 'required', 'implicit', 'none'),
        'auto',
        'TLS with the host. "required": STARTTLS with a valid certificate for its name; "implicit": the same from the first byte on; "opportunistic": TLS if the host offers it; "auto": "implicit" on port 465, "required" with a user, else "opportunistic".',
      ),
      user: optionally(optional(text), '', 'User name at the host.'),
      password_file: optionally(optional(path), '', 'File with the password on its first line.'),
      ca_file: optionally(optional(path), '', 'File of certificates (PEM) to trust there beside the usual ones.'),
    }),
    [],
    {
      about:
        'Routes for mail to some domains, instead of the smart host or the MX. The most specific route wins: the domain itself, then the longest ending, then "*". Tables belong at the end of the file.',
      otherwise: "all mail goes to the smart host if there is one, else to each domain's MX",
    },
  ),
})
