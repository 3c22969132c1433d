/** Opens a store full of tasks, has them all in memory, and prints what that took. */
import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/lib/clock.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'

const MIB = 1024 * 1024
const [, , path = ''] = process.argv

const store = createStore(openLmdb({ path }))
const queue = createWorkQueue({ store, clock: systemClock })
const before = process.cpuUsage()
let told = (): void => undefined
const begun = new Promise<void>((resolve) => (told = resolve))
const worker = queue.run<{ domain: string }>(
  'relay',
  async (_task, signal) => {
    told()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { done: false, retryAt: 0 }
  },
  {
    concurrency: 1,
    rooms: { nameOf: ({ domain }) => domain, ask: () => () => true },
    onError: (error) => process.emitWarning(String(error)),
  },
)
await begun
const { user, system } = process.cpuUsage(before)
const counts = await queue.counts('relay')
globalThis.gc?.()
const anonymous = Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? NaN)
process.stdout.write(
  JSON.stringify({
    tasks: Object.values(counts).reduce((sum, n) => sum + n),
    cpuMs: Math.round((user + system) / 1000),
    heapMiB: Math.round(process.memoryUsage().heapUsed / MIB),
    privateMiB: Math.round((anonymous * 1024) / MIB),
  }),
)
await worker.stop()
await store.close()
