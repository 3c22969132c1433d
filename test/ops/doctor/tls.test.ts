/** Certificates in files, and as servers show them. */
import { createServer as createPlain } from 'node:net'
import { createServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { showStartTls, showTls } from '../../../src/ops/doctor/probes.js'
import {
  checkOrders,
  checkServedCertificate,
  checkSmtpCertificate,
  checkWebCertificate,
} from '../../../src/ops/doctor/tls.js'
import { DAY } from '../../../src/lib/clock.js'
import { createAuthority, EXPIRED, opensslPeer } from '../../support/peers/certificates.js'
import { freePort, listenAnywhere } from '../../support/ports.js'

const NAME = 'mx.agents.example'

t.test('a certificate for STARTTLS: its name, dates, key and chain', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const roots = [authority.ca.trim()]
  const good = authority.issue([NAME])
  const check = (
    { cert, key } = good,
    {
      now = Date.now(),
      isEnforced = false,
      trusted = roots,
    }: { now?: number; isEnforced?: boolean; trusted?: string[] } = {},
  ) =>
    checkSmtpCertificate({
      hostname: NAME,
      files: { cert: Buffer.from(cert), key: Buffer.from(key) },
      now,
      isEnforced,
      roots: trusted,
    })
  // It is good for five days.
  t.match(check(), { state: 'warning', finding: /it expires in 4 days/ })
  t.match(check(authority.issue([NAME], { from: '20200101000000Z', to: '20400101000000Z' })), { state: 'ok' })
  t.match(check(good, { now: Date.now() - 30 * DAY }), { state: 'failed', finding: /valid only from/ })
  t.match(check(authority.issue([NAME], EXPIRED)), { state: 'failed', finding: /expired/ })
  t.match(check(authority.issue(['other.example'])), {
    state: 'failed',
    finding: /for DNS:other.example, and not for mx/,
  })
  t.match(check({ ...good, key: authority.issue([NAME]).key }), { state: 'failed', finding: /is not the key of/ })
  t.match(check({ ...good, key: 'nothing' }), { state: 'failed', finding: /tls_key can't be read/ })
  t.match(check({ ...good, cert: 'nothing' }), { state: 'failed', finding: /no certificate in PEM/ })
  t.match(check({ ...good, cert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }), {
    state: 'failed',
    finding: /can't be read as/,
  })
  t.match(check(good, { trusted: [] }), { state: 'warning', finding: /no public authority/ })
  t.match(check(good, { trusted: [], isEnforced: true }), { state: 'failed' })
  const missing = checkSmtpCertificate({ hostname: NAME, files: undefined, now: 0, isEnforced: false })
  t.match(missing, {
    state: 'warning',
    remedy: [{ file: 'tls.toml', text: /^acme = / }, { file: 'tls.toml' }, { text: /smtp\.tls_cert/ }],
  })
})

t.test('what the daemon shows after STARTTLS is what is on disk, or an old one', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const [shown, renewed] = [authority.issue([NAME]), authority.issue([NAME])]
  const server = new SMTPServer({ key: shown.key, cert: shown.cert, disableReverseLookup: true })
  server.on('error', () => undefined)
  const port = await listenAnywhere(server.server)
  t.teardown(() => server.close())
  const here = { host: '127.0.0.1', port }
  t.match(checkServedCertificate(Buffer.from(shown.cert), await showStartTls(here, NAME)), { state: 'ok' })
  t.match(checkServedCertificate(Buffer.from(renewed.cert), await showStartTls(here, NAME)), {
    state: 'warning',
    remedy: [{ text: 'systemctl reload restante' }],
  })
  const without = createPlain((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('220 x\r\n')
    socket.on('data', (line) => socket.write(String(line).startsWith('EHLO') ? '250-x\r\n250 SIZE\r\n' : '502 no\r\n'))
  })
  const plain = await listenAnywhere(without)
  t.teardown(() => without.close())
  t.match(
    checkServedCertificate(Buffer.from(shown.cert), await showStartTls({ host: '127.0.0.1', port: plain }, NAME)),
    {
      state: 'failed',
      finding: 'STARTTLS does not work: STARTTLS is answered with 502 no',
    },
  )
  t.match(checkServedCertificate(Buffer.from(shown.cert), undefined), { state: 'skipped' })
  t.match(checkServedCertificate(undefined, undefined), { state: 'skipped' })
})

t.test('the certificate of server.base_url, as browsers meet it', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const { key, cert } = authority.issue(['mail.agents.example'])
  const server = createServer({ key, cert })
  server.on('tlsClientError', () => undefined)
  const port = await listenAnywhere(server)
  t.teardown(() => server.close())
  const config = loadConfig({ set: [`server.base_url=https://mail.agents.example:${port}`] })
  const ask = (host: string, at: number) => showTls(host, at, '127.0.0.1')
  const now = Date.now()
  t.match(await checkWebCertificate(config, { now, ask }), {
    state: 'failed',
    finding: /browsers and agents refuse it/,
  })
  const trusted = async (host: string, at: number) => ({ ...(await ask(host, at)), wrong: undefined })
  t.match(await checkWebCertificate(config, { now, ask: trusted }), {
    state: 'warning',
    finding: /it expires in 4 days/,
  })
  t.match(await checkWebCertificate(config, { now: now - 60 * DAY, ask: trusted }), { state: 'ok' })
  const closed = loadConfig({ set: [`server.base_url=https://mail.agents.example:${await freePort()}`] })
  t.match(await checkWebCertificate(closed, { now, ask }), { state: 'failed', finding: /nothing listens there/ })
  t.match(await checkWebCertificate(loadConfig(), { now, ask }), { state: 'skipped' })
})

t.test('certificates by an authority: what is missing, and why', async (t) => {
  const one = (over: object) => ({ name: NAME, hasOne: true, error: null, ...over })
  const other = { name: 'mail.agents.example', hasOne: true, error: null }
  t.match(checkOrders([]), { state: 'skipped' })
  t.match(checkOrders([one({}), other]), { state: 'ok', finding: /mx\.agents\.example, mail\.agents\.example/ })
  t.match(checkOrders([one({ hasOne: false }), other]), { state: 'warning', finding: /yet for mx\.agents\.example$/ })
  t.match(checkOrders([one({ hasOne: false, error: 'no\naddress' }), other]), {
    state: 'failed',
    finding: /could be obtained for mx\.agents\.example \(no address\)$/,
    remedy: [{ text: 'restante certificate list' }, { text: 'restante certificate renew' }],
  })
  t.match(checkOrders([other, one({ error: 'busy' })]), {
    state: 'warning',
    finding: /old ones are still served: mx\S+ \(busy\)/,
  })

  const smtp = (error: string | null) =>
    checkSmtpCertificate({ hostname: NAME, files: undefined, acme: { error }, now: 0, isEnforced: false })
  const remedy = [{ kind: 'command', text: `restante certificate renew ${NAME}` }]
  t.match(smtp(null), { state: 'warning', finding: /from the authority yet/, remedy })
  t.match(smtp('busy'), {
    state: 'failed',
    finding: /could be obtained: busy; until then STARTTLS is not offered/,
    remedy,
  })
})
