/** Two daemons on one database, with nothing in common but the settings and the key, sign and seal alike. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { approvedAgent, request, solve } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { startS3Server } from '../../support/peers/s3-server.js'
import { deliver } from '../../support/peers/smtp.js'

t.test('two daemons share their secrets', { ...(await postgresPeer()), timeout: 120_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const bucket = await startS3Server()
  t.teardown(() => bucket.stop())
  const credentials = join(t.testdir({}), 'credentials')
  writeFileSync(credentials, 'aws_access_key_id = AKIATEST\naws_secret_access_key = secret\n')
  const settings = {
    'store.url': postgres.url(),
    'relay.smarthost': `127.0.0.1:${peer.port}`,
    'blobs.url': 's3://bucket/large',
    'blobs.endpoint': bucket.endpoint.origin,
    'blobs.path_style': 'true',
    'blobs.credentials_file': credentials,
  }
  const start = async (): Promise<Daemon> => {
    const daemon = await startDaemon(settings)
    t.teardown(() => daemon.remove())
    return daemon
  }
  const one = await start()
  const two = await start()

  interface Key {
    record_name: string
    state: string
  }
  const keysOf = async (daemon: Daemon): Promise<Key[]> =>
    JSON.parse((await daemon.cli('dkim', 'list', '--json')).stdout)
  const keys = await keysOf(one)
  t.equal(keys.length, 2, 'one key of each algorithm')
  t.same(await keysOf(two), keys)
  for (const { dataDir } of [one, two]) t.same(readdirSync(join(dataDir, 'secrets')), ['admin_token'])

  await t.test('a challenge of one is answered to the other', async (t) => {
    const { body } = await request(`${one.url}/v1/claim/challenge`, 'GET')
    const { challenge, difficulty } = body
    const nonce = solve(challenge, difficulty)
    t.match(await request(`${two.url}/v1/claim`, 'POST', { challenge, nonce, name: 'bob.agent', agent_name: 'x' }), {
      status: 201,
    })
  })

  const agent = await approvedAgent(one, 'ada.agent')
  async function send(): Promise<{ from: string; selectors: string[] }> {
    const count = peer.mail.length
    const message = { to: ['carol@peer.test'], subject: 'Hello', text: 'Hello.' }
    t.equal((await agent.call('POST', '/v1/send', message)).status, 202)
    await peer.count(count + 1)
    const { from = '', raw = '' } = peer.mail.at(-1) ?? {}
    const selectors = [...raw.toString().matchAll(/\bs=([re]\d+(?:-\d+)?);/g)].map(([, selector = '']) => selector)
    return { from, selectors: selectors.sort() }
  }

  await t.test('a return path that one made is known to the other, and no other', async (t) => {
    const { from } = await send()
    t.match(await deliver(two.smtpPort, { from: '<>', to: [from], subject: 'Undelivered', text: 'x' }), /^250/)
    await t.rejects(deliver(two.smtpPort, { from: '<>', to: [from.replace(/.@/, '@')], subject: 'x', text: 'x' }))
  })

  await t.test('new keys, made on one machine, sign the mail of both within seconds', async (t) => {
    const before = await send()
    t.equal(before.selectors.length, 2)
    t.match(await two.cli('dkim', 'rotate', 'agents.test', '--now', '--yes'), { code: 0 })
    const wanted = before.selectors.map((selector) => `${selector}-2`)
    let after = before
    for (let tries = 0; tries < 40 && after.selectors.join() !== wanted.join(); tries++) {
      await pause(250)
      after = await send()
    }
    t.same(after.selectors, wanted)
  })
})
