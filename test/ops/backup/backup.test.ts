/** A backup has all there was at its moment, and a restore brings back that or nothing. */
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createAudit } from '../../../src/audit/audit.js'
import { restoreBackup } from '../../../src/ops/backup/restore.js'
import type { BackupKey } from '../../../src/ops/backup/encryption.js'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../../src/store/store.js'
import { accepted, makeWorld, type World } from '../../mailbox/world.js'
import { run } from '../../support/daemon.js'
import { LARGE, makeFolder, type Folder } from './folder.js'

const KEY: BackupKey = { kind: 'key', key: Buffer.alloc(32, 7) }

async function restore({ root, world }: Folder, file: string, key?: BackupKey, name = 'restored'): Promise<string> {
  const dir = join(root, name)
  await mkdir(dir, { recursive: true })
  await restoreBackup({ file, dir, key: async () => key, by: 'grace', at: world.clock.now() })
  return dir
}

async function open(t: Test, dir: string, before: World): Promise<World> {
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  t.teardown(() => store.close())
  return makeWorld(t, store, before, join(dir, 'blobs'))
}

const subjects = async ({ mailboxes, id }: World): Promise<string[]> =>
  (await mailboxes.reading.threads(id, { limit: 100 })).data.map(({ subject }) => subject)

for (const key of [undefined, KEY, { kind: 'passphrase', passphrase: 'correct horse battery' } as const])
  t.test(`what was there comes back (${key?.kind ?? 'not encrypted'})`, async (t) => {
    const folder = await makeFolder(t)
    const { world, make, root } = folder
    await world.deliver({ subject: 'small' })
    const large = await world.deliver({ subject: 'large', text: LARGE })
    const draft = await world.mailboxes.drafts.create(
      world.id,
      {
        to: [{ address: 'eve@example.net', name: '' }],
        subject: 'to be sent',
        text: 'With a file.',
        attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', content: randomBytes(70_000) }],
      },
      {},
    )
    const seen: number[] = []
    const made = await make({ onProgress: ({ bytesDone }) => seen.push(bytesDone) }, { key })
    t.equal((await stat(made.file)).mode & 0o777, 0o600)
    t.equal((await stat(made.file)).size, made.bytes)
    t.match(made.manifest, { mailboxes: 1, blobs: { count: 2, missing: 0 }, domains: ['agents.example'] })
    t.same(await readdir(join(root, 'out')), ['backup.tar.gz'], 'nothing else is left')
    t.notOk((await readdir(folder.dataDir)).includes('backup.work'))
    t.ok(seen.length > 1)
    t.equal((await readFile(made.file)).includes('a secret of'), false)
    await world.deliver({ subject: 'after it' })

    const dir = await restore(folder, made.file, key)
    t.same((await readdir(dir)).sort(), ['blobs', 'certificates', 'config.restored', 'dkim', 'secrets', 'store'])
    t.equal((await stat(join(dir, 'secrets'))).mode & 0o777, 0o700)
    t.equal((await stat(join(dir, 'secrets/web_key'))).mode & 0o777, 0o600)
    t.equal(await readFile(join(dir, 'secrets/web_key'), 'utf8'), 'a secret of 32 characters, or so')
    t.same(await readdir(join(dir, 'config.restored')), ['server.toml'])
    t.equal((await readdir(join(dir, 'dkim'))).length, 2, 'whatever the length of their names')
    t.same(await readdir(join(dir, 'certificates/mx.agents.example')), ['pair.pem'])
    t.equal(await readFile(join(dir, 'certificates/mx.agents.example/pair.pem'), 'utf8'), 'a key and its chain')
    t.equal((await stat(join(dir, 'certificates/mx.agents.example/pair.pem'))).mode & 0o777, 0o600)
    const again = await open(t, dir, world)
    t.same(await subjects(again), ['large', 'small'])
    t.ok((await again.mailboxes.reading.raw(world.id, large.id)).includes(LARGE.slice(0, 70)))
    t.same(await again.mailboxes.drafts.get(world.id, draft.id), draft)
    t.match(
      accepted(await again.mailboxes.sending.sendDraft(world.id, draft.id, {})),
      { status: 'queued' },
      'with its file',
    )
  })

t.test('one that is not encrypted is a tar that other programs read', async (t) => {
  const folder = await makeFolder(t)
  await folder.world.deliver({ subject: 'large', text: LARGE })
  const { file } = await folder.make()
  const out = join(folder.root, 'by-hand')
  await mkdir(out)
  t.match(await run('tar', ['-xzf', file, '-C', out]), { code: 0, stderr: '' })
  t.match(await run('sh', ['-c', `cd ${out} && sha256sum -c blobs.sha256`]), { code: 0 })
  t.match(await run('sh', ['-c', `find ${out}/dkim -name '*.retired-*'`]), { stdout: /long-.*\/r1\.pem\.retired/ })
})

