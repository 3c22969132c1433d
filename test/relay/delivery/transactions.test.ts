/** One message to several recipients of a domain: a return path, and so a transaction, for each of them. */
import t, { type Test } from 'tap'
import type { RelaySettings } from '../../support/relay.js'
import { MAX_REPEATED_BYTES } from '../../../src/relay/delivery/transactions.js'
import { startPeer, type PeerBehaviour } from '../../support/peers/peer-server.js'
import { RAW, startWorld } from '../world.js'

const returnPath: RelaySettings['returnPath'] = (_message, recipients) =>
  `b+${recipients.join('+').replace(/@/g, '.')}@agents.test`
const THREE = ['a@peer.test', 'b@peer.test', 'c@peer.test']

async function setUp(t: Test, behaviour: PeerBehaviour, change: Partial<RelaySettings> = {}) {
  const peer = await startPeer(behaviour)
  const world = await startWorld(peer.port, { returnPath, ...change })
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  return { peer, world }
}

t.test('each recipient gets the message from a return path of its own, over one session', async (t) => {
  const { peer, world } = await setUp(t, {
    rcpt: (address) => (address === 'b@peer.test' ? '550 5.1.1 nobody' : undefined),
  })
  await world.send('msg_1', THREE)
  await world.settled('msg_1', 'c@peer.test')
  t.same(
    peer.mail.map(({ from, to }) => [from, to]),
    [
      ['b+a.peer.test@agents.test', ['a@peer.test']],
      ['b+c.peer.test@agents.test', ['c@peer.test']],
    ],
  )
  t.equal(peer.connections, 1)
  t.match(world.recipient('msg_1', 'b@peer.test'), { status: 'bounced', smtp_code: 550, attempts: 1 })
  t.equal(peer.mail[0]?.raw, peer.mail[1]?.raw, 'and it is the same message')
})

t.test('where the author is the envelope sender nothing is sent twice', async (t) => {
  const { peer, world } = await setUp(t, {}, { returnPath: undefined })
  await world.send('msg_1', THREE)
  await world.settled('msg_1', 'c@peer.test')
  t.match(peer.mail, [{ from: 'alice@agents.test', to: THREE }])
})

t.test('a large message to several goes once, from a path that they share', async (t) => {
  const { peer, world } = await setUp(t, { extensions: ['PIPELINING'] })
  const line = `${'x'.repeat(76)}\r\n`
  const raw = RAW + line.repeat(Math.ceil(MAX_REPEATED_BYTES / line.length / 2))
  await world.send('msg_1', THREE, raw)
  await world.settled('msg_1', 'c@peer.test')
  t.match(peer.mail, [{ from: 'b+a.peer.test+b.peer.test+c.peer.test@agents.test', to: THREE }])
  await world.send('msg_2', ['a@peer.test'], raw)
  await world.settled('msg_2', 'a@peer.test')
  t.match(peer.mail[1], { from: 'b+a.peer.test@agents.test' }, 'one alone never shares')
})

t.test('a host that asks to be left alone is not asked again for the others', async (t) => {
  const { peer, world } = await setUp(t, { mail: (line) => (line.includes('b+b') ? '421 4.7.0 slow down' : undefined) })
  await world.send('msg_1', THREE)
  await world.settled('msg_1', 'c@peer.test')
  t.match(world.recipient('msg_1', 'a@peer.test'), { status: 'delivered' })
  for (const address of ['b@peer.test', 'c@peer.test'])
    t.match(world.recipient('msg_1', address), { status: 'deferred', smtp_code: 421, detail: /slow down/ })
  t.notOk(peer.commands.some((line) => line.includes('b+c')))
})

t.test('a recipient at whom the host gives up never stands before the others for ever', async (t) => {
  const { world } = await setUp(t, { mail: (line) => (line.includes('b+a') ? '421 4.3.0 crashed' : undefined) })
  await world.send('msg_1', THREE)
  await world.settled('msg_1', 'c@peer.test')
  t.match(world.recipient('msg_1', 'b@peer.test'), { status: 'deferred' })
  world.relay.forgetFailures(undefined)
  world.advance(60_000)
  t.match(await world.settled('msg_1', 'c@peer.test', 2), { status: 'delivered' })
  t.match(world.recipient('msg_1', 'b@peer.test'), { status: 'delivered' })
})

t.test('what was answered before a stop is written down, and who is left gets it afterwards', async (t) => {
  let reached = (): void => undefined
  const stuck = new Promise<void>((resolve) => (reached = resolve))
  let isStuck = true
  const { peer, world } = await setUp(
    t,
    {
      hold: (to) => {
        if (!isStuck || to[0] !== 'b@peer.test') return Promise.resolve()
        reached()
        return new Promise(() => undefined)
      },
    },
    { stopGraceMs: 0 },
  )
  await world.send('msg_1', THREE)
  await stuck
  isStuck = false
  await world.restart()
  await world.settled('msg_1', 'c@peer.test')
  t.match(world.recipient('msg_1', 'b@peer.test'), { status: 'delivered' })
  t.same(
    peer.mail.map(({ to }) => to[0]),
    THREE,
    'nobody has it twice',
  )
})
