/** A rotation as the operator lives through it: no moment at which mail is signed with a key that can't be verified. */
import t, { type Test } from 'tap'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDkimKeys } from '../../src/authentication/keys.js'
import { secretFolder } from '../../src/lib/secret-files.js'
import { createRotation } from '../../src/authentication/rotation.js'
import { DAY, HOUR, ManualClock } from '../../src/lib/clock.js'
import { captureLog } from '../support/log.js'
import { textResolver } from '../support/peers/fake-resolver.js'

async function setUp(t: Test) {
  const dir = t.testdir({})
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12))
  const keys = await openDkimKeys({ files: secretFolder(dir), clock })
  const published: Record<string, string | string[]> = {}
  const { log, lines } = captureLog()
  const rotation = createRotation({ keys, freshResolver: () => textResolver(published), log })
  const selectors = () => keys.signingKeys('example.com').map(({ selector }) => selector)
  const files = () => readdirSync(join(dir, 'example.com')).sort()
  return { dir, clock, keys, published, rotation, selectors, files, lines }
}

t.test('new keys sign only once their records can be seen, and then the old ones stop', async (t) => {
  const { clock, keys, published, rotation, selectors, files } = await setUp(t)
  for (const { recordName, recordValue } of await keys.generate('example.com')) published[recordName] = recordValue
  clock.advance(30 * DAY)
  const [rsa, ed25519] = await keys.prepare('example.com')
  t.match(
    [rsa, ed25519],
    [
      { selector: 'r20261221', state: 'waits' },
      { selector: 'e20261221', state: 'waits' },
    ],
  )
  t.same(await rotation.look(), { started: 0, retired: 0, removed: 0 })
  t.same(selectors(), ['r20261121', 'e20261121'], 'the old ones go on')

  published[rsa?.recordName ?? ''] = 'temporary'
  published[ed25519?.recordName ?? ''] = rsa?.recordValue ?? ''
  t.same(await rotation.look(), { started: 0, retired: 0, removed: 0 }, 'no answer and a wrong record are not enough')

  published[rsa?.recordName ?? ''] = rsa?.recordValue ?? ''
  t.same(await rotation.look(), { started: 1, retired: 1, removed: 0 })
  t.same(selectors(), ['r20261221', 'e20261121'], 'each algorithm by itself')

  published[ed25519?.recordName ?? ''] = ed25519?.recordValue ?? ''
  t.same(await rotation.look(), { started: 1, retired: 1, removed: 0 })
  t.same(selectors(), ['r20261221', 'e20261221'])
  t.same(files(), [
    'e20261121.pem.retired-20261221T120000Z',
    'e20261221.pem',
    'r20261121.pem.retired-20261221T120000Z',
    'r20261221.pem',
  ])
})

t.test('a retired key is needed for a week; its file goes when its record has gone', async (t) => {
  const { clock, keys, published, rotation, files } = await setUp(t)
  for (const { recordName, recordValue } of await keys.generate('example.com')) published[recordName] = recordValue
  clock.advance(DAY)
  for (const key of await keys.prepare('example.com')) {
    published[key.recordName] = key.recordValue
    await keys.activate(key)
  }
  await rotation.look()
  const old = 'r20261121._domainkey.example.com'
  const found = () => keys.list().find(({ recordName }) => recordName === old)
  t.match(found(), { state: 'retired', recordMayGo: false, retiredAt: clock.now() })

  delete published[old]
  clock.advance(7 * DAY)
  t.equal((await rotation.look()).removed, 0, 'not within the week, whoever took the record away')
  clock.advance(HOUR)
  t.match(found(), { recordMayGo: true })
  t.same(await rotation.look(), { started: 0, retired: 0, removed: 1 })
  t.equal(found(), undefined)
  t.same(
    files().filter((name) => name.includes('retired')),
    ['e20261121.pem.retired-20261122T120000Z'],
    'the other one waits for the operator',
  )
})

t.test('a second rotation while keys wait makes no more of them, and completes half a pair', async (t) => {
  const { dir, keys, files } = await setUp(t)
  await keys.generate('example.com')
  const first = await keys.prepare('example.com')
  const again = await keys.prepare('example.com')
  t.same(
    again.map(({ path }) => path),
    first.map(({ path }) => path),
  )
  // As a crash between the two leaves it.
  const [, second] = first
  if (second) await keys.activate(second)
  t.same(files(), ['e20261121-2.pem', 'e20261121.pem', 'r20261121-2.pem.waiting', 'r20261121.pem'])
  const completed = await keys.prepare('example.com')
  t.same(completed.map(({ selector }) => selector).sort(), ['e20261121-3', 'r20261121-2'])
  t.equal(
    (await openDkimKeys({ files: secretFolder(dir), clock: new ManualClock() })).list().length,
    5,
    'another process sees the same',
  )
})

t.test('a crash between the start of a new key and the end of the old one is made good', async (t) => {
  const { dir, clock, keys, published, selectors } = await setUp(t)
  await keys.generate('example.com')
  for (const key of await keys.prepare('example.com')) await keys.activate(key)
  t.same(selectors(), ['r20261121-2', 'e20261121-2'], 'one of each algorithm signs, in every state of the folder')
  const restarted = await openDkimKeys({ files: secretFolder(dir), clock })
  const { log } = captureLog()
  const rotation = createRotation({ keys: restarted, freshResolver: () => textResolver(published), log })
  t.same(await rotation.look(), { started: 0, retired: 2, removed: 0 })
})

t.test('a file that somebody renamed by hand does no harm', async (t) => {
  const { dir, keys, selectors, rotation } = await setUp(t)
  const [made] = await keys.generate('example.com')
  const folder = join(dir, 'example.com')
  writeFileSync(join(folder, 'notes.pem.bak'), 'not a key')
  writeFileSync(join(folder, 'r20261121.pem.retired'), 'not a key')
  await keys.reload()
  t.equal(selectors().length, 2)
  const [waiting] = await keys.prepare('example.com')
  const activeTwin = waiting?.path.slice(0, -'.waiting'.length) ?? ''
  writeFileSync(activeTwin, readFileSync(made?.path ?? ''))
  await keys.reload()
  if (waiting) await t.rejects(keys.activate(waiting), /has the same selector/, 'no key file is overwritten')
  rmSync(activeTwin)
  rmSync(waiting?.path ?? '')
  await keys.reload()
  if (made) await keys.remove(made)
  t.equal(keys.list().filter(({ state }) => state === 'signs').length, 2, 'a key that signs is not removed')
  await rotation.look()
  t.equal(selectors().length, 2)
})

t.test('the log says once that mail is signed with a key nobody can verify', async (t) => {
  const { keys, published, rotation, lines } = await setUp(t)
  const [key] = await keys.generate('example.com')
  await keys.generate('agents.localhost')
  const warned = () => lines.filter(({ level }) => level === 'warn').length
  await rotation.look()
  await rotation.look()
  t.equal(warned(), 2, 'one for each algorithm, and none for .localhost')
  t.match(lines[0], { domain: 'example.com', hint: 'restante dkim check example.com prints the record to publish' })
  published[key?.recordName ?? ''] = key?.recordValue ?? ''
  await rotation.look()
  delete published[key?.recordName ?? '']
  await rotation.look()
  t.equal(warned(), 3, 'a record that was there and is gone is news')
})
