/**
 * The process dies around the peer's 250: the real mailboxes and the real queue over a store that takes no more from that moment on. And a task
 * that goes to somebody else while it is at work.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { relayDeps } from '../support/relay.js'
import { createResolver } from '../../src/dns/resolver.js'
import { systemClock } from '../../src/lib/clock.js'
import { Relay } from '../../src/relay/delivery/relay.js'
import type { Engine } from '../../src/store/engine.js'
import { createStore } from '../../src/store/store.js'
import { eventsOf, makeWorld, type World } from '../mailbox/world.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { startPeer } from '../support/peers/peer-server.js'
import { startWorld } from './world.js'
import { tasksIn } from '../support/store/tasks.js'

/** The engine as a process sees it that dies `before` or `after` its next commit from when it is armed; nothing is written after that. */
function mortal(engine: Engine, moment: 'before' | 'after'): { engine: Engine; arm(): void; died: Promise<void> } {
  let state: 'alive' | 'armed' | 'dead' = 'alive'
  let tell: () => void = () => undefined
  const died = new Promise<void>((resolve) => (tell = resolve))
  const dead = (): Error => new Error('the process died')
  return {
    arm: () => (state = 'armed'),
    died,
    engine: {
      ...engine,
      async commit(checks, ops, mark) {
        if (state === 'dead') throw dead()
        const dies = state === 'armed'
        if (dies) state = 'dead'
        const done = dies && moment === 'before' ? undefined : await engine.commit(checks, ops, mark)
        if (dies) tell()
        if (dies || done === undefined) throw dead()
        return done
      },
      close: async () => undefined,
    },
  }
}

const OTHER = 'bob@done.test'

for (const { moment, copies, isToOther } of [
  { moment: 'before', copies: 4, isToOther: false },
  { moment: 'before', copies: 4, isToOther: true },
  { moment: 'after', copies: 1, isToOther: false },
] as const) {
  t.test(
    isToOther
      ? 'crashes between the 250 and our commit for one of two recipients make copies for that one only, with the same Message-ID'
      : moment === 'before'
        ? 'each crash between the 250 and our commit makes one more copy, with the same Message-ID; the sender is told of one delivery'
        : 'after our commit no crash makes a copy, also when the task was not finished',
    async (t) => {
      const engine = memoryEngine({ conflicts: 0 })
      let crash: () => void = () => undefined
      // The 250 is on its way: nothing of this process comes onto the disk from here on.
      const peer = await startPeer({
        async hold([to]) {
          if (to === OTHER) return
          while (isToOther && (await statusOf(OTHER)) !== 'delivered') await nextTurn()
          crash()
        },
      })
      const dns = await startDnsServer({
        'example.org': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
        'done.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
        'mx.peer.test': { A: ['127.0.0.1'] },
      })
      const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
      t.teardown(async () => {
        resolver.close()
        await peer.close()
        await dns.close()
        await engine.close()
      })
      const start = ({ queue, mailboxes, clock }: World): Relay =>
        new Relay(
          relayDeps({
            queue,
            mailboxes,
            resolver,
            signer: { sign: async (raw) => raw },
            scanner: { enabled: false, scan: async () => ({ virus: 'unscanned', reason: 'off' }) },
            scanOnError: 'defer',
            parseLimits: { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 },
            hostname: 'mx.agents.test',
            isLocalDomain: () => false,
            outbound: true,
            port: peer.port,
            allowPrivateAddresses: true,
            concurrency: 20,
            perDestination: 5,
            timeouts: { connectMs: 60_000, responseMs: 60_000 },
            stopGraceMs: 0,
            // A second commit in between would be another story.
            showAfterMs: 600_000,
            jitter: () => 0,
            clock,
            log: captureLog().log,
          }),
        )

      let world = await makeWorld(t, createStore(engine))
      const { id } = await world.send(
        isToOther ? { to: ['ada@example.org', OTHER].map((address) => ({ address, name: '' })) } : {},
      )
      const statusOf = async (address: string): Promise<string | undefined> => {
        const { recipients } = await world.mailboxes.reading.message(world.id, id)
        return recipients.find((recipient) => recipient.address === address)?.status
      }
      await world.mailboxes.outbound.runCheck(world.id, id)
      // No relay was there to be told that the task may be had at once.
      world.clock.advance(10_000)
      for (let crashes = 0; crashes < 3; crashes++) {
        const process = mortal(engine, moment)
        world = await makeWorld(t, createStore(process.engine), world)
        crash = process.arm
        const relay = start(world)
        if (moment === 'before' || crashes === 0) await process.died
        await relay.stop()
      }
      crash = () => undefined
      world = await makeWorld(t, createStore(engine), world)
      const relay = start(world)
      while ((await tasksIn(world.queue, 'relay', 10)).length > 0) {
        world.clock.advance(1000)
        world.queue.poke()
        await nextTurn()
      }
      await relay.stop()

      const copiesTo = (address: string): number => peer.mail.filter(({ to }) => to.includes(address)).length
      t.equal(copiesTo('ada@example.org'), copies)
      t.equal(copiesTo(OTHER), isToOther ? 1 : 0)
      const message = await world.mailboxes.reading.message(world.id, id)
      for (const { raw } of peer.mail) t.equal(/^Message-ID: <(.*)>\r$/im.exec(raw)?.[1], message.message_id)
      t.equal(message.status, 'delivered')
      t.equal(message.recipients.length, isToOther ? 2 : 1)
      for (const recipient of message.recipients) {
        t.match(recipient, { status: 'delivered', attempts: 1, smtp_code: 250 })
      }
      const statuses = (await eventsOf(world)).map(({ data }) => data.status)
      t.equal(statuses.filter((status) => status === 'delivered').length, 1, 'one event')
    },
  )
}

t.test(
  'a delivery that the other side draws out is cut, counts as an attempt, and gives its place to the next',
  async (t) => {
    let stuck = true
    const peer = await startPeer({ hold: async () => (stuck ? new Promise(() => undefined) : undefined) })
    const world = await startWorld(peer.port, {
      attemptMs: 100,
      perDestination: 1,
      timeouts: { connectMs: 600_000, responseMs: 600_000 },
    })
    t.teardown(async () => {
      await world.close()
      await peer.close()
    })
    await world.send('msg_1', ['a@peer.test'])
    const cut = await world.settled('msg_1', 'a@peer.test')
    t.match(cut, { status: 'deferred', attempts: 1, smtp_code: null })
    t.equal(Date.parse(cut.next_attempt_at ?? '') - world.clock.now(), 60_000)
    stuck = false
    await world.send('msg_2', ['b@peer.test'])
    t.match(await world.settled('msg_2', 'b@peer.test'), { status: 'delivered' })
  },
)
