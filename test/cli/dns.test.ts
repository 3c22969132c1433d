/** What an operator does about DNS: publish, check, rotate. Without a daemon, against a name server of the test. */
import t, { type Test } from 'tap'
import { main } from '../../src/cli/main.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { freePort } from '../support/ports.js'

async function restante(words: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(words, { env: {}, print: (text) => out.push(text), note: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

interface Printed {
  kind: string
  name: string
  type: string
  value: string | null
  record_name: string
  record_value: string
  state: string
  result: string
}

async function setUp(t: Test) {
  const dns = await startDnsServer({ 'mx.agents.example': { A: ['127.0.0.1'] } })
  t.teardown(() => dns.close())
  const all = {
    'server.data_dir': t.testdir({}),
    'server.admin': `127.0.0.1:${await freePort()}`,
    'server.dns': dns.address,
    'domains.names': 'agents.example',
    'domains.hostname': 'mx.agents.example',
    'relay.allow_private_addresses': 'true',
  }
  const set = Object.entries(all).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const run = (line: string) => restante([...line.split(' '), ...set])
  const read = async (line: string): Promise<Printed[]> => JSON.parse((await run(`${line} --json`)).out)
  return { dns, run, read }
}

t.test('a rotation from the first keys to the last check', async (t) => {
  const { dns, run, read } = await setUp(t)
  const unsigned = await run('dkim check')
  t.match(unsigned, {
    code: 1,
    err: 'agents.example has no key that signs. Make some with: restante dkim new agents.example',
  })
  t.equal((await run('dkim new agents.example')).code, 0)
  const again = await run('dkim new agents.example')
  t.match(again, { code: 1, out: '', err: /has keys already.*\n.*restante dkim rotate agents\.example/ })

  const missing = await run('dkim check agents.example')
  t.equal(missing.code, 1, 'mail would be signed with what nobody can verify')
  t.match(missing.out, /^r\d{8}\._domainkey\.agents\.example +signs +missing +there is no such TXT record$/m)
  t.match(missing.out, /^To publish:\ne\d{8}\._domainkey\.agents\.example\. IN TXT|^To publish:\nr\d{8}\._domainkey/m)

  const publish = async () => {
    for (const { record_name, record_value } of await read('dkim list')) dns.set(record_name, 'TXT', [record_value])
  }
  await publish()
  t.match(await run('dkim check'), { code: 0, out: /signs +ok/ })

  const rotated = await run('dkim rotate agents.example')
  t.match(rotated, {
    code: 0,
    out: /^r\d{8}-2\._domainkey\.agents\.example\. IN TXT/m,
    err: /sign once they can be seen/,
  })
  t.equal((await run('dkim rotate agents.example')).out, rotated.out, 'again, the same are printed')
  t.match(await run('dkim check'), { code: 0, out: /waits for DNS +missing/ }, 'what waits breaks nothing')
  t.same((await read('dkim list')).map(({ state }) => state).sort(), ['signs', 'signs', 'waits', 'waits'])

  await publish()
  const now = await run('dkim rotate agents.example --now --yes')
  t.equal(now.out, rotated.out)
  t.same((await read('dkim list')).map(({ state }) => state).sort(), ['retired', 'retired', 'signs', 'signs'])
  t.match(await run('dkim check'), { code: 0, out: /retired; keep the record until \d{4}-\d\d-\d\d +ok/ })
  const found = (await read('dkim check')).find(({ state }) => state === 'signs')
  dns.set(found?.record_name ?? '', 'TXT', ['v=DKIM1; p='])
  t.match(await run('dkim check'), { code: 1, out: /differs +p= is empty: this key is revoked/ })
})

t.test('the records of a domain, published as printed, pass their check', async (t) => {
  const { dns, run, read } = await setUp(t)
  const early = await run('dns')
  t.match(early, { code: 0, out: /^MX agents\.example\n {4}10 mx\.agents\.example\.$/m, err: /has no DKIM keys yet/ })
  t.equal((await run('dns --check')).code, 1)
  await run('dkim new agents.example')
  for (const { type, name, value } of await read('dns'))
    if (type === 'TXT' && value !== null) dns.set(name, 'TXT', [value])
  dns.set('agents.example', 'MX', [{ priority: 10, exchange: 'mx.agents.example' }])
  dns.set('1.0.0.127.in-addr.arpa', 'PTR', ['mx.agents.example'])
  const good = await run('dns --check')
  t.match(good, { code: 0, out: /^MX +agents\.example +ok$/m })
  t.same(new Set((await read('dns --check')).map(({ result }) => result)), new Set(['ok']))
  dns.remove('_dmarc.agents.example')
  const bad = await run('dns --check')
  t.match(bad, { code: 1, out: /^TXT +_dmarc\.agents\.example +missing$/m })
  t.match(bad.out, /To publish:\n\n(?:; .*\n)+_dmarc\.agents\.example\. IN TXT \( "v=DMARC1/)
  t.match(await run('dns not_a_domain'), { code: 64, err: /is no domain/ })
  t.match(await run('dns other.example --zone'), {
    code: 0,
    out: /^other\.example\. IN MX 10 /m,
    err: /not in domains\.names/,
  })
})

t.test('records for mail programs are printed with a port for them, and checked', async (t) => {
  const { dns, run, read } = await setUp(t)
  const ports = '--set imap.listen_tls=[::]:993 --set tls.acme=https://ca.example/dir --set tls.acme_terms_agreed=true'
  t.notMatch((await run('dns')).out, /SRV|autoconfig/)
  t.match(await run(`dns ${ports}`), {
    code: 0,
    out: /^SRV _imaps\._tcp\.agents\.example {2}\(advised\)\n {4}0 1 993 mx\.agents\.example\.$/m,
  })
  const zone = (await run(`dns --zone ${ports}`)).out
  t.match(zone, /^_submissions\._tcp\.agents\.example\. IN SRV 0 0 0 \.$/m)
  t.match(zone, /^; autoconfig\.agents\.example\. IN A |^autoconfig\.agents\.example\. IN A /m)
  const srv = { type: 'SRV', name: '_imaps._tcp.agents.example' }
  t.match(
    (await read(`dns ${ports}`)).filter(({ name }) => name === srv.name),
    [{ ...srv, value: '0 1 993 mx.agents.example.' }],
  )
  const result = async () => (await read(`dns --check ${ports}`)).find(({ name }) => name === srv.name)?.result
  t.equal(await result(), 'missing')
  dns.set(srv.name, 'SRV', [{ priority: 0, weight: 1, port: 993, target: 'mx.agents.example' }])
  t.equal(await result(), 'ok')
  dns.set(srv.name, 'SRV', [{ priority: 0, weight: 1, port: 993, target: 'elsewhere.example' }])
  t.match(await run(`dns --check ${ports}`), {
    code: 1,
    out: /^SRV +_imaps\._tcp\.agents\.example +differs +it leads to 993 elsewhere\.example, not to 993 mx\.agents\.example$/m,
  })
})
