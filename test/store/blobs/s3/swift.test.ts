/** What an S3 server refuses and allows, against Debian's Swift: signatures, hashes, rights, uploads, pages of a listing, and whose place it is. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DAY, HOUR, ManualClock, systemClock } from '../../../../src/lib/clock.js'
import { sha256Hex } from '../../../../src/lib/ids.js'
import { sendRequest } from '../../../../src/lib/http-client.js'
import { S3Client, type S3Options } from '../../../../src/store/blobs/s3/client.js'
import { abortAbandoned } from '../../../../src/store/blobs/s3/multipart.js'
import { listObjects, putSingle } from '../../../../src/store/blobs/s3/objects.js'
import { createS3Blobs, type S3BlobsOptions } from '../../../../src/store/blobs/s3/s3-blobs.js'
import { signedHeaders } from '../../../../src/store/blobs/s3/signature.js'
import { placeOfBlobs } from '../../../../src/store/blobs/s3/own-mark.js'
import { checkBucket } from '../../../../src/store/blobs/s3/start.js'
import { peer } from '../../../support/peers/peers.js'
import { makeBucket, startSwift, SWIFT, type Swift } from '../../../support/peers/swift.js'

t.test('over Swift', peer('swift', SWIFT), async (t) => {
  const swift = await startSwift()
  try {
    await suite(t, swift)
  } finally {
    await swift.stop()
  }
})

let buckets = 0

async function suite(t: Test, swift: Swift): Promise<void> {
  function clientOf(t: Test, options: S3Options): S3Client {
    const client = new S3Client(options)
    t.teardown(() => client.close())
    return client
  }

  async function place(t: Test): Promise<S3BlobsOptions & { client: S3Client }> {
    const options = swift.bucket(`own-${++buckets}`)
    const client = clientOf(t, options)
    await makeBucket(client)
    return { ...options, prefix: 'mail', localDir: join(t.testdir(), 'blobs.s3'), clock: systemClock, client }
  }

  async function keysOf(client: S3Client, prefix = ''): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of listObjects(client, prefix)) keys.push(key)
    return keys
  }

  await t.test('what cannot be used is refused at the start with what to do', async (t) => {
    const good = await place(t)
    const refused = async (changes: Partial<S3BlobsOptions>, says: RegExp): Promise<void> => {
      await t.rejects(checkBucket({ ...good, ...changes }), { message: says })
    }
    const { accessKeyId } = await good.credentials()
    await refused({ bucket: 'missing' }, /NoSuchBucket.*There is no such bucket: create it, or correct blobs\.url/)
    await refused(
      { credentials: async () => ({ accessKeyId, secretAccessKey: 'wrong' }) },
      /SignatureDoesNotMatch.*The secret key is not the one of the access key/,
    )
    await refused(
      { credentials: async () => ({ accessKeyId: 'mail:nobody', secretAccessKey: 'wrong' }) },
      /answered 403 .*correct blobs\.credentials_file/,
    )
    await refused({ credentials: async () => swift.guest }, /AccessDenied.*no right to do this: give them the rights/)
    await refused({ now: () => Date.now() - HOUR }, /RequestTimeTooSkewed.*synchronise them/)
    await refused({ region: 'eu-other-1' }, /AuthorizationHeaderMalformed.*blobs\.region = "eu-test-1"/)
    t.same(await keysOf(good.client), [])
    await checkBucket(good)
    t.same(await keysOf(good.client), ['mail/.restante'], 'the probe is removed')
  })

  await t.test('nobody reads an object without a signature', async (t) => {
    const { client, endpoint, bucket } = await place(t)
    await putSingle(client, 'mail/mbx_1/msg_1', Buffer.from('secret'))
    for (const path of [`${bucket}/mail/mbx_1/msg_1`, `${bucket}/`]) {
      const answer = await fetch(new URL(path, endpoint))
      t.notOk(answer.ok)
      t.notMatch(await answer.text(), /^secret|ListBucketResult/)
    }
  })

  await t.test('the server refuses what is not what its hashes say', async (t) => {
    const { client, ...options } = await place(t)
    const key = 'mail/mbx_1/msg_1'
    const body = Buffer.from('x')
    const sent = client.send({ method: 'PUT', key, headers: { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' }, body })
    await t.rejects(sent, { name: 'S3Error', message: /BadDigest/ })
    const url = new URL(`${options.bucket}/${key}`, options.endpoint)
    const signed = {
      method: 'PUT',
      url,
      headers: {},
      payload: sha256Hex(body),
      region: options.region,
      at: Date.now(),
    } as const
    const headers = signedHeaders(signed, await options.credentials())
    const limits = { timeoutMs: 10_000, maxBytes: 10_000 }
    const answer = await sendRequest({ method: 'PUT', url, headers, body: Buffer.from('y'), ...limits })
    t.equal(answer.status, 400)
    t.match(answer.body.toString(), /BadDigest|XAmzContentSHA256Mismatch/)
    t.same(await keysOf(client), [])
  })

  await t.test('large blobs are in parts, and a failed or abandoned upload leaves none', async (t) => {
    const { client, ...options } = await place(t)
    const blobs = createS3Blobs({ ...options, partBytes: 1024 * 1024 })
    t.teardown(() => blobs.close())
    const data = Buffer.alloc(5_000_000, 'mail')
    await blobs.put('mbx_1', 'msg_1', data)
    t.ok((await blobs.get('mbx_1', 'msg_1')).equals(data))
    const { headers } = await client.send({ method: 'HEAD', key: 'mail/mbx_1/msg_1' })
    t.match(headers.etag, /-5"?$/, 'in five parts')

    const uploads = async (): Promise<string> =>
      (await client.send({ method: 'GET', key: '', query: { uploads: '' } })).body.toString()
    for (const key of ['mail/mbx_1/cut-off', 'other/cut-off'])
      await client.send({ method: 'POST', key, query: { uploads: '' } })
    await abortAbandoned(client, 'mail/', Date.now() + DAY - HOUR)
    t.match(await uploads(), /mail\/mbx_1\/cut-off/, 'it may be being written')
    await blobs.sweep(Date.now() + DAY + HOUR, async () => true)
    t.notMatch(await uploads(), /mail\/mbx_1\/cut-off/)
    t.match(await uploads(), /other\/cut-off/, 'what is not below the prefix is not ours')
    t.ok((await blobs.get('mbx_1', 'msg_1')).equals(data))
  })

  await t.test('a listing of several pages has every object once', async (t) => {
    const { client } = await place(t)
    const keys = Array.from({ length: 25 }, (_, index) => `mail/mbx_${index % 3}/msg_${index}`).sort()
    await Promise.all(keys.map((key) => putSingle(client, key, Buffer.from('x'))))
    const found: string[] = []
    for await (const { key, bytes } of listObjects(client, 'mail/', { max: '4' })) {
      found.push(key)
      t.equal(bytes, 1)
    }
    t.same(found.sort(), keys)
  })

  await t.test('what is not ours in the bucket is left alone', async (t) => {
    const { client, ...options } = await place(t)
    const clock = new ManualClock(Date.now())
    const blobs = createS3Blobs({ ...options, clock })
    t.teardown(() => blobs.close())
    const others = ['mail/README', 'mail/a/b/c', 'mail/mbx_1/a.b', 'mail2/mbx_1/msg_1', 'mbx_1/msg_1', 'mail/ü/x y']
    for (const key of others) await putSingle(client, key, Buffer.from('x'))
    clock.advance(30 * DAY)
    t.same(await blobs.sweep(clock.now(), async () => false), { orphans: 0, removed: 0 })
    t.same(await keysOf(client), others.sort())
  })

  await t.test('one place is for one data folder', async (t) => {
    const { client, ...first } = await place(t)
    const second = { ...first, localDir: join(t.testdir(), 'second') }
    await checkBucket(first)
    await checkBucket(first)
    t.equal(await placeOfBlobs(first.localDir), `s3://${first.bucket}/mail`)
    await t.rejects(checkBucket(second), /belongs to another data folder.*remove the object mail\/\.restante/)
    t.equal(await placeOfBlobs(second.localDir), undefined)
    await checkBucket({ ...second, prefix: 'mail2' })
    const moved = { ...first, prefix: 'mail3' }
    await t.rejects(checkBucket(moved), /are in s3:\/\/own-\d+\/mail, not in s3:\/\/own-\d+\/mail3/)
    // The bucket of that name is another one now.
    await client.send({ method: 'DELETE', key: 'mail/.restante' })
    await t.rejects(checkBucket(first), /has lost the mark of this data folder/)
    // An interrupted claim is finished by the next start, wherever that is to be.
    const mark = join(first.localDir, 'mark')
    await writeFile(mark, (await readFile(mark, 'utf8')).replace('claimed', 'claiming'))
    await checkBucket(moved)
    t.equal(await placeOfBlobs(first.localDir), `s3://${first.bucket}/mail3`)
    await rm(mark)
    await t.rejects(checkBucket(moved), /belongs to another data folder/)
    await writeFile(mark, 'rotten')
    await t.rejects(checkBucket(moved), /is damaged/)
  })
}
