/** A server that outgrows its embedded database moves to PostgreSQL by one command, and back. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, request } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'

t.test('the database is copied to PostgreSQL and back', { ...(await postgresPeer()), timeout: 180_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const embedded = await startDaemon({ 'relay.outbound': 'off', 'store.url': '' })
  t.teardown(() => embedded.remove())
  const agent = await approvedAgent(embedded, 'ada.agent')
  const subjects = async (daemon: Daemon): Promise<string[]> => {
    const { body } = await request(`${daemon.url}/v1/messages`, 'GET', undefined, {
      authorization: `Bearer ${agent.key}`,
    })
    return body.data.map(({ subject }: { subject: string }) => subject).sort()
  }
  await deliver(embedded.smtpPort, { to: [agent.address], subject: 'one', text: 'x' })
  t.match(await embedded.cli('store', 'copy', '--to', postgres.url()), { code: 1, stderr: /A daemon runs on/ })
  await embedded.end('SIGTERM')

  t.match(await embedded.cli('store', 'copy'), { code: 64, stderr: /needs --to URL/ })
  t.match(await embedded.cli('store', 'copy', '--to', postgres.url('none')), {
    code: 1,
    stderr: /database "none" does not exist/,
  })
  const there = await embedded.cli('store', 'copy', '--to', postgres.url())
  t.match(there, { code: 0, stdout: /Copied and compared: \d+ partitions, \d+ rows/ })
  t.match(there.stdout, /Next: set store\.url = "postgres:/)
  t.notOk(existsSync(join(embedded.dataDir, 'store')), 'no daemon starts on the old one by mistake')

  const shared = await startDaemon({
    'relay.outbound': 'off',
    'server.data_dir': embedded.dataDir,
    'store.url': postgres.url(),
  })
  t.teardown(() => shared.remove())
  t.same(await subjects(shared), ['one'])
  await deliver(shared.smtpPort, { to: [agent.address], subject: 'two', text: 'x' })
  await shared.end('SIGTERM')
  t.match(await shared.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })

  const back = await shared.cli('store', 'copy', '--to', 'embedded')
  t.match(back, { code: 0, stdout: /Next: remove store\.url from the settings/ })
  t.match(await shared.cli('store', 'copy', '--to', 'embedded'), { code: 1, stderr: /has rows already/ })
  await embedded.start()
  t.same(await subjects(embedded), ['one', 'two'])
  await embedded.end('SIGTERM')
  t.match(await embedded.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
  t.equal(readdirSync(embedded.dataDir).filter((name) => name.startsWith('store.copied-')).length, 1)
})
