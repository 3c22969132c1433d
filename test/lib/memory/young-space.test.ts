import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { trimYoungSpace, youngSpaceBytes } from '../../../src/lib/memory/young-space.js'

const MIB = 1024 * 1024
const loop = (utilization: number) => ({ utilization, idle: 0, active: 0 })

async function looks(t: Test, given: { utilization: number; bytes: number }, times: number): Promise<number> {
  let [seen, collected] = [0, 0]
  const trim = trimYoungSpace({
    lookMs: 1,
    busy: (before) => {
      if (before) seen++
      return loop(given.utilization)
    },
    bytes: () => given.bytes,
    collect: () => void collected++,
  })
  t.teardown(() => trim.stop())
  while (seen < times) await wait(1)
  trim.stop()
  return collected
}

t.test('the young generation of an idle process is collected while it is large', async (t) => {
  t.equal(await looks(t, { utilization: 0.01, bytes: 16 * MIB }, 3), 3)
  t.equal(await looks(t, { utilization: 0.01, bytes: MIB }, 3), 0, 'not when it is small')
  t.equal(await looks(t, { utilization: 0.5, bytes: 16 * MIB }, 3), 0, 'not when there is work')
})

t.test('its memory goes back to the system', async (t) => {
  // What survives makes it grow.
  let kept: unknown[] = []
  for (let n = 0; n < 3_000_000; n++) {
    kept.push({ n })
    if (kept.length === 200_000) kept = []
  }
  t.ok(youngSpaceBytes() > 8 * MIB, `${youngSpaceBytes()} bytes before`)
  const trim = trimYoungSpace({ lookMs: 500, busy: () => loop(0) })
  t.teardown(() => trim.stop())
  for (let tries = 0; tries < 600 && youngSpaceBytes() > 4 * MIB; tries++) await wait(50)
  t.ok(youngSpaceBytes() <= 4 * MIB, `${youngSpaceBytes()} bytes after`)
})
