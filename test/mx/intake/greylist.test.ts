/** Clients that have never written come again (RFC 6647). */
import t from 'tap'
import { DAY, HOUR, ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { createGreylist } from '../../../src/mx/intake/greylist.js'
import { keyParts, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const FIRST = { network: '192.0.2.0/24', sender: 'carol@peer.test', recipient: 'alice@agents.test' }

function open(t: { teardown(fn: () => Promise<void>): void }, maxEntries?: number) {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const clock = new ManualClock()
  const make = () =>
    createGreylist({
      store,
      clock,
      delayMs: 5 * MINUTE,
      retryMs: 48 * HOUR,
      knownMs: 36 * DAY,
      ...(maxEntries !== undefined && { maxEntries }),
    })
  return { store, clock, make, greylist: make() }
}

async function stored(store: Store): Promise<ReturnType<typeof keyParts>[]> {
  const found: ReturnType<typeof keyParts>[] = []
  for (let shard = 0; shard < 16; shard++) {
    const all = { ...prefixRange(), limit: 10_000 }
    const pairs = await store.read(`greylist/${shard}`, (view) => view.range(all))
    found.push(...pairs.map(([key]) => keyParts(key)))
  }
  return found
}

t.test('the second attempt after the delay is taken, and the client is known from then on', async (t) => {
  const { clock, greylist, make } = open(t)
  t.equal(await greylist.passes(FIRST), false)
  clock.advance(5 * MINUTE - 1)
  t.equal(await greylist.passes(FIRST), false, 'too early')
  clock.advance(1)
  const afterRestart = make()
  t.equal(await afterRestart.passes({ ...FIRST, sender: 'CAROL@peer.test' }), true, 'and after a restart')
  t.equal(await greylist.passes({ ...FIRST, sender: 'dave@peer.test', recipient: 'bob@agents.test' }), true)
  t.equal(await greylist.passes({ ...FIRST, network: '198.51.100.0/24' }), false, 'another client')
})

t.test('a client is known for 36 days from its last message', async (t) => {
  const { clock, greylist } = open(t)
  await greylist.passes(FIRST)
  clock.advance(5 * MINUTE)
  t.equal(await greylist.passes(FIRST), true)
  clock.advance(35 * DAY)
  t.equal(await greylist.passes(FIRST), true)
  clock.advance(35 * DAY)
  t.equal(await greylist.passes(FIRST), true, 'renewed by the message before')
  clock.advance(36 * DAY)
  t.equal(await greylist.passes(FIRST), false)
})

t.test('a retry that comes days too late is a first attempt again', async (t) => {
  const { clock, greylist } = open(t)
  await greylist.passes(FIRST)
  clock.advance(48 * HOUR)
  t.equal(await greylist.passes(FIRST), false)
  clock.advance(5 * MINUTE)
  t.equal(await greylist.passes(FIRST), true)
})

t.test('no address is kept, and strangers do not grow the store', async (t) => {
  const { store, clock, greylist } = open(t, 320)
  for (let i = 0; i < 1000; i++) {
    await greylist.passes({ ...FIRST, sender: `${i}@spam.test` })
    clock.advance(1000)
  }
  const kept = await stored(store)
  t.ok(kept.filter(([kind]) => kind === 'e').length <= 320)
  t.equal(kept.filter(([kind]) => kind === 'e').length, kept.filter(([kind]) => kind === 'u').length)
  const words = kept.flat().map(String).join(' ')
  t.notOk(/spam\.test|agents|192\.0/.test(words))
  clock.advance(49 * HOUR)
  for (let i = 0; i < 200; i++) await greylist.passes({ ...FIRST, sender: `${i}@later.test` })
  const later = (await stored(store)).filter(([kind]) => kind === 'e').length
  t.ok(later <= 200, 'what has ended goes')
})
