/**
 * The work queue with 100,000 tasks of the relay from 200 mailboxes: how long after opening the first is at work, what it costs in memory,
 * and what a task costs from being queued to being finished.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { HOUR, MINUTE, systemClock } from '../src/lib/clock.js'
import { listQueue } from '../src/relay/operator/list.js'
import { countQueue } from '../src/relay/operator/stats.js'
import { openLmdb } from '../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../src/store/store.js'
import type { Store } from '../src/store/types.js'
import { createWorkQueue } from '../src/queue/queue.js'
import { lengthOf } from './support/length.js'
import { table, type Row } from './support/table.js'

const KIND = 'relay'
const TASKS = lengthOf(100_000, 10_000)
const MAILBOXES = 200
const AT_ONCE = 500
const PER_COMMIT = 100
const COSTED = lengthOf(20_000, 1_000)
const MANY = lengthOf(1_000_000, 20_000)
const MIB = 1024 * 1024

/** Output of bench/processes/queue-process.ts. */
const loadedSchema = z.object({ tasks: z.number(), cpuMs: z.number(), heapMiB: z.number(), privateMiB: z.number() })

const payload = (n: number) => ({ mailbox_id: `mbx_${n % MAILBOXES}`, message_id: `msg_${n}`, domain: 'peer.example' })

export async function queue(): Promise<string> {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'restante-bench-'))
  try {
    await fill(folder, TASKS)
    return table(`Work queue with ${TASKS.toLocaleString('en')} tasks`, [
      ...(await opening(folder)),
      ...(await looking(folder)),
      ...(await costs(folder)),
      ...(await million(folder)),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = createStore(openLmdb({ path }))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** 40 % are due, 60 % wait for a retry within four hours. */
async function fill(folder: string, tasks: number): Promise<void> {
  await withStore(folder, async (store) => {
    const work = createWorkQueue({ store, clock: systemClock })
    const now = Date.now()
    await each(tasks / PER_COMMIT, (page) =>
      store.write(`page/${page % AT_ONCE}`, (tx) => {
        for (let n = page * PER_COMMIT; n < (page + 1) * PER_COMMIT; n++) {
          const due = n % 5 < 2 ? now : now + MINUTE + ((n * 7919) % (4 * HOUR))
          const priority = ([0, 1, 2] as const)[n % 3]
          work.add(tx, KIND, {
            id: `msg_${n}:peer.example`,
            payload: payload(n),
            due,
            lane: `mbx_${n % MAILBOXES}`,
            priority,
          })
        }
      }),
    )
  })
}

async function each(count: number, call: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await call(next++)
    }),
  )
}

/** Cost of the operator's list and counts, and the delay for everybody else meanwhile. */
async function looking(folder: string): Promise<Row[]> {
  return withStore(folder, async (store) => {
    const queue = createWorkQueue({ store, clock: systemClock })
    const deps = {
      queue,
      clock: systemClock,
      mailboxes: { outbound: { envelope: async () => undefined } },
      holds: { matches: () => undefined },
    }
    const measured = async (what: string, work: () => Promise<unknown>): Promise<Row[]> => {
      const before = heap()
      let mostHeap = before
      let longestMs = 0
      let longestWorkMs = 0
      let last = { at: performance.now(), cpu: process.cpuUsage() }
      let turns = 0
      let running = true
      const watch = (): void => {
        const { user, system } = process.cpuUsage(last.cpu)
        longestWorkMs = Math.max(longestWorkMs, (user + system) / 1000)
        longestMs = Math.max(longestMs, performance.now() - last.at)
        // Asking costs as much as some tasks.
        if (++turns % 50 === 0) mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed)
        last = { at: performance.now(), cpu: process.cpuUsage() }
        if (running) setImmediate(watch)
      }
      setImmediate(watch)
      const started = performance.now()
      const cpu = process.cpuUsage()
      await work()
      const ms = performance.now() - started
      const { user, system } = process.cpuUsage(cpu)
      running = false
      return [
        { what: `${what}: time, CPU`, value: `${Math.round(ms)} ms, ${Math.round((user + system) / 1000)} ms` },
        {
          what: `${what}: longest turn of the event loop`,
          value: `${longestWorkMs.toFixed(1)} ms of CPU, ${longestMs.toFixed(1)} ms with others on the machine`,
        },
        { what: `${what}: memory, garbage included`, value: `${Math.round((mostHeap - before) / MIB)} MiB` },
      ]
    }
    // The first one warms up.
    await countQueue(deps)
    return [
      ...(await measured('queue list, first page of 100', () => listQueue(deps, {}, { limit: 100 }))),
      ...(await measured('queue list --state held', () => listQueue(deps, { state: 'held' }, { limit: 100 }))),
      ...(await measured('queue stats', () => countQueue(deps))),
    ]
  })
}

