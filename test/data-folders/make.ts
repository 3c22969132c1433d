/**
 * Makes a data folder to be kept: run once for a release, in a checkout of it, by the compiled file of this one:
 *
 *     cd CHECKOUT && node THIS/.tests/test/data-folders/make.js THIS/test/data-folders/0.1.0
 *
 * It makes `<name>.tar.gz` and `<name>.json`, which says what is in it. All of it is made up; the API key is of a mailbox that exists nowhere else.
 */
import { rm, writeFile } from 'node:fs/promises'
import { approvedAgent, claim } from '../support/agent.js'
import { run, startDaemon } from '../support/daemon.js'
import { freePort } from '../support/ports.js'
import { deliver } from '../support/smtp.js'

const [name = ''] = process.argv.slice(2)
const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${await freePort()}` })
try {
  const agent = await approvedAgent(daemon, 'ada.agent', 'owner@example.org')
  const other = await approvedAgent(daemon, 'bob.agent')
  const pending = await claim(daemon, 'carol.agent')
  const content = Buffer.alloc(100_000, 'not much to see here. ')
  for (let i = 0; i < 3; i++)
    await deliver(daemon.smtpPort, { to: [agent.address], subject: `letter ${i}`, text: `Words of letter ${i}.` })
  await deliver(daemon.smtpPort, {
    to: [agent.address],
    subject: 'large',
    attachments: [{ filename: 'a.txt', content }],
  })
  const sent = [
    await agent.call('POST', '/v1/send', { to: [other.address], subject: 'to a neighbour', text: 'Hello.' }),
    await agent.call('POST', '/v1/send', { to: ['eve@example.net'], subject: 'waits', text: 'Hello.' }),
    await agent.call('POST', '/v1/drafts', { subject: 'a draft', text: 'Not yet.' }),
    await agent.call('POST', '/v1/keys', { name: 'second' }),
  ]
  for (const { status, body } of sent) if (status >= 300) throw new Error(JSON.stringify(body))
  await daemon.end('SIGTERM')
  await rm(`${daemon.dataDir}/lock`, { force: true })
  const packed = await run('tar', ['--owner=0', '--group=0', '-czf', `${name}.tar.gz`, '-C', daemon.dataDir, '.'])
  if (packed.code !== 0) throw new Error(packed.stderr)
  const about = { address: agent.address, key: agent.key, neighbour: other.address, pending: pending.address }
  await writeFile(`${name}.json`, `${JSON.stringify(about, null, 2)}\n`)
} finally {
  await daemon.remove()
}
