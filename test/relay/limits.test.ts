/** How many deliveries are made at once, counted where they arrive. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { startPeer } from '../support/peers/peer-server.js'
import { startWorld } from './world.js'

t.test(
  'never more deliveries at once than allowed: to a domain, to a host of several domains, and in all',
  async (t) => {
    const IN_ALL = 6
    const EACH = 2
    const hosts = new Map([
      ['a.test', 'mx.shared.test'],
      ['b.test', 'mx.shared.test'],
      ['c.test', 'mx.c.test'],
      ['d.test', 'mx.d.test'],
      ['e.test', 'mx.e.test'],
    ])
    const now = new Map<string, number>()
    const most = new Map<string, number>()
    const count = (name: string, by: number): void => {
      now.set(name, (now.get(name) ?? 0) + by)
      most.set(name, Math.max(most.get(name) ?? 0, now.get(name) ?? 0))
    }
    let filled: () => void = () => undefined
    const full = new Promise<void>((resolve) => (filled = resolve))
    const peer = await startPeer({
      async hold([address = '']) {
        const domain = address.slice(address.indexOf('@') + 1)
        const names = ['all', domain, hosts.get(domain) ?? '']
        for (const name of names) count(name, 1)
        if (now.get('all') === IN_ALL) filled()
        // Nobody is let go before all places are taken once; after that, each stays for a while.
        await full
        for (let turns = 0; turns < 10; turns++) await nextTurn()
        for (const name of names) count(name, -1)
      },
    })
    const world = await startWorld(peer.port, {
      concurrency: IN_ALL,
      perDestination: EACH,
      // Nothing becomes slow, however long this machine takes: slow deliveries are counted apart.
      after: () => () => undefined,
    })
    t.teardown(async () => {
      await world.close()
      await peer.close()
    })
    world.dns.set('mx.shared.test', 'A', ['127.0.0.1'])
    for (const [domain, host] of hosts) {
      world.dns.set(domain, 'MX', [{ priority: 10, exchange: host }])
      world.dns.set(host, 'A', ['127.0.0.1'])
    }
    const total = 20 * hosts.size
    for (let i = 0; i < 20; i++)
      for (const domain of hosts.keys()) await world.send(`msg_${domain}_${i}`, [`a${i}@${domain}`])
    while (peer.mail.length < total) {
      world.advance(100)
      await nextTurn()
    }
    await world.calm()
    t.equal(most.get('all'), IN_ALL, 'all places were taken, and no more')
    t.equal(most.get('mx.shared.test'), EACH)
    for (const domain of hosts.keys()) t.ok((most.get(domain) ?? 0) <= EACH, domain)
    t.equal(most.get('c.test'), EACH)
    t.equal(new Set(peer.mail.flatMap(({ to }) => to)).size, total)
    t.equal(peer.mail.length, total, 'each once')
  },
)

t.test('a backlog to one destination waits in the queue: each message is taken out of it once', async (t) => {
  const peer = await startPeer()
  const world = await startWorld(peer.port)
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  const N = 200
  let taken = 0
  await world.relay.stop()
  for (let i = 0; i < N; i++) await world.send(`msg_${i}`, [`a${i}@peer.test`])
  await world.restart({
    perDestination: 2,
    queue: {
      counts: world.queue.counts,
      run: (kind, handler, options) =>
        world.queue.run(
          kind,
          (task, signal) => {
            taken++
            return handler(task, signal)
          },
          options,
        ),
    },
  })
  // The clock stands: nothing is waited for but room.
  await peer.count(N)
  await world.calm()
  t.equal(new Set(peer.mail.flatMap(({ to }) => to)).size, N)
  t.equal(taken, N)
})
