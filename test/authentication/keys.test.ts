import t from 'tap'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, ManualClock } from '../../src/lib/clock.js'
import { openDkimKeys } from '../../src/authentication/keys.js'
import { secretFolder } from '../../src/lib/secret-files.js'

const clockAt = () => new ManualClock(Date.UTC(2026, 10, 21, 12))

t.test('a domain gets two keys that only the owner can read', async (t) => {
  const dir = join(t.testdir({}), 'dkim')
  const keys = await openDkimKeys({ files: secretFolder(dir), clock: clockAt() })
  t.same(keys.list(), [])
  t.same(keys.signingKeys('example.com'), [])
  const made = await keys.generate('Example.com')
  t.same(
    made
      .map(({ selector, algorithm, recordName, state }) => ({ selector, algorithm, recordName, state }))
      .sort((a, b) => (a.selector < b.selector ? -1 : 1)),
    [
      {
        selector: 'e20261121',
        algorithm: 'ed25519-sha256',
        recordName: 'e20261121._domainkey.example.com',
        state: 'signs',
      },
      {
        selector: 'r20261121',
        algorithm: 'rsa-sha256',
        recordName: 'r20261121._domainkey.example.com',
        state: 'signs',
      },
    ],
  )
  t.equal(statSync(join(dir, 'example.com')).mode & 0o777, 0o700)
  for (const { path } of made) t.equal(statSync(path).mode & 0o777, 0o600)
  t.same(readdirSync(join(dir, 'example.com')).sort(), ['e20261121.pem', 'r20261121.pem'], 'and nothing is left over')
  t.same(
    keys.signingKeys('EXAMPLE.com').map(({ selector }) => selector),
    ['r20261121', 'e20261121'],
  )
})

t.test('the record can be pasted: its strings are short enough and make the key again', async (t) => {
  const keys = await openDkimKeys({ files: secretFolder(t.testdir({})), clock: clockAt() })
  for (const { recordName, recordValue, zoneLine, path } of await keys.generate('example.com')) {
    const strings = [...zoneLine.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '')
    t.ok(zoneLine.startsWith(`${recordName}. IN TXT ( "`))
    t.ok(strings.every((text) => text.length <= 255))
    t.equal(strings.join(''), recordValue)
    const type = createPrivateKey(readFileSync(path)).asymmetricKeyType
    t.match(recordValue, type === 'rsa' ? /^v=DKIM1; k=rsa; p=[\w+/]{390,}=*$/ : /^v=DKIM1; k=ed25519; p=[\w+/]{43}=$/)
  }
})

t.test('a taken selector is kept and another one made; the newest sign', async (t) => {
  const clock = clockAt()
  const dir = t.testdir({})
  const keys = await openDkimKeys({ files: secretFolder(dir), clock })
  const first = (await keys.generate('example.com')).find(({ algorithm }) => algorithm === 'rsa-sha256')
  const before = readFileSync(first?.path ?? '')
  const selectors = () => keys.signingKeys('example.com').map(({ selector }) => selector)
  await keys.generate('example.com')
  t.same(selectors(), ['r20261121-2', 'e20261121-2'])
  t.same(readFileSync(first?.path ?? ''), before)
  for (const number of [9, 10]) writeFileSync(join(dir, 'example.com', `r20261121-${number}.pem`), before)
  await keys.reload()
  t.same(selectors(), ['r20261121-10', 'e20261121-2'], 'ten is newer than nine and two')
  clock.advance(DAY)
  await keys.generate('example.com')
  t.same(selectors(), ['r20261122', 'e20261122'])
  t.equal(keys.list().length, 8)
  t.equal(keys.list().filter(({ state }) => state === 'signs').length, 2)
})

t.test('keys of the operator are used, and are older than those made here', async (t) => {
  const dir = t.testdir({ 'example.com': {}, 'not a domain': {}, notes: 'x' })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(dir, 'example.com', 'mail.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(join(dir, 'example.com', 'README'), 'x')
  const keys = await openDkimKeys({ files: secretFolder(dir), clock: clockAt() })
  t.match(keys.signingKeys('example.com'), [{ selector: 'mail', algorithm: 'rsa-sha256' }])
  await keys.generate('example.com')
  t.same(
    keys.signingKeys('example.com').map(({ selector }) => selector),
    ['r20261121', 'e20261121'],
  )
})

t.test('reload finds keys made by another process, and a bad file changes nothing', async (t) => {
  const dir = t.testdir({})
  const here = await openDkimKeys({ files: secretFolder(dir), clock: clockAt() })
  const there = await openDkimKeys({ files: secretFolder(dir), clock: clockAt() })
  await there.generate('example.com')
  t.same(here.signingKeys('example.com'), [])
  await here.reload()
  t.equal(here.signingKeys('example.com').length, 2)

  const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  mkdirSync(join(dir, 'example.net'))
  for (const [text, message] of [
    ['not a key', /bad\.pem is not a private key/],
    [weak, /bad\.pem can't sign/],
    [other, /bad\.pem can't sign/],
  ] as const) {
    writeFileSync(join(dir, 'example.net', 'bad.pem'), text)
    await t.rejects(here.reload(), message)
    await t.rejects(openDkimKeys({ files: secretFolder(dir), clock: clockAt() }), message)
  }
  t.equal(here.signingKeys('example.com').length, 2)
})

t.test('what is no domain gets no folder', async (t) => {
  const dir = t.testdir({})
  const keys = await openDkimKeys({ files: secretFolder(dir), clock: clockAt() })
  for (const domain of ['', '..', '../evil', 'a/b', 'exa mple.com', '-a.example', 'ä.example']) {
    await t.rejects(keys.generate(domain), /Not a domain/, domain)
  }
  t.same(readdirSync(dir), [])
})
