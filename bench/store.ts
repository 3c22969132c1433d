/**
 * What the store does in a second on this machine's disk: `npm run compile && node .tests/bench/store.js`. A commit here is one of a small
 * message: three keys and 2 KB. `BENCH_DIR` is where the database is made; the system's temporary folder may be memory, and then says nothing of a disk.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/lib/clock.js'
import { key, prefixRange } from '../src/store/keys.js'
import { openLmdb } from '../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../src/store/store.js'
import type { Store } from '../src/store/types.js'
import { createWorkQueue } from '../src/queue/queue.js'
import { lengthOf } from './support/length.js'
import { heading, median, table, type Row } from './support/table.js'

const MEASURE_MS = lengthOf(1_500, 200)
const PARTITIONS = 1_000
const WAITERS = 10_000
const VALUE = Buffer.alloc(2_000, 'mail')

export async function store(): Promise<string> {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'restante-bench-'))
  const store = createStore(openLmdb({ path: folder }))
  try {
    const rows = [...(await commits(store)), ...(await reads(store)), ...(await waits(store)), ...(await tasks(store))]
    return table('Store', rows)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

/** Lets `width` callers at once do `what` again and again, and says how often a second it was done. */
async function perSecond(width: number, what: (n: number) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let done = 0
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() - start < MEASURE_MS) {
        await what(next++)
        done++
      }
    }),
  )
  return (done * 1_000) / (performance.now() - start)
}

const rate = (what: string, perSecond: number): Row => ({
  what,
  value: `${Math.round(perSecond).toLocaleString('en')}/s`,
})

async function commit(store: Store, partition: string, n: number): Promise<void> {
  await store.write(partition, async (tx) => {
    await tx.get(key('thread', n % 10))
    tx.put(key('message', n), VALUE)
    tx.put(key('thread', n % 10), Buffer.from(String(n)))
    tx.put(key('event', n), Buffer.from(String(n)))
  })
}

const mailbox = (n: number): string => `mailbox/${n % PARTITIONS}`

async function commits(store: Store): Promise<Row[]> {
  const many = async (n: number): Promise<void> => commit(store, mailbox(n), n)
  return [
    rate('durable commits, 256 at once on 1,000 partitions', await perSecond(256, many)),
    rate('durable commits, 50 at once on 1,000 partitions', await perSecond(50, many)),
    rate(
      'durable commits, 50 at once on one hot partition',
      await perSecond(50, (n) => commit(store, 'mailbox/hot', n)),
    ),
    rate('durable commits, one after the other', await perSecond(1, (n) => commit(store, 'mailbox/alone', n))),
  ]
}

async function reads(store: Store): Promise<Row[]> {
  const newest = { ...prefixRange('message'), limit: 50, reverse: true }
  const get = (n: number): Promise<unknown> => store.read('mailbox/hot', (view) => view.get(key('message', n % 500)))
  const page = (): Promise<unknown> => store.read('mailbox/hot', (view) => view.range(newest))
  return [rate('gets of 2 KB', await perSecond(10, get)), rate('newest 50 of 2 KB', await perSecond(10, page))]
}

async function waits(store: Store): Promise<Row[]> {
  const gone = new AbortController()
  const before = process.memoryUsage().heapUsed
  const crowd = Array.from({ length: WAITERS }, (_, n) => store.wait(mailbox(n), 1n << 60n, gone.signal))
  const each = (process.memoryUsage().heapUsed - before) / WAITERS
  const busy = await perSecond(50, (n) => commit(store, mailbox(n), 1_000_000 + n))
  const wakes: number[] = []
  await perSecond(1, async (n) => {
    const version = await store.version('mailbox/alone')
    const waiter = store.wait('mailbox/alone', version, gone.signal)
    const start = performance.now()
    await Promise.all([waiter.then(() => wakes.push(performance.now() - start)), commit(store, 'mailbox/alone', n)])
  })
  gone.abort()
  await Promise.all(crowd)
  return [
    { what: 'memory of a waiter, 10,000 of them', value: `${Math.round(each)} bytes` },
    rate('durable commits, 50 at once, while 10,000 wait', busy),
    { what: 'from the start of a write until its waiter is awake, median', value: `${median(wakes).toFixed(2)} ms` },
  ]
}

async function tasks(store: Store): Promise<Row[]> {
  const queue = createWorkQueue({ store, clock: systemClock })
  let handled = 0
  const worker = queue.run(
    'bench',
    async () => {
      handled++
      return { done: true }
    },
    { concurrency: 50, onError: (error) => process.emitWarning(String(error)) },
  )
  const start = performance.now()
  await perSecond(100, (n) => queue.enqueue('bench', { id: String(n), payload: { n }, due: 0 }))
  const done = rate('tasks queued, taken and finished, 100 at once', (handled * 1_000) / (performance.now() - start))
  await worker.stop()
  return [done]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`# Measured on ${heading()}\n`)
  console.log(await store())
}
