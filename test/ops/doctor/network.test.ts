/** Names and addresses of the host, reverse names, and who answers at ports. */
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { checkAddresses, checkInward, checkOutward, checkReverse } from '../../../src/ops/doctor/network.js'
import { LookupError } from '../../../src/dns/types.js'
import { greet } from '../../../src/ops/doctor/probes.js'
import { fakeResolver } from '../../support/peers/fake-resolver.js'
import { freePort, listenAnywhere } from '../../support/ports.js'

const hostname = 'mx.agents.example'
const HERE = '93.184.215.14'
const HERE6 = '2606:2800:21f::5'
const ELSEWHERE = '93.184.215.99'

/** @param ptr names by address */
function zone(addresses: string[], ptr: Record<string, string> = {}) {
  const reverse = new Map(
    Object.entries(ptr).map(([ip, name]) => [`${ip.split('.').reverse().join('.')}.in-addr.arpa`, name]),
  )
  return fakeResolver((name, type) => {
    if (type === 'PTR') return reverse.has(name) ? [reverse.get(name) ?? ''] : 'not_found'
    if (name !== hostname) return 'not_found'
    return addresses.filter((each) => each.includes(':') === (type === 'AAAA'))
  })
}

const at = (addresses: string[], own: string[], ptr = {}) => ({
  hostname,
  own,
  allowPrivate: false,
  resolver: zone(addresses, ptr),
})

t.test('the host’s name leads to this machine', async (t) => {
  t.match(await checkAddresses(at([HERE, HERE6], [HERE, HERE6])), { state: 'ok' })
  t.match(await checkAddresses(at([], [HERE, HERE6])), {
    state: 'failed',
    remedy: [
      { kind: 'record', text: `${hostname}. IN A ${HERE}` },
      { kind: 'record', text: `${hostname}. IN AAAA ${HERE6}` },
    ],
  })
  t.match(await checkAddresses(at(['10.0.0.5'], [HERE])), {
    state: 'failed',
    finding: /can't be reached from the Internet/,
  })
  t.match(await checkAddresses(at([ELSEWHERE], [HERE])), {
    state: 'warning',
    remedy: [{ text: `${hostname}. IN A ${HERE}` }, { kind: 'advice' }],
  })
  t.match(await checkAddresses(at([HERE], ['10.0.0.5'])), { state: 'ok', finding: /behind NAT \(10\.0\.0\.5\)/ })
  const dark = { ...at([], []), resolver: fakeResolver(() => 'temporary') }
  await t.rejects(checkAddresses(dark), LookupError, 'no answer is not taken for an answer')
})

t.test('every address mail leaves from leads to the name, and the name to it', async (t) => {
  const states = async (given: ReturnType<typeof at>) =>
    (await checkReverse(given)).map(({ subject, state }) => [subject, state])
  t.same(await states(at([HERE], [HERE], { [HERE]: hostname })), [[HERE, 'ok']])
  t.same(await states(at([HERE], [HERE])), [[HERE, 'failed']])
  t.same(await states(at([HERE], [HERE], { [HERE]: 'vps-17.provider.example' })), [[HERE, 'failed']])
  t.same(
    await states(at([HERE], [HERE, HERE6], { [HERE]: hostname })),
    [
      [HERE, 'ok'],
      [HERE6, 'failed'],
    ],
    'an address that is not in DNS sends too',
  )
  t.same(
    await states(at([HERE], [HERE, ELSEWHERE], { [HERE]: hostname, [ELSEWHERE]: hostname })),
    [
      [HERE, 'ok'],
      [ELSEWHERE, 'failed'],
    ],
    'not confirmed forward',
  )
  const [found] = await checkReverse(at([HERE], [HERE]))
  t.match(found?.remedy, [{ kind: 'advice', text: `Set the reverse name (PTR) of ${HERE} to ${hostname} where` }])
})

async function listener(t: Test, banner: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    if (banner !== '') socket.write(banner)
  })
  t.teardown(() => server.close())
  return listenAnywhere(server)
}

t.test('port 25 outward: who answers, who does not, who hangs', async (t) => {
  const config = loadConfig({ set: ['domains.names=agents.example'] })
  t.match(await checkOutward(undefined, greet, config), { state: 'skipped' })
  const to = (port: number, through = config) =>
    checkOutward({ host: '127.0.0.1', port }, (host, at) => greet(host, at, 200), through)
  t.match(await to(await listener(t, '220-mx.far.example\r\n220 mx.far.example ESMTP\r\n')), { state: 'ok' })
  t.match(await to(await listener(t, '554 no\r\n')), {
    state: 'warning',
    finding: /accepts no mail from here now: 554 no/,
  })
  t.match(await to(await listener(t, '')), { state: 'failed', finding: /no answer within 200 ms/ })
  t.match(await to(await listener(t, 'HTTP/1.1 400 Bad Request\r\n'.repeat(60))), {
    state: 'failed',
    finding: /does not answer like a mail server/,
  })
  const closed = await freePort()
  t.match(await to(closed), {
    state: 'failed',
    finding: /nothing listens there/,
    remedy: [{ kind: 'advice' }, { kind: 'setting', file: 'relay.toml' }],
  })
  t.match(
    await to(closed, loadConfig({ set: ['domains.names=agents.example', 'relay.smarthost=smtp.example.com:587'] })),
    { state: 'ok' },
  )
})

t.test('port 25 inward is answered by us, by somebody else, or by nobody', async (t) => {
  const config = loadConfig({ set: ['smtp.listen=0.0.0.0:25', `domains.hostname=${hostname}`] })
  const from = (answer: { greeting: string } | { problem: string }, isRunning = true) =>
    checkInward(config, { resolver: zone([HERE]), isRunning, greet: async () => answer })
  t.match(await from({ greeting: `220 ${hostname} ESMTP` }), [{ state: 'ok', subject: HERE }])
  t.match(await from({ greeting: '220 postfix.example ESMTP' }), [{ state: 'failed', finding: /another server/ }])
  t.match(await from({ problem: 'timed out' }), [
    { state: 'warning', remedy: [{ kind: 'command', text: `nc -v ${hostname} 25` }] },
  ])
  t.match(await from({ problem: '' }, false), [{ state: 'skipped' }])
  t.match(await checkInward(loadConfig(), { resolver: zone([HERE]), isRunning: true, greet }), [
    { state: 'warning', remedy: [{ kind: 'setting', text: 'listen = ["[::]:25"]' }] },
  ])
})
