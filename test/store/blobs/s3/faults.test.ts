/** A server that fails: what the caller sees, and that nothing is acknowledged which is not stored. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import { sha256Hex } from '../../../../src/lib/ids.js'
import { isStorageError } from '../../../../src/store/errors.js'
import type { S3Credentials } from '../../../../src/store/blobs/s3/signature.js'
import { createS3Blobs, type S3Blobs, type S3BlobsOptions } from '../../../../src/store/blobs/s3/s3-blobs.js'
import { createAuthority, opensslPeer } from '../../../support/peers/certificates.js'
import { startS3Server, type Fault, type S3Server } from '../../../support/peers/s3-server.js'

const SECRET = 'the-secret-key'
const TRIES = 3
const SHORT_MS = 500
const PART = 100_000

interface Opened {
  server: S3Server
  blobs: S3Blobs
  pauses: number[]
  damaged: string[]
  localDir: string
}

/** Over a server of the tests. */
function blobsOf(server: S3Server, change: Partial<S3BlobsOptions> & Pick<S3BlobsOptions, 'localDir'>): S3Blobs {
  return createS3Blobs({
    endpoint: server.endpoint,
    bucket: 'mail',
    prefix: '',
    region: 'eu-test-1',
    pathStyle: true,
    credentials: async () => ({ accessKeyId: 'the-access-key', secretAccessKey: SECRET }),
    clock: systemClock,
    ...change,
  })
}

/** @param timeoutMs time limit of a request: short only where one is to be reached, since a slow machine may reach it too */
async function open(t: Test, timeoutMs = 20_000): Promise<Opened> {
  const server = await startS3Server()
  const pauses: number[] = []
  const damaged: string[] = []
  const localDir = t.testdir()
  const blobs = blobsOf(server, {
    prefix: 'p',
    localDir,
    partBytes: PART,
    limits: { tries: TRIES, timeoutMs, bytesPerMs: 1_000_000, pause: async (ms) => void pauses.push(ms) },
    onDamaged: ({ id }) => damaged.push(id),
  })
  t.teardown(async () => {
    blobs.close()
    await server.stop()
  })
  return { server, blobs, pauses, damaged, localDir }
}

