/**
 * What the session guard says to those it turns away. Each says what to do, and has a word for logs, metrics and receipts. RFC 3463 §3.8: 4.7.0
 * is a matter of policy, for now.
 */
import type { Reply } from './replies.js'

export interface Refusal extends Reply {
  reason: string
}

const refusal = (code: number, enhanced: string, reason: string, text: string): Refusal => ({
  code,
  enhanced,
  text,
  reason,
})

export const SERVER_FULL = refusal(421, '4.7.0', 'server_full', 'too many connections here, try again in a minute')
export const ADDRESS_CONNECTIONS = refusal(
  421,
  '4.7.0',
  'address_connections',
  'too many connections from your address, use those you have',
)
export const NETWORK_CONNECTIONS = refusal(
  421,
  '4.7.0',
  'network_connections',
  'too many connections from your network, use those you have',
)
export const CONNECTION_RATE = refusal(
  421,
  '4.7.0',
  'connection_rate',
  'you connect too often without bringing mail, wait a minute',
)
export const MADE_ROOM = refusal(
  421,
  '4.7.0',
  'made_room',
  'the server is full and others wait, connect again and be quicker',
)
export const MESSAGE_RATE = refusal(450, '4.7.1', 'message_rate', 'too many messages from your network, wait a minute')
export const TOO_MANY_TRANSACTIONS = refusal(
  421,
  '4.7.0',
  'session_transactions',
  'so many messages are enough for one session, connect again for the next',
)
export const TOO_MANY_ERRORS = refusal(
  421,
  '4.7.0',
  'command_errors',
  'too many commands that can not be obeyed, mend your client before you connect again',
)
export const TOO_MANY_COMMANDS = refusal(
  421,
  '4.7.0',
  'commands_without_mail',
  'too many commands without a message, connect again when you have one',
)
export const TOO_MANY_UNKNOWN = refusal(
  421,
  '4.7.0',
  'bad_recipients',
  'too many of your recipients do not exist here, correct your list before you try again',
)
export const HARVESTING = refusal(
  421,
  '4.7.0',
  'bad_recipients_hour',
  'too many recipients from your network do not exist here, correct your list and try again in an hour',
)
export const COMMAND_TOO_SLOW = refusal(421, '4.4.2', 'command_timeout', 'no command came in time, connect again')
export const DISK_LOW = refusal(
  452,
  '4.3.1',
  'disk_low',
  'this server has too little room on its disk, try again later',
)
export const GREYLISTED = refusal(
  451,
  '4.7.1',
  'greylisted',
  'you have not written before; try again in some minutes, as mail servers do by themselves',
)

/** @param zone as the operator configured it; nothing in this reply comes from DNS */
export function listed(address: string, zone: string): Refusal {
  return refusal(
    550,
    '5.7.1',
    'dnsbl',
    `client address ${address} is listed by ${zone}; ask its operator to be removed, or write to postmaster here`,
  )
}
