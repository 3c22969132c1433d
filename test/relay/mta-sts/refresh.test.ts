/** Kept MTA-STS policies while nobody waits for them: fetched again before they end, shown to the operator, forgotten at a word. */
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import t, { type Test } from 'tap'
import { createResolver } from '../../../src/dns/resolver.js'
import { DAY, HOUR, ManualClock, systemClock } from '../../../src/lib/clock.js'
import { MtaSts } from '../../../src/relay/mta-sts/mta-sts.js'
import { createRefresh } from '../../../src/relay/mta-sts/refresh.js'
import { createPolicyStore, type KeptPolicy } from '../../../src/relay/mta-sts/store.js'
import type { TlsResult } from '../../../src/relay/tls/tls-results.js'
import { createStore } from '../../../src/store/store.js'
import { createAuthority, opensslPeer } from '../../support/peers/certificates.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { listenAnywhere } from '../../support/ports.js'

const never = new AbortController().signal
const WEEK = 7 * DAY
const policy = (id = '1', maxAgeSeconds = WEEK / 1000): KeptPolicy['policy'] => ({
  id,
  mode: 'enforce',
  mx: ['mx.peer.test'],
  maxAgeSeconds,
})
const served = 'version: STSv1\nmode: enforce\nmx: mx.peer.test\nmax_age: 604800\n'

async function setUp(t: Test) {
  const authority = createAuthority(t.testdir({}))
  const { key, cert } = authority.issue(['mta-sts.peer.test'])
  const host = {
    asked: 0,
    answer: ((_request, response) =>
      void response.setHeader('content-type', 'text/plain').end(served)) as RequestListener,
  }
  const server = createServer({ key, cert }, (request, response) => {
    host.asked++
    host.answer(request, response)
  })
  const port = await listenAnywhere(server)
  const zone = {
    'mta-sts.peer.test': { A: ['127.0.0.1'] },
    '_mta-sts.peer.test': { TXT: ['v=STSv1; id=one'], ttl: 0 },
  }
  const dns = await startDnsServer(zone, { negativeTtl: 0 })
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
  const clock = new ManualClock()
  const results: TlsResult[] = []
  const sts = new MtaSts({
    resolver,
    store: createStore(memoryEngine()),
    clock,
    log: captureLog().log,
    tlsResults: { record: (result) => void results.push(result) },
    port,
    ca: authority.ca,
    allowPrivateAddresses: true,
    timeoutMs: 2000,
  })
  t.teardown(async () => {
    await sts.stop()
    resolver.close()
    await dns.close()
    server.closeAllConnections()
    server.close()
  })
  return { sts, host, dns, clock, results }
}

t.test('a policy outlives its max_age though mail comes only every other week', opensslPeer(), async (t) => {
  const { sts, host, dns, clock } = await setUp(t)
  t.match(await sts.policyFor('peer.test'), { id: 'one' })
  clock.advance(23 * HOUR)
  t.same(await sts.refresh(never), { refreshed: 0, failed: 0, left: 0 }, 'once a day is enough')
  for (let day = 1; day <= 10; day++) {
    clock.advance(DAY)
    t.same(await sts.refresh(never), { refreshed: 1, failed: 0, left: 0 }, `day ${day}`)
  }
  t.equal(host.asked, 11)
  dns.remove('_mta-sts.peer.test')
  t.match(await sts.policyFor('peer.test'), { id: 'one' }, 'nobody can wait for its end, and then keep it from us')

  clock.advance(2 * DAY)
  t.same(await sts.refresh(never), { refreshed: 0, failed: 1, left: 0 }, 'without a record nothing is fetched')
  t.equal(host.asked, 11)
  dns.set('_mta-sts.peer.test', 'TXT', ['v=STSv1; id=two'])
  clock.advance(7 * HOUR)
  t.same(await sts.refresh(never), { refreshed: 1, failed: 0, left: 0 })
  t.match((await sts.show('peer.test'))?.policy, { id: 'two' })

  for (let day = 1; day <= 13; day++) {
    clock.advance(DAY)
    await sts.refresh(never)
  }
  const { asked } = host
  clock.advance(2 * DAY)
  t.same(await sts.refresh(never), { refreshed: 0, failed: 0, left: 0 }, 'where no mail goes any more nobody asks')
  t.equal(host.asked, asked)
})

