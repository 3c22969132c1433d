/** How long a commit of one process takes to wake a wait in another, by notifications and without. */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../src/lib/clock.js'
import { openPostgres } from '../src/store/engines/postgres/postgres.js'
import { key } from '../src/store/keys.js'
import { createStore } from '../src/store/store.js'
import { startDeafProxy } from '../test/support/peers/deaf-proxy.js'
import { postgresPeer, startPostgres } from '../test/support/peers/postgres.js'
import { lengthOf } from './support/length.js'
import { median, percentile, table, type Row } from './support/table.js'

const COMMITS = lengthOf(200, 5)
/** Max pause before a commit: at any moment between two polls. */
const IDLE_MS = 250

/** @returns milliseconds from the end of each commit on `writes` until the wait on `waits` ended */
async function measure(waits: string, writes: string, isHeard: boolean): Promise<number[]> {
  const [engine, other] = await Promise.all([waits, writes].map((url) => openPostgres({ url, clock: systemClock })))
  if (!engine || !other) throw new Error('no engine')
  const [reader, writer] = [createStore(engine), createStore(other)]
  try {
    for (const each of isHeard ? [engine, other] : [other]) while (each.hears?.().state !== 'heard') await pause(20)
    const times: number[] = []
    for (let n = 0; n < COMMITS; n++) {
      const known = await reader.version('p')
      const woken = reader.wait('p', known, new AbortController().signal).then(() => performance.now())
      await pause(20 + Math.random() * IDLE_MS)
      await writer.write('p', (tx) => tx.put(key('n'), Buffer.from(String(n))))
      const committed = performance.now()
      times.push((await woken) - committed)
    }
    return times
  } finally {
    await Promise.all([reader.close(), writer.close()])
  }
}

export async function waking(): Promise<string> {
  const { skip } = await postgresPeer()
  if (skip !== false) return `## Waking across processes\n\nSkipped: ${skip}.\n`
  const postgres = await startPostgres()
  const proxy = await startDeafProxy(postgres.port)
  try {
    const url = postgres.url()
    const deaf = url.replace(`:${postgres.port}/`, `:${proxy.port}/`)
    const rows: Row[] = []
    for (const [what, waits, isHeard] of [
      ['with notifications', url, true],
      ['without', deaf, false],
    ] as const) {
      const times = await measure(waits, url, isHeard)
      rows.push(
        { what: `${what}, median`, value: `${median(times).toFixed(1)} ms`, ratio: isHeard ? 'aim 50' : 'aim 250' },
        { what: `${what}, 95 %`, value: `${percentile(times, 0.95).toFixed(1)} ms` },
      )
    }
    return table('Waking across processes', rows)
  } finally {
    await proxy.close()
    await postgres.stop()
  }
}
