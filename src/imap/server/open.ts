/** Connections with all that sessions need: one module, loaded when the first program connects. */
import type { Socket } from 'node:net'
import type { MessageReads, ReadsWith } from '../../mailbox/search/message-reads.js'
import { mayLackField, readHeaderField } from '../../mime/fields.js'
import { createSearching } from '../searching/searching.js'
import type { ImapParts } from '../session/parts.js'
import { type ConnectionOptions, ImapConnection } from './connection.js'

export function connectionsOf(given: Omit<ImapParts, 'searching'>, readsWith: ReadsWith) {
  const searched: MessageReads = readsWith({ mayLackField, readHeaderField })
  const parts: ImapParts = { ...given, searching: createSearching({ searched }) }
  return (socket: Socket, options: Omit<ConnectionOptions, 'parts'>): ImapConnection =>
    new ImapConnection(socket, { parts, ...options })
}
