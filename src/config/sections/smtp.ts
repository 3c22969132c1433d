/** smtp.toml: receiver of incoming mail. */
import { z } from 'zod'
import {
  auto,
  domain,
  flag,
  listenAddress,
  listOf,
  oneOf,
  optional,
  path,
  setting,
  wholeNumber,
} from '../setting/setting.js'

const MIB = 1024 * 1024

export const smtp = z.strictObject({
  listen: setting(listOf(listenAddress, 'addresses', 1), ['127.0.0.1:2525'], {
    about:
      'SMTP listener for incoming mail. To receive from the Internet use "[::]:25", which includes IPv4, or "0.0.0.0:25" on a host without IPv6.',
  }),
  max_message_bytes: setting(wholeNumber(64 * 1024, 512 * MIB, 'bytes'), 25 * MIB, {
    about: "Max message size, announced as SIZE (RFC 1870). clamd's StreamMaxLength has to be at least this.",
  }),
  max_recipients: setting(wholeNumber(1, 10_000, 'recipients'), 100, {
    about:
      'Recipients per transaction; further ones get a 452 and come in another transaction (RFC 5321 §4.5.3.1.8 requires 100).',
  }),
  max_connections: setting(wholeNumber(1, 100_000, 'connections'), 500, {
    about: 'Concurrent connections in total; further ones get a 421.',
  }),
  max_connections_per_address: setting(wholeNumber(1, 100_000, 'connections'), 50, {
    about: 'Concurrent connections of one client (an IPv4 address, an IPv6 /64); further ones get a 421.',
  }),
  processes: setting(auto(wholeNumber(0, 64, 'processes')), 'auto', {
    about:
      'Front processes, which hold the SMTP sessions and parse, authenticate and score their messages, so that every core works; the main process stores them. "auto": one for each core but the first, and none on two cores or one. 0: all in the main process and its threads (smtp.judging_threads), which takes less memory.',
  }),
  judging_threads: setting(wholeNumber(0, 64, 'threads'), 0, {
    about:
      'Without front processes (smtp.processes = 0): threads that parse, authenticate and score messages, beside the main thread. 0: one for each core but the first, at least one and at most four.',
  }),
  max_connections_per_network: setting(wholeNumber(1, 100_000, 'connections'), 200, {
    about:
      'Concurrent connections of one network (an IPv4 /24, an IPv6 /48); further ones get a 421. Never less than smtp.max_connections_per_address.',
  }),
  connections_per_minute: setting(wholeNumber(0, 1_000_000, 'connections'), 3000, {
    about:
      'Connections per minute of one client; further ones get a 421. A connection with an accepted message does not count. 0: no limit.',
  }),
  connections_per_minute_per_network: setting(wholeNumber(0, 1_000_000, 'connections'), 6000, {
    about: 'The same for a network (an IPv4 /24, an IPv6 /48).',
  }),
  messages_per_minute: setting(wholeNumber(0, 1_000_000, 'messages'), 0, {
    about: 'Messages per minute of one client; further MAIL commands get a 450. 0: no limit.',
  }),
  messages_per_minute_per_network: setting(wholeNumber(0, 1_000_000, 'messages'), 0, {
    about: 'The same for a network (an IPv4 /24, an IPv6 /48).',
  }),
  max_transactions: setting(wholeNumber(0, 1_000_000, 'messages'), 10_000, {
    about: 'Transactions per session; then the session ends with a 421, and the client may reconnect. 0: no limit.',
  }),
  max_command_errors: setting(wholeNumber(0, 10_000, 'commands'), 20, {
    about:
      'Unknown, malformed or out-of-order commands since the last accepted message; then the session ends with a 421. 0: no limit.',
  }),
  max_bad_recipients: setting(wholeNumber(0, 100_000, 'recipients'), 50, {
    about: 'Nonexistent recipients per session; at a further one the session ends with a 421. 0: no limit.',
  }),
  bad_recipients_per_hour: setting(wholeNumber(0, 1_000_000, 'recipients'), 300, {
    about:
      'Nonexistent recipients per hour of one client. If it names this many, and more than existing ones, it is harvesting addresses: until the hour is over each RCPT ends the session with a 421, whether the mailbox exists or not. 0: no limit.',
  }),
  bad_recipients_per_hour_per_network: setting(wholeNumber(0, 1_000_000, 'recipients'), 1000, {
    about: 'The same for a network (an IPv4 /24, an IPv6 /48).',
  }),
  max_header_bytes: setting(wholeNumber(4096, 16 * MIB, 'bytes'), 256 * 1024, {
    about:
      "Size of a message's header, and of the header of each MIME part; all of them together may have four times as much. A larger one is refused.",
  }),
  max_parts: setting(wholeNumber(1, 100_000, 'parts'), 1000, {
    about: 'MIME parts of a message; a message with more is refused.',
  }),
  max_depth: setting(wholeNumber(1, 200, 'levels'), 30, {
    about: 'Nesting of MIME parts; a deeper message is refused.',
  }),
  max_received: setting(wholeNumber(5, 1000, 'fields'), 50, {
    about: 'Received fields of a message; more of them mean a mail loop, and the message is refused (RFC 5321 §6.3).',
  }),
  tls_key: setting(optional(path), '', {
    about:
      'Private key (PEM) for STARTTLS. Without smtp.tls_key and smtp.tls_cert, and without tls.acme, STARTTLS is not offered. SIGHUP reloads the file.',
    reload: true,
  }),
  tls_cert: setting(optional(path), '', {
    about: 'Certificate with its chain (PEM) for STARTTLS. SIGHUP reloads the file.',
    reload: true,
  }),
  mta_sts: setting(oneOf('off', 'none', 'testing', 'enforce'), 'testing', {
    about:
      'MTA-STS policy of our domains (RFC 8461), which makes senders require TLS with a valid certificate. It is served at https://mta-sts.DOMAIN/, which a proxy has to pass to server.http with its Host header, and takes effect once the records of `restante dns` are published. With "testing" senders only report failures; "none" withdraws a policy, and has to stay until its max_age is over; with "off", or without smtp.tls_cert and tls.acme, there is no policy.',
  }),
  mta_sts_max_age_days: setting(wholeNumber(1, 365, 'days'), 7, {
    about: 'How long senders cache the policy and enforce it, even when they cannot fetch it.',
  }),
  dmarc_reject: setting(oneOf('reject', 'quarantine', 'ignore'), 'reject', {
    about:
      'Action for mail that fails DMARC if the author\'s domain requests p=reject: refuse it with a 550, deliver it with the label "spam", or deliver it normally.',
  }),
  own_domain_spoofing: setting(oneOf('reject', 'quarantine', 'ignore'), 'quarantine', {
    about:
      'Action for mail from outside with one of our domains in From or as its envelope sender, but without SPF or DKIM for it, whether the domain has a DMARC record or not: refuse it with a 550, deliver it with the label "spam", or deliver it normally. The usual false alarm is a mailing list that changes and returns one of our messages; list other hosts that send for a domain in its SPF record.',
  }),
  dmarc_reports: setting(flag, true, {
    about:
      'Send daily DMARC aggregate reports (RFC 9990) to domains that request them (rua= of their DMARC record): counts of mail by source address and DMARC result, without content. Only where mail leaves this server.',
  }),
  dns_failure: setting(oneOf('auto', 'defer', 'accept'), 'auto', {
    about:
      "Action for mail whose author's policy cannot be evaluated because DNS gives no answer: defer it with a 451, or deliver it with what is known. By default it is deferred, unless the first domain is under .localhost, where only this machine can send.",
  }),
  dnsbl: setting(listOf(domain, 'zones'), [], {
    about:
      'DNS block lists (RFC 5782) that are checked for the address of each client, such as "zen.spamhaus.org". A list that does not answer within 3 seconds is skipped. Many lists refuse public resolvers, so use your own: see server.dns.',
  }),
  dnsbl_action: setting(oneOf('reject', 'score'), 'reject', {
    about:
      'Action for mail from a client on one of smtp.dnsbl: refuse each recipient but postmaster and abuse with a 550 that names the list, or add to the spam score.',
  }),
  greylist: setting(flag, false, {
    about:
      'Greylisting (RFC 6647): unknown clients get a 451 and have to try again, as mail servers do and many spam programs do not. Delays the first message of a client by some minutes to an hour.',
  }),
  greylist_minutes: setting(wholeNumber(1, 240, 'minutes'), 5, {
    about: 'Min wait of a client before its second attempt.',
  }),
  greylist_retry_hours: setting(wholeNumber(1, 240, 'hours'), 48, {
    about: 'How long a first attempt is remembered.',
  }),
  greylist_days: setting(wholeNumber(1, 365, 'days'), 36, {
    about: 'How long a client that passed is remembered, from its last message on; it is not delayed in that time.',
  }),
})