t.test('mail that comes, and goes, while it is made does no harm', async (t) => {
  const folder = await makeFolder(t)
  const { world } = folder
  const kept = await world.deliver({ subject: 'stays', text: LARGE })
  const gone = await world.deliver({ subject: 'goes', text: LARGE })
  const made = await folder.make(
    {},
    {
      copyStore: async (to) => {
        await folder.engine.copy(to)
        await world.mailboxes.trash.deleteMessage(world.id, gone.id)
        await world.mailboxes.trash.purge(world.id, gone.id)
        await world.deliver({ subject: 'later', text: LARGE })
        world.clock.advance(30 * 24 * 3_600_000)
        t.equal(await world.blobs.emptyTrash(world.clock.now()), 0, 'the trash is kept meanwhile')
      },
    },
  )
  t.match(made.manifest.blobs, { count: 2, missing: 0 })
  t.equal(await world.blobs.emptyTrash(world.clock.now()), 1, 'and let go of after that')
  const again = await open(t, await restore(folder, made.file), world)
  t.same(await subjects(again), ['goes', 'stays'])
  for (const { id } of [kept, gone]) t.ok((await again.mailboxes.reading.raw(world.id, id)).includes('xxx'))
})

t.test('a backup that is damaged, cut off or not ours restores nothing', async (t) => {
  const folder = await makeFolder(t)
  await folder.world.deliver({ subject: 'large', text: randomBytes(60_000).toString('hex') })
  const open = await folder.make()
  const sealed = await folder.make({ file: join(folder.root, 'sealed') }, { key: KEY })
  const [plain, cipher] = [gunzipSync(await readFile(open.file)), await readFile(sealed.file)]
  const flipped = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  const HEAD = 41
  const CHUNK = 64 * 1024 + 16
  const chunk = (n: number): Buffer => cipher.subarray(HEAD + n * CHUNK, HEAD + (n + 1) * CHUNK)
  t.ok(cipher.length > HEAD + 2 * CHUNK, 'three chunks at least')
  const blob = plain.indexOf('blobs/')
  const cases: [what: string, bytes: Buffer, message: RegExp, key?: BackupKey][] = [
    ['something else', Buffer.from('hello'), /is no backup of Restante/],
    ['an empty file', Buffer.alloc(0), /is no backup of Restante/],
    ['another tar', gzipSync(Buffer.alloc(1024)), /cut off/],
    ['gzip cut off', (await readFile(open.file)).subarray(0, -100), /cut off|damaged/],
    ['gzip with one bit turned', flipped(await readFile(open.file), 5000), /damaged|cut off|can't be read/],
    ['a blob with one bit turned', gzipSync(flipped(plain, blob + 600)), /A file of a message is damaged/],
    [
      'the database with one bit turned',
      gzipSync(flipped(plain, plain.indexOf('store/data.mdb') + 9000)),
      /store\/data\.mdb is damaged/,
    ],
    [
      'no manifest',
      gzipSync(Buffer.concat([plain.subarray(0, plain.lastIndexOf('manifest.json')), Buffer.alloc(1024)])),
      /cut off|damaged/,
    ],
    ['no key', cipher, /is encrypted\. Name the file of its key/],
    ['another key', cipher, /The key is not the one/, { kind: 'key', key: Buffer.alloc(32, 8) }],
    ['a passphrase for a key', cipher, /encrypted with a key/, { kind: 'passphrase', passphrase: 'x'.repeat(20) }],
    ['encrypted and cut at a chunk', cipher.subarray(0, HEAD + CHUNK), /damaged|cut off|not the one/, KEY],
    ['encrypted and cut within one', cipher.subarray(0, HEAD + CHUNK + 100), /damaged|cut off/, KEY],
    ['encrypted, one bit turned', flipped(cipher, HEAD + CHUNK + 5), /damaged or cut off/, KEY],
    [
      'chunks changed places',
      Buffer.concat([cipher.subarray(0, HEAD), chunk(1), chunk(0), cipher.subarray(HEAD + 2 * CHUNK)]),
      /not the one|damaged/,
      KEY,
    ],
    [
      'a chunk left out',
      Buffer.concat([cipher.subarray(0, HEAD + CHUNK), cipher.subarray(HEAD + 2 * CHUNK)]),
      /damaged/,
      KEY,
    ],
  ]
  for (const [what, bytes, message, key] of cases) {
    const file = join(folder.root, 'bad')
    await writeFile(file, bytes)
    await t.rejects(restore(folder, file, key, 'nothing'), { name: 'BackupError', message }, what)
    t.same(await readdir(join(folder.root, 'nothing')), [], `${what}: nothing is there`)
  }
  await truncate(sealed.file, HEAD)
  await t.rejects(restore(folder, sealed.file, KEY, 'nothing'), { message: /cut off/ })
})

t.test('a newer backup is refused by name of the version that can restore it', async (t) => {
  const folder = await makeFolder(t)
  const { file } = await folder.make({}, { about: { ...folder.deps.about, restante_version: '7.5.3' } })
  const plain = gunzipSync(await readFile(file))
    .toString('latin1')
    .replace('"format_version": 1', '"format_version": 9')
  await writeFile(file, gzipSync(Buffer.from(plain, 'latin1')))
  await t.rejects(restore(folder, file), {
    message: /made by Restante 7\.5\.3 in a form .* with Restante 7\.5\.3 or later/,
  })
})

t.test('a folder with something in it is left alone', async (t) => {
  const folder = await makeFolder(t)
  const { file } = await folder.make()
  const dir = join(folder.root, 'taken')
  await mkdir(dir)
  await appendFile(join(dir, 'mine'), 'x')
  await t.rejects(restore(folder, file, undefined, 'taken'), { message: /is not empty: it holds mine/ })
  t.same(await readdir(dir), ['mine'])
  await t.rejects(restore(folder, file, undefined, 'data'), { message: /is not empty/ }, 'a data folder in use')
})

t.test('a restore that was cut off is begun anew', async (t) => {
  const folder = await makeFolder(t)
  await folder.world.deliver({ subject: 'large', text: LARGE })
  const { file } = await folder.make()
  const dir = join(folder.root, 'again')
  for (const left of ['.restoring/blobs/mbx_1', 'blobs/mbx_1', 'secrets']) {
    await mkdir(join(dir, left), { recursive: true })
    await writeFile(join(dir, left, 'half'), 'x')
  }
  await restore(folder, file, undefined, 'again')
  t.same((await readdir(dir)).sort(), ['blobs', 'certificates', 'config.restored', 'dkim', 'secrets', 'store'])
  t.same(await readdir(join(dir, 'secrets')), ['web_key'])
  t.same(await readdir(join(dir, 'blobs')), [folder.world.id])
})

t.test('without room nothing is written, and nothing is left', async (t) => {
  const folder = await makeFolder(t)
  await folder.world.deliver({ subject: 'large', text: LARGE })
  const left = async (): Promise<string[]> => [
    ...(await readdir(join(folder.root, 'out'))),
    ...(await readdir(folder.dataDir)).filter((name) => name === 'backup.work'),
  ]
  await t.rejects(folder.make({}, { freeBytes: async () => 1000 }), { message: /There is no room in .*: about 2 MB/ })
  t.same(await left(), [])
  const stopped = new AbortController()
  const making = folder.make({ signal: stopped.signal, onProgress: () => stopped.abort(new Error('stopped')) })
  await t.rejects(making, { message: 'stopped' })
  t.same(await left(), [])
  const file = '/dev/full/backup'
  await t.rejects(folder.make({ file }), { name: 'BackupError' })
  t.same(await left(), [])
  await folder.make()
  await t.rejects(folder.make(), { message: /is there already/ })
  t.same(await left(), ['backup.tar.gz'])
})

t.test('a file that was lost before is counted, and the rest is kept', async (t) => {
  const folder = await makeFolder(t)
  const { world } = folder
  const lost = await world.deliver({ subject: 'lost', text: LARGE })
  await world.deliver({ subject: 'kept', text: LARGE })
  await run('rm', [join(folder.dataDir, 'blobs', world.id, lost.id)])
  const made = await folder.make()
  t.match(made.manifest.blobs, { count: 1, missing: 1 })
  t.same(await subjects(await open(t, await restore(folder, made.file), world)), ['kept', 'lost'])
})

t.test('a restore is the entry of the audit log that follows on those of the backup', async (t) => {
  const folder = await makeFolder(t)
  const { clock } = folder.world
  const log = { info: () => undefined, error: () => undefined }
  const auditOf = (store: World['store']) => createAudit({ store, clock, retentionMs: DAY, log })
  const actor = { type: 'operator', id: null, name: 'hopper' } as const
  await auditOf(folder.world.store).record({ action: 'account.suspended', actor, subject: { account_id: 'acc_1' } })
  const { file, manifest } = await folder.make()
  clock.advance(HOUR)
  const { store } = await open(t, await restore(folder, file), folder.world)
  t.match((await auditOf(store).list({ limit: 10 })).data, [
    {
      action: 'backup.restored',
      result: 'done',
      at: new Date(Math.max(clock.now(), Date.parse(manifest.created_at))).toISOString(),
      actor: { type: 'operator', name: 'grace' },
      subject: { name: 'backup.tar.gz' },
      reason: `the backup of ${manifest.created_at}`,
    },
    { action: 'account.suspended', actor: { name: 'hopper' } },
  ])
})
