/**
 * Mail on its way out of the real daemon, to Postfix with certificates that are good and bad: what the receiving domain asks for by MTA-STS and
 * by DANE is kept to, and the sender is told what came of it.
 *
 * The daemon trusts the test's authority by NODE_EXTRA_CA_CERTS, as if it were one of the public ones.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DAY, ManualClock } from '../../../src/lib/clock.js'
import { createTlsCounts } from '../../../src/reporting/sent/tls-counts.js'
import { approvedAgent, waitForEvent, type Agent } from '../../support/agent.js'
import { createAuthority, EXPIRED } from '../../support/peers/certificates.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startDnsServer, type Zone } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { allPeers } from '../../support/peers/peers.js'
import { postfixPeer, startPostfix } from '../../support/peers/postfix.js'
import { signedZone, signedZonePeers } from '../../support/peers/signed-zone.js'

const POLICY_HOST = '127.0.0.9'

function folder(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'restante-transport-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const tlsOf = ({ certFile, keyFile }: { certFile: string; keyFile: string }): string[] => [
  'smtpd_tls_security_level = may',
  `smtpd_tls_chain_files = ${keyFile}, ${certFile}`,
  'smtpd_tls_received_header = yes',
]
const TLSMGR = 'tlsmgr unix - - n 1000? 1 tlsmgr'

/** Sends to one recipient and waits until it has been tried; gives the recipient as the API shows it. */
async function tried(agent: Agent, to: string, more: Record<string, unknown> = {}) {
  const sent = await agent.call('POST', '/v1/send', { to, subject: 'Hello', text: 'Good morning.', ...more })
  if (sent.status !== 202) throw new Error(JSON.stringify(sent.body))
  await waitForEvent(
    agent,
    ({ data }) =>
      data.message_id === sent.body.id &&
      data.recipients?.[0] &&
      !['checking', 'queued'].includes(data.recipients[0].status),
  )
  return (await agent.call('GET', `/v1/messages/${sent.body.id}`)).body.recipients[0]
}