/** Ten times as many, in a process of its own, so that nothing else is counted. */
async function million(folder: string): Promise<Row[]> {
  const path = join(folder, 'million')
  await fill(path, MANY)
  const load = new URL('./processes/queue-process.js', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', load.pathname, path])
  const { cpuMs, heapMiB, privateMiB, tasks } = loadedSchema.parse(z.json().parse(JSON.parse(stdout)))
  return [
    {
      what: `a start with ${tasks.toLocaleString('en')} tasks: CPU; heap; private memory of the process`,
      value: `${cpuMs} ms; ${heapMiB} MiB; ${privateMiB} MiB`,
    },
  ]
}

async function opening(folder: string): Promise<Row[]> {
  const before = heap()
  const started = performance.now()
  const cpu = process.cpuUsage()
  return withStore(folder, async (store) => {
    const work = createWorkQueue({ store, clock: systemClock })
    const gate: { open?: () => void } = {}
    const held = new Promise<void>((resolve) => (gate.open = resolve))
    let begun = 0
    let firstMs = 0
    const full = new Promise<number>((resolve) => {
      const worker = work.run<ReturnType<typeof payload>>(
        KIND,
        async () => {
          if (begun++ === 0) firstMs = performance.now() - started
          if (begun === 140) resolve(performance.now() - started)
          await held
          return { done: false, retryAt: Date.now() }
        },
        {
          concurrency: 140,
          rooms: { nameOf: ({ domain }) => domain, ask: () => () => true },
          onError: (error) => process.emitWarning(String(error)),
        },
      )
      stop = () => worker.stop()
    })
    const fullMs = await full
    const { user, system } = process.cpuUsage(cpu)
    const counted = performance.now()
    const counts = await work.counts(KIND)
    const countMs = performance.now() - counted
    const grown = heap() - before
    gate.open?.()
    await stop()
    return [
      { what: 'from opening the store to the first task at work', value: `${firstMs.toFixed(0)} ms` },
      {
        what: 'to all 140 places at work; CPU',
        value: `${fullMs.toFixed(0)} ms; ${Math.round((user + system) / 1000)} ms`,
      },
      { what: 'heap over that before opening', value: `${(grown / MIB).toFixed(1)} MiB` },
      { what: `counts by state (${Object.values(counts).join(' + ')})`, value: `${countMs.toFixed(2)} ms` },
    ]
  })
}

let stop: () => Promise<void> = async () => undefined

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** All in one process: queued, taken, finished in a transaction; beside the 100,000. */
async function costs(folder: string): Promise<Row[]> {
  return withStore(folder, async (store) => {
    const kind = 'bench'
    const work = createWorkQueue({ store, clock: systemClock })
    let finished = 0
    const gate: { open?: () => void } = {}
    const all = new Promise<void>((resolve) => (gate.open = resolve))
    const worker = work.run<ReturnType<typeof payload>>(
      kind,
      async ({ id, payload: { mailbox_id: lane } }) => {
        await store.write(`mailbox/${lane}`, (tx) => work.finish(tx, kind, id))
        if (++finished === COSTED) gate.open?.()
        return { done: true }
      },
      { concurrency: 140, onError: (error) => process.emitWarning(String(error)) },
    )
    let commits = 0
    const leave = store.onCommit(() => commits++)
    const cpu = process.cpuUsage()
    const started = performance.now()
    await each(COSTED, async (n) => {
      const lane = `mbx_${n % MAILBOXES}`
      await store.write(`mailbox/${lane}`, (tx) =>
        work.add(tx, kind, { id: `msg_${n}`, payload: payload(n), due: Date.now(), lane }),
      )
    })
    await all
    await worker.stop()
    leave()
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(cpu)
    return [
      { what: 'tasks queued, taken and finished', value: `${Math.round(COSTED / seconds).toLocaleString('en')}/s` },
      { what: 'CPU of a task, from queued to finished', value: `${Math.round((user + system) / COSTED)} µs` },
      { what: 'commits of a task (those that come together share one)', value: (commits / COSTED).toFixed(2) },
    ]
  })
}
