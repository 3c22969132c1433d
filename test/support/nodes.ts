/** Several daemons that work on one PostgreSQL database and one bucket, as on machines of their own. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDaemon, writeSecretKey, type Daemon, type DaemonOptions } from './daemon.js'
import { startPostgres, type Postgres } from './peers/postgres.js'
import { startS3Server } from './peers/s3-server.js'

export interface Cluster {
  postgres: Postgres
  /** Starts one more. */
  add(settings?: Record<string, string>, options?: DaemonOptions): Promise<Daemon>
  /** Ends all nodes, and what they stand on. */
  stop(): Promise<void>
}

/** @param settings of all nodes */
export async function startCluster(settings: Record<string, string> = {}, postgres?: Postgres): Promise<Cluster> {
  const database = postgres ?? (await startPostgres())
  const bucket = await startS3Server()
  const dir = await mkdtemp(join(tmpdir(), 'restante-nodes-'))
  const credentials = join(dir, 'credentials')
  await writeFile(credentials, 'aws_access_key_id = test\naws_secret_access_key = test\n')
  await chmod(credentials, 0o600)
  const shared = {
    'store.url': database.url(),
    'server.secret_key_file': await writeSecretKey(dir),
    'blobs.url': 's3://restante/mail',
    'blobs.endpoint': bucket.endpoint.origin,
    'blobs.path_style': 'true',
    'blobs.credentials_file': credentials,
    ...settings,
  }
  const nodes: Daemon[] = []
  return {
    postgres: database,
    async add(own = {}, options = {}) {
      const node = await startDaemon({ ...shared, 'server.node': `node${nodes.length + 1}`, ...own }, options)
      nodes.push(node)
      return node
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.remove()))
      await bucket.stop()
      await database.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
