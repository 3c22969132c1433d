/** The engines that the suites of the store run on; one that is added here is tested by all of them. */
import t from 'tap'
import { systemClock } from '../../src/lib/clock.js'
import type { Engine } from '../../src/store/engine.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { openPostgres } from '../../src/store/engines/postgres/postgres.js'
import { cachedEngine } from '../../src/store/cache/cached-engine.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { allPeers } from '../support/peers/peers.js'
import { pgbouncerPeer } from '../support/peers/pgbouncer.js'
import { postgresPeer } from '../support/peers/postgres.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { createTestDatabase, testBouncer } from '../support/store/test-database.js'
import { inSample } from '../support/sample.js'

interface Scope {
  testdir(): string
  teardown(fn: () => Promise<void>): void
}

export interface EngineUnderTest {
  name: string
  /** An empty engine, closed when the test ends. Nobody else commits in it. */
  open(scope: Scope): Engine
  /** A store in which others commit in between, where the engine can play that. */
  openStore(scope: Scope): Store
}

function underTest(name: string, make: (scope: Scope, conflicts: number) => Engine): EngineUnderTest {
  return {
    name,
    open(scope) {
      const engine = make(scope, 0)
      scope.teardown(() => engine.close())
      return engine
    },
    openStore(scope) {
      const store = createStore(make(scope, 0.2))
      scope.teardown(() => store.close())
      return store
    },
  }
}

async function openDatabase(): Promise<Engine> {
  const { url } = await createTestDatabase()
  return openPostgres({ url, clock: systemClock })
}

async function openThroughPgbouncer(): Promise<Engine> {
  const { name } = await createTestDatabase()
  return openPostgres({ url: (await testBouncer()).url(name), clock: systemClock })
}

/** An engine that answers once it is open. */
function opening(engine: Promise<Engine>): Engine {
  const removals: (() => void)[] = []
  return {
    wholeStore: true,
    read: async (fn) => (await engine).read(fn),
    versions: async (partitions) => (await engine).versions(partitions),
    newest: () => undefined,
    commit: async (checks, ops, mark) => (await engine).commit(checks, ops, mark),
    fate: async (partition, mark) => (await engine).fate(partition, mark),
    onCommit(fn) {
      let wanted = true
      void engine.then((opened) => removals.push(opened.onCommit((...told) => wanted && fn(...told))))
      return () => (wanted = false)
    },
    close: async () => (await engine).close(),
  }
}

const { skip } = await postgresPeer()
if (skip !== false) t.comment(`The suites do not run on PostgreSQL: ${skip}`)
const bouncer = pgbouncerPeer()
if (bouncer.skip !== false) t.comment(`The suites do not run through pgbouncer: ${bouncer.skip}`)

const LMDB = underTest('lmdb', (scope) => openLmdb({ path: scope.testdir() }))
const LATE = underTest('late memory', (_scope, conflicts) => memoryEngine({ conflicts, lost: conflicts / 4 }))
const APART = underTest('late memory, each partition at a moment of its own', (_scope, conflicts) =>
  memoryEngine({ conflicts, lost: conflicts / 4, wholeStore: false }),
)
const POSTGRES = underTest('postgres behind a cache of rows', () =>
  cachedEngine(opening(openDatabase()), { maxBytes: 1_000_000 }),
)
const THROUGH = underTest('postgres through pgbouncer', () => opening(openThroughPgbouncer()))
const ifInstalled = (engine: EngineUnderTest): EngineUnderTest[] => (skip === false ? [engine] : [])

/** For the suites of the store itself. */
export const STORE_ENGINES = inSample(
  [
    LATE,
    LMDB,
    APART,
    underTest('late memory behind a cache of rows', (_scope, conflicts) =>
      cachedEngine(memoryEngine({ conflicts, lost: conflicts / 4 }), { maxBytes: 200_000 }),
    ),
    underTest('late memory behind a cache of its only process', (_scope, conflicts) =>
      cachedEngine(memoryEngine({ conflicts: 0, lost: conflicts / 4 }), { maxBytes: 200_000, soleSince: () => 1 }),
    ),
    ...ifInstalled(underTest('postgres', () => opening(openDatabase()))),
    ...ifInstalled(POSTGRES),
    ...(allPeers({ skip }, bouncer).skip === false ? [THROUGH] : []),
  ],
  // APART has the conflicts and losses of the first, and more orders of reading.
  (engine) => engine !== LATE,
)

/** For the suites of what stands on it. */
export const ENGINES = inSample(
  [LMDB, LATE, APART, ...ifInstalled(POSTGRES)],
  (engine) => engine === LMDB || engine === APART,
)
