/** A step from one form of the stored records to the next. */
import type { Store, Transaction } from '../../store/types.js'

export interface Migration {
  /** Version of the folder after it. */
  to: number
  /** For the log. */
  about: string
  /** Runs before all others, whatever their numbers: they read what it writes. */
  isFirst?: true
  /**
   * Set if this program also works on the form before: it reads both, and writes the older one until the store has this one (`createStoredForm` in
   * store/schema-version.ts). So nodes that know only the form before can work beside it, and the steps run once none of them is left.
   */
  isRolling?: true
  /** The amount of work; missing if small for any folder. */
  moves?: Moves
  /**
   * One step of bounded, idempotent work, seconds at most. A crash may repeat it.
   *
   * @param cursor '' first, then what the last step returned
   * @returns where the next step continues; undefined when done
   */
  step(store: Store, cursor: string, work: Work): Promise<string | undefined>
}

export interface Moves {
  /** Plural. */
  unit: string
  /** From counters: called at the start, before any change. */
  count(store: Store): Promise<number>
  /** Measured on two cores of a small server with an SSD. */
  perSecond: number
  /** Approximate disk usage of each one's new rows. */
  bytesEach: number
}

export interface Work {
  /** Counts items moved since the last call, in units of `Moves`. */
  moved(count: number): void
  /** Moves an unreadable row to quarantine (store/quarantine.ts), and logs it. */
  setAside(tx: Transaction, partition: string, row: [key: Uint8Array, value: Uint8Array]): void
}
