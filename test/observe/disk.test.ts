/** The low-water mark of the disk. */
import t from 'tap'
import { ManualClock } from '../../src/lib/clock.js'
import { watchDisk } from '../../src/observe/disk.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { captureLog } from '../support/log.js'

t.test('a disk is low under its mark, and is looked at every few seconds at most', async (t) => {
  const clock = new ManualClock()
  const { log, lines } = captureLog()
  const metrics = createMetrics()
  let free = 1000
  let looks = 0
  const disk = watchDisk({
    dir: '/nowhere',
    minFreeBytes: 1000,
    clock,
    log,
    metrics,
    freeBytes: async () => {
      looks++
      return free
    },
  })
  t.equal(await disk.isLow(), false, 'at the mark')
  free = 999
  for (let i = 0; i < 100; i++) t.equal(await disk.isLow(), false)
  t.equal(looks, 1)
  clock.advance(2000)
  t.same(await Promise.all([disk.isLow(), disk.isLow()]), [true, true])
  t.equal(looks, 2)
  t.match((await metrics.render()).body, /restante_disk_free_bytes 999\n[^]*restante_disk_low 1\n/)
  free = 5000
  clock.advance(2000)
  t.equal(await disk.isLow(), false)
  t.match(
    lines.map(({ level, msg }) => ({ level, msg })),
    [
      { level: 'warn', msg: /mail is refused/ },
      { level: 'info', msg: /mail is accepted/ },
    ],
    'told once each',
  )
})

t.test('a disk that tells nothing refuses no mail, and neither does one without a mark', async (t) => {
  const clock = new ManualClock()
  const { log, lines } = captureLog()
  const fails = watchDisk({ dir: '/nowhere/at/all', minFreeBytes: 1, clock, log })
  t.equal(await fails.isLow(), false)
  t.match(lines, [{ level: 'warn', err: { code: 'ENOENT' } }])
  t.equal(await watchDisk({ dir: '.', minFreeBytes: 0, clock, log }).isLow(), false)
  t.equal(await watchDisk({ dir: '.', minFreeBytes: Number.MAX_SAFE_INTEGER, clock, log }).isLow(), true)
})
