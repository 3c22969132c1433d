/** What everybody gets of blobs, wherever they are. */
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { sha256Hex } from '../../../src/lib/ids.js'
import type { Blobs, StoredBlob, WrittenBlob } from '../../../src/store/types.js'
import { IMPLEMENTATIONS, type Implementation } from './implementations.js'

const nobody = async (): Promise<boolean> => false

/** The same as `stream` and `read` give it. */
async function whole(blob: Promise<StoredBlob | undefined> | ReturnType<Blobs['stream']>): Promise<Buffer> {
  const found = await blob
  if (!found) throw new Error('it is there')
  return buffer('content' in found ? found.content : found)
}

for (const implementation of IMPLEMENTATIONS)
  void t.test(implementation.name, implementation.options, async (t) => {
    // Not a teardown: those run in any order.
    try {
      await suite(t, implementation)
    } finally {
      await implementation.stop()
    }
  })

async function suite(t: Test, { open }: Implementation): Promise<void> {
  await t.test('a blob comes back as it was put, also after opening the place again', async (t) => {
    const { blobs, again } = await open(t)
    const data = Buffer.alloc(300_000, 'mail')
    await blobs.put('mbx_1', 'msg_1', data)
    await blobs.put('mbx_1', 'msg_2', Buffer.alloc(0))
    t.same(await blobs.get('mbx_1', 'msg_1'), data)
    t.same(await (await again()).get('mbx_1', 'msg_2'), Buffer.alloc(0))
    t.same(await whole(blobs.stream('mbx_1', 'msg_2')), Buffer.alloc(0))
    t.equal(await blobs.stream('mbx_2', 'msg_1'), undefined)
    await t.rejects(blobs.get('mbx_2', 'msg_1'), /There is no blob mbx_2\/msg_1/)
  })

  await t.test('its beginning is read alone; only its length is compared', async (t) => {
    const told: string[] = []
    const { blobs, overwrite } = await open(t, { onDamaged: ({ owner, id }) => told.push(`${owner}/${id}`) })
    const data = Buffer.from('Subject: mail\r\n\r\nmail')
    const wrote = { bytes: data.length }
    await blobs.put('mbx_1', 'msg_1', data)
    await blobs.put('mbx_1', 'empty', Buffer.alloc(0))
    t.equal((await blobs.head('mbx_1', 'msg_1', 7, wrote)).toString(), 'Subject')
    t.same(await blobs.head('mbx_1', 'msg_1', 1_000_000), data)
    t.same(await blobs.head('mbx_1', 'empty', 10), Buffer.alloc(0))
    await t.rejects(blobs.head('mbx_1', 'msg_2', 7), /There is no blob mbx_1\/msg_2/)
    await overwrite('mbx_1/msg_1', data.subarray(1))
    await t.rejects(blobs.head('mbx_1', 'msg_1', 7, wrote), /it has 20 bytes instead of 21/)
    t.same(told, ['mbx_1/msg_1'])
  })

  await t.test('a blob is read as it is for backups and checks, from the trash too', async (t) => {
    const { blobs } = await open(t)
    const data = Buffer.alloc(5_000_000, 'mail')
    await blobs.put('mbx_1', 'large', data)
    await blobs.put('mbx_1', 'empty', Buffer.alloc(0))
    t.equal(await blobs.size('mbx_1', 'large'), data.length)
    t.equal(await blobs.size('mbx_1', 'missing'), undefined)
    t.equal((await blobs.read('mbx_1', 'empty'))?.bytes, 0)
    t.equal(await blobs.read('mbx_1', 'missing'), undefined)
    t.ok((await whole(blobs.read('mbx_1', 'large'))).equals(data))
    t.same(await whole(blobs.read('mbx_1', 'empty')), Buffer.alloc(0))
    const listed: string[] = []
    for await (const { owner, id, changedAt } of blobs.list()) {
      listed.push(`${owner}/${id}`)
      t.ok(Math.abs(changedAt - Date.now()) < HOUR)
    }
    t.same(listed.sort(), ['mbx_1/empty', 'mbx_1/large'])
    await blobs.delete('mbx_1', 'large')
    const found = await blobs.findInTrash(new Set(['mbx_1.large', 'mbx_1.empty']))
    t.same([...found.keys()], ['mbx_1.large'])
    t.ok((await whole(found.get('mbx_1.large')?.() ?? Promise.resolve(undefined))).equals(data))
  })

  await t.test('a blob that is not what was written is not handed out, whole or in pieces', async (t) => {
    const told: string[] = []
    const { blobs, overwrite } = await open(t, { onDamaged: ({ owner, id }) => told.push(`${owner}/${id}`) })
    // Three pieces, so that one in the middle counts too.
    const data = Buffer.alloc(2_500_000, 'mail')
    const wrote = { bytes: data.length, sha256: sha256Hex(data) }
    const read = (expected: WrittenBlob | undefined): Promise<Buffer> => whole(blobs.stream('mbx_1', 'msg_1', expected))
    await blobs.put('mbx_1', 'msg_1', data)
    for (const expected of [wrote, { bytes: data.length }, undefined]) {
      t.ok((await blobs.get('mbx_1', 'msg_1', expected)).equals(data))
      t.ok((await read(expected)).equals(data))
    }
    const refused = async (what: RegExp): Promise<void> => {
      const error = { name: 'DamagedBlobError', message: what }
      await t.rejects(blobs.get('mbx_1', 'msg_1', wrote), error)
      await t.rejects(read(wrote), error)
      t.strictSame(told.splice(0), ['mbx_1/msg_1', 'mbx_1/msg_1'])
    }
    for (const at of [0, 1_200_000, data.length - 1]) {
      const changed = Buffer.from(data)
      changed[at] = 0
      await overwrite('mbx_1/msg_1', changed)
      await refused(/blob mbx_1\/msg_1 is damaged: its bytes differ.* backup/)
    }
    await overwrite('mbx_1/msg_1', data.subarray(0, 1_000_000))
    await refused(/has 1000000 bytes instead of 2500000/)
    await overwrite('mbx_1/msg_1', Buffer.concat([data, Buffer.alloc(1)]))
    await refused(/has 2500001 bytes/)
    await overwrite('mbx_1/msg_1', Buffer.alloc(0))
    await refused(/has 0 bytes/)
  })

  await t.test('putting a blob again after a cut-off try is no error', async (t) => {
    const { blobs, names } = await open(t)
    await blobs.put('mbx_1', 'msg_1', Buffer.from('one'))
    await blobs.put('mbx_1', 'msg_1', Buffer.from('one'))
    t.same(await blobs.get('mbx_1', 'msg_1'), Buffer.from('one'))
    t.same(await names(), ['mbx_1/msg_1'])
  })

  await t.test('a link gives another owner the same bytes, and outlives the first owner', async (t) => {
    const { blobs } = await open(t)
    // The second one is large.
    for (const [id, data] of [
      ['small', Buffer.from('to both')],
      ['large', Buffer.alloc(2_500_000, 'mail')],
    ] as const) {
      await blobs.put('mbx_1', id, data)
      const link = (): Promise<void> => blobs.link({ owner: 'mbx_1', id }, { owner: 'mbx_2', id })
      await link()
      await link()
      await blobs.delete('mbx_1', id)
      t.ok((await blobs.get('mbx_2', id, { bytes: data.length, sha256: sha256Hex(data) })).equals(data))
      await t.rejects(blobs.link({ owner: 'mbx_1', id }, { owner: 'mbx_3', id: 'msg_3' }), /no blob mbx_1\//)
    }
    await blobs.put('mbx_1', 'msg_9', Buffer.from('another'))
    const other = blobs.link({ owner: 'mbx_1', id: 'msg_9' }, { owner: 'mbx_2', id: 'small' })
    await t.rejects(other, { code: 'EEXIST' }, 'also of the same length')
    t.same(await blobs.get('mbx_2', 'small'), Buffer.from('to both'))
  })

  await t.test('a deleted blob is gone at once, and from the trash after seven days', async (t) => {
    const { blobs, clock, names } = await open(t)
    const deletedAt = clock.now()
    await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
    await blobs.delete('mbx_1', 'msg_1')
    await blobs.delete('mbx_1', 'msg_1')
    await blobs.delete('mbx_9', 'msg_9')
    await t.rejects(blobs.get('mbx_1', 'msg_1'), /no blob/)
    clock.advance(7 * DAY - 1)
    t.same(await blobs.sweep(clock.now(), nobody), { orphans: 0, removed: 0 })
    t.same(await names(), [`.trash/${deletedAt}.mbx_1.msg_1`])
    clock.advance(1)
    t.same(await blobs.sweep(clock.now(), nobody), { orphans: 0, removed: 1 })
    t.same(await names(), [])
  })

  await t.test('what is discarded is gone for good, without the trash', async (t) => {
    const { blobs, names } = await open(t)
    for (const id of ['msg_1', 'msg_2']) await blobs.put('mbx_1', id, Buffer.from('x'))
    await blobs.discard('mbx_1', 'msg_1')
    await blobs.discard('mbx_1', 'msg_1')
    await blobs.discard('mbx_9', 'msg_9')
    t.same(await names(), ['mbx_1/msg_2'])
    t.equal(await blobs.countTrash(), 0)
  })

  await t.test('a sweep takes what nobody references after an hour, and nothing else', async (t) => {
    const { blobs, clock } = await open(t)
    for (const id of ['kept', 'orphan']) await blobs.put('mbx_1', id, Buffer.from(id))
    await blobs.put('mbx_2', 'orphan', Buffer.from('x'))
    const asked: string[] = []
    const isReferenced = async (owner: string, id: string): Promise<boolean> => {
      asked.push(`${owner}/${id}`)
      return id === 'kept'
    }
    t.same(await blobs.sweep(Date.now() + HOUR - 60_000, isReferenced), { orphans: 0, removed: 0 })
    t.same(asked, [])
    clock.advance(HOUR + 60_000)
    t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 2, removed: 0 })
    t.same(asked.sort(), ['mbx_1/kept', 'mbx_1/orphan', 'mbx_2/orphan'])
    t.same(await blobs.get('mbx_1', 'kept'), Buffer.from('kept'))
    await t.rejects(blobs.get('mbx_1', 'orphan'), /no blob/)
    clock.advance(7 * DAY)
    t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 0, removed: 2 })
  })

  await t.test('a sweep takes a tenth of the blobs at the most, and the next one goes on', async (t) => {
    const { blobs, clock } = await open(t)
    for (let i = 0; i < 160; i++) await blobs.put(`mbx_${i % 7}`, `msg_${i}`, Buffer.from('x'))
    clock.advance(HOUR + 60_000)
    const isReferenced = async (_owner: string, id: string): Promise<boolean> => Number(id.slice(4)) >= 40
    t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 16, removed: 0, left: 24 })
    t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 15, removed: 0, left: 9 })
    t.same(await blobs.sweep(clock.now(), isReferenced), { orphans: 9, removed: 0 })
    t.same(await blobs.get('mbx_6', 'msg_41'), Buffer.from('x'))
  })

  await t.test('a sweep that would take most blobs takes none, says so, and keeps the trash', async (t) => {
    const told: boolean[] = []
    const { blobs, clock, names } = await open(t, { onSweep: (stopped) => told.push(stopped) })
    for (let i = 0; i < 22; i++) await blobs.put('mbx_1', `msg_${i}`, Buffer.from('x'))
    await blobs.delete('mbx_1', 'msg_21')
    clock.advance(8 * DAY)
    const stopped = {
      name: 'SweepStoppedError',
      message: /^11 of 21 files are referenced by no message: the store is older.*restore a backup/,
    }
    await t.rejects(
      blobs.sweep(clock.now(), async (_owner, id) => Number(id.slice(4)) < 10),
      stopped,
    )
    await t.rejects(blobs.sweep(clock.now(), nobody), /21 of 21 files are referenced/)
    t.equal((await names()).filter((name) => name.startsWith('mbx_1/')).length, 21)
    t.equal(await blobs.emptyTrash(clock.now()), 0, 'what was swept before may be wanted back')
    t.equal(await blobs.countTrash(), 1)
    t.same(await blobs.sweep(clock.now(), async () => true), { orphans: 0, removed: 1 })
    t.strictSame(told, [true, true, false])
  })

  await t.test('the trash is kept while a backup needs it', async (t) => {
    const { blobs, clock } = await open(t)
    await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
    await blobs.delete('mbx_1', 'msg_1')
    clock.advance(8 * DAY)
    const letGo = blobs.keepTrash()
    t.equal(await blobs.emptyTrash(clock.now()), 0)
    letGo()
    t.equal(await blobs.emptyTrash(clock.now()), 1)
  })

  await t.test('a store that is younger than a blob which it does not name has no say over it', async (t) => {
    const { blobs, clock } = await open(t)
    for (const id of ['kept', 'orphan']) await blobs.put('mbx_1', id, Buffer.from(id))
    let written = 0
    for await (const blob of blobs.list()) if (blob.id === 'orphan') written = blob.writtenAt
    clock.advance(3 * DAY)
    const isReferenced = async (_owner: string, id: string): Promise<boolean> => id === 'kept'
    const sweep = (storeBornAt: number) => blobs.sweep(clock.now(), isReferenced, storeBornAt)
    await t.rejects(sweep(written + DAY + 1), /1 of 1 unreferenced files are older than this store/)
    t.same(await sweep(written + DAY), { orphans: 1, removed: 0 }, 'a clock may have been set meanwhile')
  })

  await t.test('a fresh link to an old blob is not swept before it can be committed', async (t) => {
    const { blobs } = await open(t)
    await blobs.put('mbx_1', 'msg_1', Buffer.from('x'))
    await blobs.link({ owner: 'mbx_1', id: 'msg_1' }, { owner: 'mbx_2', id: 'msg_2' })
    let linked = 0
    for await (const blob of blobs.list()) if (blob.id === 'msg_2') linked = blob.changedAt
    const isOld = async (owner: string): Promise<boolean> => owner === 'mbx_1'
    t.same(await blobs.sweep(linked + HOUR - 1, isOld), { orphans: 0, removed: 0 })
  })

  await t.test('names that would lead out of the place are refused', async (t) => {
    const { blobs } = await open(t)
    const x = Buffer.from('x')
    for (const bad of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      '/etc',
      'a\0b',
      '.trash',
      'a.b',
      '-rf',
      'ü',
      'a'.repeat(101),
      'a\n',
    ]) {
      await t.rejects(blobs.put(bad, 'id', x), RangeError, `owner ${JSON.stringify(bad)}`)
      await t.rejects(blobs.put('owner', bad, x), RangeError, `id ${JSON.stringify(bad)}`)
      await t.rejects(blobs.get('owner', bad), RangeError)
      await t.rejects(blobs.delete(bad, 'id'), RangeError)
      await t.rejects(blobs.link({ owner: 'owner', id: 'id' }, { owner: 'owner', id: bad }), RangeError)
    }
  })
}
