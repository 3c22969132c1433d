/** The clients there are: those that registered, and those that are described by a document of their own. */
import type { ClientProblem, Documents } from './documents.js'
import type { Registrations } from './registrations.js'
import type { OAuthClient } from './types.js'

export interface Clients {
  /** @param remoteAddress of who has it looked up */
  find(id: string, remoteAddress: string): Promise<OAuthClient | ClientProblem>
  /** False for an id that no client has. Fetches nothing. */
  mayExist(id: string): Promise<boolean>
  /** It is connected, and stays until then at least. */
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
  problem: 'The program that sent you here is not known here, or not any more.',
  todo: 'Remove the connection in the program, add it again, and start from there. A program that registers and is not connected is forgotten after a day.',
}
