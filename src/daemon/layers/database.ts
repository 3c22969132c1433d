/** The database of the daemon: one that belongs to its data folder, or a shared one on which several daemons work. */
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ownAll } from '../../cluster/alone.js'
import type { Member } from '../../cluster/rows.js'
import type { Role, Shards } from '../../cluster/types.js'
import { SettingError } from '../../config/errors.js'
import type { Config } from '../../config/schema.js'
import { installedVersion } from '../../config/version.js'
import { ifExists, syncFolder, writeSynced } from '../../lib/files.js'
import { randomBase62 } from '../../lib/ids.js'
import { messageOf } from '../../lib/thrown.js'
import type { Log } from '../../observe/log.js'
import type { StoreFault } from '../../observe/disk.js'
import type { Metrics } from '../../observe/metrics.js'
import { isShared, openEngine, type NamedEngine } from '../../ops/database/engine.js'
import { cachedEngine } from '../../store/cache/cached-engine.js'
import { isUnreachable } from '../../store/errors.js'
import { examineDataFolder, examineFolderBeside } from '../../store/folder/data-folder.js'
import { createStoreProbe } from '../../store/folder/probe.js'
import { ALONE, type Nodes } from '../../store/nodes/nodes.js'
import { readSchema } from '../../store/schema-version.js'
import type { Store } from '../../store/types.js'

/** Memory for rows of a shared database. */
const CACHE_BYTES = 64 * 1024 * 1024

export interface Database {
  engine: NamedEngine
  /** The part of the work that belongs to this daemon. */
  shards: Shards
  /** The other daemons on it. */
  nodes: Nodes
  /** Takes work from now on. */
  begin(): void
  /** Entries before this start; 0 for a new one. */
  entries: number
  /** Called once it has its first row. Makes the names of its files durable. */
  settle(): Promise<void>
  /** Created once it has its first row. @returns a function that returns what is wrong with it, or undefined */
  probe(store: Store): () => Promise<StoreFault | undefined>
}

export interface DatabaseDeps {
  config: Config
  /** Its duties as a node of a shared database. */
  roles: readonly Role[]
  /** Newest form of what is stored that it knows. */
  knows: number
  log: Pick<Log, 'info' | 'warn' | 'error'>
  metrics: Pick<Metrics, 'counter'>
  starting?: ((status: string) => void) | undefined
  /** Aborted when the start is not wanted any more. */
  signal: AbortSignal
  /** Called when another daemon has taken over the database. */
  onLost: () => void
}

/** @throws UnfitFolderError for a data folder that does not belong to the database, and for one that is damaged */
export function openDatabase(deps: DatabaseDeps): Promise<Database> {
  return isShared(deps.config) ? openShared(deps) : openOwn(deps.config)
}

async function openOwn(config: Config): Promise<Database> {
  const dataDir = config.server.data_dir
  const found = await examineDataFolder({ dataDir, dkimDir: config.domains.dkim_dir })
  return {
    engine: await openEngine(config),
    shards: ownAll(),
    nodes: ALONE,
    begin: () => undefined,
    entries: found === 'new' ? 0 : found.entries,
    async settle() {
      for (const folder of found === 'new' ? [join(dataDir, 'store'), dataDir] : []) await syncFolder(folder)
    },
    probe(store) {
      const look = createStoreProbe({ dataDir, store })
      return async () => {
        const problem = await look()
        return problem === undefined ? undefined : { kind: 'damaged', problem }
      }
    },
  }
}

async function openShared(deps: DatabaseDeps): Promise<Database> {
  const { config, log, metrics, starting, signal, onLost } = deps
  const dataDir = config.server.data_dir
  const roundTrips = metrics.counter(
    'store_round_trips_total',
    'Times that somebody waited for a response of the database.',
  )
  const engine = await openEngine(config, { onRoundTrip: () => roundTrips.inc() })
  let close = (): Promise<void> => engine.close()
  try {
    const entries = await engine.read(async (reader) => (await reader.partitions('', 100)).length)
    await examineFolderBeside({ dataDir, dkimDir: config.domains.dkim_dir }, { isNew: entries === 0 })
    // Loaded here: most installations have a database of their own.
    const { joinCluster } = await import('../../cluster/cluster.js')
    const cluster = await joinCluster({
      engine,
      me: await nodeOf(deps),
      signal,
      onTwin(host) {
        log.warn({ host }, 'a daemon there works with a copy of this data folder; this one waits until it ends')
        starting?.(`waits for the daemon on ${host}, which has a copy of this data folder`)
      },
      onMembers: (others) => log.info({ others: others.map(({ name }) => name) }, 'the nodes of the database changed'),
      onDead: ({ name, host }) =>
        log.warn({ node: name, host }, 'a node shows no sign of life: others take over its work'),
      onError: (err) => log.error({ err }, 'work could not be shared out between the nodes; it is tried again'),
      onLost,
    })
    close = () => cluster.engine.close()
    refuseOtherBlobs(config.blobs.url, cluster.others())
    return {
      engine: {
        ...cachedEngine(cluster.engine, { maxBytes: CACHE_BYTES, soleSince: cluster.soleSince }),
        copy: (folder) => engine.copy(folder),
      },
      shards: cluster.shards,
      nodes: cluster.nodes,
      begin: cluster.begin,
      entries,
      settle: async () => undefined,
      probe: (store) => () => faultOf(store),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The fault of a shared database; undefined if there is none. */
async function faultOf(store: Store): Promise<StoreFault | undefined> {
  try {
    return (await readSchema(store)) ? undefined : { kind: 'damaged', problem: 'the database has lost its first row' }
  } catch (error) {
    return { kind: isUnreachable(error) ? 'away' : 'damaged', problem: messageOf(error) }
  }
}

async function nodeOf({ config, roles, knows }: DatabaseDeps): Promise<Member> {
  const { server, blobs } = config
  return {
    id: await folderId(server.data_dir),
    instance: randomBase62(22),
    name: server.node || hostname(),
    host: hostname(),
    pid: process.pid,
    version: installedVersion(),
    knows,
    roles,
    blobs: blobs.url,
    since: Date.now(),
  }
}

/** Every node has to reach every message. @throws SettingError */
function refuseOtherBlobs(url: string, others: readonly Member[]): void {
  const [other] = others
  if (!other) return
  if (url === '' || other.blobs === '')
    throw new SettingError(
      'blobs.url',
      `the daemon ${other.name} works on the same database, and ${url === '' ? 'this one' : 'that one'} keeps large messages in its own data folder, where others can't read them: name one bucket for all (docs/cluster.md)`,
    )
  if (other.blobs !== url)
    throw new SettingError(
      'blobs.url',
      `the daemon ${other.name} on the same database has "${other.blobs}": name the same bucket`,
    )
}

/** Identifies the data folder to other daemons. */
async function folderId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'folder_id')
  const known = (await ifExists(readFile(file, 'utf8')))?.trim()
  if (known !== undefined && known !== '') return known
  const id = randomBase62(22)
  await writeSynced(file, `${id}\n`)
  await syncFolder(dataDir)
  return id
}
