/** Senders whose pictures an account shows: what is remembered, how many, and that two at once lose nothing. */
import t, { type Test } from 'tap'
import { createPictureSenders, MAX_PICTURE_SENDERS, senderKey } from '../../src/accounts/picture-senders.js'
import { accountPartition, ensureAccount } from '../../src/accounts/record.js'
import { ManualClock } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

async function setting(t: Test) {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const { id } = await ensureAccount(store, 'ada@example.org', clock.now())
  const senders = createPictureSenders({ store, clock })
  const addresses = async (): Promise<string[]> => (await senders.list(id)).map(({ address }) => address)
  const rows = () =>
    store.read(accountPartition(id), (view) => view.range({ gte: Uint8Array.of(), lt: Uint8Array.of(255) }))
  return { store, clock, senders, id, addresses, rows }
}

t.test('the exact address is remembered, once, whatever its case and the form of its domain', async (t) => {
  const { senders, id, addresses, clock } = await setting(t)
  await senders.add(id, 'News@Shop.example')
  clock.advance(1000)
  await senders.add(id, 'news@shop.example')
  await senders.add(id, 'a@bücher.example')
  t.same(await addresses(), ['a@xn--bcher-kva.example', 'news@shop.example'])
  t.equal((await senders.list(id))[1]?.at, Date.UTC(2026, 0, 1), 'since the first time')
  t.equal(senderKey('A@BÜCHER.example'), 'a@xn--bcher-kva.example')
})

t.test('one that is removed is gone, and the last one leaves no row', async (t) => {
  const { senders, id, addresses, rows } = await setting(t)
  const before = (await rows()).length
  await senders.add(id, 'a@x.example')
  await senders.add(id, 'b@x.example')
  await senders.remove(id, 'A@x.example')
  await senders.remove(id, 'never@x.example')
  t.same(await addresses(), ['b@x.example'])
  await senders.remove(id, 'b@x.example')
  t.equal((await rows()).length, before)
})

t.test('several at once are all remembered', async (t) => {
  const { senders, id, addresses } = await setting(t)
  const all = Array.from({ length: 20 }, (_, n) => `s${n}@x.example`)
  await Promise.all(all.map((address) => senders.add(id, address)))
  t.same(await addresses(), all.sort())
})

t.test('there is a limit, which an error names; one that is there is no further one', async (t) => {
  const { senders, id, addresses } = await setting(t)
  for (let n = 0; n < MAX_PICTURE_SENDERS; n++) await senders.add(id, `s${n}@x.example`)
  await senders.add(id, 's7@x.example')
  await t.rejects(senders.add(id, 'more@x.example'), {
    code: 'limit_reached',
    message: /500 senders/,
    hint: /\/inbox\/pictures/,
  })
  t.equal((await addresses()).length, MAX_PICTURE_SENDERS)
  await senders.remove(id, 's7@x.example')
  await senders.add(id, 'more@x.example')
  t.ok((await addresses()).includes('more@x.example'))
})

t.test('an account that is gone remembers nobody', async (t) => {
  const { senders } = await setting(t)
  await t.rejects(senders.add('acc_gone', 'a@x.example'), /acc_gone is missing/)
  t.same(await senders.list('acc_gone'), [])
})
