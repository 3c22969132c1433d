/** Description of a family of rows, and of a kind of partition. */
import type { RowTools, Row } from './row-tools.js'

export interface Family {
  /** Form of a value: a record, empty (or 1), any octets, or a parser that throws a SyntaxError for invalid ones. */
  value: 'json' | 'mark' | 'octets' | ((value: Uint8Array) => unknown)
  /**
   * Value of a row: `truth` can only be restored from a backup; `derived` is rebuilt from other rows; `passing` is temporary, and the service works without
   * it.
   */
  is: 'truth' | 'derived' | 'passing'
  /** Checks a readable row against others. */
  check?: ((row: Row, tools: RowTools) => Promise<void> | void) | undefined
}

export interface PartitionKind {
  name: string
  /** Pattern of its partitions' names; the first group is the part after the kind. */
  match: RegExp
  families: Readonly<Record<string, Family>>
  /** Called after all rows of a partition. */
  end?(partition: string, of: string, tools: RowTools): Promise<void> | void
}

const familyOf =
  (is: Family['is']) =>
  (value: Family['value'], check?: Family['check']): Family => ({ value, is, ...(check && { check }) })

export const truth = familyOf('truth')
export const derived = familyOf('derived')
export const passing = familyOf('passing')
