import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { z } from 'zod'
import { sharedPagesOf } from '../../../src/lib/memory/pages.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('children/used-pages.js', import.meta.url))
const resultSchema = z.object({ had: z.number(), has: z.number(), small: z.literal(400) })

// Each in a process of its own, whose memory nothing else changes.
for (const name of ['pagesOf', 'sharedPagesOf'])
  t.test(`buffers of ${name} go back to the system when they are collected`, async (t) => {
    const { stdout } = await run(process.execPath, [program, name])
    const { had, has } = resultSchema.parse(JSON.parse(stdout))
    t.ok(had > 90, `${had.toFixed(0)} MiB were there`)
    t.ok(has <= 50, `${has.toFixed(0)} MiB are left of them`)
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
