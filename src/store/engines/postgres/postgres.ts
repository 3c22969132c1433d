/**
 * The engine of many machines: PostgreSQL 14 or later, or what speaks its protocol. A commit is one round trip over any partitions, in one transaction
 * of the server. Nothing is cancelled: when no response comes, the connection is given up and the fate of the commit looked up, on whichever server
 * is the primary then.
 */
import { HOUR, SECOND, type Clock } from '../../../lib/clock.js'
import { hasCode, messageOf } from '../../../lib/thrown.js'
import { createCommitListeners } from '../../commit-listeners.js'
import type { Engine } from '../../engine.js'
import { FateUnknownError, StorageError } from '../../errors.js'
import { checkKey, checkPartition } from '../../keys.js'
import { PostgresChannel } from './postgres-channel.js'
import { FATE, FORGET_MARKS, planCommit } from './postgres-commit.js'
import {
  allOf,
  isLost,
  isRefusal,
  LostConnectionError,
  type Answer,
  type Link,
  type Server,
  type Statement,
} from './postgres-link.js'
import { createPool, type Pool } from './postgres-pool.js'
import { createReader, VERSIONS, versionsIn } from './postgres-reader.js'
import { createStamps, MAX_STAMP } from './postgres-stamps.js'
import { clockAhead, createTables, encodingOf, isCitus, refusedSettings, TABLES, tablesOf } from './postgres-tables.js'
import { parsePostgresUrl } from './postgres-url.js'

export interface PostgresOptions {
  /** See `parsePostgresUrl`. */
  url: string
  /** Undefined: that of libpq (PGPASSWORD, ~/.pgpass). */
  password?: string | undefined
  /** PEM certificates to trust instead of the system's. */
  ca?: string | undefined
  clock: Clock
  /** Max connections; 8 by default. */
  connections?: number
  /** Called for each time that somebody waits for a response. */
  onRoundTrip?: (() => void) | undefined
}

const CONNECTIONS = 8
/** Tasks fall due and links end by the clocks of all machines. */
const MAX_CLOCK_MS = 5 * SECOND
/** Tries of a read whose connection was lost; it has no effects. */
const READ_TRIES = 5
/** A failed check; no order of transactions; a deadlock; a lock that was not to be had. */
const CONFLICTS = ['22012', '40001', '40P01', '55P03']

/**
 * Connects, and creates the tables of a new database.
 *
 * @throws StorageError that says what to do, when there is no primary, its tables are of a later version, or it does not write to the disk
 */
