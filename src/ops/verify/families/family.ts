/** What is known of a family of rows, and of a kind of partition. */
import type { Look, Row } from './look.js'

export interface Family {
  /** What a value is: a record, nothing (or a 1 in its place), octets of any sort, or what this reads and throws a SyntaxError where it can't. */
  value: 'json' | 'mark' | 'octets' | ((value: Uint8Array) => unknown)
  /**
   * What is lost with a row: `truth` is in a backup only; `derived` follows from other rows and is made anew; `passing` is kept for a time, and the
   * service goes on without it.
   */
  is: 'truth' | 'derived' | 'passing'
  /** Holds a row that can be read against others. */
  check?(row: Row, look: Look): Promise<void> | void
}

export interface PartitionKind {
  /** For people. */
  name: string
  /** Of its partitions' names; the first group is what stands behind the kind. */
  match: RegExp
  families: Readonly<Record<string, Family>>
  /** After all rows of a partition were gone through. */
  end?(partition: string, of: string, look: Look): Promise<void> | void
}