const small = Buffer.alloc(70_000, 'mail')
const large = Buffer.alloc(2 * PART + 1, 'mail')
const writtenOf = (data: Buffer) => ({ bytes: data.length, sha256: sha256Hex(data) })

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** Everything said in an error, with its causes. */
function saidBy(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${error.stack}\n${saidBy(error.cause)}` : String(error)
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not fail')
}

const PASSING: [name: string, fault: Fault, says: RegExp][] = [
  ['answers 503', { status: 503 }, /answered 503/],
  [
    'answers 500 InternalError',
    { status: 500, code: 'InternalError' },
    /answered 500 \(InternalError, It is not to be\)/,
  ],
  ['answers SlowDown', { status: 503, code: 'SlowDown' }, /answered 503 \(SlowDown/],
  ['answers nothing', 'silence', /timeout.*Check that 127\.0\.0\.1:\d+ \(blobs\.endpoint\) can be reached/],
  ['closes the connection', 'reset', /Check that 127\.0\.0\.1:\d+ \(blobs\.endpoint\) can be reached/],
]

for (const [name, fault, says] of PASSING) {
  void t.test(`a server that ${name} once is asked again, after a pause`, async (t) => {
    const { server, blobs, pauses } = await open(t, fault === 'silence' ? SHORT_MS : undefined)
    server.faults.push(fault)
    await blobs.put('mbx_1', 'msg_1', small)
    t.ok(server.objects.get('p/mbx_1/msg_1')?.equals(small))
    server.faults.push(fault, fault)
    t.ok((await blobs.get('mbx_1', 'msg_1', writtenOf(small))).equals(small))
    server.faults.push(fault)
    await blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_2', id: 'msg_2' })
    server.faults.push(fault)
    await blobs.delete('mbx_1', 'msg_1')
    t.same(
      [...server.objects.keys()].filter((key) => !key.startsWith('p/.trash')),
      ['p/mbx_2/msg_2'],
    )
    // None where a kept connection was closed: another one is opened at once.
    t.ok(pauses.length > 0)
    t.ok(pauses.every((ms) => ms >= 100 && ms <= 5000))
  })

  void t.test(`nothing is acknowledged while a server ${name}`, async (t) => {
    const { server, blobs } = await open(t, fault === 'silence' ? SHORT_MS : undefined)
    server.always = fault
    const put = await errorOf(blobs.put('mbx_1', 'msg_1', small))
    t.match(put.message, /Could not write blob mbx_1\/msg_1/)
    t.match(saidBy(put), says)
    t.ok(isStorageError(put), 'mail is deferred, as with a full disk')
    t.equal(server.log.length, TRIES)
    t.match(saidBy(await errorOf(blobs.put('mbx_1', 'msg_2', large))), says)
    t.equal(server.objects.size, 0)
    const errors = [
      blobs.get('mbx_1', 'msg_1'),
      blobs.stream('mbx_1', 'msg_1'),
      blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_2', id: 'msg_2' }),
      blobs.delete('mbx_1', 'msg_1'),
      blobs.sweep(systemClock.now(), async () => false),
      blobs.countTrash(),
    ].map(errorOf)
    for (const error of await Promise.all(errors)) {
      t.match(error, { name: 'S3Error' }, 'and not that there is no blob')
      t.ok(isStorageError(error))
      t.notMatch(saidBy(error), SECRET)
    }
  })
}

t.test('what is refused for good is not tried again, and the error says what to do without any secret', async (t) => {
  const { server, blobs, pauses } = await open(t)
  const refusals: [fault: Fault, says: RegExp][] = [
    [{ status: 403, code: 'AccessDenied' }, /no right to do this: give them the rights/],
    [{ status: 403, code: 'InvalidAccessKeyId' }, /does not know the access key: correct blobs\.credentials_file/],
    [{ status: 403, code: 'SignatureDoesNotMatch' }, /secret key is not the one/],
    [{ status: 403, code: 'RequestTimeTooSkewed' }, /clocks .* differ: synchronise/],
    [{ status: 404, code: 'NoSuchBucket' }, /no such bucket: create it, or correct blobs\.url/],
    [
      { status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-west-9' } },
      /set blobs\.region = "eu-west-9"/,
    ],
    [{ status: 307, headers: { location: 'http://127.0.0.1:1/elsewhere' } }, /Redirects are not followed/],
    [{ status: 403 }, /no right to do this/],
  ]
  for (const [fault, says] of refusals) {
    server.log.length = 0
    server.always = fault
    const error = await errorOf(blobs.put('mbx_1', 'msg_1', small))
    t.match(saidBy(error), says)
    t.notMatch(saidBy(error), /the-secret-key|StringToSign|>secret/)
    t.equal(server.log.length, 1)
  }
  t.same(pauses, [])
  t.equal(server.objects.size, 0)
})

t.test('renewed credentials are used when the old ones are refused, and missing ones are an error', async (t) => {
  const server = await startS3Server()
  let given: S3Credentials | undefined = { accessKeyId: 'old', secretAccessKey: SECRET }
  const blobs = blobsOf(server, {
    async credentials() {
      if (!given) throw new Error('the file is gone')
      return given
    },
    localDir: t.testdir(),
    limits: { tries: TRIES, pause: async () => undefined },
  })
  t.teardown(async () => {
    blobs.close()
    await server.stop()
  })
  await blobs.put('mbx_1', 'msg_1', small)
  given = { accessKeyId: 'new', secretAccessKey: SECRET, sessionToken: 'token' }
  server.faults.push({ status: 400, code: 'ExpiredToken' })
  t.ok((await blobs.get('mbx_1', 'msg_1')).equals(small))
  given = undefined
  server.faults.push({ status: 403, code: 'InvalidAccessKeyId' })
  const gone = await errorOf(blobs.get('mbx_1', 'msg_1'))
  t.match(gone, { name: 'S3Error', message: /no credentials: the file is gone/ })
  t.ok(isStorageError(gone))
})

t.test('a server that stored other bytes has not stored the blob', async (t) => {
  const { server, blobs } = await open(t)
  server.faults.push('wrong bytes')
  await blobs.put('mbx_1', 'msg_1', small)
  t.ok(server.objects.get('p/mbx_1/msg_1')?.equals(small), 'it was written again')
  server.always = 'wrong bytes'
  t.match(saidBy(await errorOf(blobs.put('mbx_1', 'msg_2', small))), /the server stored other bytes than were sent/)
  t.match(saidBy(await errorOf(blobs.put('mbx_1', 'msg_3', large))), /the server stored other bytes than were sent/)
  t.notOk(server.objects.has('p/mbx_1/msg_3'))
  t.equal(server.uploads.size, 0, 'the upload is aborted')
})

t.test('an error in the body of a 200 is an error', async (t) => {
  const { server, blobs } = await open(t)
  await blobs.put('mbx_1', 'msg_1', small)
  // Begin, three parts, completion.
  server.faults.push(undefined, undefined, undefined, undefined, 'error in 200')
  await blobs.put('mbx_1', 'msg_2', large)
  t.ok(server.objects.get('p/mbx_1/msg_2')?.equals(large))
  server.always = 'error in 200'
  t.match(saidBy(await errorOf(blobs.put('mbx_1', 'msg_3', large))), /InternalError/)
  t.match(await errorOf(blobs.delete('mbx_1', 'msg_1')), /InternalError/)
  t.ok(server.objects.has('p/mbx_1/msg_1'), 'what was not copied to the trash is not deleted')
})

t.test('a lost answer makes no second blob and loses none', async (t) => {
  const { server, blobs } = await open(t)
  server.faults.push('lost answer')
  await blobs.put('mbx_1', 'msg_1', small)
  // The completion has happened: when it is tried again the upload is gone.
  server.faults.push(undefined, undefined, undefined, undefined, 'lost answer')
  await blobs.put('mbx_1', 'msg_2', large)
  for (const [id, data] of [
    ['msg_1', small],
    ['msg_2', large],
  ] as const)
    t.ok((await blobs.get('mbx_1', id, writtenOf(data))).equals(data))
  server.faults.push('lost answer', 'lost answer')
  await blobs.delete('mbx_1', 'msg_1')
  t.equal(await blobs.countTrash(), 1)
  t.equal(server.uploads.size, 0)
})

t.test('an upload that is gone counts only if its very parts were put together', async (t) => {
  const { server, blobs } = await open(t)
  // What another one has written there meanwhile has the same length.
  server.objects.set('p/mbx_1/msg_1', Buffer.alloc(large.length, 'x'))
  server.faults.push(undefined, undefined, undefined, undefined, { status: 404, code: 'NoSuchUpload' })
  t.match(saidBy(await errorOf(blobs.put('mbx_1', 'msg_1', large))), /not those 200001 that were sent/)
})

for (const fault of ['cut', 'stalled', 'drip'] as const)
  void t.test(
    `a body that is cut, stalls or is too slow (${fault}) is read again from the piece where that was`,
    async (t) => {
      const { server, blobs } = await open(t, fault === 'cut' ? undefined : SHORT_MS)
      // Two pieces of 4 MiB and a rest.
      const data = Buffer.alloc(9_000_000, 'mail')
      server.objects.set('p/mbx_1/msg_1', data)
      server.faults.push(undefined, fault)
      t.ok((await blobs.get('mbx_1', 'msg_1', writtenOf(data))).equals(data))
      t.ok(fault !== 'cut' || server.log.length === 4)
      server.faults.push(fault)
      const stream = await blobs.stream('mbx_1', 'msg_1', writtenOf(data))
      t.ok(stream && (await buffer(stream)).equals(data))
      server.always = fault
      t.match(await errorOf(blobs.get('mbx_1', 'msg_1')), { name: 'S3Error' })
      t.match(await errorOf(blobs.stream('mbx_1', 'msg_1')), { name: 'S3Error' }, 'no stream is begun')
    },
  )

t.test('a blob that arrives changed is read once more, and never handed out', async (t) => {
  const { server, blobs, damaged, localDir } = await open(t)
  server.objects.set('p/mbx_1/msg_1', small)
  const wrote = writtenOf(small)
  server.faults.push('changed octet')
  t.ok((await blobs.get('mbx_1', 'msg_1', wrote)).equals(small))
  server.faults.push('changed octet')
  const stream = await blobs.stream('mbx_1', 'msg_1', wrote)
  t.ok(stream && (await buffer(stream)).equals(small))
  t.same(damaged, [])
  server.always = 'changed octet'
  t.match(await errorOf(blobs.get('mbx_1', 'msg_1', wrote)), { name: 'DamagedBlobError' })
  t.match(await errorOf(blobs.stream('mbx_1', 'msg_1', wrote)), { name: 'DamagedBlobError' })
  t.same(damaged, ['msg_1', 'msg_1'])
  t.same(await readdir(join(localDir, 'reading')), [], 'nothing of it stays on the disk')
})

t.test('a length that is wrong is found before the rest is fetched', async (t) => {
  const { server, blobs } = await open(t)
  server.objects.set('p/mbx_1/msg_1', Buffer.alloc(13_000_000))
  t.match(await errorOf(blobs.stream('mbx_1', 'msg_1', writtenOf(small))), /has 13000000 bytes instead of 70000/)
  t.equal(server.log.length, 1)
})

t.test('a blob is missing only if the server says so', async (t) => {
  const { server, blobs } = await open(t)
  t.equal(await blobs.stream('mbx_1', 'msg_1'), undefined)
  t.equal(await blobs.size('mbx_1', 'msg_1'), undefined)
  server.always = { status: 404, code: 'NoSuchBucket' }
  t.match(await errorOf(blobs.stream('mbx_1', 'msg_1')), /There is no such bucket/)
  t.match(await errorOf(blobs.delete('mbx_1', 'msg_1')), /There is no such bucket/)
})

t.test('more readers than requests at once wait for each other, and all are served', async (t) => {
  const { server, blobs } = await open(t)
  server.objects.set('p/mbx_1/msg_1', small)
  const { promise, resolve } = withResolvers()
  server.hold = promise
  const all = Promise.all(Array.from({ length: 100 }, () => blobs.get('mbx_1', 'msg_1', writtenOf(small))))
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done))
  while (server.open < 16) await turn()
  for (let turns = 0; turns < 100; turns++) await turn()
  t.equal(server.open, 16)
  resolve()
  t.ok((await all).every((each) => each.equals(small)))
})

t.test('a deletion that is interrupted after its copy leaves an orphan, which the next one takes', async (t) => {
  const { server, blobs } = await open(t)
  await blobs.put('mbx_1', 'msg_1', small)
  server.faults.push(undefined, ...Array.from({ length: TRIES }, (): Fault => ({ status: 503 })))
  await t.rejects(blobs.delete('mbx_1', 'msg_1'), { name: 'S3Error' })
  t.ok((await blobs.get('mbx_1', 'msg_1')).equals(small))
  await blobs.delete('mbx_1', 'msg_1')
  t.equal(await blobs.size('mbx_1', 'msg_1'), undefined)
  const found = await blobs.findInTrash(new Set(['mbx_1.msg_1']))
  const deleted = await found.get('mbx_1.msg_1')?.()
  t.equal(deleted?.bytes, small.length)
  deleted?.content.destroy()
})

t.test('a server whose certificate is not trusted gets nothing', opensslPeer(), async (t) => {
  const { ca, issue } = createAuthority(t.testdir())
  const { key, cert } = issue(['localhost'])
  const server = await startS3Server({ key, cert })
  const blobsWith = (trusted: string | undefined): S3Blobs => {
    const blobs = blobsOf(server, {
      ca: trusted,
      localDir: t.testdir(),
      onRetry: (error) => t.fail(`tried again: ${error.message}`),
    })
    t.teardown(() => blobs.close())
    return blobs
  }
  t.teardown(() => server.stop())
  const error = await errorOf(blobsWith(undefined).put('mbx_1', 'msg_1', small))
  t.match(saidBy(error), /certificate.*set blobs\.ca_file/)
  t.same(server.log, [])
  await blobsWith(ca).put('mbx_1', 'msg_1', small)
  t.ok(server.objects.get('mbx_1/msg_1')?.equals(small))
})
