/** Daemons of two versions on one database, each a process: the newer one knows a form of what is stored that the older one does not. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { systemClock } from '../../../src/lib/clock.js'
import { openPostgres } from '../../../src/store/engines/postgres/postgres.js'
import { keyParts, prefixRange } from '../../../src/store/keys.js'
import { readSchema, SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'
import { approvedAgent, request } from '../../support/agent.js'
import type { Daemon } from '../../support/daemon.js'
import { startCluster } from '../../support/nodes.js'
import { postgresPeer } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'

const NEWER = join(process.cwd(), '.tests/test/daemon/children/newer-daemon.js')
const OLD = SCHEMA_VERSION
const NEW = SCHEMA_VERSION + 1

t.test('the newer version upgrades what is stored', { ...(await postgresPeer()), timeout: 180_000 }, async (t) => {
  const cluster = await startCluster({ 'relay.outbound': 'off' })
  t.teardown(() => cluster.stop())
  const older = await cluster.add()
  const agent = await approvedAgent(older, 'ada.agent')
  const sent: string[] = []
  const accept = async (daemon: Daemon, subject: string): Promise<void> => {
    await deliver(daemon.smtpPort, { to: [agent.address], subject, text: 'x' })
    sent.push(subject)
  }
  const subjects = async (daemon: Daemon): Promise<string[]> => {
    const { body } = await request(`${daemon.url}/v1/messages?limit=100`, 'GET', undefined, {
      authorization: `Bearer ${agent.key}`,
    })
    return body.data.map(({ subject }: { subject: string }) => subject).sort()
  }
  const store = createStore(await openPostgres({ url: cluster.postgres.url(), clock: systemClock }))
  t.teardown(() => store.close())
  const listed = async (): Promise<unknown[]> =>
    (await store.read('newer', (view) => view.range(prefixRange('mailbox')))).map(([row]) => keyParts(row)[1])
  await accept(older, 'by the older one alone')

  await t.test('beside the older one it does not start if that one has to stop for the upgrade', async (t) => {
    await t.rejects(
      cluster.add({ 'server.name': 'refused' }, { program: NEWER, env: { MIGRATION: 'stopping' } }),
      /the daemon ended with 78[^]*1 other daemon works on the database[^]*Stop all of them.*nothing was changed/,
    )
    t.match(await readSchema(store), { version: OLD, from: undefined })
    await accept(older, 'after the refusal')
  })

  const newer = await cluster.add({}, { program: NEWER, env: { MIGRATION: 'rolling' } })
  await t.test('both work if the migration is a rolling one, and nothing changes yet', async (t) => {
    t.match(newer.output(), /waits until all nodes know its form/)
    for (let n = 0; n < 3; n++) {
      await accept(older, `by the older one ${n}`)
      await accept(newer, `by the newer one ${n}`)
    }
    t.same(await subjects(older), [...sent].sort())
    t.same(await subjects(newer), [...sent].sort())
    t.match((await older.cli('cluster', 'status')).stdout, `form ${OLD}. An upgrade to form ${NEW} waits for node1`)
    t.match(await readSchema(store), { version: OLD, from: undefined })
    t.same(await listed(), [])
  })

  await t.test('the upgrade follows once the older one has gone, while the newer one works', async (t) => {
    t.equal(await older.end('SIGTERM'), 0)
    for (let n = 0; (await readSchema(store))?.version !== NEW; n++) {
      await accept(newer, `meanwhile ${n}`)
      await pause(50)
    }
    while ((await readSchema(store))?.from !== undefined) await pause(50)
    t.match(newer.output(), /what is stored has the form of this version now/)
    t.equal((await listed()).length, 2, 'the mailbox of the agent and that of the operator')
    await accept(newer, 'after the upgrade')
    t.same(await subjects(newer), [...sent].sort(), 'nothing that was accepted is lost')
  })

  await t.test('the older version is refused from then on, and another newer one joins', async (t) => {
    await t.rejects(older.start(), /the daemon ended with 78[^]*a form that this version does not know/)
    const another = await cluster.add({}, { program: NEWER, env: { MIGRATION: 'rolling' } })
    t.same(await subjects(another), [...sent].sort())
    t.equal(await newer.end('SIGTERM'), 0)
    await accept(another, 'by the last one')
    t.same(await subjects(another), [...sent].sort())
  })
})