t.test('a host that gives no policy is left alone for hours, and is in no report', opensslPeer(), async (t) => {
  const { sts, host, clock, results } = await setUp(t)
  await sts.policyFor('peer.test')
  host.answer = (_request, response) => void response.writeHead(404).end()
  clock.advance(DAY + HOUR)
  t.same(await sts.refresh(never), { refreshed: 0, failed: 1, left: 0 })
  clock.advance(HOUR)
  t.same(await sts.refresh(never), { refreshed: 0, failed: 0, left: 0 })
  clock.advance(6 * HOUR)
  t.same(await sts.refresh(never), { refreshed: 0, failed: 1, left: 0 })
  t.equal(host.asked, 3)
  t.same(results, [], 'there was no session')
  t.match((await sts.show('peer.test'))?.problem, { detail: /answers with 404/ })
  t.match(await sts.policyFor('peer.test'), { id: 'one' }, 'the old one holds')
})

t.test('the operator sees what is kept, and can have it forgotten', opensslPeer(), async (t) => {
  const { sts, host, clock } = await setUp(t)
  t.equal(await sts.show('peer.test'), undefined)
  t.equal(await sts.forget('peer.test'), false)
  host.answer = (_request, response) => void response.writeHead(404).end()
  await sts.policyFor('peer.test')
  t.match(await sts.show('peer.test'), { policy: null, problem: { detail: /404/ } })
  t.equal(await sts.forget('peer.test'), true)
  host.answer = (_request, response) => void response.setHeader('content-type', 'text/plain').end(served)
  t.match(await sts.policyFor('peer.test'), { id: 'one' }, 'asked at once, though it has just failed')
  const shown = { mode: 'enforce', mx: ['mx.peer.test'], max_age_seconds: 604_800 }
  t.match(await sts.list(10), { data: [{ domain: 'peer.test', policy: shown, problem: null }], has_more: false })
  clock.advance(WEEK)
  t.match((await sts.list(10)).data, [{ domain: 'peer.test' }], 'what has ended is shown too')
  t.equal(await sts.forget('peer.test'), true)
  t.same(await sts.list(10), { data: [], has_more: false })
  t.match(await sts.policyFor('peer.test'), { id: 'one' })
  t.equal(host.asked, 3)
})

t.test('a pass takes so many, those that end first, a few at once, and stops at a word', async (t) => {
  const clock = new ManualClock()
  const policies = createPolicyStore(createStore(memoryEngine()), 2000)
  const now = clock.now()
  for (let i = 0; i < 1200; i++) {
    const ends = 3 + (i % 40)
    await policies.put(`d${i}.test`, { policy: policy('1', (ends * DAY) / 1000), fetchedAt: now, usedAt: now })
  }
  t.equal((await policies.page(undefined, 2000)).length, 1200)
  clock.advance(DAY)
  const asked: string[] = []
  let atOnce = 0
  let most = 0
  const renew = async (domain: string): Promise<boolean> => {
    most = Math.max(most, ++atOnce)
    await Promise.resolve()
    atOnce--
    asked.push(domain)
    return false
  }
  const refresh = createRefresh({ policies, clock, renew, maxAtOnce: 60 })
  t.same(await refresh(never), { refreshed: 0, failed: 60, left: 1140 })
  t.equal(most, 4)
  t.same([...new Set(asked.map((name) => Number(/\d+/.exec(name)) % 40))].sort(), [0, 1])
  t.same(await refresh(never), { refreshed: 0, failed: 60, left: 1080 }, 'the next pass goes on with others')
  t.equal(new Set(asked).size, 120)

  const stop = new AbortController()
  const begun = asked.length
  const hangs = createRefresh({
    policies,
    clock,
    renew: async (domain) => {
      asked.push(domain)
      if (asked.length === begun + 4) stop.abort()
      return new Promise(() => undefined)
    },
  })
  t.match(await hangs(stop.signal), { refreshed: 0, failed: 0 }, 'a host that takes its minute holds nobody up')
  t.equal(asked.length, begun + 4)
})

t.test('a policy that is forgotten makes room, and a use is noted with what is there', async (t) => {
  const policies = createPolicyStore(createStore(memoryEngine()), 2)
  for (const [i, name] of ['a', 'b'].entries()) await policies.put(name, { policy: policy(), fetchedAt: i })
  t.equal(await policies.remove('a'), true)
  t.equal(await policies.remove('a'), false)
  await policies.touch('a', 5)
  t.equal(await policies.get('a'), undefined)
  await policies.put('c', { policy: policy(), fetchedAt: 2 })
  t.ok(await policies.get('b'), 'two are kept')
  await policies.touch('b', 7)
  await policies.put('b', { policy: policy('2'), fetchedAt: 8 })
  t.match(await policies.get('b'), { usedAt: 7, policy: { id: '2' } })
})
