/** A fresh server has its certificates made out by a real authority, shows them to mail servers and browsers without a restart, and renews them. */
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import t from 'tap'
import { readAdminToken } from '../../../src/config/secrets.js'
import { DAY } from '../../../src/lib/clock.js'
import { startDaemon } from '../../support/daemon.js'
import { createPebble, pebblePeer } from '../../support/peers/pebble.js'
import { freePort } from '../../support/ports.js'

const [HOST, MAIL, ELSEWHERE] = ['mx.agents.example', 'mail.agents.example', 'elsewhere.agents.example']
const POLICY = 'mta-sts.agents.test'

/** What is shown after STARTTLS; undefined when it is not offered. */
async function shown(port: number) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'data')
    for (const word of ['EHLO peer.test', 'STARTTLS']) {
      socket.write(`${word}\r\n`)
      const [answer] = await once(socket, 'data')
      if (!String(answer).startsWith('2')) return undefined
    }
    const tls = connectTls({ socket, servername: HOST, rejectUnauthorized: false })
    await once(tls, 'secureConnect')
    return tls.getPeerX509Certificate()
  } finally {
    socket.destroy()
  }
}

/** Of an answer over HTTPS: the certificate by which it came, its status and a header. */
async function overHttps(port: number, path: string, servername = HOST) {
  const tls = connectTls({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  try {
    await once(tls, 'secureConnect')
    tls.write(`GET ${path} HTTP/1.1\r\nHost: ${servername}\r\n\r\n`)
    const [answer] = await once(tls, 'data')
    return { certificate: tls.getPeerX509Certificate(), answer: String(answer) }
  } finally {
    tls.destroy()
  }
}

t.test('certificates from an authority', pebblePeer(), async (t) => {
  const pebble = await createPebble(t.testdir())
  t.teardown(() => pebble.stop())
  const admin = `127.0.0.1:${await freePort()}`
  const [web, plain] = [await freePort(), await freePort()]
  const daemon = await startDaemon({
    'server.dns': pebble.dns,
    'server.admin': admin,
    'server.https': `127.0.0.1:${web}`,
    'server.redirect': `127.0.0.1:${plain}`,
    'domains.hostname': HOST,
    'tls.acme': pebble.directory,
    'tls.acme_terms_agreed': 'true',
    'tls.acme_ca_file': pebble.caFile,
    'tls.names': `${ELSEWHERE},${MAIL}`,
  })
  t.teardown(() => daemon.remove())
  const listed = async () => JSON.parse((await daemon.cli('certificate', 'list', '--json')).stdout)

  await t.test('an authority that is down holds up nothing, and is remembered', async (t) => {
    // The first order is placed when it is ready.
    let entries = await listed()
    while (entries.some((entry: { tried_at: unknown }) => entry.tried_at === null)) entries = await listed()
    for (const entry of entries)
      t.match(entry, {
        source: 'acme',
        not_after: null,
        error: /gives no answer .*ECONNREFUSED.* Check the address in tls\.acme/,
      })
    t.equal(await shown(daemon.smtpPort), undefined, 'STARTTLS is not offered')
    await t.rejects(overHttps(web, '/healthz'), { code: 'ECONNREFUSED' }, 'HTTPS waits for the first one')
    t.match((await daemon.cli('certificate', 'list')).stdout, /^mx\.agents\.example +acme +in 15m/m)
  })

  await t.test('three names get theirs, and one that leads elsewhere takes them not down', async (t) => {
    await pebble.start(plain)
    await pebble.setAddress(ELSEWHERE, '127.0.0.2')
    const { code, stdout } = await daemon.cli('certificate', 'renew', '--json')
    t.equal(code, 1)
    t.match(JSON.parse(stdout), [
      { name: HOST, names: [HOST], issuer: /^Pebble Intermediate CA/, error: null },
      { name: POLICY, names: [POLICY], error: null },
      { name: ELSEWHERE, names: [], error: /Port 80 of the name has to reach this host/ },
      { name: MAIL, names: [MAIL], error: null },
    ])
    const folder = join(daemon.dataDir, 'certificates')
    t.same((await readdir(folder)).sort(), ['accounts', ELSEWHERE, MAIL, HOST, POLICY].sort())
    t.equal((await stat(join(folder, HOST, 'pair.pem'))).mode & 0o777, 0o600)
    t.equal((await readdir(join(folder, 'accounts'))).length, 1)
    const token = await readAdminToken(daemon.dataDir)
    const answer = await fetch(`http://${admin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const metrics = await answer.text()
    t.match(metrics, /^restante_certificate_expiry_timestamp_seconds\{name="mx\.agents\.example"\} [1-9]\d{9}$/m)
    t.match(metrics, /^restante_certificate_expiry_timestamp_seconds\{name="elsewhere\.agents\.example"\} 0$/m)
    t.match(metrics, /^restante_certificate_orders_total\{outcome="ok"\} 3$/m)
  })

  await t.test('the next STARTTLS shows it, and a renewed one, without a restart', async (t) => {
    const first = await shown(daemon.smtpPort)
    t.equal(first?.subjectAltName, `DNS:${HOST}`)
    t.match(await daemon.cli('certificate', 'renew', HOST), { code: 0 })
    const second = await shown(daemon.smtpPort)
    t.equal(second?.subjectAltName, `DNS:${HOST}`)
    t.not(second?.serialNumber, first?.serialNumber)
    t.same(second?.publicKey, first?.publicKey, 'of the same key')
    const { certificate, answer } = await overHttps(web, '/healthz')
    t.equal(certificate?.serialNumber, second?.serialNumber, 'HTTPS shows it too')
    t.match(answer, /^HTTP\/1\.1 200 [^]*\r\nStrict-Transport-Security: max-age=31536000\r\n/i)
    const policy = await overHttps(web, '/.well-known/mta-sts.txt', POLICY)
    t.equal(policy.certificate?.subjectAltName, `DNS:${POLICY}`, 'each host has its own')
    t.match(policy.answer, /\r\n\r\nversion: STSv1\r\n/)
    const there = await fetch(`http://127.0.0.1:${plain}/healthz`, { redirect: 'manual' })
    t.equal(there.status, 404, 'who names no host of ours is sent nowhere')
    t.match(await daemon.cli('certificate', 'renew', 'other.example'), {
      code: 1,
      stderr: /No certificate for other\.example/,
    })
  })

  await t.test('it is renewed by itself when it comes near its end', async (t) => {
    const before = await shown(daemon.smtpPort)
    const lifetime = Date.parse(before?.validTo ?? '') - Date.parse(before?.validFrom ?? '')
    await daemon.end('SIGTERM')
    await daemon.start(Math.ceil((lifetime * 2) / 3) + DAY)
    let after = await shown(daemon.smtpPort)
    t.ok(after, 'one is shown from the start on')
    while (after?.serialNumber === before?.serialNumber) after = await shown(daemon.smtpPort)
    t.same(after?.publicKey, before?.publicKey)
    t.match(daemon.output(), /"name":"mail\.agents\.example".*"certificate obtained"/)
  })
})
