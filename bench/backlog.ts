/**
 * 2,000 messages to one destination that takes two at a time, and 100 to others behind them in the same mailbox: what the queue writes for each
 * while most of them wait, and how long the others do.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../src/lib/clock.js'
import { createDestinations } from '../src/relay/delivery/destinations.js'
import { placesFor, Slots } from '../src/relay/delivery/slots.js'
import { openLmdb } from '../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../src/store/store.js'
import { createWorkQueue } from '../src/queue/queue.js'
import { messagesOf } from './support/length.js'
import { table } from './support/table.js'

const KIND = 'relay'
const MESSAGES = messagesOf(2000, 200)
const OTHERS = 100
const AT_ONCE = 20
const PER_DESTINATION = 2
/** Simulated time of one delivery. */
const TAKES_MS = 50

interface Payload {
  destination: string
}

export async function backlog(): Promise<string> {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'restante-bench-'))
  const store = createStore(openLmdb({ path: folder }))
  try {
    const queue = createWorkQueue({ store, clock: systemClock })
    const add = (destination: string, n: number): Promise<void> => {
      const payload: Payload = { destination }
      return queue.enqueue(KIND, { id: `${n}:${destination}`, payload, due: Date.now() - 1, lane: 'mbx_a' })
    }
    await Promise.all(Array.from({ length: MESSAGES }, (_, n) => add('slow.example', n)))
    await Promise.all(Array.from({ length: OTHERS }, (_, n) => add(`${n}.example`, n)))

    let commits = 0
    store.onCommit(() => commits++)
    const jitter = (): number => 0
    const destinations = createDestinations({ clock: systemClock, jitter, perDestination: PER_DESTINATION })
    const options = { concurrency: AT_ONCE, perDestination: PER_DESTINATION, clock: systemClock, destinations, jitter }
    const slots = new Slots({ ...options, onRoom: () => worker.look() })
    const gate: { open?: () => void } = {}
    const all = new Promise<void>((resolve) => (gate.open = resolve))
    const left = { messages: MESSAGES, others: OTHERS, turns: 0 }
    let othersMs = 0
    const started = performance.now()
    const cpu = process.cpuUsage()
    const worker = queue.run<Payload>(
      KIND,
      async ({ payload: { destination } }, signal) => {
        left.turns++
        const entry = await slots.enter({ destination, lane: 'mbx_a' }, signal)
        if (entry.kind === 'full') return { done: false, waitFor: entry.waitFor }
        if (entry.kind === 'paused') return { done: false, retryAt: entry.comeAgainAt }
        await pause(TAKES_MS)
        entry.slot.leave({ state: 'fine', answer: '250 ok' })
        if (destination !== 'slow.example' && --left.others === 0) othersMs = performance.now() - started
        if (destination === 'slow.example' && --left.messages === 0) gate.open?.()
        return { done: true }
      },
      {
        concurrency: placesFor(AT_ONCE),
        onError: (error) => process.emitWarning(String(error)),
        rooms: { nameOf: ({ destination }) => destination, ask: () => slots.ask() },
      },
    )
    await all
    await worker.stop()
    const { user, system } = process.cpuUsage(cpu)
    const ms = performance.now() - started
    const each = MESSAGES + OTHERS
    return table(`A backlog of ${MESSAGES.toLocaleString('en')} messages to one destination with two connections`, [
      { what: 'commits of the queue for a message, from ready to delivered', value: (commits / each).toFixed(2) },
      { what: 'times a message was taken out of the queue', value: (left.turns / each).toFixed(2) },
      {
        what: 'time it took; with both connections always busy',
        value: `${seconds(ms)}; ${seconds((MESSAGES * TAKES_MS) / 2)}`,
      },
      { what: `until the ${OTHERS} to others, queued last, were delivered`, value: seconds(othersMs) },
      { what: 'CPU for a message', value: `${((user + system) / 1000 / each).toFixed(2)} ms` },
    ])
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
