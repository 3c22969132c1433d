/** Uses 100 MiB of `pagesOf` or `sharedPagesOf`, drops it, and says what the process had and has of it: `node used-pages.js NAME`. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { collectGarbage } from '../../../../src/lib/memory/garbage.js'
import { pagesOf, sharedPagesOf } from '../../../../src/lib/memory/pages.js'

const MIB = 1024 * 1024
const make = { pagesOf, sharedPagesOf }[process.argv[2] ?? '']
if (!make) throw new Error('pagesOf or sharedPagesOf')

const residentMib = (): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

// As after a large message: from then on glibc takes what is smaller from its heap.
Buffer.allocUnsafeSlow(30 * MIB).fill(1)
collectGarbage()
const before = residentMib()
const small: Buffer[] = []

function use(): number {
  const large = Array.from({ length: 400 }, () => {
    small.push(Buffer.allocUnsafeSlow(10_000).fill(1))
    return make?.(256 * 1024).fill(1)
  })
  return large.every((buffer) => buffer?.[0] === 1) ? residentMib() - before : 0
}

const had = use()
// They are freed beside the thread, and nothing tells when.
for (let tries = 0; tries < 200 && residentMib() - before > 50; tries++) {
  collectGarbage()
  await wait(20)
}
console.log(JSON.stringify({ had, has: residentMib() - before, small: small.length }))
