/** Lets other work have its turn of the event loop while a large message is read. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Octets looked at in one turn: about a millisecond. */
export const TURN_OCTETS = 512 * 1024

export class Turns {
  #left = TURN_OCTETS

  /** @param octets looked at since the last call */
  async spend(octets: number): Promise<void> {
    this.#left -= octets
    if (this.#left > 0) return
    this.#left = TURN_OCTETS
    await nextTurn()
  }
}
