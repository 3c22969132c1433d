/** The replies of the protocol itself, whatever the handler decides. */
import { reply } from './replies.js'

export const TOO_EARLY = reply(421, '4.7.0', 'you talk before you are greeted; connect again and wait for 220')
export const ENDLESS = reply(421, '4.7.0', 'command line does not end')
export const IDLE = reply(421, '4.4.2', 'nothing came for too long, connect again')
export const NO_MAIL = reply(503, '5.5.1', 'send MAIL first')
export const NO_RCPT = reply(503, '5.5.1', 'no valid recipients; send RCPT first')
export const NESTED_MAIL = reply(503, '5.5.1', 'a transaction is open; send RSET to begin another')
export const TLS_ACTIVE = reply(503, '5.5.1', 'Error: TLS already active')
export const TLS_READY = reply(220, '2.0.0', 'Ready to start TLS')
export const NOT_VERIFIED = reply(252, '2.0.0', 'addresses are not verified here; send RCPT to try one')
export const TOO_MANY_RECIPIENTS = reply(452, '4.5.3', 'too many recipients; send the others in another transaction')
export const SENDER_OK = reply(250, '2.1.0', 'Accepted')
export const RECIPIENT_OK = reply(250, '2.1.5', 'Accepted')
export const SEND_DATA = reply(354, '', 'End data with <CR><LF>.<CR><LF>')
export const OK = reply(250, '2.0.0', 'OK')
export const FLUSHED = reply(250, '2.0.0', 'Flushed')
export const BYE = reply(221, '2.0.0', 'Bye')
