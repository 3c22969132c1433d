/** What a PostgreSQL server says of itself and of our tables; changes nothing, and creates none. */
import { z } from 'zod'
import { messageOf } from '../../../lib/thrown.js'
import { StorageError } from '../../errors.js'
import { allOf, type Link, type Server } from './postgres-link.js'
import { createPool } from './postgres-pool.js'
import { isCitus, refusedSettings, tablesOf } from './postgres-tables.js'
import { parsePostgresUrl } from './postgres-url.js'

export interface PostgresStatus {
  /** Such as `15.20`. */
  serverVersion: string
  /** Address of the primary, such as `10.0.0.5:5432`; undefined for a Unix socket. */
  primary: string | undefined
  isCitus: boolean
  /** Settings of the server with which it would lose what it has acknowledged. */
  refusedSettings: string[]
  /** Version of the tables; undefined without tables. */
  tables: number | undefined
  /** Estimates of the server; undefined before it has counted, and on Citus. */
  partitions: number | undefined
  rows: number | undefined
  /** Of the tables with their indexes, on the disk; undefined on Citus. */
  bytes: number | undefined
  /** The setting `synchronous_standby_names`; '' for none. */
  synchronousNames: string
  /** Those that are connected, as far as this user may see them. */
  standbys: { name: string; state: string; sync: string }[]
}

export type StatusOptions = Pick<Server, 'password' | 'ca'> & {
  /** See `parsePostgresUrl`. */
  url: string
}

/** @throws StorageError when there is no primary, or it refuses */
export async function readPostgresStatus({ url, password, ca }: StatusOptions): Promise<PostgresStatus> {
  const pool = createPool({ ...parsePostgresUrl(url), password, ca }, 1)
  try {
    return await pool.use(statusOf)
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError(`Could not read from PostgreSQL: ${messageOf(error)}`, { cause: error })
  } finally {
    await pool.close()
  }
}

const SERVER = "select current_setting('server_version'), inet_server_addr(), inet_server_port()"
const SYNCHRONOUS = 'show synchronous_standby_names'
const STANDBYS = 'select application_name, state, sync_state from pg_stat_replication order by application_name'
const SIZES = `select sum(reltuples) filter (where relname = 'restante_version'), sum(reltuples) filter (where relname = 'restante_row'),
  sum(pg_total_relation_size(oid)) from pg_class where oid in ('restante_version'::regclass, 'restante_row'::regclass, 'restante_mark'::regclass)`

const estimate = z.coerce.number()

async function statusOf(link: Link): Promise<PostgresStatus> {
  const ask = async (text: string) => allOf(await link.send([{ text }]))[0]?.rows ?? []
  const [tables, isDistributed] = [await tablesOf(link), await isCitus(link)]
  const [server = []] = await ask(SERVER)
  const [sizes = []] = tables === undefined || isDistributed ? [] : await ask(SIZES)
  const [[synchronousNames] = []] = await ask(SYNCHRONOUS)
  const standbys = await ask(STANDBYS)
  const [partitions, rows, bytes] = sizes.map((text) => estimate.parse(text))
  // -1 before the first count.
  const counted = (count: number | undefined) => (count === undefined || count < 0 ? undefined : count)
  return {
    serverVersion: server[0] ?? '',
    primary: server[1] ? `${server[1].replace(/\/\d+$/, '')}:${server[2] ?? ''}` : undefined,
    isCitus: isDistributed,
    refusedSettings: await refusedSettings(link),
    tables,
    partitions: counted(partitions),
    rows: counted(rows),
    bytes,
    synchronousNames: synchronousNames ?? '',
    standbys: standbys.map(([name, state, sync]) => ({ name: name ?? '', state: state ?? '', sync: sync ?? '' })),
  }
}
