/** The engines that the suites of the store run on; one that is added here is tested by all of them. */
import type { Engine } from '../../src/store/engine.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'
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

export const ENGINES = inSample(
  [
    underTest('lmdb', (scope) => openLmdb({ path: scope.testdir() })),
    underTest('late memory', (_scope, conflicts) => memoryEngine({ conflicts, lost: conflicts / 4 })),
    underTest('late memory, each partition at a moment of its own', (_scope, conflicts) =>
      memoryEngine({ conflicts, lost: conflicts / 4, wholeStore: false }),
    ),
  ],
  // The third has the conflicts and losses of the second, and more orders of reading.
  (_engine, index) => index !== 1,
)
