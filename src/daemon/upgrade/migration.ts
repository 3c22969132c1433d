/** A step from one form of the stored records to the next. */
import type { Store, Transaction } from '../../store/types.js'

export interface Migration {
  /** The version that a folder has after it. */
  to: number
  /** For the log. */
  about: string
  /** It comes before all others, whatever their numbers: these read what it writes. */
  isFirst?: true
  /** How much it has to move; missing where that is little whatever the folder holds. */
  moves?: Moves
  /**
   * One step of bounded work, of seconds at the most. A crash may have it done again, so it has to come to the same then.
   *
   * @param cursor '' at the beginning, then what the last step returned
   * @returns where the next step goes on; undefined when there is none
   */
  step(store: Store, cursor: string, work: Work): Promise<string | undefined>
}

export interface Moves {
  /** What is counted, in the plural. */
  unit: string
  /** How many there are, from counters: it is asked at the start, before anything is changed. */
  count(store: Store): Promise<number>
  /** As measured on two cores of a small server with an SSD. */
  perSecond: number
  /** What the new rows of one take on the disk, about. */
  bytesEach: number
}

/** What a step tells of. */
export interface Work {
  /** Counts what has been moved since the last call, in units of `Moves`. */
  moved(count: number): void
  /** Takes a row that can't be read out of its place in a partition of the transaction, keeps it aside (store/quarantine.ts), and names it in the log. */
  setAside(tx: Transaction, partition: string, row: [key: Uint8Array, value: Uint8Array]): void
}
