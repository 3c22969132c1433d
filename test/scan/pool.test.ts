/** What a sender and an operator get while clamd is busy, away or wrongly set up. */
import t, { type Test } from 'tap'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { ManualClock } from '../../src/lib/clock.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { createBreaker } from '../../src/scan/breaker.js'
import { createClamavScanner, type ClamavOptions } from '../../src/scan/clamav.js'
import { createLane } from '../../src/scan/lane.js'
import { captureLog } from '../support/log.js'
import { freePort, listenAnywhere } from '../support/ports.js'

const MESSAGE = Buffer.from('Subject: hello\r\n\r\nthis is a message\r\n')

/** A clamd whose answers the test gives, one connection a message. */
async function heldClamd(t: Test, port?: number) {
  const asked: Socket[] = []
  const sockets = new Set<Socket>()
  let wake = (): void => undefined
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      if (!chunk.subarray(-4).equals(Buffer.alloc(4))) return
      asked.push(socket)
      wake()
    })
  })
  if (port === undefined) port = await listenAnywhere(server)
  else await once(server.listen(port, '127.0.0.1'), 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    address: `127.0.0.1:${port}`,
    asked,
    async untilAsked(count: number) {
      while (asked.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

const scanner = (address: string, options: Partial<ClamavOptions> = {}) =>
  createClamavScanner({ address, timeoutMs: 20_000, maxBytes: 1_000_000, ...options })

t.test(
  'no more messages are at clamd at once than the setting says, and those in line have their turn in order',
  async (t) => {
    const clamd = await heldClamd(t)
    const metrics = createMetrics()
    const { scan } = scanner(clamd.address, { concurrency: 2, metrics })
    const ended: number[] = []
    const scans = [1, 2, 3, 4].map((number) => scan(MESSAGE).then((verdict) => (ended.push(number), verdict)))
    await clamd.untilAsked(2)
    const { body } = await metrics.render()
    t.match(body, /restante_scan_running 2/)
    t.match(body, /restante_scan_waiting 2/)
    for (const turn of [0, 1, 2, 3]) {
      await clamd.untilAsked(turn + 1)
      t.ok(clamd.asked.length <= turn + 2, 'two at most')
      clamd.asked[turn]?.end('stream: OK\0')
      await scans[turn]
    }
    t.same(await Promise.all(scans), Array(4).fill({ virus: 'clean' }))
    t.same(ended, [1, 2, 3, 4])
    t.match((await metrics.render()).body, /restante_scan_messages_total\{result="clean"\} 4/)
  },
)

t.test('the wait in line is part of the deadline, and a full line is told at once', async (t) => {
  const clamd = await heldClamd(t)
  const { scan } = scanner(clamd.address, { concurrency: 1, maxWaiting: 1, timeoutMs: 100 })
  const scans = [scan(MESSAGE), scan(MESSAGE), scan(MESSAGE)]
  t.same(await scans[2], { virus: 'unscanned', reason: 'too many messages are waiting for clamd' })
  t.same(await scans[0], { virus: 'unscanned', reason: 'no response within 100 ms' })
  t.match(await scans[1], { virus: 'unscanned', reason: /within 100 ms/ })
  t.ok(clamd.asked.length <= 2)
})

t.test(
  'while clamd is away nobody waits for it; it is asked again after a pause, and each change is logged once',
  async (t) => {
    const port = await freePort()
    const clock = new ManualClock()
    const { log, lines } = captureLog()
    const { scan } = scanner(`127.0.0.1:${port}`, { clock, log })
    t.match(await scan(MESSAGE), { virus: 'unscanned', reason: /^connect ECONNREFUSED/ })
    t.match(await scan(MESSAGE), { virus: 'unscanned', reason: /^clamd is away: / })
    clock.advance(5000)
    t.match(await scan(MESSAGE), { virus: 'unscanned', reason: /^connect ECONNREFUSED/ }, 'the probe')
    t.match(await scan(MESSAGE), { virus: 'unscanned', reason: /^clamd is away: / })
    t.equal(lines.length, 1)
    t.match(lines[0], { level: 'warn', msg: /does not respond.*scan\.on_error/ })

    const clamd = await heldClamd(t, port)
    clock.advance(5000)
    const probe = scan(MESSAGE)
    await clamd.untilAsked(1)
    t.match(await scan(MESSAGE), { virus: 'unscanned', reason: /^clamd is away: / }, 'one probe at a time')
    clamd.asked[0]?.end('stream: OK\0')
    t.same(await probe, { virus: 'clean' })
    const next = scan(MESSAGE)
    await clamd.untilAsked(2)
    clamd.asked[1]?.end('stream: OK\0')
    t.same(await next, { virus: 'clean' })
  },
)

t.test('one message on which clamd hangs does not stop the others; several in a row do', async (t) => {
  const clamd = await heldClamd(t)
  const { log, lines } = captureLog()
  const { scan } = scanner(clamd.address, { timeoutMs: 50, clock: new ManualClock(), log })
  for (let turn = 0; turn < 3; turn++) t.match(await scan(MESSAGE), { reason: 'no response within 50 ms' })
  t.match(await scan(MESSAGE), { reason: 'clamd is away: no response within 50 ms' })
  t.equal(lines.length, 1)
})

t.test('an operator whose clamd takes less than the receiver reads the name of the setting, once', async (t) => {
  const clamd = await heldClamd(t)
  const { log, lines } = captureLog()
  const { scan } = scanner(clamd.address, { log })
  for (const turn of [0, 1]) {
    const scanning = scan(MESSAGE)
    await clamd.untilAsked(turn + 1)
    clamd.asked[turn]?.end('INSTREAM size limit exceeded. ERROR\0')
    t.match(await scanning, { virus: 'unscanned', reason: /StreamMaxLength/ })
  }
  t.equal(lines.length, 1)
  t.match(lines[0], { level: 'error', msg: /raise StreamMaxLength .* smtp\.max_message_bytes \(1000000\)/ })
  t.notMatch(JSON.stringify(lines), /this is a message/)
})

t.test('a start without clamd says so and goes on', async (t) => {
  const { log, lines } = captureLog()
  const away = scanner(`127.0.0.1:${await freePort()}`, { log })
  await away.greet()
  t.match(lines, [{ level: 'warn', reason: /ECONNREFUSED/ }])
})

t.test('a line gives its places in order, and one who gives up leaves no gap', async (t) => {
  const lane = createLane({ concurrency: 1, maxWaiting: 2 })
  const [first, second] = [new AbortController(), new AbortController()]
  const leave = await lane.enter(first.signal)
  if (typeof leave === 'string') return t.fail(leave)
  const waiting = lane.enter(second.signal)
  const behind = lane.enter(first.signal)
  t.equal(await lane.enter(first.signal), 'full')
  second.abort()
  t.equal(await waiting, 'late')
  t.equal(lane.waiting, 1)
  leave()
  leave()
  t.type(await behind, 'function')
  t.equal(lane.atWork, 1)
  t.equal(await lane.enter(second.signal), 'late')
})

t.test('a probe that was never made leaves room for another', async (t) => {
  const clock = new ManualClock()
  const changes: boolean[] = []
  const breaker = createBreaker({ pauseMs: 10, maxSilent: 2, clock, onChange: ({ up }) => void changes.push(up) })
  const permit = () => {
    const given = breaker.admit()
    if (typeof given === 'string') throw new Error(given)
    return given
  }
  permit().failed('silent', 'hush')
  t.ok(breaker.up)
  permit().failed('silent', 'hush')
  t.equal(breaker.admit(), 'hush')
  clock.advance(10)
  permit().unused()
  permit().succeeded()
  t.same(changes, [false, true])
})
