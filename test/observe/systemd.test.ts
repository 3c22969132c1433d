/** What systemd is told, and when. */
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createServiceManager } from '../../src/observe/systemd.js'

function world(t: Test, env: Record<string, string>, notify = async (): Promise<void> => undefined) {
  const told: string[][] = []
  const warned: string[] = []
  const manager = createServiceManager({
    env,
    pid: 4711,
    log: { warn: (_fields: object, message: string) => void warned.push(message) },
    notify: async (variables) => {
      told.push([...variables])
      await notify()
    },
  })
  t.teardown(() => void manager.stopping())
  return { manager, told, warned, fed: () => told.filter(([first]) => first === 'WATCHDOG=1').length }
}

t.test('outside of systemd nothing is told', async (t) => {
  const { manager, told } = world(t, { WATCHDOG_USEC: '10000' })
  await manager.ready('up')
  await manager.reloading()
  await manager.stopping()
  await delay(30)
  t.same(told, [])
})

t.test('ready, reloading, ready again, stopping', async (t) => {
  const { manager, told } = world(t, { NOTIFY_SOCKET: '/run/systemd/notify' })
  await manager.ready('up')
  await manager.reloading()
  await manager.ready('up again')
  await manager.stopping()
  t.same(
    told.map(([first]) => first),
    ['READY=1', 'RELOADING=1', 'READY=1', 'STOPPING=1'],
  )
  t.ok(told[0]?.includes('STATUS=up'))
  t.match(told[1]?.[1], /^MONOTONIC_USEC=\d+$/)
})

t.test('a start that takes long asks for more time, and says what it does', async (t) => {
  const { manager, told } = world(t, { NOTIFY_SOCKET: '/run/systemd/notify' })
  await manager.starting('upgrading what is stored: 5 %')
  t.same(told, [['EXTEND_TIMEOUT_USEC=300000000', 'STATUS=upgrading what is stored: 5 %']])
})

t.test('the watchdog is fed from ready to stopping, one word at a time', async (t) => {
  let answer = (): void => undefined
  const { manager, fed } = world(
    t,
    { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '20000', WATCHDOG_PID: '4711' },
    () => new Promise((resolve) => (answer = resolve)),
  )
  const ready = manager.ready('up')
  await delay(40)
  t.equal(fed(), 0, 'not before it is ready')
  answer()
  await ready
  while (fed() === 0) await delay(5)
  await delay(40)
  t.equal(fed(), 1, 'systemd has not taken the first one yet')
  answer()
  while (fed() === 1) await delay(5)
  answer()
  const stopping = manager.stopping()
  const before = fed()
  answer()
  await stopping
  await delay(40)
  t.equal(fed(), before, 'and not while it stops')
})

t.test('a watchdog of another process is not ours to feed', async (t) => {
  const { manager, fed } = world(t, { NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '10000', WATCHDOG_PID: '1' })
  await manager.ready('up')
  await delay(30)
  t.equal(fed(), 0)
})

t.test('a systemd that cannot be told is a line in the log, and no end of the daemon', async (t) => {
  const { manager, warned } = world(t, { NOTIFY_SOCKET: '/x' }, async () => {
    throw new Error('ENOENT')
  })
  await manager.ready('up')
  t.equal(warned.length, 1)
})
