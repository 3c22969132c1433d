/** Two daemons on one PostgreSQL database: one works, the other waits, and takes over when the first dies, stalls or stops. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { approvedAgent, request, type Answer } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'
import { startTcpProxy } from '../../support/peers/tcp-proxy.js'

t.test('a spare daemon takes over', { ...(await postgresPeer()), timeout: 240_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const settings = { 'store.url': postgres.url(), 'relay.smarthost': `127.0.0.1:${peer.port}` }
  const first = await startDaemon(settings)
  t.teardown(() => first.remove())
  const agent = await approvedAgent(first, 'ada.agent')

  const secondDir = t.testdir()
  /** Starts another daemon, with nothing of the first but the settings; it is ready once it works. */
  const spare = (): Promise<Daemon> => startDaemon({ ...settings, 'server.data_dir': secondDir })
  const call = (daemon: Daemon, method: string, path: string, body?: unknown): Promise<Answer> =>
    request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${agent.key}` })
  const subjects = async (daemon: Daemon): Promise<string[]> => {
    const { body } = await call(daemon, 'GET', '/v1/messages')
    return body.data.map(({ subject }: { subject: string }) => subject)
  }
  const send = async (daemon: Daemon, subject: string): Promise<void> => {
    const count = peer.mail.length
    const message = { to: ['carol@peer.test'], subject, text: 'Hello.' }
    t.equal((await call(daemon, 'POST', '/v1/send', message)).status, 202)
    await peer.count(count + 1)
    t.match(peer.mail.at(-1)?.raw.toString(), `Subject: ${subject}`)
  }
  await deliver(first.smtpPort, { to: [agent.address], subject: 'one', text: 'x' })
  await send(first, 'from the first')

  const starting = spare()
  // It must not work while the first does.
  const isReady = await Promise.race([starting.then(() => true), pause(3_000).then(() => false)])
  t.equal(isReady, false, 'it waits')
  await deliver(first.smtpPort, { to: [agent.address], subject: 'two', text: 'x' })
  await first.end('SIGKILL')
  const second = await starting
  t.teardown(() => second.remove())
  t.match(second.output(), /another daemon works on this database/)
  t.same((await subjects(second)).sort(), ['from the first', 'one', 'two'], 'what the first acknowledged is there')
  await deliver(second.smtpPort, { to: [agent.address], subject: 'three', text: 'x' })
  await send(second, 'from the second')

  const returning = first.start()
  await pause(1_000)
  // It stalls, and the other takes over; when it wakes up, it can commit nothing and ends.
  process.kill(second.pid(), 'SIGSTOP')
  await returning
  await deliver(first.smtpPort, { to: [agent.address], subject: 'four', text: 'x' })
  process.kill(second.pid(), 'SIGCONT')
  const late = await deliver(second.smtpPort, { to: [agent.address], subject: 'late', text: 'x' }).then(
    () => 'accepted',
    () => 'refused',
  )
  t.equal(late, 'refused', 'the one that was stalled accepts nothing')
  for (let tries = 0; tries < 100 && !/another daemon has taken over the database/.test(second.output()); tries++)
    await pause(100)
  t.match(second.output(), /another daemon has taken over the database; this one ends/)
  t.same((await subjects(first)).sort(), ['four', 'from the first', 'from the second', 'one', 'three', 'two'])

  const waiting = second.start()
  await pause(1_000)
  const stoppedAt = performance.now()
  t.equal(await first.end('SIGTERM'), 0)
  await waiting
  t.ok(performance.now() - stoppedAt < 9_000, 'one that stops is followed at once')
  await send(second, 'from the second again')

  // What a command changes in the database is used by the daemon at work, whose keys are there too.
  const dkim = async (...words: string[]): Promise<{ record_name: string; state: string }[]> =>
    JSON.parse((await second.cli('dkim', ...words, '--json')).stdout)
  const signature = (): string => /s=(r\d+(?:-\d+)?);/.exec(peer.mail.at(-1)?.raw.toString() ?? '')?.[1] ?? 'none'
  await send(second, 'signed')
  const [selector] = [signature()]
  t.match(await dkim('list'), [{ state: 'signs' }, { state: 'signs' }])
  await dkim('rotate', 'agents.test', '--now', '--yes')
  await send(second, 'signed anew')
  t.equal(signature(), `${selector}-2`)
  for (const dir of [first.dataDir, secondDir])
    t.same(readdirSync(join(dir, 'secrets')), ['admin_token'], 'there is no other secret on the disk')
  t.match(await second.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
})

t.test('the database goes away and comes back', { ...(await postgresPeer()), timeout: 120_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const proxy = await startTcpProxy(postgres.port)
  t.teardown(() => proxy.close())
  const url = postgres.url().replace(`:${postgres.port}/`, `:${proxy.port}/`)
  const daemon = await startDaemon({ 'store.url': url, 'relay.outbound': 'off' })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'before', text: 'x' })

  proxy.refuse(true)
  const refused = await deliver(daemon.smtpPort, { to: [agent.address], subject: 'meanwhile', text: 'x' }).catch(
    (error: unknown) => error,
  )
  t.match(refused, { responseCode: 451 })
  const answer = await agent.call('POST', '/v1/send', { to: ['carol@peer.test'], subject: 'x', text: 'x' })
  t.match(answer, { status: 503, body: { error: { code: 'unavailable' } } })

  proxy.refuse(false)
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'after', text: 'x' })
  const { body } = await agent.call('GET', '/v1/messages')
  t.same(body.data.map(({ subject }: { subject: string }) => subject).sort(), ['after', 'before'])
})
