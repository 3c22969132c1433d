/** Rights of files: who else can read the mail and its keys, and whether the daemon can. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { lockDataDir } from '../../../src/config/lock.js'
import { openSecrets } from '../../../src/config/secrets.js'
import { checkDataFolder, checkLock, checkNamedFiles, checkSecretFiles } from '../../../src/ops/doctor/files.js'

const uid = process.getuid?.() ?? 0

async function dataFolder(t: Test): Promise<string> {
  const dir = t.testdir({ var: {} })
  const data = join(dir, 'var')
  chmodSync(data, 0o700)
  await openSecrets(data)
  return data
}

t.test('the data folder is its owner’s alone', async (t) => {
  const data = await dataFolder(t)
  t.match(await checkDataFolder(data, uid), { state: 'ok' })
  chmodSync(data, 0o755)
  t.match(await checkDataFolder(data, uid), {
    state: 'failed',
    finding: /mode 0755/,
    remedy: [{ kind: 'command', text: `chmod 700 ${data}` }],
  })
  t.match(await checkDataFolder(data, uid + 1), {
    state: 'failed',
    remedy: [{ text: `chown -R ${uid + 1} ${data}` }],
  })
  t.match(await checkDataFolder(join(data, 'more', 'below'), undefined), { state: 'skipped' })
  const file = join(data, 'file')
  writeFileSync(file, '')
  t.match(await checkDataFolder(file, undefined), { state: 'failed', finding: /is a file/ })
})

t.test('a secret that others can read is named with what to type', async (t) => {
  const data = await dataFolder(t)
  const key = join(data, 'tls.key')
  writeFileSync(key, 'secret', { mode: 0o640 })
  // Loading it would look into the key and the certificate as well.
  const config = loadConfig({ set: [`server.data_dir=${data}`] })
  config.smtp.tls_key = key
  config.smtp.tls_cert = join(data, 'secrets/web_key')
  t.match(await checkSecretFiles(config), [{ state: 'ok', finding: 'only their owner can read the 6 files' }])
  chmodSync(join(data, 'secrets/admin_token'), 0o640)
  chmodSync(key, 0o644)
  const token = join(data, 'secrets/admin_token')
  t.match(await checkSecretFiles(config), [
    { state: 'failed', subject: token, remedy: [{ kind: 'command', text: `chmod 600 ${token}` }] },
    { state: 'failed', subject: key, remedy: [{ kind: 'command', text: `chmod 640 ${key}` }] },
  ])
})

t.test('every setting that names a secret is looked at, whichever listener or job it is for', async (t) => {
  const data = await dataFolder(t)
  const file = join(data, 'one')
  writeFileSync(file, 'secret', { mode: 0o604 })
  chmodSync(file, 0o604)
  const settings: [section: string, setting: string][] = [
    ['server', 'tls_key'],
    ['smtp', 'tls_key'],
    ['tls', 'acme_eab_key_file'],
    ['relay', 'smarthost_password_file'],
    ['identity', 'deletion_webhook_secret_file'],
    ['guard', 'model_key_file'],
    ['backup', 'key_file'],
  ]
  for (const [section, setting] of settings) {
    const config = loadConfig({ set: [`server.data_dir=${data}`] })
    Object.assign(Object.entries(config).find(([name]) => name === section)?.[1] ?? {}, { [setting]: file })
    t.match(await checkSecretFiles(config), [{ state: 'failed', subject: file }], `${section}.${setting}`)
  }
})

t.test('files of the settings are there, and are files', async (t) => {
  const data = await dataFolder(t)
  t.match(await checkNamedFiles(loadConfig({ set: [`server.data_dir=${data}`] })), [{ state: 'skipped' }])
  // Loading them would refuse most of it; the files may change after that.
  const config = loadConfig({ set: [`server.data_dir=${data}`] })
  config.smtp.tls_key = data
  config.smtp.tls_cert = join(data, 'secrets/web_key')
  t.match(await checkNamedFiles(config), [
    { state: 'failed', subject: data, finding: /smtp.tls_key names it, and it is not a file/ },
  ])
  config.smtp.tls_key = join(data, 'gone.pem')
  t.match(await checkNamedFiles(config), [{ state: 'failed', finding: /it does not exist/ }])
})

t.test('the lock tells whether the daemon that answers is the one of this folder', async (t) => {
  const data = await dataFolder(t)
  t.match(await checkLock(data, false), { state: 'ok', finding: 'no daemon holds the data folder' })
  t.match(await checkLock(data, true), { state: 'failed', finding: /does not hold this data folder/ })
  const release = await lockDataDir(data)
  t.match(await checkLock(data, true), { state: 'ok' })
  t.match(await checkLock(data, false), { state: 'warning', finding: /does not answer at server.admin/ })
  await release()
  t.match(await checkLock(join(data, 'none'), false), { state: 'skipped' })
})
