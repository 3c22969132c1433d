/** What was missed while no daemon ran is done after the start, once; and what was cut off or failed too. */
import { once, EventEmitter } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { withSweeps, type SweptDeps } from './swept.js'
import { ownAll } from '../../src/cluster/alone.js'
import { startJobs } from '../../src/jobs/jobs.js'
import type { Sweep } from '../../src/jobs/retention.js'
import { DAY, HOUR, ManualClock } from '../../src/lib/clock.js'
import { openBlobs } from '../../src/store/blobs/blobs.js'
import { createStore } from '../../src/store/store.js'
import { createWorkQueue } from '../../src/queue/queue.js'
import { memoryEngine } from '../support/store/memory-engine.js'

async function world(dir: string) {
  const store = createStore(memoryEngine({ conflicts: 0.05 }))
  // From now on, since the timetable goes by the time of the machine.
  const clock = new ManualClock(Date.now())
  const lines = new EventEmitter()
  const ran: string[] = []
  const note = (fields: object, message: string): void => {
    if (!('sweep' in fields)) return
    ran.push(`${String(fields.sweep)} ${message}`)
    lines.emit('line')
  }
  const backup: Sweep = { name: 'backup', schedule: '30 3 * * *', run: async () => ({ bytes: 1 }) }
  const deps: SweptDeps = {
    store,
    shards: ownAll(),
    clock,
    blobs: await openBlobs({ dir, clock }),
    queue: createWorkQueue({ store, clock }),
    mailboxes: {
      outbound: {
        runCheck: async () => undefined,
        runScheduled: async () => 'done',
      },
    },
    claims: { expire: async () => ({ done: true }) },
    mailSignIn: { run: async () => ({ done: true }) },
    indexer: { indexMailbox: async () => undefined, mergeIndex: async () => undefined },
    receipts: { sweep: async () => 0 },
    log: { info: note, warn: note, error: note },
    retention: { eventsMs: 30 * DAY },
    also: [backup],
    missedAfterMs: 0,
  }
  /** Starts, waits until the index was looked at, as every start does, and the backup has ended where it was missed, and stops. It comes last. */
  const life = async (isMissed: boolean): Promise<string[]> => {
    ran.length = 0
    const jobs = startJobs(withSweeps(deps))
    const awaited = isMissed ? ['index', 'backup'] : ['index']
    while (!awaited.every((name) => ran.some((line) => line.startsWith(`${name} `)))) await once(lines, 'line')
    await jobs.stop()
    return ran.filter((line) => !line.startsWith('index '))
  }
  // A daemon has its listeners; here nothing keeps the process while what was missed has not begun.
  const alive = setInterval(() => undefined, HOUR)
  const close = async (): Promise<void> => {
    clearInterval(alive)
    await store.close()
  }
  return { deps, clock, backup, life, close }
}

t.test('a run whose time came while nobody ran follows the start, once', async (t) => {
  const { clock, life, close } = await world(join(t.testdir(), 'blobs'))
  t.strictSame(await life(false), [], 'nothing was planned in a new folder')
  t.strictSame(await life(false), [], 'nor missed by a restart')
  clock.advance(2 * DAY)
  const missed = await life(true)
  for (const name of ['backup', 'blobs', 'mailboxes', 'trash', 'receipts']) t.ok(missed.includes(`${name} swept`), name)
  t.equal(new Set(missed).size, missed.length)
  // Back to the machine's time, by which the next runs were planned.
  clock.advance(-2 * DAY)
  t.strictSame(await life(false), [], 'they ran')
  await close()
})

t.test('one that fails, or is cut off, is missed by the next start too', async (t) => {
  const { deps, clock, backup, life, close } = await world(join(t.testdir(), 'blobs'))
  await life(false)
  clock.advance(2 * DAY)
  backup.run = async () => {
    throw new Error('the disk of backups is not there')
  }
  t.ok((await life(true)).includes('backup a sweep failed; the next run continues'))
  let begun: (() => void) | undefined
  const beginning = new Promise<void>((resolve) => (begun = resolve))
  backup.run = (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({}))
      begun?.()
    })
  const jobs = startJobs(withSweeps(deps))
  await beginning
  await jobs.stop()
  backup.run = async () => ({ bytes: 1 })
  clock.advance(-2 * DAY + HOUR * 25)
  t.strictSame(
    (await life(true)).filter((line) => line.startsWith('backup')),
    ['backup swept'],
  )
  await close()
})

t.test('a stop does not wait for the time at which missed runs would begin', async (t) => {
  const { deps, clock, life, close } = await world(join(t.testdir(), 'blobs'))
  await life(false)
  clock.advance(2 * DAY)
  const jobs = startJobs(withSweeps({ ...deps, missedAfterMs: DAY }))
  await jobs.stop()
  await close()
})
