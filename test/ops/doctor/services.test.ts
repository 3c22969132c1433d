/** What is asked beside DNS: clamd, rspamd, providers, and the mail of the daemon itself. */
import { createServer } from 'node:http'
import t from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import type { Facts } from '../../../src/ops/doctor/facts.js'
import {
  checkHeld,
  checkOperator,
  checkPaused,
  checkQueue,
  checkReports,
  checkWebhooks,
} from '../../../src/ops/doctor/mail.js'
import { askHttp } from '../../../src/ops/doctor/probes.js'
import {
  checkBaseUrl,
  checkBlobs,
  checkClamav,
  checkProviders,
  checkRspamd,
  type Asked,
} from '../../../src/ops/doctor/services.js'
import { DAY, HOUR, timestamp } from '../../../src/lib/clock.js'
import { freePort, listenAnywhere } from '../../support/ports.js'

const NOW = Date.UTC(2026, 10, 22, 12)

t.test('the bucket of blobs can be listed, or what is wrong is said', async (t) => {
  const { blobs } = loadConfig({ set: ['blobs.url=s3://mail/restante'] })
  t.match(checkBlobs(loadConfig().blobs, undefined), { state: 'skipped' })
  t.match(checkBlobs(blobs, undefined), { state: 'ok', finding: /s3:\/\/mail\/restante can be listed/ })
  t.match(checkBlobs(blobs, 'There is no such bucket'), { state: 'failed', finding: /There is no such bucket/ })
})

t.test('clamd answers with signatures that are not old', async (t) => {
  const { scan } = loadConfig({ set: ['scan.clamav=/run/clamav/clamd.ctl'] })
  const says = (text: string) => checkClamav(scan, { text }, NOW)
  t.match(says('ClamAV 1.4.3/27830/Sun Nov 22 08:26:12 2026'), { state: 'ok' })
  t.match(says('ClamAV 1.4.3/27800/Sat Nov  7 08:26:12 2026'), { state: 'warning', finding: /15 days old/ })
  t.match(says('ClamAV 1.4.3'), { state: 'warning', finding: /does not report the age/ })
  t.match(checkClamav(scan, { problem: 'ENOENT' }, NOW), {
    state: 'failed',
    finding: /mail is deferred/,
    remedy: [{ text: 'systemctl enable --now clamav-daemon clamav-freshclam' }],
  })
  t.match(checkClamav(loadConfig().scan, undefined, NOW), { state: 'skipped' })
})

t.test('rspamd says pong', async (t) => {
  const { scan } = loadConfig({ set: ['scan.rspamd=127.0.0.1:11333'] })
  t.match(checkRspamd(scan, { text: 'pong\r\n' }), { state: 'ok' })
  t.match(checkRspamd(scan, { text: '<html>' }), { state: 'failed' })
  t.match(checkRspamd(scan, { problem: 'nobody listens there' }), { state: 'failed' })
  t.match(checkRspamd(loadConfig().scan, undefined), { state: 'skipped' })
})

t.test('a provider answers and names itself as the settings do', async (t) => {
  const server = createServer((request, response) => {
    const port = request.socket.localPort ?? 0
    if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: `http://127.0.0.1:${port}` }))
    else response.writeHead(404).end()
  })
  const port = await listenAnywhere(server)
  t.teardown(() => server.close())
  const check = async (change: Record<string, string>) => {
    const config = loadConfig()
    const common = {
      id: 'here',
      kind: 'oidc' as const,
      name: 'Here',
      client_id: 'x',
      client_secret_file: '',
      trust_email: false,
    }
    const provider = { ...common, issuer: `http://127.0.0.1:${port}`, url: '', api_url: '', ...change }
    config.identity.providers.push(provider)
    const [found] = await checkProviders(config, (url) => askHttp(url, '127.0.0.1', true))
    return found
  }
  t.match(await check({}), { state: 'ok', subject: 'here' })
  t.match(await check({ issuer: `http://127.0.0.1:${port}/` }), { state: 'failed', finding: /calls itself http:/ })
  t.match(await check({ issuer: `http://127.0.0.1:${await freePort()}` }), {
    state: 'failed',
    finding: /nobody can sign in/,
  })
  t.match(await checkProviders(loadConfig(), () => Promise.reject(new Error('somebody is asked'))), [
    { state: 'ok', finding: /claim approve/ },
  ])
})

