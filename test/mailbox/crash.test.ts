/**
 * The process dies at every commit of a send, right before or right after it. After the restart the client repeats its request,
 * the tasks are worked, and there has to be one message, relayed once to each domain.
 */
import t from 'tap'
import { createStore } from '../../src/store/store.js'
import { ENGINES } from '../store/engines.js'
import { mortal } from '../support/store/mortal-engine.js'
import { settle } from './lives.js'
import { eventsOf, makeWorld, type World } from './world.js'

const TO = ['ada@example.org', 'bob@example.org', 'eve@example.net'].map((address) => ({ address, name: '' }))

const attempt = (world: World): Promise<unknown> => world.send({ to: TO }, 'key')

for (const { name, open } of ENGINES) {
  for (const moment of ['before', 'after'] as const) {
    t.test(`a crash ${moment} any commit leaves one message, relayed once (${name})`, async (t) => {
      let crashes = 0
      for (let at = 1; ; at++) {
        const scope = { testdir: () => t.testdir(), teardown: (fn: () => Promise<void>) => void ends.push(fn) }
        const ends: (() => Promise<void>)[] = []
        const engine = open(scope)
        const process = mortal(engine, at, moment)
        const firstLife = await makeWorld(t, createStore(process.engine))
        process.arm()
        await attempt(firstLife).catch((error: unknown) => error)
        const died = process.died()
        if (died) crashes++

        const world = await makeWorld(t, createStore(engine), firstLife)
        const answer = await world.send({ to: TO }, 'key')
        const relayed = await settle(world)
        t.same(relayed.sort(), [`${answer.id}:example.net`, `${answer.id}:example.org`], `crash at commit ${at}`)
        t.equal((await world.mailboxes.reading.message(world.id, answer.id)).status, 'delivered')
        t.equal((await world.record()).messageCount, 1)
        const statuses = (await eventsOf(world)).map(({ data }) => data.status)
        t.same(statuses.slice(0, 3), ['checking', 'queued', 'sending'])
        t.equal(statuses.at(-1), 'delivered')
        for (const end of ends) await end()
        if (!died) break
      }
      t.equal(crashes, 1, 'it is one commit')
    })
  }
}
