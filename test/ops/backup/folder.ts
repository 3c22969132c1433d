/** A data folder with mail in it, as a daemon leaves it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { makeBackup, type MadeBackup, type MakeDeps, type MakeOptions } from '../../../src/ops/backup/make.js'
import { openLmdb, type LmdbEngine } from '../../../src/store/engines/lmdb/lmdb.js'
import { putSchema, SCHEMA_PARTITION, SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'
import { makeWorld, type World } from '../../mailbox/world.js'

export const LARGE = 'x'.repeat(100_000)

export interface Folder {
  /** Everything of this test is below it. */
  root: string
  dataDir: string
  world: World
  engine: LmdbEngine
  deps: MakeDeps
  make(options?: Partial<MakeOptions>, deps?: Partial<MakeDeps>): Promise<MadeBackup>
}

export async function makeFolder(t: Test): Promise<Folder> {
  const root = await mkdtemp(join(tmpdir(), 'backup-'))
  const dataDir = join(root, 'data')
  const engine = openLmdb({ path: join(dataDir, 'store') })
  const store = createStore(engine)
  t.teardown(async () => {
    await store.close()
    await rm(root, { recursive: true, force: true })
  })
  const world = await makeWorld(t, store, undefined, join(dataDir, 'blobs'))
  await store.write(SCHEMA_PARTITION, (tx) => putSchema(tx, { version: SCHEMA_VERSION, by: '0.1.0' }))
  for (const [path, content] of [
    ['data/secrets/web_key', 'a secret of 32 characters, or so'],
    ['data/dkim/agents.example/r1.pem', 'a key'],
    ['data/certificates/mx.agents.example/pair.pem', 'a key and its chain'],
    ['data/certificates/mx.agents.example/pair.pem.draft', 'half'],
    [`data/dkim/${'long-'.repeat(12)}.${'name-'.repeat(12)}.example/r1.pem.retired-20260101T000000Z`, 'an old key'],
    ['config/server.toml', '# settings'],
    ['config/notes.txt', 'not one of ours'],
  ] as const) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const deps: MakeDeps = {
    dataDir,
    dkimDir: join(dataDir, 'dkim'),
    configDir: join(root, 'config'),
    copyStore: (folder) => engine.copy(folder),
    blobs: world.blobs,
    key: undefined,
    about: { restante_version: '0.1.0', domains: ['agents.example'], files_elsewhere: [] },
    minFreeBytes: 0,
  }
  return {
    root,
    dataDir,
    world,
    engine,
    deps,
    make: (options = {}, others = {}) =>
      makeBackup(
        { ...deps, ...others },
        {
          file: join(root, 'out', 'backup.tar.gz'),
          at: world.clock.now(),
          signal: new AbortController().signal,
          ...options,
        },
      ),
  }
}
