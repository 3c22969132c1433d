/** The archive of an export as pieces in the blob store: written, read from anywhere, kept by the sweep, removed. */
import { mkdir, readdir, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { ifExists } from '../../../src/lib/files.js'
import { newId } from '../../../src/lib/ids.js'
import { Exports } from '../../../src/lifecycle/export/exports.js'
import { isBlobReferenced } from '../../../src/lifecycle/export/pieces.js'
import { changeExport, readExport } from '../../../src/lifecycle/export/record.js'
import type { ExportRecord } from '../../../src/lifecycle/export/types.js'
import { S3Error } from '../../../src/store/blobs/s3/errors.js'
import { StorageError } from '../../../src/store/errors.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { tasksIn } from '../../support/store/tasks.js'
import { makeWorld, turn, withResolvers, type World } from './world.js'

/** So that a small archive has several pieces. */
const PIECE = 700
const LARGE = `${'x'.repeat(70)}\r\n`.repeat(2_000)

const openStore = () => createStore(memoryEngine({ conflicts: 0.05 }))

/** A world with one export, which is ready. */
async function exported(
  t: Parameters<typeof makeWorld>[0],
  change: Parameters<typeof makeWorld>[2] = () => ({}),
): Promise<{ world: World; mailbox: string; ready: ExportRecord }> {
  const world = await makeWorld(t, openStore(), (deps) => ({ pieceBytes: PIECE, ...change(deps) }))
  const mailbox = await world.addMailbox('one@agents.test')
  await world.deliver(mailbox, { subject: 'First' })
  await world.work()
  await world.exports.request(world.account.id)
  return { world, mailbox, ready: await world.until('ready') }
}

t.test('any part of an archive is read from the pieces that have it', async (t) => {
  const { world, ready } = await exported(t)
  const whole = await world.download(ready)
  const size = whole.length
  t.equal(size, ready.sizeBytes)
  const names = await world.pieces()
  t.equal(names.length, Math.ceil(size / PIECE))
  t.ok(names.length > 3)
  for (const name of names) t.match(name, new RegExp(`^${ready.id}-[0-9A-Za-z]+-\\d+$`))
  for (const [start, end] of [
    [0, 0],
    [0, size - 1],
    [PIECE - 1, PIECE],
    [PIECE, 2 * PIECE - 1],
    [PIECE + 5, PIECE + 5],
    [10, 3 * PIECE + 10],
    [size - 1, size - 1],
  ] as const)
    t.ok((await world.download(ready, { start, end })).equals(whole.subarray(start, end + 1)), `${start} to ${end}`)
})

t.test('a piece is opened when the reader has taken the one before, and none outside the range', async (t) => {
  const opened: string[] = []
  const { world, ready } = await exported(t, ({ blobs }) => ({
    blobs: {
      put: (...args) => blobs.put(...args),
      size: (...args) => blobs.size(...args),
      discard: (...args) => blobs.discard(...args),
      async stream(owner, id, wrote) {
        opened.push(id)
        return blobs.stream(owner, id, wrote)
      },
    },
  }))
  const names = await world.pieces()
  const found = await world.exports.download(world.exports.linkTo(ready) ?? '')
  const reader = found?.open({ start: PIECE, end: 3 * PIECE - 1 })[Symbol.asyncIterator]()
  await reader?.next()
  t.strictSame(opened, [names[1]])
  await reader?.next()
  t.strictSame(opened, [names[1], names[2]])
  t.match(await reader?.next(), { done: true })
  t.strictSame(opened, [names[1], names[2]])
})

t.test('no octet of a damaged or lost piece is sent, and a link without pieces leads nowhere', async (t) => {
  const { world, ready } = await exported(t)
  const [first = '', second = '', third = ''] = await world.pieces()
  const pathOf = (name: string) => join(world.blobsDir, world.account.id, name)
  await writeFile(pathOf(second), Buffer.alloc(PIECE, 1))
  await truncate(pathOf(third), PIECE - 1)
  t.equal((await world.download(ready, { start: 0, end: PIECE - 1 })).length, PIECE)
  for (const n of [1, 2])
    await t.rejects(world.download(ready, { start: n * PIECE, end: n * PIECE }), { name: 'DamagedBlobError' })
  await unlink(pathOf(third))
  await t.rejects(world.download(ready, { start: 2 * PIECE, end: 2 * PIECE }), /Piece 2 of export exp_\w+ is gone/)
  await unlink(pathOf(first))
  t.equal(await world.exports.download(world.exports.linkTo(ready) ?? ''), undefined)
})

t.test('the sweep leaves the pieces of exports that are ready or built, and takes all others', async (t) => {
  const { world, ready } = await exported(t)
  const names = await world.pieces()
  const owner = world.account.id
  const build = names[0]?.split('-')[1]
  const dead = [`${ready.id}-other-0`, `${newId('exp')}-${build}-0`, 'x']
  for (const id of dead) await world.blobs.put(owner, id, Buffer.from('x'))
  // The age of a file is the machine's.
  const sweep = () => world.blobs.sweep(Date.now() + 2 * HOUR, (...blob) => isBlobReferenced(world.store, ...blob))
  t.match(await sweep(), { orphans: dead.length })
  t.strictSame(await world.pieces(), names)
  await changeExport(world.store, ready, { state: 'building' })
  t.match(await sweep(), { orphans: 0 })
  await changeExport(world.store, ready, { archive: undefined })
  t.equal(await isBlobReferenced(world.store, owner, names[0] ?? ''), false)
})

t.test('a removal that was interrupted is finished by the task of the export', async (t) => {
  let breaks = true
  const { world, ready } = await exported(t, ({ blobs }) => ({
    blobs: {
      put: (...args) => blobs.put(...args),
      size: (...args) => blobs.size(...args),
      stream: (...args) => blobs.stream(...args),
      async discard(owner, id) {
        if (breaks && id.endsWith('-1')) throw new Error('not now')
        await blobs.discard(owner, id)
      },
    },
  }))
  world.clock.advance(7 * DAY)
  world.queue.poke()
  while (world.errors.length === 0) await turn()
  while ((await tasksIn(world.queue, 'export', 1)).some(({ leased }) => leased)) await turn()
  t.match(await world.exports.get(world.account.id, ready.id), { state: 'expired' })
  t.equal((await world.pieces()).length, 2, 'from the last to the first')
  breaks = false
  await world.advance(HOUR)
  t.strictSame(await world.pieces(), [])
  t.equal((await readExport(world.store, world.account.id, ready.id))?.archive, undefined)
})

t.test('a bucket that is away delays an archive; a full disk ends it', async (t) => {
  let failure: Error | undefined = new StorageError('Could not write blob', { cause: new S3Error('no answer') })
  const world = await makeWorld(t, openStore(), ({ blobs }) => ({
    blobs: {
      size: (...args) => blobs.size(...args),
      stream: (...args) => blobs.stream(...args),
      discard: (...args) => blobs.discard(...args),
      async put(...args) {
        if (failure) throw failure
        await blobs.put(...args)
      },
    },
  }))
  const mailbox = await world.addMailbox('one@agents.test')
  await world.deliver(mailbox, { text: LARGE })
  await world.work()
  await world.exports.request(world.account.id)
  while (world.errors.length === 0) await turn()
  t.match(await world.exports.list(world.account.id), [{ state: 'building' }])
  failure = undefined
  while ((await tasksIn(world.queue, 'export', 1)).some(({ leased }) => leased)) await turn()
  await world.advance(HOUR)
  await world.until('ready')

  failure = new Error('Could not write blob', { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) })
  await world.exports.request(world.account.id)
  t.match((await world.until('failed')).problem, /not enough space/)
  t.equal((await world.pieces()).length, 1)
})

