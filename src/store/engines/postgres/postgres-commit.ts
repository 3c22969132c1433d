/**
 * The statements of a commit, sent at once. READ COMMITTED: each sees what was committed before it began, so that locks come before rows, in an earlier
 * statement. Version rows are locked in one order everywhere. A failed check divides by zero, and the rest of the transaction does nothing.
 */
import type { Check, Op } from '../../engine.js'
import { byteaArray } from './postgres-bytes.js'
import type { Statement } from './postgres-link.js'

export interface CommitPlan {
  statements: Statement[]
  /** Places of the answers with the versions of blindly written partitions. */
  blind: Map<string, number>
  written: string[]
}

interface Part {
  expect: bigint | undefined
  /** By key; the last op of a key counts. */
  ops: Map<string, Op>
}

/** A node that stalls in the middle keeps nobody else waiting for longer. */
const BEGIN = 'begin; set local idle_in_transaction_session_timeout = 10000'
export const COMMIT = 'commit'

const TAKE = 'update restante_version set version = $3 where partition = $1 and version = $2'
const CREATE = 'insert into restante_version values ($1, $2) on conflict do nothing'
const IS_OURS = 'select 1 / count(*)::int from restante_version where partition = $1 and version = $2'
const IS_SAME =
  'select 1 / count(*)::int from (select 1 from restante_version where partition = $1 and version = $2 for share) held'
const TAKE_BLINDLY =
  'insert into restante_version as own values ($1, $2) on conflict (partition) do update set version = greatest(own.version + 1, excluded.version) returning version'
const MARK = "insert into restante_mark (partition, mark, fate) values ($1, $2, 'done')"
const DELETE = 'delete from restante_row where partition = $1 and key = any($2::bytea[])'
// With the version row, so that Citus runs it as one task on one worker.
const PUT =
  'insert into restante_row select own.partition, given.key, given.value from restante_version own, unnest($2::bytea[], $3::bytea[]) given (key, value) where own.partition = $1 on conflict (partition, key) do update set value = excluded.value'
const LEAVE =
  'delete from restante_version where partition = $1 and not exists (select from restante_row where partition = $1)'

/**
 * The mark's fate, after which it stays: `void` where the commit did not happen, and now it can't. It always writes, so that its own commit waits for
 * the standby, and with it what it found.
 */
export const FATE =
  "insert into restante_mark as own (partition, mark, fate) values ($1, $2, 'void') on conflict (partition, mark) do update set fate = own.fate returning fate"

/** Marks that nobody asks for any more: a commit is given up after seconds, and its fate looked up at once. */
export const FORGET_MARKS = "delete from restante_mark where made_at < now() - interval '1 day'"

/** @param stamp greater than every expected version, and never used before */
export function planCommit(checks: readonly Check[], ops: readonly Op[], mark: string, stamp: bigint): CommitPlan {
  const parts = partsOf(checks, ops)
  const plan: CommitPlan = { statements: [{ text: BEGIN }], blind: new Map(), written: [] }
  const add = (text: string, ...values: unknown[]): number => plan.statements.push({ text, values }) - 1
  const leaves: string[] = []
  for (const [partition, { expect, ops }] of parts) {
    const isWritten = ops.size > 0
    if (isWritten) plan.written.push(partition)
    if (expect === undefined) {
      plan.blind.set(partition, add(TAKE_BLINDLY, partition, String(stamp)))
    } else if (expect === 0n) {
      // For one that is only checked as well: what is not there can't be locked.
      add(CREATE, partition, String(stamp))
      add(IS_OURS, partition, String(stamp))
      if (!isWritten) leaves.push(partition)
    } else if (isWritten) {
      add(TAKE, partition, String(expect), String(stamp))
      add(IS_OURS, partition, String(stamp))
    } else {
      add(IS_SAME, partition, String(expect))
    }
  }
  const [first] = plan.written
  if (first !== undefined) add(MARK, first, mark)
  for (const partition of plan.written) {
    const own = [...(parts.get(partition)?.ops.values() ?? [])]
    const deleted = own.filter(({ value }) => value === null)
    const put = own.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }]))
    if (deleted.length > 0) add(DELETE, partition, byteaArray(deleted.map(({ key }) => key)))
    if (put.length > 0)
      add(PUT, partition, byteaArray(put.map(({ key }) => key)), byteaArray(put.map(({ value }) => value)))
    else leaves.push(partition)
  }
  for (const partition of leaves) add(LEAVE, partition)
  add(COMMIT)
  return plan
}

/** In one order for all processes. */
function partsOf(checks: readonly Check[], ops: readonly Op[]): Map<string, Part> {
  const parts = new Map<string, Part>()
  const partOf = (partition: string): Part => {
    const known = parts.get(partition)
    if (known) return known
    const part: Part = { expect: undefined, ops: new Map() }
    parts.set(partition, part)
    return part
  }
  for (const { partition, expect } of checks) partOf(partition).expect = expect
  for (const op of ops) partOf(op.partition).ops.set(Buffer.from(op.key).toString('latin1'), op)
  return new Map([...parts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