t.test('server.base_url leads to the daemon', async (t) => {
  const config = loadConfig({ set: ['server.base_url=https://mail.example.com'] })
  t.match(checkBaseUrl(config, { text: '{"status":"ready","disk":"ok"}' }), { state: 'ok' })
  t.match(checkBaseUrl(config, { text: 'Welcome to nginx' }), { state: 'failed', finding: /another server/ })
  t.match(checkBaseUrl(config, { problem: 'status 502' }), { state: 'failed' })
  t.match(checkBaseUrl(config, undefined), { state: 'skipped' })
  t.match(checkBaseUrl(loadConfig(), { text: '' } satisfies Asked), { state: 'skipped' })
})

const FACTS: Facts = {
  version: '1.0.0',
  pid: 1,
  uid: 1,
  node: 'v20.20.0',
  http_driver: 'uws',
  systemd: true,
  open_files_limit: null,
  memory_limit_bytes: null,
  memory_bytes: 1,
  queue: { tasks: 0, held: 0, oldest_queued_at: null, paused: 0 },
  review: { held: 0, oldest_held_at: null },
  webhooks_disabled: 0,
  operator_addresses_taken: [],
}

t.test('mail that waits too long, for the network or for a person', async (t) => {
  const queue = (age: number) => ({
    ...FACTS,
    queue: { ...FACTS.queue, tasks: 3, oldest_queued_at: timestamp(NOW - age) },
  })
  t.equal(checkQueue(FACTS, NOW, '').state, 'ok')
  t.match(checkQueue(queue(HOUR), NOW, ''), { state: 'ok', finding: '3 tasks wait, the oldest for 1 h' })
  t.match(checkQueue(queue(13 * HOUR), NOW, ' --config /etc/restante'), {
    state: 'warning',
    remedy: [{ kind: 'command', text: 'restante queue list --config /etc/restante' }],
  })
  const held = (age: number) => ({ ...FACTS, review: { held: 2, oldest_held_at: timestamp(NOW - age) } })
  t.same(
    [FACTS, held(HOUR), held(2 * DAY)].map((facts) => checkHeld(facts, NOW, '').state),
    ['ok', 'ok', 'warning'],
  )
  t.equal(checkPaused(FACTS, '').state, 'ok')
  t.equal(checkPaused({ ...FACTS, queue: { ...FACTS.queue, paused: 2 } }, '').state, 'warning')
  t.equal(checkWebhooks(FACTS, '').state, 'ok')
  t.equal(checkWebhooks({ ...FACTS, webhooks_disabled: 1 }, '').state, 'warning')
})

t.test('somebody reads what comes for postmaster', async (t) => {
  const named = loadConfig({ set: ['identity.operator=ada@example.com'] })
  t.match(checkOperator(named, FACTS), { state: 'ok', finding: /ada@example.com/ })
  t.match(checkOperator(loadConfig(), undefined), {
    state: 'warning',
    remedy: [{ kind: 'setting', file: 'identity.toml' }, {}],
  })
  t.match(checkOperator(named, { ...FACTS, operator_addresses_taken: ['abuse@a.example'] }), { state: 'failed' })
})

t.test('what others report of our own mail and TLS is told with what they say', (t) => {
  const told = (reports: Facts['reports']) => checkReports({ reports } as Facts, ' --config /etc/restante')
  t.match(told(undefined), { state: 'skipped' })
  t.match(told({ reports: 0, own_failing: [], tls_failing: [] }), { state: 'skipped' })
  t.match(told({ reports: 3, own_failing: [], tls_failing: [] }), { state: 'ok', finding: /^3 reports/ })
  t.match(
    told({
      reports: 3,
      own_failing: [{ domain: 'agents.test', ip: '192.0.2.1', messages: 4 }],
      tls_failing: [{ domain: 'agents.test', sessions: 2, types: ['certificate-expired'] }],
    }),
    {
      state: 'warning',
      finding:
        /4 messages of agents\.test from our own 192\.0\.2\.1 failed DMARC; 2 sessions to agents\.test failed TLS \(certificate-expired\)/,
      remedy: [{ text: 'restante reports --config /etc/restante' }],
    },
  )
  t.end()
})