t.test('each certificate has the outcome that the policy of its domain asks for', postfixPeer(), async (t) => {
  const dir = folder(t)
  const authority = createAuthority(dir)
  const good = authority.issue(['mx.good.test'])
  const service =
    (address: string, ...options: string[]) =>
    (port: number) =>
      [`${address}:${port} inet n - n - - smtpd`, ...options.map((option) => `  -o ${option}`)].join('\n')
  const chain = ({ keyFile, certFile }: typeof good): string => `smtpd_tls_chain_files=${keyFile},${certFile}`
  const others = [
    service('127.0.0.2', chain(authority.issue(['mx.expired.test'], EXPIRED))),
    service('127.0.0.3', chain(authority.issue(['else.test']))),
    service('127.0.0.4', 'smtpd_tls_security_level=none'),
  ]
  const domains = ['good', 'expired', 'wrong', 'plain', 'any', 'clear'].map((name) => `${name}.test`)
  const postfix = await startPostfix('good.test', [...tlsOf(good), `virtual_mailbox_domains = ${domains.join(', ')}`], {
    services: (port) => [TLSMGR, ...others.map((other) => other(port))],
  })
  t.teardown(() => postfix.stop())

  const zone: Zone = { 'smart.test': { A: ['127.0.0.1'] } }
  for (const [name, address] of [
    ['good', '127.0.0.1'],
    ['expired', '127.0.0.2'],
    ['wrong', '127.0.0.3'],
    ['plain', '127.0.0.4'],
    ['any', '127.0.0.3'],
    ['clear', '127.0.0.4'],
  ] as const) {
    zone[`${name}.test`] = { MX: [{ priority: 10, exchange: `mx.${name}.test` }] }
    zone[`mx.${name}.test`] = { A: [address] }
  }
  // RFC 8461 §4.1: the certificate is for the name of the MX record, and not for one that an alias leads to.
  zone['mx.good.test'] = { CNAME: ['host.provider.test'] }
  zone['host.provider.test'] = { A: ['127.0.0.1'] }
  zone['mx.wrong.test'] = { CNAME: ['else.test'] }
  zone['else.test'] = { A: ['127.0.0.3'] }
  const withPolicy = ['good', 'expired', 'wrong', 'plain']
  for (const name of withPolicy) {
    zone[`_mta-sts.${name}.test`] = { TXT: ['v=STSv1; id=1'] }
    zone[`mta-sts.${name}.test`] = { A: [POLICY_HOST] }
  }
  const dns = await startDnsServer(zone)
  t.teardown(() => dns.close())
  const host = authority.issue(withPolicy.map((name) => `mta-sts.${name}.test`))
  let asked = 0
  const policyHost = createServer({ key: host.key, cert: host.cert }, (request, response) => {
    asked++
    const domain = String(request.headers.host).replace('mta-sts.', '')
    response.setHeader('content-type', 'text/plain')
    response.end(`version: STSv1\nmode: enforce\nmx: mx.${domain}\nmax_age: 604800\n`)
  })
  await once(policyHost.listen(443, POLICY_HOST), 'listening')
  const closePolicyHost = async (): Promise<void> => {
    policyHost.closeAllConnections()
    await new Promise((resolve) => policyHost.close(resolve))
  }
  t.teardown(closePolicyHost)

  const smart = await startPeer({
    starttls: 'works',
    certificate: authority.issue(['smart.test']),
    command: (line) => (line.startsWith('AUTH') ? '235 2.7.0 welcome' : undefined),
    extensions: ['AUTH PLAIN', 'PIPELINING'],
  })
  const broken = await startPeer({ starttls: 'broken' })
  t.teardown(async () => {
    await smart.close()
    await broken.close()
  })
  writeFileSync(join(dir, 'password'), 'secret\n')
  writeFileSync(
    join(dir, 'relay.toml'),
    `smarthost = "smart.test:${smart.port}"
smarthost_user = "us"
smarthost_password_file = "${dir}/password"
port = ${postfix.port}
allow_private_addresses = true
[[routes]]
domains = [".test"]
host = "direct"
[[routes]]
domains = ["broken.test"]
host = "127.0.0.1:${broken.port}"
`,
  )
  const daemon = await startDaemon(
    { 'server.dns': dns.address },
    { configDir: dir, env: { NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem') } },
  )
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  await approvedAgent(daemon, 'ida.agent')

  t.match(await tried(agent, 'ada@good.test'), { status: 'delivered' })
  t.match(String((await postfix.nextMail('ada'))[0]), /using TLSv1\.\d/)
  t.match(await tried(agent, 'ben@expired.test'), {
    status: 'deferred',
    detail:
      /^4\.7\.5 mx\.expired\.test \[127\.0\.0\.2\]: TLS is required by the MTA-STS policy of expired\.test, and fails: certificate-expired/,
  })
  t.match(await tried(agent, 'ben@wrong.test'), { status: 'deferred', detail: /^4\.7\.5 .*certificate-host-mismatch/ })
  t.match(await tried(agent, 'ben@plain.test'), { status: 'deferred', detail: /^4\.7\.4 .*starttls-not-supported/ })
  t.match(
    await tried(agent, 'cid@any.test'),
    { status: 'delivered' },
    'without a policy any certificate is better than none',
  )
  t.match(String((await postfix.nextMail('cid'))[0]), /using TLSv1\.\d/)
  t.match(await tried(agent, 'dan@clear.test'), { status: 'delivered' })
  t.notMatch(String((await postfix.nextMail('dan'))[0]), /using TLSv1\.\d/)
  t.same(await postfix.mail('ben'), [], 'nothing went where it must not')
  t.equal(asked, withPolicy.length, 'each policy was fetched once')

  t.match(
    await tried(agent, 'eve@broken.test'),
    { status: 'delivered' },
    'a route, and one try in the clear when TLS breaks',
  )
  t.match(broken.mail, [{ encrypted: false, to: ['eve@broken.test'] }])
  t.match(await tried(agent, 'fay@elsewhere.example'), { status: 'delivered' }, 'the smart host has the rest')
  t.match(smart.mail, [{ encrypted: true, to: ['fay@elsewhere.example'] }])
  t.ok(smart.commands.includes(`AUTH PLAIN ${Buffer.from('\0us\0secret').toString('base64')}`))

  const strict = { require_tls: true }
  t.match(await tried(agent, 'gus@good.test', strict), {
    status: 'bounced',
    detail: /^5\.7\.30 mx\.good\.test .*REQUIRETLS.*send it again without require_tls/,
  })
  t.match(await tried(agent, 'gus@any.test', strict), {
    status: 'bounced',
    detail: /^5\.7\.10 neither DNSSEC nor an MTA-STS policy/,
  })
  t.match(await tried(agent, 'ida.agent@agents.test', strict), { status: 'delivered' }, 'what stays here is safe')
  t.same(await postfix.mail('gus'), [])

  await daemon.end('SIGTERM')
  await closePolicyHost()
  for (const name of withPolicy) dns.remove(`_mta-sts.${name}.test`)
  const found = await countsOf(daemon)
  t.match(found['good.test'], [{ policy: { type: 'sts' }, failures: 0, details: [] }])
  t.ok((found['good.test']?.[0]?.successes ?? 0) >= 1)
  t.match(found['expired.test'], [
    { policy: { type: 'sts' }, successes: 0, details: [{ type: 'certificate-expired', mxHost: 'mx.expired.test' }] },
  ])
  t.match(found['wrong.test'], [{ details: [{ type: 'certificate-host-mismatch' }] }])
  t.match(found['plain.test'], [{ details: [{ type: 'starttls-not-supported' }] }])
  t.match(found['any.test'], [{ policy: { type: 'no-policy-found' }, successes: 1, failures: 0 }])
  t.notOk(found['elsewhere.example'], 'a smart host is nobody’s policy')

  await daemon.start()
  t.match(
    await tried(agent, 'ben@wrong.test'),
    { status: 'deferred', detail: /MTA-STS policy of wrong\.test.*certificate-host-mismatch/ },
    'the policy holds over a restart, though its record and its host are gone',
  )
  t.match(await tried(agent, 'hal@good.test'), { status: 'delivered' })
  t.same(await postfix.mail('ben'), [])
})

t.test(
  'a signed zone says which certificate is genuine, and nobody else',
  allPeers(postfixPeer(), signedZonePeers()),
  async (t) => {
    const dir = folder(t)
    const authority = createAuthority(dir)
    const own = authority.issue(['nobody.else'], EXPIRED)
    const postfix = await startPostfix(
      'peer.test',
      [...tlsOf(own), 'virtual_mailbox_domains = peer.test, changed.peer.test'],
      {
        services: () => [TLSMGR],
      },
    )
    t.teardown(() => postfix.stop())
    const pin = createHash('sha256').update(new X509Certificate(own.cert).raw).digest('hex')
    const unbound = await signedZone(
      t,
      `$TTL 300
@ SOA ns.peer.test. hostmaster.peer.test. 1 3600 600 86400 60
@ NS ns
ns A 127.0.0.1
@ MX 10 mx
mx A 127.0.0.1
_${postfix.port}._tcp.mx TLSA 3 0 1 ${pin}
changed MX 10 other
other A 127.0.0.1
_${postfix.port}._tcp.other TLSA 3 0 1 ${'00'.repeat(32)}
`,
    )
    const daemon = await startDaemon({
      'server.dns': unbound,
      'relay.port': String(postfix.port),
      'relay.allow_private_addresses': 'true',
    })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'ada.agent')
    t.match(await tried(agent, 'ada@peer.test'), { status: 'delivered' }, 'neither its name nor its dates count')
    t.match(String((await postfix.nextMail('ada'))[0]), /using TLSv1\.\d/)
    t.match(await tried(agent, 'ben@changed.peer.test'), {
      status: 'deferred',
      detail:
        /^4\.7\.5 other\.peer\.test .*the TLSA records of other\.peer\.test.*DANE: the certificate matches no TLSA record/,
    })
    t.match(await tried(agent, 'cid@peer.test', { require_tls: true }), { status: 'bounced', detail: /^5\.7\.30 / })
    t.same([await postfix.mail('ben'), await postfix.mail('cid')], [[], []])
    await daemon.end('SIGTERM')
    const found = await countsOf(daemon)
    t.match(found['peer.test'], [{ policy: { type: 'tlsa', strings: [`3 0 1 ${pin}`] }, failures: 0 }])
    t.match(found['changed.peer.test'], [{ policy: { type: 'tlsa' }, details: [{ type: 'validation-failure' }] }])
  },
)

/** What a daemon that has ended kept for the reports on TLS. */
async function countsOf(daemon: Daemon) {
  const store = await daemon.openStore()
  const clock = new ManualClock(Date.now() + 2 * DAY)
  const counts = createTlsCounts({ store, clock, isLocalDomain: () => false, log: captureLog().log })
  const found: Record<string, NonNullable<Awaited<ReturnType<typeof counts.counts>>>['policies']> = {}
  for (const day of await counts.endedDays())
    for (const domain of await counts.domains(day, undefined, 100))
      found[domain] = (await counts.counts(day, domain))?.policies ?? []
  await counts.stop()
  await store.close()
  return found
}
