/** What holds between processes, and when they die. The children are those that `npm run compile` has made. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import t from 'tap'
import { z } from 'zod'
import { decode, key, prefixRange } from '../../src/store/keys.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'

const CHILDREN = join(process.cwd(), '.tests/test/store/children')

function start(
  script: string,
  args: string[],
  limits: { fileKilobytes?: number } = {},
): ChildProcessByStdio<null, Readable, null> {
  const command = [process.execPath, join(CHILDREN, script), ...args]
  const limited = ['bash', '-c', `ulimit -f ${limits.fileKilobytes} && exec "$@"`, 'bash', ...command]
  const [file = '', ...rest] = limits.fileKilobytes === undefined ? command : limited
  return spawn(file, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
}

t.test('no increment of two processes on one counter is lost', async (t) => {
  const path = t.testdir()
  const times = 1_500
  const exits = await Promise.all(
    [1, 2].map(async () => {
      const child = start('increment.js', [path, String(times)])
      child.stdout.resume()
      const [code] = await once(child, 'exit')
      return code
    }),
  )
  t.same(exits, [0, 0])
  const store = createStore(openLmdb({ path }))
  const count = await store.read('shared', async (view) =>
    decode<number>((await view.get(key('count'))) ?? Buffer.from('0')),
  )
  t.equal(count, 2 * times)
  await store.close()
})

const KILLS = 20
const WRITERS = 8

/** The number a writer's partition is at; throws when its keys disagree. */
async function whole(store: Store, writer: number): Promise<number> {
  return store.read(`writer/${writer}`, async (view) => {
    const values = await view.getMany(['a', 'b', 'c', 'large'].map((part) => key(part)))
    const numbers = values.map((value) => (value ? Number.parseInt(String(decode(value)), 10) : 0))
    const log = (await view.range({ ...prefixRange('log') })).map(([, value]) => decode<number>(value))
    const [n = 0] = numbers
    const should = Array.from({ length: Math.min(n, 50) }, (_, i) => Math.max(n - 50, 0) + 1 + i)
    if (numbers.some((number) => number !== n) || JSON.stringify(log) !== JSON.stringify(should)) {
      throw new Error(`commit ${n} of writer ${writer} is half there: ${numbers.join(' ')}, log ${log.join(' ')}`)
    }
    return n
  })
}

t.test(
  `after each of ${KILLS} kill -9 under load no acknowledged commit is missing and none is half there`,
  async (t) => {
    const path = t.testdir()
    const acknowledged = new Array<number>(WRITERS).fill(0)
    let missing = 0
    let total = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const child = start('commit.js', [path])
      const lines = createInterface({ input: child.stdout })
      // Anywhere in the work of the child, from its first commit on.
      let left = 1 + Math.floor(Math.random() * 300)
      lines.on('line', (line) => {
        const [writer = 0, n = 0] = line.split(' ').map(Number)
        acknowledged[writer] = n
        total++
        if (--left === 0) child.kill('SIGKILL')
      })
      const closed = once(lines, 'close')
      const [, signal] = await once(child, 'exit')
      await closed
      t.equal(signal, 'SIGKILL')
      const store = createStore(openLmdb({ path }))
      for (let writer = 0; writer < WRITERS; writer++) {
        if ((await whole(store, writer)) < (acknowledged[writer] ?? 0)) missing++
      }
      await store.close()
    }
    t.comment(`${total} commits acknowledged in ${KILLS} lives`)
    t.equal(missing, 0)
  },
)

for (const { how, writers } of [
  { how: 'apart', writers: 5 },
  { how: 'together', writers: 64 },
])
  t.test(`a disk that is full in the middle of a group of writers ${how}`, async (t) => {
    // A limit on the size of files plays the disk.
    const child = start('fill.js', [t.testdir(), how], { fileKilobytes: 4_096 })
    const lines: unknown[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
    const [code] = await once(child, 'close')
    t.equal(code, 0, 'the process stays')
    const told = z.array(z.object({ committed: z.int() }).loose()).parse(lines.slice(0, -1))
    t.equal(told.length, writers)
    for (const writer of told)
      t.match(
        writer,
        {
          error: /Could not write to .*the disk is full/,
          allAreThere: true,
          lastIsThere: true,
          failedIsThere: false,
        },
        'each is told of its own commit: those that were acknowledged are there, the one that was refused is not',
      )
    const all = told.reduce((sum, { committed }) => sum + committed, 0)
    t.match(lines.at(-1), { closed: true, shared: how === 'together' ? all : 0, after: true })
  })
