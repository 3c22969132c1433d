/** Refusals by the limits of clients and by what recipients and lists say, each with a reason word for logs, metrics and receipts. */
import { closing } from '../../smtp/server/refusals.js'
import { reply, type Refusal } from '../../smtp/replies.js'

export const CONNECTION_RATE = closing('connection_rate', 'you connect too often without bringing mail, wait a minute')
export const MESSAGE_RATE = reply(450, '4.7.1', 'too many messages from your network, wait a minute', 'message_rate')
export const HARVESTING = closing(
  'bad_recipients_hour',
  'too many recipients from your network do not exist here, correct your list and try again in an hour',
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
