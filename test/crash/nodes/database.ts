/** A primary and a synchronous standby, which takes its place; then a new standby follows. */
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, startStandby, type Postgres } from '../../support/peers/postgres.js'

const STANDBY = 'spare'
const LOOK_MS = 100
/** Sessions know by then that commits wait for the standby. */
const RELOAD_MS = 1_000

export interface Pair {
  primary(): Postgres
  /** The ports of the two servers; each new standby is the server whose place is free. */
  portOf(place: number): number
  /** The place of the primary. */
  place(): number
  /** Makes the standby the primary. The old one must be fenced. */
  promote(): Promise<void>
  /** Removes the old primary, and has a new standby follow. Resolves when no acknowledged commit can be lost with the primary. */
  renew(): Promise<void>
  stop(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const first = await startPostgres()
  await first.sql("alter system set wal_keep_size = '512MB'")
  await first.sql('select pg_reload_conf()')
  const servers: [Postgres, Postgres] = [first, await follow(first)]
  let place: 0 | 1 = 0
  const other = (): 0 | 1 => (place === 0 ? 1 : 0)
  return {
    primary: () => servers[place],
    portOf: (wanted) => servers[wanted === 0 ? 0 : 1].port,
    place: () => place,
    async promote() {
      await servers[other()].promote()
      place = other()
    },
    async renew() {
      await servers[other()].stop()
      servers[other()] = await follow(servers[place])
    },
    async stop() {
      for (const server of servers) await server.stop()
    },
  }
}

/** The standby is copied before its primary waits for one: it waits for nobody when it is promoted. */
async function follow(primary: Postgres): Promise<Postgres> {
  const standby = await startStandby(primary, STANDBY)
  await primary.sql(`alter system set synchronous_standby_names = '${STANDBY}'`)
  await primary.sql('select pg_reload_conf()')
  await pause(RELOAD_MS)
  const [row] = await primary.sql('select pg_current_wal_lsn()::text as written')
  const has = `select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= '${String(row?.['written'])}'`
  while ((await primary.sql(has)).length === 0) await pause(LOOK_MS)
  return standby
}