export async function openPostgres({
  url,
  password,
  ca,
  clock,
  connections = CONNECTIONS,
  onRoundTrip,
}: PostgresOptions): Promise<Engine> {
  const target = { ...parsePostgresUrl(url), password, ca }
  const pool = createPool({ ...target, onRoundTrip }, connections)
  try {
    const wholeStore = await pool.use((link) => prepare(link, clock))
    return engineOver({ pool, target, clock, wholeStore })
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** @returns whether a snapshot covers the whole store */
async function prepare(link: Link, clock: Clock): Promise<boolean> {
  const unsafe = await refusedSettings(link)
  if (unsafe.length > 0)
    throw new StorageError(
      `The PostgreSQL server would lose what it has acknowledged: ${unsafe.join(', ')} must not be off. Change it in postgresql.conf`,
    )
  const encoding = await encodingOf(link)
  if (encoding !== 'UTF8')
    throw new StorageError(
      `The encoding of the database is ${encoding}, and has to be UTF8: create it anew with "createdb --encoding UTF8 --template template0"`,
    )
  const ahead = await clockAhead(link, () => clock.now())
  if (Math.abs(ahead) > MAX_CLOCK_MS)
    throw new StorageError(
      `The clock of this machine is ${Math.round(Math.abs(ahead) / SECOND)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} that of the database server: set both by NTP, and start again`,
    )
  if ((await tablesOf(link)) === undefined) await createTables(link)
  const tables = await tablesOf(link)
  if (tables !== TABLES)
    throw new StorageError(
      `The tables of the database are of version ${tables}, and this program knows version ${TABLES}: start a version of Restante that knows it`,
    )
  return !(await isCitus(link))
}

interface EngineDeps {
  pool: Pool
  target: Server
  clock: Clock
  wholeStore: boolean
}

function engineOver({ pool, target, clock, wholeStore }: EngineDeps): Engine {
  const listeners = createCommitListeners()
  const channel = new PostgresChannel({
    target,
    pool,
    onCommit: (partition, version) => listeners.tell(partition, version, true),
  })
  const stampPast = createStamps(clock)
  let forgotAt = performance.now()

  /** Once an hour, beside a commit. A failure is met by the commits as well, and the next hour tries again. */
  function forgetMarks(): void {
    if (performance.now() - forgotAt < HOUR) return
    forgotAt = performance.now()
    pool.use((link) => link.send([{ text: FORGET_MARKS }])).catch(() => undefined)
  }

  /** One statement outside of any transaction. It has no effects, so it is repeated when its connection is lost. */
  const ask = (statement: Statement): Promise<Answer['rows']> =>
    repeated(() =>
      pool.use(async (link) => {
        const answers = await link.send([statement])
        const [answer] = answers
        if (answer instanceof Error && !isLost(answer))
          throw new StorageError(`Could not read from PostgreSQL: ${messageOf(answer)}`, { cause: answer })
        return allOf(answers)[0]?.rows ?? []
      }),
    )

  async function versions(partitions: readonly string[]): Promise<bigint[]> {
    partitions.forEach(checkPartition)
    if (partitions.length === 0) return []
    return versionsIn(await ask({ text: VERSIONS, values: [partitions] }), partitions)
  }

  return {
    wholeStore,

    read: (fn) =>
      repeated(() =>
        pool.use(async (link) => {
          const { reader, end } = createReader(link)
          try {
            return await fn(reader)
          } finally {
            end()
          }
        }),
      ),

    versions,

    newest: () => undefined,

    async commit(checks, ops, mark) {
      for (const { partition, key } of ops) {
        checkPartition(partition)
        checkKey(key)
      }
      if (checks.some(({ expect }) => expect >= MAX_STAMP)) return 'conflict'
      if (ops.length === 0 && wholeStore) {
        const now = await versions(checks.map(({ partition }) => partition))
        return checks.every(({ expect }, i) => now[i] === expect) ? new Map() : 'conflict'
      }
      const stamp = stampPast(checks.reduce((max, { expect }) => (expect > max ? expect : max), 0n))
      const { statements, blind, written } = planCommit(checks, ops, mark, stamp)
      const answers = await pool.use(async (link) => {
        const answers = await link.send(statements)
        if (link.mayNotBeReplicated) link.discard()
        return link.mayNotBeReplicated ? undefined : answers
      })
      const outcome = answers ? outcomeOf(answers) : 'unknown'
      if (outcome instanceof Error) throw outcome
      // What wrote nothing can be tried again.
      if (outcome === 'unknown' && ops.length === 0) return 'conflict'
      if (outcome === 'unknown') throw new FateUnknownError({ cause: answers?.find((each) => each instanceof Error) })
      if (outcome === 'conflict') return 'conflict'
      forgetMarks()
      const moved = new Map<string, bigint>()
      for (const partition of written) {
        const place = blind.get(partition)
        const answer = place === undefined ? undefined : answers?.[place]
        const version = answer && 'rows' in answer ? BigInt(answer.rows[0]?.[0] ?? stamp) : stamp
        moved.set(partition, version)
        listeners.tell(partition, version)
        channel.tell(partition, version)
      }
      return moved
    },

    fate: (partition, mark) =>
      pool.use(async (link) => {
        const [answer] = allOf(await link.send([{ text: FATE, values: [partition, mark] }]))
        const happened = answer?.rows[0]?.[0] === 'done'
        if (happened) channel.miss()
        return happened
      }),

    onCommit: (fn) => listeners.add(fn),

    hears: () => channel.hearing(),

    async close() {
      await channel.close()
      await pool.close()
    },
  }
}

/** @returns an error when the commit surely did not happen */
function outcomeOf(answers: readonly (Answer | Error)[]): 'done' | 'conflict' | 'unknown' | Error {
  const last = answers.at(-1)
  if (last && 'command' in last && last.command === 'COMMIT') return 'done'
  const failed = answers.find((answer) => answer instanceof Error)
  // The server said no before the commit: it is as if nothing had been sent.
  if (failed === undefined || failed === last || !isRefusal(failed)) return 'unknown'
  if (isLost(failed) || CONFLICTS.some((code) => hasCode(failed, code))) return 'conflict'
  return new StorageError(`Could not write to PostgreSQL: ${messageOf(failed)}`, { cause: failed })
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LostConnectionError) || tried === READ_TRIES) throw error
    }
  }
}
