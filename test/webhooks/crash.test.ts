/** The process dies at every commit of the work on a webhook, right before or right after it: each event is delivered, under one id, to the end. */
import t from 'tap'
import { createStore } from '../../src/store/store.js'
import { ENGINES } from '../store/engines.js'
import { mortal } from '../support/store/mortal-engine.js'
import { startReceiver } from '../support/peers/webhook-receiver.js'
import { makeWebhook, makeWorld, type World } from './world.js'

const WAIT_MS = 5000

/** Half of the events fail at first; the second life goes on until all were taken. */
async function live(world: World, receiverUrl: string): Promise<void> {
  await makeWebhook(world, receiverUrl)
  await world.happen('message.received', 'message.status')
  await world.settled()
  await world.happen('message.received', 'message.status')
  await world.later(WAIT_MS)
}

for (const { name, open } of ENGINES) {
  for (const moment of ['before', 'after'] as const) {
    t.test(`a crash ${moment} any commit loses no event (${name})`, async (t) => {
      let crashes = 0
      for (let at = 1; ; at++) {
        const ends: (() => Promise<void>)[] = []
        const scope = { testdir: () => t.testdir(), teardown: (fn: () => Promise<void>) => void ends.push(fn) }
        const receiver = await startReceiver()
        const refused = new Set<number>()
        const taken: number[] = []
        receiver.otherwise = (response, { event }) => {
          const isFirst = event.seq % 2 === 0 && !refused.has(event.seq)
          if (isFirst) refused.add(event.seq)
          else taken.push(event.seq)
          response.writeHead(isFirst ? 500 : 200).end()
        }
        const engine = open(scope)
        const process = mortal(engine, at, moment)
        const firstLife = await makeWorld(t, createStore(process.engine))
        process.arm()
        await live(firstLife, receiver.url).catch((error: unknown) => error)
        const died = process.died()
        if (died) crashes++
        await firstLife.stop().catch((error: unknown) => error)

        const world = await makeWorld(t, createStore(engine), firstLife)
        // What the client was not answered for, it asks for again.
        const [webhook] = await world.webhooks.list(world.mailboxId)
        if (!webhook) await makeWebhook(world, receiver.url)
        await world.happen('message.updated')
        for (let rounds = 0; rounds < 5; rounds++) await world.later(WAIT_MS)
        const { deliveries } = (await world.webhooks.list(world.mailboxId))[0] ?? {}
        t.match(deliveries, { events_waiting: 0, retries_waiting: 0 }, `crash at commit ${at}`)
        const newest = deliveries?.last_seq ?? 0
        const first = webhook ? 1 : newest
        const wanted = Array.from({ length: newest - first + 1 }, (_, i) => first + i)
        t.same([...new Set(taken)].filter((seq) => seq >= first).sort(), wanted, `crash at commit ${at}`)
        const ids = new Set(receiver.received.map(({ event, headers }) => `${event.seq} ${headers['webhook-id']}`))
        t.equal(ids.size, new Set(receiver.seqs()).size, 'an event keeps its id')
        await world.stop()
        receiver.close()
        for (const end of ends) await end()
        if (!died) break
      }
      t.ok(crashes >= 4, `${crashes} places to crash at`)
    })
  }
}
