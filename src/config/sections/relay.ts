/** relay.toml: sending mail out. */
import { z } from 'zod'
import { flag, oneOf, optional, path, serverAddress, setting, text, wholeNumber } from '../setting.js'

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
  port: setting(wholeNumber(1, 65535), 25, {
    about: 'Port on which the MX of others are reached. Anything but 25 is for tests.',
    unit: 'port',
  }),
  return_path: setting(oneOf('message', 'mailbox'), 'message', {
    about:
      'Envelope sender of mail that leaves. "message": an address of its own for each message (VERP), so that bounces and complaints are written down with the message they are about. "mailbox": the sending mailbox itself, to which bounces come as mail; for smart hosts that take no other sender.',
  }),
  sender_notices: setting(oneOf('failures', 'all', 'off'), 'failures', {
    about:
      'Mail to the sending mailbox, in the thread of its message, when a recipient is given up ("failures"), and also once when one has waited for four hours ("all"). An agent that looks for unread mail learns of a failure by it and can act; of a delay it need know nothing, and it can read both from the message itself.',
  }),
  allow_private_addresses: setting(flag, false, {
    about:
      "Also deliver to loopback, private and link-local addresses. Leave it off unless you relay inside your own network: a stranger's MX record could otherwise point at your inside.",
  }),
  concurrency: setting(wholeNumber(1, 1000), 20, {
    about: 'Deliveries at once, to everybody.',
    unit: 'deliveries',
  }),
  per_destination: setting(wholeNumber(1, 1000), 5, {
    about: 'Deliveries at once to one domain.',
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
})
