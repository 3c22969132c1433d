/** An export of a running daemon: killed in the middle, finished by its next life, told of, downloaded, and without any secret in it. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { peer } from '../../support/peers/peers.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { deliver } from '../../support/peers/smtp.js'

const ALL_OF_IT = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for name in archive.namelist():
        sys.stdout.buffer.write(name.encode() + b'\\n' + archive.read(name))
`

const PIECE = 8 * 1024 * 1024
/** Of the attachments, which can't be compressed. */
const SIZE = 5 * PIECE

t.test('an export survives kill -9, and its owner downloads it', peer('python3', '/usr/bin/python3'), async (t) => {
  const mx = await startPeer()
  const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${mx.port}` })
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  t.teardown(async () => {
    await daemon.remove()
    await mx.close()
    await rm(folder, { recursive: true, force: true })
  })
  const agent = await approvedAgent(daemon, 'ada.agent', 'owner@example.org')
  const content = randomBytes(SIZE / 10)
  for (let i = 0; i < 10; i++)
    await deliver(daemon.smtpPort, {
      to: [agent.address],
      subject: `no. ${i}`,
      attachments: [{ filename: 'x', content }],
    })

  const asked = await agent.call('POST', '/v1/account/export', {})
  t.equal(asked.status, 202)
  const blobs = join(daemon.dataDir, 'blobs')
  const pieces = async (): Promise<string[]> => {
    const [owner] = (await readdir(blobs)).filter((name) => name.startsWith('acc_'))
    return owner === undefined ? [] : readdir(join(blobs, owner))
  }
  while ((await pieces()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  await daemon.end('SIGKILL')
  const left = await pieces()
  t.ok(left.length > 0 && left.length < SIZE / PIECE, 'killed while it was built')

  await daemon.start()
  const event = await waitForEvent(agent, ({ type }) => type === 'export.ready')
  t.equal(event.data.export_id, asked.body.id)
  const ready = (await agent.call('GET', `/v1/account/exports/${asked.body.id}`)).body
  t.match(ready, { state: 'ready', progress: { messages: 10, messages_total: 10 } })
  const all = await pieces()
  t.equal(all.length, Math.ceil(ready.size_bytes / PIECE))
  t.notOk(
    all.some((name) => left.includes(name)),
    'nothing is left of the first build',
  )
  await mx.count(1)
  t.match(mx.mail[0]?.to, ['owner@example.org'])
  // Quoted-printable may break and escape it.
  t.ok(
    mx.mail[0]?.raw
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
      .includes(ready.download_url),
  )

  const answer = await fetch(ready.download_url)
  t.equal(answer.status, 200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  t.equal(bytes.length, ready.size_bytes)
  await writeFile(join(folder, 'export.zip'), bytes)
  await writeFile(join(folder, 'read.py'), ALL_OF_IT)
  const { code, stdout, stderr } = await run('/usr/bin/python3', [join(folder, 'read.py'), join(folder, 'export.zip')])
  t.equal(code, 0, stderr)
  t.equal(stdout.match(/^Subject: no\. \d$/gm)?.length, 10)
  t.match(stdout, /"keys": \[\n/)
  const hash = createHash('sha256').update(agent.key).digest('hex')
  const claimToken = agent.claimUrl.split('/').at(-1) ?? 'none'
  for (const secret of [
    agent.key,
    agent.key.slice(12),
    hash,
    hash.slice(0, 32),
    claimToken,
    ready.download_url.slice(-43),
  ])
    t.notOk(stdout.includes(secret), secret.slice(0, 8))
})
