/** A daemon with two front processes, as on a machine with three cores. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

async function frontsOf(daemon: Daemon): Promise<number[]> {
  const children = await readFile(`/proc/${daemon.pid()}/task/${daemon.pid()}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

t.test('mail comes in by front processes, which come and go with the daemon', async (t) => {
  const daemon = await startDaemon({ 'smtp.processes': '2' })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const mail = (subject: string) =>
    deliver(daemon.smtpPort, { from: 'bob@peer.test', to: [agent.address], subject, text: `The code is 493817.` })

  t.match(await mail('one'), /^250 2\.0\.0 accepted as rcp_/)
  const event = await waitForEvent(agent, ({ type }) => type === 'message.received')
  const message = await agent.call('GET', `/v1/messages/${event.data.message_id}`)
  t.match(message.body, { subject: 'one', extracted: { codes: ['493817'] }, auth: { spf: 'none' } })
  const found = await agent.call('GET', '/v1/messages?q=493817')
  t.equal(found.body.data.length, 1, 'the words that the front computed find it')
  t.match((await daemon.cli('receipts')).stdout, /250 2\.0\.0 +<bob@peer\.test>/)
  t.equal((await daemon.cli('verify')).code, 0)

  const before = await frontsOf(daemon)
  t.equal(before.length, 2)
  for (const pid of before) process.kill(pid, 'SIGTERM')
  process.kill(daemon.pid(), 'SIGHUP')
  await until(() => daemon.output().includes('"msg":"reloaded"'))
  t.match(await mail('two'), /^250/, 'a signal to the whole group does not end them')
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await until(async () => (await frontsOf(daemon)).filter((pid) => !before.includes(pid)).length === 2)
  await until(() =>
    mail('three').then(
      (reply) => reply.startsWith('250'),
      () => false,
    ),
  )

  const last = await frontsOf(daemon)
  t.equal(await daemon.end('SIGTERM'), 0)
  t.notOk(last.some(isRunning))
  t.notMatch(daemon.output(), 'ended while something was still at work')
})

t.test('when the daemon is killed, its front processes end', async (t) => {
  const daemon = await startDaemon({ 'smtp.processes': '1' })
  t.teardown(() => daemon.remove())
  const fronts = await frontsOf(daemon)
  t.equal(fronts.length, 1)
  await daemon.end('SIGKILL')
  await until(() => !fronts.some(isRunning))
  await daemon.start()
  t.equal((await frontsOf(daemon)).length, 1, 'the next life has its own')
})
