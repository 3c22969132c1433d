/** A server keeps large mail in an S3 bucket: it is received, read, verified, backed up and restored, and deferred while the bucket cannot be reached. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { S3Client } from '../../../src/store/blobs/s3/client.js'
import { listObjects, putSingle } from '../../../src/store/blobs/s3/objects.js'
import { approvedAgent, request } from '../../support/agent.js'
import { freeListeners, run, setArgs, startDaemon } from '../../support/daemon.js'
import { peer } from '../../support/peers/peers.js'
import { deliver } from '../../support/peers/smtp.js'
import { makeBucket, startSwift, SWIFT } from '../../support/peers/swift.js'

const BIN = join(process.cwd(), 'bin/restante')

t.test('large mail in a bucket', peer('swift', SWIFT), async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'blobs-story-'))
  const swift = await startSwift()
  const options = swift.bucket('restante')
  const client = new S3Client(options)
  const closing: (() => Promise<unknown>)[] = [swift.stop, async () => client.close()]
  t.teardown(async () => {
    for (const close of closing) await close()
    await rm(root, { recursive: true, force: true })
  })
  const { accessKeyId, secretAccessKey } = await options.credentials()
  const credentials = join(root, 'credentials')
  await writeFile(
    credentials,
    `# of the bucket\n[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key=${secretAccessKey}\n`,
  )
  const settings = {
    'blobs.url': 's3://restante/large/mail',
    'blobs.endpoint': options.endpoint.origin,
    'blobs.region': options.region,
    'blobs.path_style': 'true',
    'blobs.credentials_file': credentials,
  }
  const keys = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { key } of listObjects(client, 'large/mail/mbx_')) found.push(key)
    return found
  }

  await t.test('without the bucket the start ends with what to do', async (t) => {
    const ended = await startDaemon(settings).then(
      () => '',
      (error: unknown) => String(error),
    )
    t.match(ended, /the daemon ended with 78/)
    t.match(ended, /blobs\.url: .*NoSuchBucket.*There is no such bucket: create it, or correct blobs\.url/)
    t.notMatch(ended, secretAccessKey)
  })

  await makeBucket(client)
  const daemon = await startDaemon(settings)
  closing.unshift(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const content = randomBytes(200_000)
  const send = (subject: string): Promise<string> =>
    deliver(daemon.smtpPort, { to: [agent.address], subject, attachments: [{ filename: 'x', content }] })

  await t.test('it is in the bucket and read from there, and small mail is not', async (t) => {
    await send('large')
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'small', text: 'Hello.' })
    t.equal((await keys()).length, 1)
    t.notOk((await readdir(daemon.dataDir)).includes('blobs'))
    const { body } = await agent.call('GET', '/v1/messages?limit=10&label=inbox')
    const { id } = body.data.find(({ subject }: { subject: string }) => subject === 'large')
    const message = await agent.call('GET', `/v1/messages/${id}`)
    const attachment = await fetch(`${daemon.url}/v1/messages/${id}/attachments/${message.body.attachments[0].id}`, {
      headers: { authorization: `Bearer ${agent.key}` },
    })
    t.ok(Buffer.from(await attachment.arrayBuffer()).equals(content))
    t.match(await daemon.cli('verify'), { code: 0, stdout: /1 file \(1 compared\).*nothing was found wrong/ })
  })

  const file = join(root, 'one.tar.gz')
  await t.test('a backup has it, and a restored folder serves it as files', async (t) => {
    const made = await daemon.cli('backup', '--to', file, '--json')
    t.match(JSON.parse(made.stdout), { blobs: 1, missing_blobs: 0 }, made.stderr)
    const dir = join(root, 'restored')
    t.match(await run(BIN, ['restore', file, '--to', dir]), { code: 0 })
    t.match(await run(BIN, ['verify', '--set', `server.data_dir=${dir}`]), { code: 0, stdout: /1 file \(1 compared\)/ })
    const other = await startDaemon({ 'server.data_dir': dir })
    closing.unshift(() => other.remove())
    const { body } = await agent.call('GET', '/v1/messages?limit=10&label=inbox')
    const { id } = body.data.find(({ subject }: { subject: string }) => subject === 'large')
    const headers = { authorization: `Bearer ${agent.key}` }
    const raw = await request(`${other.url}/v1/messages/${id}/raw`, 'GET', undefined, headers)
    t.equal(raw.status, 200)
    await other.end('SIGTERM')
    const withBucket = await run(BIN, ['verify', '--set', `server.data_dir=${dir}`])
    t.match(withBucket, { code: 0 })
    const toBucket = ['start', ...setArgs({ 'server.data_dir': dir, ...(await freeListeners()), ...settings })]
    t.match(await run(BIN, toBucket), { code: 78, stderr: /blobs\.url is set, and .*\/blobs has blobs\. Copy them to/ })
  })

  await t.test('a changed object is found, and its message not served', async (t) => {
    const [key = ''] = await keys()
    await putSingle(client, key, Buffer.alloc(100_000))
    t.match(await daemon.cli('verify'), { code: 1, stdout: /file-size.*has 100000 bytes/ })
    const { body } = await agent.call('GET', '/v1/messages?limit=10&label=inbox')
    const { id } = body.data.find(({ subject }: { subject: string }) => subject === 'large')
    t.equal((await agent.call('GET', `/v1/messages/${id}/raw`)).status, 500)
  })

  await t.test('after a restart with other settings nothing is lost from sight', async (t) => {
    await daemon.end('SIGTERM')
    t.match(daemon.output(), /a file is damaged, and is not served/)
    const start = ['start', ...setArgs({ 'server.data_dir': daemon.dataDir, ...(await freeListeners()) })]
    t.match(await run(BIN, start), {
      code: 78,
      stderr: /the blobs of this data folder are in s3:\/\/restante\/large\/mail/,
    })
    await daemon.start()
    await send('after the restart')
    t.equal((await keys()).length, 2)
  })

  await t.test('while the bucket cannot be reached large mail is deferred, and small mail goes on', async (t) => {
    await swift.stop()
    await t.rejects(send('deferred'), { message: /452/ })
    const verified = await daemon.cli('verify')
    t.match(verified, { code: 1, stdout: '', stderr: /Nothing is known of the blobs: S3 request .*ECONNREFUSED/ })
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'small again', text: 'Hello.' })
    const { body } = await agent.call('GET', '/v1/messages?limit=10&label=inbox')
    const subjects: string[] = body.data.map(({ subject }: { subject: string }) => subject)
    t.ok(subjects.includes('small again'))
    t.notOk(subjects.includes('deferred'))
    await daemon.end('SIGTERM')
    t.match(daemon.output(), /Check that 127\.0\.0\.1:\d+ \(blobs\.endpoint\) can be reached/)
    t.match(daemon.output(), /a request to the bucket failed and is tried again/)
    t.notMatch(daemon.output(), secretAccessKey)
  })
})
