/** A request whose node stalls after its commit is retried at another node: what it created is there once, and the first node adds nothing to it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { approvedAgent, request, type Answer } from '../../support/agent.js'
import type { Daemon } from '../../support/daemon.js'
import { startCluster } from '../../support/nodes.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'
import { startTcpProxy } from '../../support/peers/tcp-proxy.js'
import { isSignedBy, startReceiver } from '../../support/peers/webhook-receiver.js'

t.test('a webhook is created once', { ...(await postgresPeer()), timeout: 180_000 }, async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const postgres = await startPostgres()
  const proxy = await startTcpProxy(postgres.port)
  t.teardown(() => proxy.close())
  const cluster = await startCluster(
    {
      'relay.outbound': 'off',
      'webhooks.allow_http': 'true',
      'webhooks.allow_private_addresses': 'true',
      'webhooks.ports': String(receiver.port),
    },
    postgres,
  )
  t.teardown(() => cluster.stop())
  const first = await cluster.add({ 'store.url': postgres.url().replace(`:${postgres.port}/`, `:${proxy.port}/`) })
  const agent = await approvedAgent(first, 'ada.agent')
  const second = await cluster.add()

  const call = (daemon: Daemon, method: string, path: string, body?: unknown, retryKey?: string): Promise<Answer> =>
    request(`${daemon.url}${path}`, method, body, {
      authorization: `Bearer ${agent.key}`,
      ...(retryKey === undefined ? {} : { 'idempotency-key': retryKey }),
    })
  const wanted = { url: `${receiver.url}?created=once`, events: ['message.received'] }
  const retryKey = randomUUID()
  const create = (daemon: Daemon): Promise<Answer> => call(daemon, 'POST', '/v1/webhooks', wanted, retryKey)
  const idsAt = async (daemon: Daemon): Promise<string[]> =>
    (await call(daemon, 'GET', '/v1/webhooks')).body.data.map(({ id }: { id: string }) => id)
  /** Each commit that writes to a partition gives it another version. */
  const versions = (): Promise<unknown[]> =>
    postgres.sql(
      "select partition::text, version from restante_version where partition::text ~ '^(mailbox|webhooks)/' order by 1",
    )

  const answers = proxy.holdAnswersTo('created=once')
  const lost = create(first).catch((error: unknown) => error)
  await answers.reached
  let made: string[] = []
  while (made.length === 0) made = await idsAt(second)
  process.kill(first.pid(), 'SIGSTOP')
  answers.release()

  let retried = await create(second)
  for (; retried.status === 503; retried = await create(second)) {
    t.match(retried.body.error, { code: 'unavailable' }, 'the first node may still be at work on it')
    await pause(500)
  }
  t.match(second.output(), /shows no sign of life/)
  t.match(retried, { status: 201, body: { id: made[0], secret: /^whsec_/ } }, 'the same webhook, with its secret')
  t.same(await idsAt(second), made)
  t.match(await create(second), { body: { error: { code: 'secret_shown_once' } } })

  const before = await versions()
  t.ok(before.length >= 2, 'those of the mailbox and its webhooks are among them')
  process.kill(first.pid(), 'SIGCONT')
  t.not(((await lost) as Answer).status, 201, 'the first node does not claim to have created one')
  t.same(await versions(), before, 'and commits nothing more')
  await first.ended()
  t.match(first.output(), /others have taken over its work/)

  await first.start()
  t.same(await idsAt(first), made)
  t.match(await create(first), { body: { error: { code: 'secret_shown_once' } } })
  await deliver(first.smtpPort, { to: [agent.address], subject: 'told', text: 'x' })
  await receiver.count(1)
  await pause(1_000)
  t.equal(receiver.received.length, 1)
  const [delivery] = receiver.received
  t.ok(delivery && isSignedBy(retried.body.secret, delivery), 'by the secret of the second answer')
})
