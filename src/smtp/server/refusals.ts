/** Refusals by the limits of a session and of this server, each with a reason word for logs, metrics and receipts. RFC 3463 §3.8: 4.7.0 is a temporary policy refusal. */
import { reply, type Refusal } from '../replies.js'

export const closing = (reason: string, text: string): Refusal => reply(421, '4.7.0', text, reason)

export const SERVER_FULL = closing('server_full', 'too many connections here, try again in a minute')
export const ADDRESS_CONNECTIONS = closing(
  'address_connections',
  'too many connections from your address, use those you have',
)
export const NETWORK_CONNECTIONS = closing(
  'network_connections',
  'too many connections from your network, use those you have',
)
export const MADE_ROOM = closing('made_room', 'the server is full and others wait, connect again and be quicker')
export const TOO_MANY_TRANSACTIONS = closing(
  'session_transactions',
  'so many messages are enough for one session, connect again for the next',
)
export const TOO_MANY_ERRORS = closing(
  'command_errors',
  'too many invalid commands, fix your client before you connect again',
)
export const TOO_MANY_COMMANDS = closing(
  'commands_without_mail',
  'too many commands without a message, connect again when you have one',
)
export const TOO_MANY_UNKNOWN = closing(
  'bad_recipients',
  'too many of your recipients do not exist here, correct your list before you try again',
)
export const COMMAND_TOO_SLOW = reply(421, '4.4.2', 'no command came in time, connect again', 'command_timeout')
export const DISK_LOW = reply(452, '4.3.1', 'this server has too little room on its disk, try again later', 'disk_low')
export const STORE_UNREADABLE = reply(
  451,
  '4.3.0',
  'this server cannot reach its mailboxes now, try again later',
  'store_unreadable',
)
