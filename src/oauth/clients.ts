/** All clients: registered ones, and those described by a document. */
import type { ClientProblem, Documents } from './documents.js'
import type { Registrations } from './registrations.js'
import type { OAuthClient } from './types.js'

export interface Clients {
  /** @param remoteAddress address of the caller, for limits */
  find(id: string, remoteAddress: string): Promise<OAuthClient | ClientProblem>
  /** False for an id that no client can have. Fetches nothing. */
  mayExist(id: string): Promise<boolean>
  /** Marks the client as connected until then at least. */
  keep(id: string, until: number): Promise<void>
}

export function createClients(registrations: Registrations, documents: Documents): Clients {
  return {
    async find(id, remoteAddress) {
      if (!registrations.isId(id)) return documents.find(id, remoteAddress)
      return (await registrations.find(id)) ?? FORGOTTEN
    },
    async mayExist(id) {
      return registrations.isId(id) ? (await registrations.find(id)) !== undefined : documents.isId(id)
    },
    keep: (id, until) => registrations.keep(id, until),
  }
}

const FORGOTTEN: ClientProblem = {
  problem: 'The program that sent you here is not, or no longer, known here.',
  todo: 'Remove the connection in the program, add it again, and start from there. A program that registers but is not connected is forgotten after a day.',
}
