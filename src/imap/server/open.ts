/** Connections with all that sessions need: one module, loaded when the first program connects. */
import type { Socket } from 'node:net'
import type { MessageReads, ReadsWith } from '../../mailbox/search/message-reads.js'
import { mayLackField, readHeaderField } from '../../mime/fields.js'
import { createSearching } from '../searching/searching.js'
import type { ImapParts } from '../session/parts.js'
import { type Connected, type ConnectionOptions, ImapConnection } from './connection.js'

export function connectionsOf(
  given: Omit<ImapParts, 'searching'>,
  readsWith: ReadsWith,
  how: Omit<ConnectionOptions, 'parts'>,
) {
  const searched: MessageReads = readsWith({ mayLackField, readHeaderField })
  const parts: ImapParts = { ...given, searching: createSearching({ searched }) }
  const options: ConnectionOptions = { ...how, parts }
  return (socket: Socket, connected: Connected): ImapConnection => new ImapConnection(socket, options, connected)
}