t.test('an account that goes on one node ends the build of another, which removes its pieces', async (t) => {
  const [reached, gate, discards] = [withResolvers(), withResolvers(), withResolvers()]
  let puts = 0
  const world = await makeWorld(t, openStore(), ({ blobs }) => ({
    pieceBytes: 100,
    blobs: {
      // All but the first wait, so that none is under way when the account goes.
      async put(...args) {
        if (puts++ > 0) await gate.promise
        return blobs.put(...args)
      },
      size: (...args) => blobs.size(...args),
      async discard(...args) {
        await blobs.discard(...args)
        if (args[1].endsWith('-0')) discards.resolve()
      },
      async stream(...args) {
        reached.resolve()
        await gate.promise
        return blobs.stream(...args)
      },
    },
  }))
  const mailbox = await world.addMailbox('one@agents.test')
  await world.deliver(mailbox, { text: LARGE })
  await world.work()
  await world.exports.request(world.account.id)
  await reached.promise
  while ((await world.pieces()).length === 0) await turn()
  await new Exports(world.deps).removeAll(world.account.id)
  t.strictSame(await world.pieces(), [])
  gate.resolve()
  await discards.promise
  t.strictSame(await world.pieces(), [])
  t.strictSame(await world.exports.list(world.account.id), [])
  t.strictSame(world.errors, [])
})

t.test('archives that an earlier version left as files are moved to the blobs', async (t) => {
  const { world, ready } = await exported(t)
  const whole = await world.download(ready)
  const [account, dir] = [world.account.id, join(t.testdir(), 'exports')]
  for (const name of await world.pieces()) await world.blobs.discard(account, name)
  await changeExport(world.store, ready, { archive: undefined })
  await mkdir(dir)
  await writeFile(join(dir, `${account}.${ready.id}.zip`), whole)
  for (const name of [`${account}.${newId('exp')}.zip`, `${account}.${ready.id}.draft`])
    await writeFile(join(dir, name), 'x')
  await t.rejects(world.exports.download(world.exports.linkTo(ready) ?? ''), { code: 'unavailable' })

  const stopped = AbortSignal.abort(new Error('stopped'))
  await t.rejects(world.exports.adopt(dir, stopped))
  t.equal((await readdir(dir)).length, 3)
  const never = new AbortController().signal
  await world.exports.adopt(dir, never)
  t.equal(await ifExists(readdir(dir)), undefined)
  t.ok((await world.download(ready)).equals(whole))
  t.equal((await world.pieces()).length, 1)
  await world.exports.adopt(dir, never)
  await world.advance(7 * DAY)
  t.strictSame(await world.pieces(), [])
})

t.test('a folder of archives with something else in it stays', async (t) => {
  const world = await makeWorld(t, openStore())
  const dir = t.testdir({ 'note.txt': 'x' })
  await world.exports.adopt(dir, new AbortController().signal)
  t.strictSame(await readdir(dir), ['note.txt'])
})
