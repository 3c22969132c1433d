/** An operator asks the doctor: before the first start, with everything in its place, and with something broken; and so does monitoring. */
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { z } from 'zod'
import { reportSchema, type Result } from '../../../src/ops/doctor/types.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'

const DOMAIN = 'agents.test'
const HOST = 'mx.agents.test'

const findings = (text: string) => reportSchema.parse(JSON.parse(text)).checks
const stateOf = (checks: Result[], id: string) => checks.filter((check) => check.id === id).map(({ state }) => state)

t.test('the doctor, with a daemon and without', async (t) => {
  const dns = await startDnsServer({
    org: { MX: [], signed: true },
    [DOMAIN]: { MX: [{ priority: 10, exchange: HOST }], TXT: ['v=spf1 mx -all'] },
    [HOST]: { A: ['127.0.0.1'], TXT: ['v=spf1 a -all'] },
    '1.0.0.127.in-addr.arpa': { PTR: [HOST] },
    [`_dmarc.${DOMAIN}`]: { TXT: ['v=DMARC1; p=reject'] },
    [`_smtp._tls.${DOMAIN}`]: { TXT: [`v=TLSRPTv1; rua=mailto:tls-reports@${DOMAIN}`] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'domains.names': DOMAIN,
    'domains.hostname': HOST,
    'relay.allow_private_addresses': 'true',
    'identity.operator': 'ada@example.com',
  })
  t.teardown(() => daemon.remove())
  const keys = z
    .array(z.object({ record_name: z.string(), record_value: z.string() }))
    .parse(JSON.parse((await daemon.cli('dkim', 'list', '--json')).stdout))
  for (const { record_name: name, record_value: value } of keys) dns.set(name, 'TXT', [value])

  await t.test('with everything in its place it ends with 0, and --strict with 1 for what is advised', async (t) => {
    const { code, stdout, stderr } = await daemon.cli('doctor', '--json')
    const checks = findings(stdout)
    t.same(
      checks.filter(({ state }) => state === 'failed'),
      [],
    )
    t.equal(code, 0, stderr)
    t.ok(new Set(checks.map(({ id }) => id)).size >= 20, `${checks.length} findings`)
    for (const id of ['files.lock', 'files.secrets', 'machine.daemon', 'resolver.answers', 'resolver.dnssec'])
      t.same(stateOf(checks, id), ['ok'], id)
    for (const id of [
      'dns.addresses',
      'dns.reverse',
      'dns.mx',
      'dns.dmarc',
      'dns.tls_rpt',
      'mail.queue',
      'mail.operator',
    ])
      t.same(stateOf(checks, id), ['ok'], id)
    t.same(stateOf(checks, 'dns.dkim'), ['ok', 'ok'])
    // It takes no mail at port 25, and has no certificate.
    t.same(stateOf(checks, 'network.inward'), ['warning'])
    t.same(stateOf(checks, 'tls.smtp'), ['warning'])
    t.equal((await daemon.cli('doctor', '--strict')).code, 1)
  })

  await t.test('what is broken is named with what to do about it, last, and ends with 1', async (t) => {
    dns.remove(`_dmarc.${DOMAIN}`)
    dns.set('1.0.0.127.in-addr.arpa', 'PTR', ['vps.provider.test'])
    const secret = join(daemon.dataDir, 'secrets/web_key')
    chmodSync(secret, 0o644)
    const { code, stdout } = await daemon.cli('doctor')
    t.equal(code, 1)
    const [, todo = ''] = stdout.split('To do')
    t.match(todo, `FAILED   files.secrets (${secret})`)
    t.match(todo, `    run      chmod 600 ${secret}`)
    t.match(
      todo,
      `    publish  _dmarc.${DOMAIN}. IN TXT ( "v=DMARC1; p=quarantine; rua=mailto:dmarc-reports@${DOMAIN}" )`,
    )
    t.match(todo, /FAILED {3}dns\.reverse \(127\.0\.0\.1\): its reverse name is vps\.provider\.test/)
    t.ok(todo.indexOf('warning  ') < todo.indexOf('FAILED  '), 'the worst stands above the prompt')
    t.notMatch(stdout, '\u001b', 'no colours where nobody sees them')
    chmodSync(secret, 0o600)
  })

  await t.test('monitoring asks the admin listener, with its token; strangers are refused', async (t) => {
    const admin = /"admin":"([^"]+)"/.exec(daemon.output())?.[1] ?? ''
    const token = readFileSync(join(daemon.dataDir, 'secrets/admin_token'), 'utf8').trim()
    const get = (path: string, authorization: string) => fetch(`http://${admin}${path}`, { headers: { authorization } })
    t.equal((await get('/doctor', 'Bearer wrong')).status, 401)
    t.equal((await get('/doctor/facts', '')).status, 401)
    const first = await get('/doctor', `Bearer ${token}`)
    t.equal(first.status, 200)
    const report = reportSchema.parse(await first.json())
    t.same(stateOf(report.checks, 'dns.dmarc'), ['failed'])
    t.same(stateOf(report.checks, 'network.outward'), ['skipped'])
    const asked = dns.queries.length
    t.same(await (await get('/doctor', `Bearer ${token}`)).json(), report)
    t.equal(dns.queries.length, asked, 'within a minute nothing is asked again')
  })

  await t.test('without the daemon, what only that knows is skipped, and says why', async (t) => {
    await daemon.end('SIGTERM')
    const { stdout } = await daemon.cli('doctor', '--json')
    const checks = findings(stdout)
    for (const id of [
      'machine.daemon',
      'machine.open_files',
      'mail.queue',
      'mail.held',
      'mail.webhooks',
      'mail.paused',
    ])
      t.match(
        checks.filter((check) => check.id === id),
        [{ state: 'skipped', finding: /The daemon can't be reached at .* \(server.admin\): nobody listens there/ }],
      )
    t.same(stateOf(checks, 'dns.mx'), ['ok'], 'the rest is looked at')
  })
})
