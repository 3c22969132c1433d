/** The day of a mailbox that nobody approves, in the real daemon: mail is kept for an approver, and then all of it is gone. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { claim, request } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

async function files(dir: string): Promise<string[]> {
  return (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

t.test('mail to a pending mailbox is kept within its limit, and after 24 hours nothing of it is left', async (t) => {
  const daemon = await startDaemon({ 'limits.pending_storage_bytes': '300000' })
  t.teardown(() => daemon.remove())
  const [kept, gone] = [await claim(daemon, 'kept-one'), await claim(daemon, 'gone-one')]
  const mail = { from: 'ana@people.test', subject: 'hello', text: 'a line of text\r\n'.repeat(12_000) }
  for (const { address } of [kept, gone]) t.match(await deliver(daemon.smtpPort, { ...mail, to: [address] }), /^250/)
  await t.rejects(deliver(daemon.smtpPort, { ...mail, to: [gone.address] }), /452/)
  t.match(await gone.call('GET', '/v1/threads'), { status: 403, body: { error: { code: 'claim_pending' } } })
  const blobs = join(daemon.dataDir, 'blobs')
  const inTrash = async (): Promise<number> => (await files(blobs)).filter((file) => file.includes('trash')).length
  t.equal(await inTrash(), 0)
  t.equal((await files(blobs)).length, 2, 'nothing of what was refused is on the disk')

  t.equal((await daemon.cli('claim', 'approve', kept.address)).code, 0)
  t.equal((await kept.call('GET', '/v1/threads')).body.data.length, 1, 'who approves finds the mail')

  await daemon.end('SIGTERM')
  await daemon.start(DAY + HOUR)
  for (let tries = 0; (await gone.call('GET', '/v1/claim/status')).status !== 401; tries++) {
    if (tries > 200) throw new Error('the mailbox is still there')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  while ((await inTrash()) === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(await inTrash(), 1)
  t.equal((await files(blobs)).length, 2, 'one that is kept, one in the trash')
  t.equal((await request(gone.claimUrl, 'GET')).status, 404)
  t.equal((await kept.call('GET', '/v1/threads')).body.data.length, 1)
  for (let tries = 0; ; tries++) {
    const again = await claim(daemon, 'gone-one').catch(() => undefined)
    if (again) break
    if (tries > 20) throw new Error('the name is not free')
  }
})
