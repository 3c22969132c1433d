/** The life of an export: asked for, built, told of, downloaded, gone. */
import { readdir, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { accountPartition } from '../../../src/accounts/record.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { peer } from '../../support/peers/peers.js'
import { makeWorld, turn, withResolvers, type World } from './world.js'
import { tasksIn } from '../../support/store/tasks.js'

const openStore = () => createStore(memoryEngine({ conflicts: 0.05 }))
const pythonIsThere = peer('python3', '/usr/bin/python3')
const LARGE = `${'x'.repeat(70)}\r\n`.repeat(2_000)

async function readLink(world: World, link: string, range?: { start: number; end: number }) {
  const found = await world.exports.download(link)
  if (!found) return undefined
  const pieces: Buffer[] = []
  for await (const piece of found.open(range)) pieces.push(piece)
  return { ...found, bytes: Buffer.concat(pieces) }
}

t.test('an export is asked for, built, told of, and downloaded by its link', pythonIsThere, async (t) => {
  const world = await makeWorld(t, openStore())
  const [one, two] = [await world.addMailbox('one@agents.test'), await world.addMailbox('two@agents.test')]
  await world.deliver(one, { subject: 'Inline', envelopeFrom: 'bob@peer.test' })
  await world.deliver(one, { subject: 'In a file', text: LARGE })
  const content = Buffer.from('minutes')
  const files = [{ filename: 'a.txt', contentType: 'text/plain', content }]
  await world.mailboxes.drafts.create(one, { subject: 'Not sent', attachments: files }, {})
  const identity = { provider: 'email', subject: 's', username: null, email: 'ada@example.org', emailVerified: true }
  const passkey = { id: 'cred', name: 'Phone', createdAt: 0, lastUsedAt: null, identity, publicKey: 'cose', counter: 1 }
  await world.store.write(accountPartition(world.account.id), (tx) => tx.put(key('passkey', 'cred'), encode(passkey)))
  const sender = { address: 'news@shop.example', at: Date.UTC(2026, 0, 1) }
  await world.store.write(accountPartition(world.account.id), (tx) => tx.put(key('picture-senders'), encode([sender])))
  await world.work()
  const asked = await world.exports.request(world.account.id)
  t.match(asked, { state: 'queued', readyAt: null, expiresAt: null, sizeBytes: null, problem: null })
  t.equal(world.exports.linkTo(asked), undefined)
  const ready = await world.until('ready')
  t.match(ready, {
    id: asked.id,
    progress: { messages: 2, messagesTotal: 2 },
    readyAt: world.clock.now(),
    expiresAt: world.clock.now() + 7 * DAY,
  })
  t.same(await world.exports.get(world.account.id, asked.id), ready)

  const [piece = '', ...more] = await world.pieces()
  const { mode, size } = await stat(join(world.blobsDir, world.account.id, piece))
  t.equal(mode & 0o777, 0o600)
  t.equal(size, ready.sizeBytes)
  t.strictSame(more, [])
  const link = world.exports.linkTo(ready) ?? ''
  const got = await readLink(world, link)
  t.match(got, { filename: 'restante-export-2026-01-01.zip', sizeBytes: size })
  t.ok(got?.bytes.equals(await readFile(join(world.blobsDir, world.account.id, piece))))
  t.ok((await readLink(world, link, { start: 2, end: 5 }))?.bytes.equals(got?.bytes.subarray(2, 6) ?? Buffer.alloc(0)))

  for (const mailbox of [one, two]) {
    const told = (await world.events(mailbox)).filter(({ type }) => type === 'export.ready')
    t.equal(told.length, 1)
    t.strictSame(told[0]?.data, { export_id: ready.id, size_bytes: size, expires_at: '2026-01-08T00:00:00.000Z' })
  }
  t.equal(world.letters.length, 1)
  t.match(world.letters[0], { id: `export-ready/${ready.id}`, letter: { to: 'ada@example.org' } })
  t.ok(JSON.stringify(world.letters).includes(`https://mail.agents.test/export/${link}`))

  const folder = await world.unpack(ready)
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  t.match(await read('README.txt'), /one@agents\.test\n {2}two@agents\.test/)
  t.match(JSON.parse(await read('metadata/account.json')), {
    account: { id: world.account.id, owner: 'ada@example.org' },
    passkeys: [{ id: 'cred', object: 'passkey', name: 'Phone', last_used_at: null, identity: { provider: 'email' } }],
    picture_senders: [
      { address: 'news@shop.example', object: 'picture_sender', created_at: '2026-01-01T00:00:00.000Z' },
    ],
  })
  t.notMatch(await read('metadata/account.json'), 'cose')
  t.match(
    JSON.parse(await read('metadata/one@agents.test/messages.json')).map((m: { subject: string }) => m.subject),
    ['Inline', 'In a file'],
  )
  t.match(JSON.parse(await read('metadata/one@agents.test/threads.json')), [{ object: 'thread' }, { object: 'thread' }])
  t.match(JSON.parse(await read('metadata/one@agents.test/events.json')), [{ type: 'message.received' }, {}])
  t.match(JSON.parse(await read('metadata/one@agents.test/drafts.json')), [
    { subject: 'Not sent', attachments: [{ filename: 'a.txt', content: content.toString('base64') }] },
  ])
  t.strictSame(JSON.parse(await read('metadata/two@agents.test/messages.json')), [])
  t.match(JSON.parse(await read('metadata/two@agents.test/mailbox.json')), { address: 'two@agents.test' })
  t.strictSame(JSON.parse(await read('metadata/suppressions.json')), [])
  t.equal((await read('mail/one@agents.test.mbox')).match(/^From /gm)?.length, 2)
  t.equal(await read('mail/two@agents.test.mbox'), '')
  t.strictSame(world.errors, [])
})

t.test('programs that are connected stand with their mailbox, as their owner sees them', async (t) => {
  let mailboxes: string[] = []
  const world = await makeWorld(t, openStore(), () => ({
    connections: {
      list: async (accountId) =>
        mailboxes.map((mailboxId, i) => ({
          id: `con_${i}`,
          accountId,
          mailboxId,
          client: { id: 'https://desk.example/client.json', kind: 'document', name: `Desk ${i}`, host: 'desk.example' },
          scopes: ['mail:read'],
          resource: 'https://mail.agents.test/mcp',
          createdAt: 0,
          lastUsedAt: null,
          expiresAt: 1000,
        })),
    },
  }))
  mailboxes = [await world.addMailbox('one@agents.test'), await world.addMailbox('two@agents.test')]
  await world.work()
  await world.exports.request(world.account.id)
  const folder = await world.unpack(await world.until('ready'))
  for (const [i, name] of ['one', 'two'].entries()) {
    const path = join(folder, `metadata/${name}@agents.test/mailbox.json`)
    t.match(JSON.parse(await readFile(path, 'utf8')).connections, [
      { id: `con_${i}`, client: { name: `Desk ${i}` }, scopes: ['mail:read'], last_used_at: null },
    ])
  }
})

t.test('what is in the trash is exported, and marked', async (t) => {
  const world = await makeWorld(t, openStore())
  const mailbox = await world.addMailbox('one@agents.test')
  const deleted = await world.deliver(mailbox, { subject: 'Deleted' })
  await world.deliver(mailbox, { subject: 'Kept' })
  const gone = await world.deliver(mailbox, { subject: 'Gone for good' })
  for (const id of [deleted, gone]) await world.mailboxes.trash.deleteMessage(mailbox, id)
  await world.mailboxes.trash.purge(mailbox, gone)
  await world.work()
  await world.exports.request(world.account.id)
  const folder = await world.unpack(await world.until('ready'))
  const messages = JSON.parse(await readFile(join(folder, 'metadata/one@agents.test/messages.json'), 'utf8'))
  t.match(messages, [{ subject: 'Deleted', deleted_at: String, purge_at: String }, { subject: 'Kept' }])
  t.equal(messages.length, 2)
  t.notOk('deleted_at' in messages[1])
  const mbox = await readFile(join(folder, 'mail/one@agents.test.mbox'), 'utf8')
  t.match(mbox, /^Subject: Deleted$/m)
  t.notMatch(mbox, /Gone for good/)
})

t.test('an owner whose email is not known gets events and no letter', async (t) => {
  const world = await makeWorld(t, openStore())
  world.account.owner = null
  const mailbox = await world.addMailbox('one@agents.test')
  await world.work()
  await world.exports.request(world.account.id)
  await world.until('ready')
  t.equal((await world.events(mailbox)).length, 1)
  t.strictSame(world.letters, [])
})

t.test('one is built at a time, one may be begun in an hour, and the two newest are kept', async (t) => {
  const world = await makeWorld(t, openStore())
  await world.addMailbox('one@agents.test')
  await world.work()
  const both = await Promise.all([world.exports.request(world.account.id), world.exports.request(world.account.id)])
  t.equal(both[0].id, both[1].id)
  t.equal((await world.exports.list(world.account.id)).length, 1)
  await world.until('ready')
  world.clock.advance(59 * MINUTE)
  await t.rejects(world.exports.request(world.account.id), { code: 'rate_limited', retryAfterSeconds: 60 })
  const ids = [both[0].id]
  for (let i = 0; i < 2; i++) {
    await world.advance(HOUR)
    ids.push((await world.exports.request(world.account.id)).id)
    await world.until('ready')
  }
  t.strictSame(
    (await world.exports.list(world.account.id)).map(({ id, state }) => [id, state]),
    [
      [ids[2], 'ready'],
      [ids[1], 'ready'],
      [ids[0], 'expired'],
    ],
  )
  t.equal((await world.pieces()).length, 2)
  // The second of the two first requests left a task without an export, if it came so far.
  await world.advance(2 * MINUTE)
  t.equal((await tasksIn(world.queue, 'export', 10)).length, 3)
})

t.test('after 7 days the file and the link are gone, after 30 the record', async (t) => {
  const world = await makeWorld(t, openStore())
  await world.addMailbox('one@agents.test')
  await world.work()
  await world.exports.request(world.account.id)
  const ready = await world.until('ready')
  const link = world.exports.linkTo(ready) ?? ''
  await world.advance(7 * DAY - 1)
  t.ok(await readLink(world, link))
  world.clock.advance(1)
  // Before any task has run.
  t.equal(await world.exports.download(link), undefined)
  t.equal(world.exports.linkTo(ready), undefined)
  t.match(await world.exports.get(world.account.id, ready.id), { state: 'expired' })
  await world.advance(0)
  t.strictSame(await world.pieces(), [])
  await world.advance(23 * DAY)
  t.strictSame(await world.exports.list(world.account.id), [])
  await t.rejects(world.exports.get(world.account.id, ready.id), { code: 'not_found' })
  t.strictSame(await tasksIn(world.queue, 'export', 10), [])
})

t.test('a link cannot be made up from another one', async (t) => {
  const world = await makeWorld(t, openStore())
  await world.addMailbox('one@agents.test')
  await world.work()
  await world.exports.request(world.account.id)
  const link = world.exports.linkTo(await world.until('ready')) ?? ''
  t.match(link, /^[0-9A-Z]{26}-[0-9A-Z]{26}-[\w-]{43}$/)
  const [exported, account, mac = ''] = link.split(/-(?=.{43,}$)/)
  for (const wrong of [
    '',
    link.slice(0, -1),
    `${link}A`,
    `${link}\n`,
    link.toLowerCase(),
    link.slice(0, -2) + (link.at(-2) === 'A' ? 'B' : 'A') + link.at(-1),
    `${newId('exp').slice(4)}-${account}-${mac}`,
    `${exported}-${newId('acc').slice(4)}-${mac}`,
  ])
    t.equal(await world.exports.download(wrong), undefined, wrong)
  t.ok(await world.exports.download(link))
})

t.test('without room on the disk nothing is begun, and it says what to do', async (t) => {
  const world = await makeWorld(t, openStore())
  const mailbox = await world.addMailbox('one@agents.test')
  await world.deliver(mailbox, { text: LARGE })
  world.disk.freeBytes = LARGE.length
  await t.rejects(world.exports.request(world.account.id), {
    code: 'unavailable',
    hint: /hour/,
    retryAfterSeconds: 3600,
  })
  t.strictSame(await world.exports.list(world.account.id), [])
  t.strictSame(await tasksIn(world.queue, 'export', 10), [])
  world.disk.freeBytes = 1e9
  await world.exports.request(world.account.id)
  world.disk.freeBytes = 0
  await world.work()
  await world.advance(5 * SECOND)
  const failed = await world.until('failed')
  t.match(failed.problem, /not enough space/)
  t.strictSame(await world.pieces(), [])
  t.strictSame(world.letters, [])
})

/** Those of an export, bound. */
function withMethods(blobs: World['deps']['blobs']): World['deps']['blobs'] {
  return {
    put: (...args) => blobs.put(...args),
    size: (...args) => blobs.size(...args),
    stream: (...args) => blobs.stream(...args),
    discard: (...args) => blobs.discard(...args),
  }
}

/** Holds the first raw message back until it is let go. */
function gated() {
  const gate = withResolvers()
  const reached = withResolvers()
  const change: Parameters<typeof makeWorld>[2] = ({ blobs }) => ({
    blobs: {
      ...withMethods(blobs),
      async stream(owner, id) {
        reached.resolve()
        await gate.promise
        return blobs.stream(owner, id)
      },
    },
  })
  return { change, open: gate.resolve, reached: reached.promise }
}

t.test('mail that comes while it is exported stays out, and what is in it is whole', pythonIsThere, async (t) => {
  const gate = gated()
  const world = await makeWorld(t, openStore(), gate.change)
  const mailbox = await world.addMailbox('one@agents.test')
  const first = await world.deliver(mailbox, { subject: 'First', text: LARGE })
  await world.work()
  await world.exports.request(world.account.id)
  await gate.reached
  await world.deliver(mailbox, { subject: 'Too late' })
  await world.mailboxes.labels.updateMessage(mailbox, first, { unread: false, addLabels: ['seen'] })
  gate.open()
  const ready = await world.until('ready')
  const folder = await world.unpack(ready)
  const mbox = await readFile(join(folder, 'mail/one@agents.test.mbox'), 'utf8')
  t.match(mbox, /^Subject: First$/m)
  t.notMatch(mbox, /Too late/)
  const messages = JSON.parse(await readFile(join(folder, 'metadata/one@agents.test/messages.json'), 'utf8'))
  t.match(messages, [{ id: first, subject: 'First' }])
  t.equal(messages.length, 1)
  t.match(ready.progress, { messages: 1, messagesTotal: 1 })
})

t.test('progress is written down while it is built, and not for each message', async (t) => {
  const gate = gated()
  let commits = 0
  // Nobody else's commits: they would count too.
  const world = await makeWorld(t, createStore(memoryEngine({ conflicts: 0 })), gate.change)
  const mailbox = await world.addMailbox('one@agents.test')
  for (let i = 0; i < 30; i++) await world.deliver(mailbox)
  await world.deliver(mailbox, { text: LARGE })
  world.store.onCommit((partition) => {
    if (partition.startsWith('account/')) commits++
  })
  await world.work()
  await world.exports.request(world.account.id)
  await gate.reached
  t.match((await world.exports.list(world.account.id))[0], { state: 'building', progress: { messagesTotal: 31 } })
  world.clock.advance(SECOND)
  gate.open()
  await world.until('ready')
  // Asked for, begun, one second later, ready, told.
  t.equal(commits, 5)
})

t.test('stopping cuts a build off; the next worker builds it anew, and removes the pieces of the first', async (t) => {
  const gate = gated()
  const world = await makeWorld(t, openStore(), (deps) => ({ ...gate.change(deps), pieceBytes: 100 }))
  const mailbox = await world.addMailbox('one@agents.test')
  await world.deliver(mailbox, { text: LARGE })
  const worker = await world.work()
  await world.exports.request(world.account.id)
  await gate.reached
  const stopped = worker.stop()
  gate.open()
  await stopped
  const left = await world.pieces()
  t.not(left.length, 0)
  t.match(await world.exports.list(world.account.id), [{ state: 'building' }])
  await world.work()
  const ready = await world.until('ready')
  const pieces = await world.pieces()
  t.equal(pieces.length, Math.ceil((ready.sizeBytes ?? 0) / 100))
  t.notOk(pieces.some((name) => left.includes(name)))
  t.strictSame(world.errors, [])
})

t.test('what cuts the telling off does not have it told twice', async (t) => {
  let posts = 0
  const world = await makeWorld(t, openStore(), ({ letters }) => ({
    letters: {
      async post(id, letter) {
        if (++posts === 1) throw new Error('not now')
        await letters?.post(id, letter)
      },
    },
  }))
  const mailbox = await world.addMailbox('one@agents.test')
  await world.work()
  await world.exports.request(world.account.id)
  while (posts === 0) await turn()
  while ((await tasksIn(world.queue, 'export', 1)).some(({ leased }) => leased)) await turn()
  await world.advance(SECOND)
  await world.until('ready')
  t.equal(posts, 2)
  t.equal(world.letters.length, 1)
  t.equal((await world.events(mailbox)).length, 1)
})

t.test('a build that breaks is tried again, and given up after a day', async (t) => {
  const world = await makeWorld(t, openStore(), ({ blobs }) => ({
    blobs: {
      ...withMethods(blobs),
      stream: async () => {
        throw new Error('the disk is broken')
      },
    },
  }))
  const mailbox = await world.addMailbox('one@agents.test')
  await world.deliver(mailbox, { text: LARGE })
  await world.work()
  await world.exports.request(world.account.id)
  while (world.errors.length === 0) await turn()
  t.match(world.errors, [{ message: 'the disk is broken' }])
  while ((await tasksIn(world.queue, 'export', 1)).some(({ leased }) => leased)) await turn()
  t.match(await world.exports.list(world.account.id), [{ state: 'building' }])
  t.strictSame(await world.pieces(), [])
  await world.advance(DAY + 1)
  t.match((await world.until('failed')).problem, /Request a new one/)
  await world.exports.request(world.account.id)
})

t.test('an account that goes takes its exports along, also one that is being built', async (t) => {
  const gate = gated()
  const world = await makeWorld(t, openStore(), gate.change)
  const mailbox = await world.addMailbox('one@agents.test')
  await world.work()
  await world.exports.request(world.account.id)
  const link = world.exports.linkTo(await world.until('ready')) ?? ''
  await world.advance(HOUR)
  await world.deliver(mailbox, { text: LARGE })
  await world.exports.request(world.account.id)
  await gate.reached
  const removed = world.exports.removeAll(world.account.id)
  gate.open()
  await removed
  t.strictSame(await world.pieces(), [])
  t.strictSame(await world.exports.list(world.account.id), [])
  t.equal(await world.exports.download(link), undefined)
  await world.exports.removeAll(world.account.id)
  await world.advance(2 * MINUTE)
  t.strictSame(await tasksIn(world.queue, 'export', 10), [])
  t.strictSame(await world.pieces(), [])
  t.strictSame(world.errors, [])
})

t.test('a damaged file costs its own message alone, and the archive says so', pythonIsThere, async (t) => {
  const world = await makeWorld(t, openStore())
  const mailbox = await world.addMailbox('one@agents.test')
  const damaged = await world.deliver(mailbox, { subject: 'Damaged', text: LARGE })
  await world.deliver(mailbox, { subject: 'Whole', text: `${LARGE}the end` })
  const attachments = [{ filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(80_000) }]
  const draft = await world.mailboxes.drafts.create(mailbox, { subject: 'Draft', attachments }, {})
  const blobs = join(world.blobsDir, mailbox)
  for (const name of await readdir(blobs))
    if (name === damaged || name.startsWith('att_')) await truncate(join(blobs, name), 70_000)
  await world.work()
  await world.exports.request(world.account.id)
  const folder = await world.unpack(await world.until('ready'))
  const mbox = await readFile(join(folder, 'mail/one@agents.test.mbox'), 'utf8')
  t.match(mbox, new RegExp(`^X-Restante-Damaged: ${damaged}$`, 'm'))
  t.notMatch(mbox, /^Subject: Damaged$/m)
  t.match(mbox, /^Subject: Whole$[^]*^the end$/m)
  const drafts = JSON.parse(await readFile(join(folder, 'metadata/one@agents.test/drafts.json'), 'utf8'))
  t.match(drafts, [{ id: draft.id, subject: 'Draft', attachments: [{ filename: 'a.bin', content: null }] }])
  t.strictSame(world.errors, [])
})
