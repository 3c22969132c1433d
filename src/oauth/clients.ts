/** All clients: registered ones, and those described by a document. */
import type { ClientProblem, Documents } from './documents.js'
import type { Registrations } from './registrations.js'
import type { OAuthClient } from './types.js'

export type Clients = ReturnType<typeof createClients>

export function createClients(registrations: Registrations, documents: Documents) {
  return {
    /** @param remoteAddress address of the caller, for limits */
    async find(id: string, remoteAddress: string): Promise<OAuthClient | ClientProblem> {
      if (!registrations.isId(id)) return documents.find(id, remoteAddress)
      return (await registrations.find(id)) ?? FORGOTTEN
    },
    /** False for an id that no client can have. Fetches nothing. */
    async mayExist(id: string): Promise<boolean> {
      return registrations.isId(id) ? (await registrations.find(id)) !== undefined : documents.isId(id)
    },
    keep: registrations.keep,
  }
}

const FORGOTTEN: ClientProblem = {
  problem: 'The program that sent you here is not, or no longer, known here.',
  todo: 'Remove the connection in the program, add it again, and start from there. A program that registers but is not connected is forgotten after a day.',
}
