/** What the data folder holds beside mail: the daemon's own secrets, and the lock that keeps a second daemon out. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LockedError, lockDataDir } from '../../src/config/lock.js'
import { openSecrets, readAdminToken } from '../../src/config/secrets.js'

t.test('secrets are made once, for the daemon’s user only, and stay', async (t) => {
  const dir = t.testdir({})
  const secrets = await openSecrets(dir)
  t.equal(secrets.challengeKey.length, 32)
  t.match(secrets.adminToken, /^[0-9A-Za-z]{43}$/)
  t.same(await openSecrets(dir), secrets)
  t.equal(await readAdminToken(dir), secrets.adminToken)
  t.same(
    readdirSync(join(dir, 'secrets')).sort(),
    ['admin_token', 'challenge_key', 'return_path_key', 'web_key', 'webhook_key'],
    'no drafts are left',
  )
  t.equal(statSync(join(dir, 'secrets')).mode & 0o777, 0o700)
  for (const name of ['admin_token', 'challenge_key', 'return_path_key', 'web_key', 'webhook_key'])
    t.equal(statSync(join(dir, 'secrets', name)).mode & 0o777, 0o600)
})

t.test('starters at the same time agree on the secrets', async (t) => {
  const dir = t.testdir({})
  const [first, ...others] = await Promise.all([openSecrets(dir), openSecrets(dir), openSecrets(dir)])
  for (const other of others) t.same(other, first)
})

t.test('an emptied secret is not taken for one', async (t) => {
  const dir = t.testdir({ secrets: { admin_token: '\n' } })
  await t.rejects(openSecrets(dir), { message: /admin_token is damaged/ })
})

t.test('a second daemon on the folder is told so, and may have it after the first', async (t) => {
  const dir = t.testdir({})
  const unlock = await lockDataDir(dir)
  await t.rejects(lockDataDir(dir), LockedError)
  await unlock()
  t.same(readdirSync(dir), [])
  const again = await lockDataDir(dir)
  await again()
})

t.test('of many starters at once exactly one gets the folder', async (t) => {
  const dir = t.testdir({})
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dir)))
  const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  t.equal(winners.length, 1)
  for (const unlock of winners) await unlock()
  t.same(readdirSync(dir), [])
})

t.test('a folder with a long path can be locked', async (t) => {
  const dir = join(t.testdir({}), 'x'.repeat(150))
  mkdirSync(dir)
  const unlock = await lockDataDir(dir)
  await t.rejects(lockDataDir(dir), LockedError)
  await unlock()
})

t.test(
  'what a killed daemon leaves behind is in nobody’s way',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const dir = t.testdir({})
    // A listening socket whose process is killed, under the name of the lock: what is left of a daemon after kill -9.
    const script = `require('net').createServer().listen('lock', () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', script], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await t.rejects(lockDataDir(dir), LockedError, 'it is respected while it lives')
    child.kill('SIGKILL')
    await once(child, 'exit')
    t.same(readdirSync(dir), ['lock'])
    const unlock = await lockDataDir(dir)
    t.same(readdirSync(dir), ['lock'])
    await unlock()
  },
)

t.test('a plain file named lock is no daemon', async (t) => {
  const dir = t.testdir({})
  writeFileSync(join(dir, 'lock'), '')
  const unlock = await lockDataDir(dir)
  await unlock()
})
