/**
 * Makes a data folder to be kept, and a backup of it: run once for a release, in a checkout of it that is built, by the compiled file of this one:
 *
 *     cd CHECKOUT && node THIS/.tests/test/data-folders/make.js THIS/test/data-folders/0.1.0
 *
 * It makes `<name>.tar.gz`, `<name>.backup.tar.gz` and `<name>.json`, which says what is in them. All of it is made up; the API keys are of mailboxes that
 * exist nowhere else.
 */
import { rm, writeFile } from 'node:fs/promises'
import { DAY, timestamp } from '../../src/lib/clock.js'
import { approvedAgent, claim, waitForEvent, type Agent, type Answer } from '../support/agent.js'
import { run, startDaemon } from '../support/daemon.js'
import { startPeer } from '../support/peers/peer-server.js'
import { statusIs } from '../support/review.js'
import { deliver } from '../support/peers/smtp.js'

const UNKNOWN = 'unknown@example.net'
/** Who opens the folder goes back to the hour after it was made. */
const MADE_AT = Date.now()
const SEND_AT = timestamp(MADE_AT + 20 * DAY)

async function made(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(JSON.stringify(body))
  return body
}

async function done(result: Promise<{ code: number; stdout: string; stderr: string }>): Promise<void> {
  const { code, stdout, stderr } = await result
  if (code !== 0) throw new Error(stdout + stderr)
}

const [name = ''] = process.argv.slice(2)
const peer = await startPeer({ rcpt: (address) => (address === UNKNOWN ? '550 5.1.1 no such user' : undefined) })
const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${peer.port}` })

async function fill(
  agent: Agent,
  neighbour: string,
): Promise<{ held: string; scheduled: string; webhook: string; subjects: string[] }> {
  const send = (subject: string, more: object): Promise<Answer['body']> =>
    made(agent.call('POST', '/v1/send', { subject, text: 'Hello.', ...more }))
  const content = Buffer.alloc(100_000, 'not much to see here. ')
  for (let i = 0; i < 3; i++)
    await deliver(daemon.smtpPort, { to: [agent.address], subject: `letter ${i}`, text: `Words of letter ${i}.` })
  const attachments = [{ filename: 'a.txt', content }]
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'large', attachments })
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'thrown away', text: 'Not needed.' })
  const webhook = await made(
    agent.call('POST', '/v1/webhooks', { url: 'https://hooks.example.net/agent', events: ['message.received'] }),
  )
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'told of', text: 'A webhook is told of it.' })
  const thrown = await made(agent.call('GET', '/v1/messages?subject=thrown'))
  await made(agent.call('DELETE', `/v1/messages/${thrown.data[0].id}`))
  const bounced = await send('bounces', { to: [UNKNOWN] })
  await waitForEvent(agent, statusIs(bounced.id, 'bounced'))
  const delivered = await send('arrives', { to: ['eve@example.net'] })
  await waitForEvent(agent, statusIs(delivered.id, 'delivered'))
  // From here on nobody takes mail.
  await peer.close()
  const waiting = await send('waits', { to: ['eve@example.net', 'mallory@example.org'] })
  await waitForEvent(agent, statusIs(waiting.id, 'sending'))
  await send('to a neighbour', { to: [neighbour] })
  const held = await send('held', { to: ['hold@simulator.agents.test'] })
  await waitForEvent(agent, statusIs(held.id, 'held'))
  const scheduled = await send('later', { to: ['eve@example.net'], send_at: SEND_AT })
  await made(agent.call('POST', '/v1/drafts', { subject: 'a draft', text: 'Not yet.' }))
  await made(agent.call('POST', '/v1/keys', { name: 'second' }))
  const { data: threads } = await made(agent.call('GET', '/v1/threads?limit=100'))
  const subjects = threads.map(({ subject }: { subject: string }) => subject).sort()
  return { held: held.id, scheduled: scheduled.id, webhook: webhook.id, subjects }
}

try {
  const agent = await approvedAgent(daemon, 'ada.agent', 'owner@example.org')
  const other = await approvedAgent(daemon, 'bob.agent')
  const leaving = await approvedAgent(daemon, 'dave.agent', 'leaving@example.org')
  const pending = await claim(daemon, 'carol.agent')
  const filled = await fill(agent, other.address)
  await deliver(daemon.smtpPort, { to: [leaving.address], subject: 'for who leaves', text: 'Words.' })
  await made(leaving.call('DELETE', '/v1/account'))
  await done(daemon.cli('backup', '--to', `${name}.backup.tar.gz`))
  await daemon.end('SIGTERM')
  await rm(`${daemon.dataDir}/lock`, { force: true })
  await done(run('tar', ['--owner=0', '--group=0', '-czf', `${name}.tar.gz`, '-C', daemon.dataDir, '.']))
  const about = {
    address: agent.address,
    key: agent.key,
    neighbour: other.address,
    pending: pending.address,
    more: {
      made_at: timestamp(MADE_AT),
      ...filled,
      suppressed: UNKNOWN,
      leaving: { address: leaving.address, key: leaving.key },
    },
  }
  await writeFile(`${name}.json`, `${JSON.stringify(about, null, 2)}\n`)
} finally {
  await daemon.remove()
}
