import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { collectGarbage } from '../../../src/lib/memory/garbage.js'
import { pagesOf, sharedPagesOf } from '../../../src/lib/memory/pages.js'

const MIB = 1024 * 1024

const residentMib = (): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

for (const [what, make] of [
  ['buffers in pages', pagesOf],
  ['shared buffers in pages', sharedPagesOf],
] as const)
  t.test(`${what} go back to the system when they are collected`, async (t) => {
    // As after a large message: from then on glibc takes what is smaller from its heap.
    Buffer.allocUnsafeSlow(30 * MIB).fill(1)
    collectGarbage()
    const before = residentMib()
    const small: Buffer[] = []
    const used = (): number => {
      const large = Array.from({ length: 400 }, () => {
        small.push(Buffer.allocUnsafeSlow(10_000).fill(1))
        return make(256 * 1024).fill(1)
      })
      return large.every((buffer) => buffer[0] === 1) ? residentMib() - before : 0
    }
    t.ok(used() > 90, 'they were there')
    // They are freed beside the thread, and nothing tells when.
    for (let tries = 0; tries < 100 && residentMib() - before > 50; tries++) {
      collectGarbage()
      await wait(20)
    }
    t.ok(residentMib() - before <= 50, `${(residentMib() - before).toFixed(0)} MiB are left of 100`)
    t.equal(small.length, 400)
  })

t.test('a thread reads and writes the same shared pages', async (t) => {
  const buffer = sharedPagesOf(100_000)
  buffer.write('from here', 50)
  const code = `
    const { parentPort } = require('node:worker_threads')
    parentPort.once('message', ({ buffer, byteOffset, length }) => {
      const seen = Buffer.from(buffer, byteOffset, length)
      const text = seen.toString('latin1', 0, 9)
      seen.write('from there')
      parentPort.postMessage({ text, length })
    })`
  const worker = new Worker(code, { eval: true })
  worker.postMessage(buffer.subarray(50, 150))
  const [seen] = await once(worker, 'message')
  t.same(seen, { text: 'from here', length: 100 })
  t.equal(buffer.toString('latin1', 50, 60), 'from there')
})
