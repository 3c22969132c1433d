/** One engine as several processes see it: each is told of its own commits, and of those of the others. */
import { createCommitListeners } from '../../../src/store/commit-listeners.js'
import type { Engine } from '../../../src/store/engine.js'

export function processesOf(engine: Engine, count: number): Engine[] {
  const listeners = Array.from({ length: count }, createCommitListeners)
  return listeners.map((own) => ({
    ...engine,
    async commit(checks, ops, mark) {
      const done = await engine.commit(checks, ops, mark)
      if (done !== 'conflict')
        for (const [partition, version] of done)
          for (const each of listeners) each.tell(partition, version, each !== own)
      return done
    },
    onCommit: (fn) => own.add(fn),
    close: async () => undefined,
  }))
}
