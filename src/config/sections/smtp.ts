/** smtp.toml: receiving mail. */
import { z } from 'zod'
import { domain, flag, listenAddress, listOf, oneOf, optional, path, setting, wholeNumber } from '../setting/setting.js'

const MIB = 1024 * 1024

export const smtp = z.strictObject({
  listen: setting(listOf(listenAddress, 'addresses', 1), ['127.0.0.1:2525'], {
    about:
      'Where mail is received. To receive from the Internet use "[::]:25", which takes IPv4 too, or "0.0.0.0:25" on a host without IPv6.',
  }),
  max_message_bytes: setting(wholeNumber(64 * 1024, 512 * MIB), 25 * MIB, {
    about: "Largest message taken, announced as SIZE (RFC 1870). clamd's StreamMaxLength has to be at least this.",
    unit: 'bytes',
  }),
  max_recipients: setting(wholeNumber(1, 10_000), 100, {
    about:
      'Recipients of one message; further ones get a 452 and come in a transaction of their own (RFC 5321 §4.5.3.1.8 asks for 100).',
    unit: 'recipients',
  }),
  max_connections: setting(wholeNumber(1, 100_000), 500, {
    about: 'Connections at once, from everybody; further ones get a 421.',
    unit: 'connections',
  }),
  max_connections_per_address: setting(wholeNumber(1, 100_000), 50, {
    about: 'Connections at once from one client (an IPv4 address, an IPv6 /64); further ones get a 421.',
    unit: 'connections',
  }),
  judging_threads: setting(wholeNumber(0, 64), 0, {
    about:
      'Threads in which messages are read, authenticated and scored, beside the one that does all the rest. 0 chooses: one for each core but the first, at least one and at most four.',
    unit: 'threads',
  }),
  max_connections_per_network: setting(wholeNumber(1, 100_000), 200, {
    about:
      'Connections at once from one network (an IPv4 /24, an IPv6 /48); further ones get a 421. It is never under smtp.max_connections_per_address.',
    unit: 'connections',
  }),
  connections_per_minute: setting(wholeNumber(0, 1_000_000), 3000, {
    about:
      'Connections in a minute from one client that bring no message; further ones get a 421. One that brings a message that is accepted does not count. 0 is no limit.',
    unit: 'connections',
  }),
  connections_per_minute_per_network: setting(wholeNumber(0, 1_000_000), 6000, {
    about: 'The same for a network (an IPv4 /24, an IPv6 /48).',
    unit: 'connections',
  }),
  messages_per_minute: setting(wholeNumber(0, 1_000_000), 0, {
    about: 'Messages in a minute from one client; at further ones MAIL gets a 450. 0 is no limit.',
    unit: 'messages',
  }),
  messages_per_minute_per_network: setting(wholeNumber(0, 1_000_000), 0, {
    about: 'The same for a network (an IPv4 /24, an IPv6 /48).',
    unit: 'messages',
  }),
  max_transactions: setting(wholeNumber(0, 1_000_000), 10_000, {
    about:
      'Messages begun in one session; after that it is ended with a 421, and the client may connect again. 0 is no limit.',
    unit: 'messages',
  }),
  max_command_errors: setting(wholeNumber(0, 10_000), 20, {
    about:
      'Commands that are unknown, malformed or out of order, since the last message that was accepted; then the session is ended with a 421. 0 is no limit.',
    unit: 'commands',
  }),
  max_bad_recipients: setting(wholeNumber(0, 100_000), 50, {
    about:
      'Recipients in one session that do not exist; at a further one the session is ended with a 421. 0 is no limit.',
    unit: 'recipients',
  }),
  bad_recipients_per_hour: setting(wholeNumber(0, 1_000_000), 300, {
    about:
      'Recipients in an hour from one client that do not exist. Who names so many, and more than do exist, is after the names: until the hour is over each RCPT ends the session with a 421, whether the mailbox exists or not. 0 is no limit.',
    unit: 'recipients',
  }),
  bad_recipients_per_hour_per_network: setting(wholeNumber(0, 1_000_000), 1000, {
    about: 'The same for a network (an IPv4 /24, an IPv6 /48).',
    unit: 'recipients',
  }),
  max_header_bytes: setting(wholeNumber(4096, 16 * MIB), 256 * 1024, {
    about:
      "Size of a message's header, and of the header of each of its parts; all of them together may have four times as much. A larger one is refused.",
    unit: 'bytes',
  }),
  max_parts: setting(wholeNumber(1, 100_000), 1000, {
    about: 'MIME parts of a message; one with more is refused.',
    unit: 'parts',
  }),
  max_depth: setting(wholeNumber(1, 200), 30, {
    about: 'Nesting of MIME parts; a deeper message is refused.',
    unit: 'levels',
  }),
  max_received: setting(wholeNumber(5, 1000), 50, {
    about: 'Received fields of a message; one with more is taken for a loop and refused (RFC 5321 §6.3).',
    unit: 'fields',
  }),
  tls_key: setting(optional(path), '', {
    about:
      'Private key (PEM) for STARTTLS. Without smtp.tls_key and smtp.tls_cert, and without tls.acme, STARTTLS is not offered. SIGHUP reads the file again.',
    reload: true,
  }),
  tls_cert: setting(optional(path), '', {
    about: 'Certificate with its chain (PEM) for STARTTLS. SIGHUP reads the file again.',
    reload: true,
  }),
  mta_sts: setting(oneOf('off', 'none', 'testing', 'enforce'), 'testing', {
    about:
      'The MTA-STS policy of our domains (RFC 8461), by which senders insist on TLS with a valid certificate. It is served under https://mta-sts.DOMAIN/, which your proxy has to pass on to server.http with its Host header, and counts once `restante dns` is published. With "testing" senders only report what would fail; "none" takes a policy back, and is to stay until its max_age is over; with "off", and without smtp.tls_cert and tls.acme, there is no policy.',
  }),
  mta_sts_max_age_days: setting(wholeNumber(1, 365), 7, {
    about: 'How long senders keep the policy and insist on it, also when they can not read it any more.',
    unit: 'days',
  }),
  dmarc_reject: setting(oneOf('reject', 'quarantine', 'ignore'), 'reject', {
    about:
      'What becomes of mail that fails DMARC where the author\'s domain asks to reject: refused with a 550, delivered with the label "spam", or delivered like any other.',
  }),
  own_domain_spoofing: setting(oneOf('reject', 'quarantine', 'ignore'), 'quarantine', {
    about:
      'What becomes of mail from outside that names one of our domains in From, or as its envelope sender, without passing SPF or DKIM for it, whether the domain has a DMARC record or not: refused with a 550, delivered with the label "spam", or delivered like any other. A mailing list that changes a message of ours on its way and brings it back is the usual false alarm; programs elsewhere that send in a domain\'s name belong into its SPF record.',
  }),
  dmarc_reports: setting(flag, true, {
    about:
      'Whether domains that ask for it (rua= of their DMARC record) get a daily report of how much mail in their name came here, from which addresses, and what DMARC said of it (RFC 9990): counts, and nothing of any message. Only where mail leaves this server.',
  }),
  dns_failure: setting(oneOf('auto', 'defer', 'accept'), 'auto', {
    about:
      "What becomes of mail when DNS gives no answer and the author's policy hangs on it: the sender is told to come again (451), or it is delivered with what is known. With auto it is deferred, unless the first domain is under .localhost, where only this machine can send.",
  }),
  dnsbl: setting(listOf(domain, 'zones'), [], {
    about:
      'DNS blocklists (RFC 5782) that are asked about the address of each client, such as "zen.spamhaus.org". A list that gives no answer within 3 seconds lists nobody. Many lists have to be asked through a resolver of your own: see server.dns.',
  }),
  dnsbl_action: setting(oneOf('reject', 'score'), 'reject', {
    about:
      'What becomes of mail from a client on one of smtp.dnsbl: each recipient but postmaster and abuse is refused with a 550 that names the list, or it adds to the spam score.',
  }),
  greylist: setting(flag, false, {
    about:
      'Whether clients that have never written here are asked to come again (451), as mail servers do by themselves and many spam programs do not (RFC 6647). First messages come later by some minutes to an hour.',
  }),
  greylist_minutes: setting(wholeNumber(1, 240), 5, {
    about: 'How long a client has to wait with its second attempt.',
    unit: 'minutes',
  }),
  greylist_retry_hours: setting(wholeNumber(1, 240), 48, {
    about: 'How long a first attempt is remembered; one that comes later is a first one again.',
    unit: 'hours',
  }),
  greylist_days: setting(wholeNumber(1, 365), 36, {
    about: 'How long a client that came again is known, from its last message on; it is not delayed in that time.',
    unit: 'days',
  }),
})
