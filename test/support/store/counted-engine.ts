/** An engine that counts what is committed to it. What the queue moves within its own rows is left out. */
import type { Engine } from '../../../src/store/engine.js'

const QUEUE = /^(work|queue)\//

export function counted(engine: Engine): { engine: Engine; commits(): number } {
  let commits = 0
  return {
    commits: () => commits,
    engine: {
      ...engine,
      async commit(checks, ops, mark) {
        const done = await engine.commit(checks, ops, mark)
        if (ops.some(({ partition }) => !QUEUE.test(partition))) commits++
        return done
      },
    },
  }
}
