/** One request: where it may go, and what a receiver that misbehaves comes to. */
import t, { type Test } from 'tap'
import { addressOf } from '../../src/dns/public-address.js'
import { createRoom } from '../../src/webhooks/concurrency.js'
import { createStore } from '../../src/store/store.js'
import { fakeResolver, type Found } from '../support/peers/fake-resolver.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { startReceiver, type Answering, type Receiver } from '../support/peers/webhook-receiver.js'
import { makeWebhook, makeWorld } from './world.js'

const PUBLIC = { allowPrivateAddresses: false, ownPorts: new Set<number>() }
const lookUp = (records: Record<string, Found>, url: string, rules = PUBLIC): Promise<string> =>
  addressOf(
    fakeResolver((name, type) => records[`${type} ${name}`] ?? 'no_data'),
    new URL(url),
    rules,
  )

t.test('a name leads to one address, and every one it has must be public', async (t) => {
  const url = 'https://hooks.example/'
  t.equal(await lookUp({ 'A hooks.example': ['93.184.216.34', '93.184.216.35'] }, url), '93.184.216.34')
  t.equal(await lookUp({ 'AAAA hooks.example': ['2606:2800::1'] }, url), '2606:2800::1')
  for (const inside of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.64.0.1', '0.0.0.0'])
    await t.rejects(
      lookUp({ 'A hooks.example': ['93.184.216.34', inside] }, url),
      { message: /public Internet/ },
      inside,
    )
  for (const inside of ['::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'])
    await t.rejects(
      lookUp({ 'A hooks.example': ['93.184.216.34'], 'AAAA hooks.example': [inside] }, url),
      { message: /public Internet/ },
      inside,
    )
  await t.rejects(lookUp({}, url), { message: /hooks\.example/ })
  await t.rejects(lookUp({ 'A hooks.example': 'temporary' }, url), { message: /hooks\.example/ })
  await t.rejects(lookUp({}, 'https://127.0.0.1/'), { message: /public Internet/ })
})

t.test('where private addresses are allowed, the ports of this server itself are not', async (t) => {
  const rules = { allowPrivateAddresses: true, ownPorts: new Set([8080]) }
  t.equal(await lookUp({}, 'http://127.0.0.1:9000/', rules), '127.0.0.1')
  for (const url of [
    'http://127.0.0.1:8080/',
    'http://[::1]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://0.0.0.0:8080/',
  ])
    await t.rejects(lookUp({}, url, rules), { message: /back to this server/ }, url)
  await t.rejects(lookUp({ 'A me.example': ['127.0.0.2'] }, 'http://me.example:8080/', rules), {
    message: /back to this server/,
  })
})

t.test(
  'room is limited in all and for an address, and one address that is full keeps nobody else waiting',
  async (t) => {
    const room = createRoom({ all: 3, perAddress: 2 })
    const never = new AbortController().signal
    const served: string[] = []
    const enter = async (address: string, name: string, signal = never) => {
      const leave = await room.enter(address, signal)
      served.push(name)
      return leave
    }
    const a1 = await enter('a', 'a1')
    await enter('a', 'a2')
    const a3 = enter('a', 'a3')
    const b1 = await enter('b', 'b1')
    t.same(served, ['a1', 'a2', 'b1'])
    const c1 = enter('c', 'c1')
    b1()
    await c1
    t.same(served, ['a1', 'a2', 'b1', 'c1'], 'the third of a still waits')
    a1()
    a1()
    await a3
    t.equal(room.taken, 3)
    const gone = new AbortController()
    const left = enter('d', 'd1', gone.signal)
    gone.abort(new Error('enough'))
    await t.rejects(left, { message: 'enough' })
  },
)

async function askOnce(
  t: Test,
  answering: Answering,
  timeoutMs?: number,
): Promise<{ test: object; receiver: Receiver }> {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  receiver.otherwise = answering
  const world = await makeWorld(t, createStore(memoryEngine()), undefined, timeoutMs === undefined ? {} : { timeoutMs })
  const { id } = await makeWebhook(world, `http://hooks.example:${receiver.port}/hook`)
  return { test: await world.webhooks.test(world.mailboxId, id), receiver }
}

t.test('a redirect is a failure, wherever it leads', async (t) => {
  const inside = await startReceiver()
  t.teardown(() => inside.close())
  const { test } = await askOnce(t, (response) => response.writeHead(302, { Location: inside.url }).end())
  t.match(test, { taken: false, attempt: { status_code: 302, problem: /redirects are not followed/ } })
  t.equal(inside.received.length, 0)
})

t.test('the host of the URL is named, and no credentials are', async (t) => {
  const { test, receiver } = await askOnce(t, 204)
  t.match(test, { taken: true })
  const headers = receiver.received[0]?.headers ?? {}
  t.equal(headers.host, `hooks.example:${receiver.port}`)
  t.match(headers, { 'content-type': 'application/json', 'user-agent': /^Restante/ })
  t.same([headers.authorization, headers.cookie], [undefined, undefined])
})

t.test('an answer without end is cut off, and counts by its status', async (t) => {
  const { test } = await askOnce(t, (response) => {
    response.writeHead(200)
    const more = (): void => void response.write('x'.repeat(10_000), (error) => error ?? more())
    more()
  })
  t.match(test, { taken: true, attempt: { status_code: 200, response_body: 'x'.repeat(512) } })
})

t.test('one that never answers, answers in drops, or breaks off has failed', async (t) => {
  const hanging = await askOnce(t, () => undefined, 200)
  t.match(hanging.test, { taken: false, attempt: { status_code: null, problem: 'no whole answer within 0.2 seconds' } })
  const dripping = await askOnce(
    t,
    (response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.writeHead(200).on('close', () => clearInterval(timer))
    },
    300,
  )
  t.match(dripping.test, { taken: false, attempt: { status_code: null, problem: /no whole answer/ } })
  const broken = await askOnce(t, (response, _received, request) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('x')
    request.socket.destroySoon()
  })
  t.match(broken.test, { taken: false, attempt: { status_code: null } })
  const slammed = await askOnce(t, (_response, _received, request) => request.socket.destroy())
  t.match(slammed.test, { taken: false, attempt: { status_code: null } })
})

t.test('what is set must hold when it is sent, too', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const store = createStore(memoryEngine())
  const before = await makeWorld(t, store)
  const { id } = await makeWebhook(before, `http://hooks.example:${receiver.port}/hook`)
  await before.stop()
  const after = await makeWorld(t, store, before, { allowPrivateAddresses: false })
  t.match(await after.webhooks.test(after.mailboxId, id), {
    taken: false,
    request: null,
    attempt: { problem: /public Internet/ },
  })
  t.equal(receiver.received.length, 0)
})

t.test('a connection is kept for the next request', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const ports = new Set<number | undefined>()
  receiver.otherwise = (response, _received, request) => {
    ports.add(request.socket.remotePort)
    response.writeHead(200).end()
  }
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { id } = await makeWebhook(world, receiver.url)
  for (let n = 0; n < 3; n++) await world.webhooks.test(world.mailboxId, id)
  t.equal(ports.size, 1)
})
