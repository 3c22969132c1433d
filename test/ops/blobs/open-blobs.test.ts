/** Where the blobs of a data folder are opened, and what is refused with what to do. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readBlobCredentials } from '../../../src/config/files.js'
import { loadConfig } from '../../../src/config/load.js'
import { systemClock } from '../../../src/lib/clock.js'
import { bucketProblem, openConfiguredBlobs, readConfiguredBlobs } from '../../../src/ops/blobs/open-blobs.js'
import { startS3Server } from '../../support/peers/s3-server.js'

async function open(t: Test) {
  const dir = t.testdir({ credentials: 'aws_access_key_id = AKIA\r\naws_secret_access_key = s/e+c=r\r\n' })
  const server = await startS3Server()
  t.teardown(() => server.stop())
  const config = (...set: string[]) =>
    loadConfig({ set: [`server.data_dir=${join(dir, 'data')}`, 'domains.names=agents.test', ...set] })
  const inBucket = (...set: string[]) =>
    config(
      'blobs.url=s3://bucket/prefix',
      `blobs.endpoint=${server.endpoint.origin}`,
      'blobs.path_style=true',
      `blobs.credentials_file=${join(dir, 'credentials')}`,
      ...set,
    )
  return { dir, data: join(dir, 'data'), server, config, inBucket }
}

const clock = systemClock

t.test('without blobs.url they are files below the data folder', async (t) => {
  const { config, data } = await open(t)
  const { blobs } = await openConfiguredBlobs(config(), { clock })
  await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  t.same(await readFile(join(data, 'blobs', 'mbx_1', 'msg_1'), 'utf8'), 'x')
  t.equal(await (await readConfiguredBlobs(config(), clock)).blobs.size('mbx_1', 'msg_1'), 1)
})

t.test('with blobs.url they are objects below its prefix, which belongs to the data folder from then on', async (t) => {
  const { config, inBucket, server, data } = await open(t)
  const { blobs, close } = await openConfiguredBlobs(inBucket(), { clock })
  t.teardown(close)
  await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  t.same([...server.objects.keys()], ['prefix/.restante', 'prefix/mbx_1/msg_1'])
  const unset = {
    name: 'UnfitFolderError',
    message: /blobs\.url is not set, .*Set blobs\.url = "s3:\/\/bucket\/prefix"/,
  }
  await t.rejects(openConfiguredBlobs(config(), { clock }), unset)
  await t.rejects(readConfiguredBlobs(config(), clock), unset)
  const elsewhere = { message: /blobs\.url is s3:\/\/bucket\/other, and the blobs .* are in s3:\/\/bucket\/prefix/ }
  await t.rejects(openConfiguredBlobs(inBucket('blobs.url=s3://bucket/other'), { clock }), elsewhere)
  const other = inBucket(`server.data_dir=${data}2`)
  await t.rejects(openConfiguredBlobs(other, { clock }), { message: /belongs to another data folder/ })
  const reading = await readConfiguredBlobs(other, clock)
  t.teardown(reading.close)
  t.equal(await reading.blobs.size('mbx_1', 'msg_1'), 1, 'reading claims nothing')
})

t.test('blobs in two places are refused', async (t) => {
  const { config, inBucket, data } = await open(t)
  const { blobs } = await openConfiguredBlobs(config(), { clock })
  await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
  const both = { name: 'UnfitFolderError', message: /blobs\.url is set, and .*\/blobs has blobs\. Copy them to s3:/ }
  await t.rejects(openConfiguredBlobs(inBucket(), { clock }), both)
  await rm(join(data, 'blobs'), { recursive: true })
  ;(await openConfiguredBlobs(inBucket(), { clock })).close()
})

t.test('files that are copied to the bucket under their names are its blobs, as docs/blobs.md has it', async (t) => {
  const { config, inBucket, data, server } = await open(t)
  const { blobs: files } = await openConfiguredBlobs(config(), { clock })
  await files.put('mbx_1', 'msg_1', Buffer.from('one'))
  await files.put('mbx_1', 'msg_2', Buffer.from('two'))
  await files.delete('mbx_1', 'msg_2')
  const names = await readdir(join(data, 'blobs'), { recursive: true, withFileTypes: true })
  for (const entry of names.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    server.objects.set(`prefix${path.slice(join(data, 'blobs').length)}`, await readFile(path))
  }
  await rm(join(data, 'blobs'), { recursive: true })
  const { blobs, close } = await openConfiguredBlobs(inBucket(), { clock })
  t.teardown(close)
  t.same(await blobs.get('mbx_1', 'msg_1'), Buffer.from('one'))
  t.same([...(await blobs.findInTrash(new Set(['mbx_1.msg_2']))).keys()], ['mbx_1.msg_2'])
})

t.test('what the server refuses for good is another error than one that may pass', async (t) => {
  const { inBucket, server } = await open(t)
  server.always = { status: 403, code: 'AccessDenied' }
  const forGood = { name: 'UnfitFolderError', message: /^blobs\.url: .*AccessDenied.*give them the rights/ }
  await t.rejects(openConfiguredBlobs(inBucket(), { clock }), forGood)
  t.match(await bucketProblem(inBucket(), clock), /give them the rights/)
  server.always = undefined
  t.equal(await bucketProblem(inBucket(), clock), undefined)
  t.equal(server.objects.size, 0, 'doctor changes nothing')
  server.faults.push({ status: 403, code: 'AccessDenied' })
  await t.rejects(openConfiguredBlobs(inBucket(), { clock }), forGood)
  // It may list, and not write.
  server.faults.push(undefined, { status: 403, code: 'AccessDenied' })
  await t.rejects(openConfiguredBlobs(inBucket(), { clock }), forGood)
  t.equal(server.objects.size, 0)
  await server.stop()
  const passing = { name: 'SettingError', setting: 'blobs.url', problem: /ECONNREFUSED.*blobs\.endpoint/ }
  await t.rejects(openConfiguredBlobs(inBucket(), { clock }), passing)
})

t.test(
  'credentials come from their file or the environment, and an incomplete set is refused without being shown',
  async (t) => {
    const { dir, inBucket } = await open(t)
    const file = join(dir, 'credentials')
    t.same(await readBlobCredentials({ credentials_file: file }), { accessKeyId: 'AKIA', secretAccessKey: 's/e+c=r' })
    await writeFile(file, 'aws_access_key_id = AKIA\naws_secret_access_key = s\naws_session_token = t\n')
    t.match(await readBlobCredentials({ credentials_file: file }, {}), { sessionToken: 't' })
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' }
    t.same(await readBlobCredentials({ credentials_file: '' }, env), {
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    })
    await t.rejects(
      readBlobCredentials({ credentials_file: '' }, { AWS_ACCESS_KEY_ID: 'id' }),
      /Set them, or blobs\.cred/,
    )
    await writeFile(file, 'the-secret\n')
    const incomplete = openConfiguredBlobs(inBucket(), { clock })
    await t.rejects(incomplete, { name: 'UnfitFolderError', message: /^blobs: .*needs the lines aws_access_key_id/ })
  },
)

const SETTINGS: [set: string[], problem: RegExp][] = [
  [['blobs.url=https://bucket.example.com'], /blobs\.url is .*it takes a bucket, .*"s3:\/\/mail\/restante"/],
  [['blobs.url=s3://B'], /it takes a bucket/],
  [['blobs.url=s3://bucket/../x'], /it takes a bucket/],
  [['blobs.url=s3://bucket/.trash'], /it takes a bucket/],
  [['blobs.url=s3://bucket/a/'], /it takes a bucket/],
  [['blobs.url=s3://bucket', 'blobs.endpoint=http://s3.example.com'], /it takes an https address/],
  [['blobs.url=s3://bucket', 'blobs.endpoint=https://s3.example.com/path'], /has a path/],
  [['blobs.url=s3://bucket', 'blobs.endpoint=https://127.0.0.1:9000'], /blobs\.path_style: has to be true/],
  [['blobs.url=s3://buck.et'], /blobs\.path_style: has to be true/],
  [['blobs.endpoint=https://s3.example.com'], /blobs\.endpoint: has no effect without blobs\.url/],
  [['blobs.url=s3://bucket', 'blobs.credentials_file=/nowhere'], /blobs\.credentials_file: this file can't be read/],
]

for (const [set, problem] of SETTINGS)
  t.test(`${set.join(' ')} is refused`, async (t) => {
    t.throws(() => loadConfig({ set: ['domains.names=agents.test', ...set] }), {
      name: 'ConfigError',
      message: problem,
    })
  })
