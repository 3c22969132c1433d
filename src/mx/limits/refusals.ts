/** Refusals by the session limits, each with a reason word for logs, metrics and receipts. RFC 3463 §3.8: 4.7.0 is a temporary policy refusal. */
import { reply, type Refusal } from '../../smtp/replies.js'

const closing = (reason: string, text: string): Refusal => reply(421, '4.7.0', text, reason)

export const SERVER_FULL = closing('server_full', 'too many connections here, try again in a minute')
export const ADDRESS_CONNECTIONS = closing(
  'address_connections',
  'too many connections from your address, use those you have',
)
export const NETWORK_CONNECTIONS = closing(
  'network_connections',
  'too many connections from your network, use those you have',
)
export const CONNECTION_RATE = closing('connection_rate', 'you connect too often without bringing mail, wait a minute')
export const MADE_ROOM = closing('made_room', 'the server is full and others wait, connect again and be quicker')
export const MESSAGE_RATE = reply(450, '4.7.1', 'too many messages from your network, wait a minute', 'message_rate')
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
export const HARVESTING = closing(
  'bad_recipients_hour',
  'too many recipients from your network do not exist here, correct your list and try again in an hour',
)
export const COMMAND_TOO_SLOW = reply(421, '4.4.2', 'no command came in time, connect again', 'command_timeout')
export const DISK_LOW = reply(452, '4.3.1', 'this server has too little room on its disk, try again later', 'disk_low')
export const STORE_UNREADABLE = reply(
  451,
  '4.3.0',
  'this server cannot reach its mailboxes now, try again later',
  'store_unreadable',
)
export const GREYLISTED = reply(
  451,
  '4.7.1',
  'you have not written before; try again in some minutes, as mail servers do by themselves',
  'greylisted',
)

/** By the recipient's own lists. */
export const NOT_WANTED = reply(550, '5.7.1', 'the recipient does not take mail from this sender', 'recipient_list')

/** @param zone as configured; nothing in this reply comes from DNS */
export function listed(address: string, zone: string): Refusal {
  return reply(
    550,
    '5.7.1',
    `client address ${address} is listed by ${zone}; ask its operator to be removed, or write to postmaster here`,
    'dnsbl',
  )
}
