/** Several daemons that work on one PostgreSQL database: all of them take mail and requests, and others go on when one dies, stalls or stops. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { NodeStatus } from '../../../src/cluster/status.js'
import { SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { approvedAgent, request, waitForEvent, type Answer } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startCluster } from '../../support/nodes.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'
import { startTcpProxy } from '../../support/peers/tcp-proxy.js'
import { startReceiver } from '../../support/peers/webhook-receiver.js'

/** Of an archive, in bytes. */
const PIECE = 8 * 1024 * 1024
/** Enough that tasks of both nodes are among them. */
const MANY = 8

t.test('nodes work side by side, and for each other', { ...(await postgresPeer()), timeout: 300_000 }, async (t) => {
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const cluster = await startCluster({
    'relay.smarthost': `127.0.0.1:${peer.port}`,
    'webhooks.allow_http': 'true',
    'webhooks.allow_private_addresses': 'true',
    'webhooks.ports': String(new URL(receiver.url).port),
    'limits.new_recipients_per_day': '1000',
  })
  t.teardown(() => cluster.stop())
  const first = await cluster.add()
  const agent = await approvedAgent(first, 'ada.agent')
  const second = await cluster.add()

  const call = (daemon: Daemon, method: string, path: string, body?: unknown): Promise<Answer> =>
    request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${agent.key}` })
  const subjects = async (daemon: Daemon): Promise<string[]> => {
    const { body } = await call(daemon, 'GET', '/v1/messages?limit=100')
    return body.data.map(({ subject }: { subject: string }) => subject).sort()
  }
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await pause(50)
  }
  const sent: string[] = []
  /** Sends by this node, whichever relays it. */
  const send = async (daemon: Daemon, subject: string): Promise<void> => {
    for (let n = 1; n <= MANY; n++) {
      const message = { to: [`carol${n}@peer.test`], subject: `${subject} ${n}`, text: 'Hello.' }
      t.equal((await call(daemon, 'POST', '/v1/send', message)).status, 202)
      sent.push(`${subject} ${n}`)
    }
  }
  const arrived = (): string[] =>
    peer.mail.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.toString())?.[1]?.trim() ?? '').sort()
  const allArrive = async (): Promise<void> => {
    await until(() => new Set(arrived()).size === sent.length)
    t.same([...new Set(arrived())], [...sent].sort())
  }

  await t.test('what one takes, all have', async (t) => {
    await deliver(first.smtpPort, { to: [agent.address], subject: 'to the first', text: 'x' })
    await deliver(second.smtpPort, { to: [agent.address], subject: 'to the second', text: 'x'.repeat(200_000) })
    t.same(await subjects(first), ['to the first', 'to the second'])
    t.same(await subjects(second), ['to the first', 'to the second'])
    const { body } = await call(first, 'GET', '/v1/messages?subject=second&limit=1')
    const large = await call(first, 'GET', `/v1/messages/${body.data[0].id}`)
    t.equal(large.status, 200, 'its large body is in the bucket')
  })

  await t.test('mail leaves by the node that has its shard', async () => {
    await send(first, 'by the first')
    await send(second, 'by the second')
    await allArrive()
    t.equal(peer.mail.length, sent.length, 'each once')
  })

  await t.test('whoever waits on one node is woken by another', async (t) => {
    const { body } = await call(first, 'GET', '/v1/events?after=0&limit=100')
    const waiting = call(first, 'GET', `/v1/events?after=${body.next_after}&wait=20&types=message.received`)
    await pause(500)
    await deliver(second.smtpPort, { to: [agent.address], subject: 'wake up', text: 'x' })
    const woken = await waiting
    t.match(woken.body.data, [{ type: 'message.received' }])
  })

  await t.test('webhooks are delivered once, in order, whichever node makes the event', async (t) => {
    const made = await call(second, 'POST', '/v1/webhooks', { url: receiver.url, events: ['message.received'] })
    t.equal(made.status, 201, JSON.stringify(made.body))
    for (let n = 0; n < 4; n++)
      await deliver((n % 2 ? first : second).smtpPort, { to: [agent.address], subject: `hook ${n}`, text: 'x' })
    await receiver.count(4)
    await pause(300)
    const seqs = receiver.seqs()
    t.same(
      seqs,
      [...new Set(seqs)].sort((a, b) => a - b),
    )
  })

  await t.test('a node that is killed is replaced within seconds', async (t) => {
    await send(first, 'before the kill')
    await first.end('SIGKILL')
    await deliver(second.smtpPort, { to: [agent.address], subject: 'after the kill', text: 'x' })
    await send(second, 'after the kill')
    await allArrive()
    t.match(second.output(), /shows no sign of life/)
    await first.start()
  })

  await t.test('one that stalled commits nothing when it wakes up', async (t) => {
    process.kill(second.pid(), 'SIGSTOP')
    for (let tries = 0; tries < 300 && !/shows no sign of life/.test(first.output()); tries++) await pause(100)
    await send(first, 'meanwhile')
    await allArrive()
    process.kill(second.pid(), 'SIGCONT')
    const late = await deliver(second.smtpPort, { to: [agent.address], subject: 'late', text: 'x' }).then(
      () => 'accepted',
      () => 'refused',
    )
    t.equal(late, 'refused')
    for (let tries = 0; tries < 100 && !/others have taken over its work/.test(second.output()); tries++)
      await pause(100)
    t.match(second.output(), /others have taken over its work/)
    await second.start()
  })

  await t.test('a node does what its roles say', async (t) => {
    const third = await cluster.add({ 'server.roles': 'api', 'server.node': 'front' })
    await t.rejects(deliver(third.smtpPort, { to: [agent.address], subject: 'x', text: 'x' }), { code: /^E/ })
    await send(third, 'by one that relays nothing')
    await allArrive()
    const { code, stdout } = await first.cli('cluster', 'status', '--json')
    const status = JSON.parse(stdout)
    t.equal(code, 0)
    t.same(
      status.nodes.map(({ name, roles, shards }: NodeStatus) => [name, roles.length, shards.relay.length > 0]),
      [
        ['front', 1, false],
        ['node1', 4, true],
        ['node2', 4, true],
      ],
    )
    t.same(status.free_shards, { relay: [], jobs: [] })
    t.equal(await third.end('SIGTERM'), 0)
    const fourth = await cluster.add({ 'server.roles': 'mx' })
    await deliver(fourth.smtpPort, { to: [agent.address], subject: 'to one without an API', text: 'x' })
    t.equal((await call(fourth, 'GET', '/v1/messages')).status, 404)
    t.ok((await subjects(first)).includes('to one without an API'))
    t.equal(await fourth.end('SIGTERM'), 0)
  })

  await t.test('one with another bucket is refused, and leaves no trace', async (t) => {
    const refused = await cluster.add({ 'blobs.url': 's3://restante/other' }).then(
      () => '',
      (error: unknown) => String(error),
    )
    t.match(refused, /blobs\.url: the daemon node\d on the same database has "s3:\/\/restante\/mail"/)
    t.notMatch(refused, /could not be shared out/)
    const { stdout } = await first.cli('cluster', 'status', '--json')
    const status = JSON.parse(stdout)
    t.same(
      status.nodes.map(({ name }: NodeStatus) => name),
      ['node1', 'node2'],
      'none that the others would find dead later',
    )
    t.match(status, {
      form: SCHEMA_VERSION,
      upgrade: null,
      nodes: [{ knows: SCHEMA_VERSION }, { knows: SCHEMA_VERSION }],
    })
    const { stdout: text } = await first.cli('cluster', 'status')
    t.match(text, `What is stored has form ${SCHEMA_VERSION}.`)
  })

  await t.test('one that stops leaves its work at once', async (t) => {
    await send(second, 'at the end')
    t.equal(await second.end('SIGTERM'), 0)
    await allArrive()
    t.notOk((await subjects(first)).includes('late'))
  })
  t.equal(await first.end('SIGTERM'), 0)
  t.match(await first.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
})

t.test(
  'an export that one node has built is downloaded from another',
  { ...(await postgresPeer()), timeout: 120_000 },
  async (t) => {
    const cluster = await startCluster({ 'relay.outbound': 'off' })
    t.teardown(() => cluster.stop())
    const first = await cluster.add()
    const agent = await approvedAgent(first, 'ada.agent')
    const second = await cluster.add({ 'server.roles': 'mx,api' })
    const content = randomBytes(4_000_000)
    for (let n = 0; n < 3; n++)
      await deliver(second.smtpPort, {
        to: [agent.address],
        subject: `no. ${n}`,
        attachments: [{ filename: 'x', content }],
      })
    const asked = await agent.call('POST', '/v1/account/export', {})
    t.equal(asked.status, 202)
    await waitForEvent(agent, ({ type }) => type === 'export.ready')
    const ready = (await agent.call('GET', `/v1/account/exports/${asked.body.id}`)).body
    const read = async (daemon: Daemon, headers: Record<string, string> = {}): Promise<[number, Buffer]> => {
      const answer = await fetch(`${daemon.url}${new URL(ready.download_url).pathname}`, { headers })
      return [answer.status, Buffer.from(await answer.arrayBuffer())]
    }
    const [, whole] = await read(first)
    t.equal(whole.length, ready.size_bytes)
    t.ok(whole.length > PIECE)

    await first.end('SIGKILL')
    const [status, bytes] = await read(second)
    t.equal(status, 200)
    t.ok(bytes.equals(whole))
    const range = { start: PIECE - 1000, end: PIECE + 1000 }
    const [partial, part] = await read(second, { range: `bytes=${range.start}-${range.end}` })
    t.equal(partial, 206)
    t.ok(part.equals(whole.subarray(range.start, range.end + 1)))
    await second.end('SIGTERM')
    t.match(await second.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
  },
)

t.test('the database goes away and comes back', { ...(await postgresPeer()), timeout: 180_000 }, async (t) => {
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
  const said = /the database cannot be reached; mail is refused, and work goes on when it is back/
  for (; !said.test(daemon.output()); await pause(100)) await fetch(`${daemon.url}/healthz`)
  t.notMatch(daemon.output(), /restante verify/, 'nothing is wrong with what is stored')

  proxy.refuse(false)
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'after', text: 'x' })
  const { body } = await agent.call('GET', '/v1/messages')
  t.same(body.data.map(({ subject }: { subject: string }) => subject).sort(), ['after', 'before'])
})
