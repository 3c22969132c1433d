/** server.secret_key_file: the key that seals the secrets of a shared database. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ConfigError } from '../../src/config/errors.js'
import { readSecretKey } from '../../src/config/files.js'
import { loadConfig } from '../../src/config/load.js'

const SHARED = 'store.url=postgres://restante@db.test/restante'
const KEY = '0123456789abcdefABCDEF0123456789'.repeat(2)

function problems(...set: string[]): string[] {
  try {
    loadConfig({ set })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ problem }) => problem)
  }
}

function keyFile(t: Test, text: string, mode = 0o600): { file: string; setting: string } {
  const file = join(t.testdir({}), 'secret.key')
  writeFileSync(file, text)
  chmodSync(file, mode)
  return { file, setting: `server.secret_key_file=${file}` }
}

t.test('it is needed with store.url, and only then', async (t) => {
  t.match(problems(SHARED), [/^server\.secret_key_file: has to be set with store\.url.*openssl rand -hex 32/])
  t.same(problems(), [])
  const { setting } = keyFile(t, `${KEY}\n`)
  t.same(problems(SHARED, setting), [])
  t.same(problems(setting), [], 'for an embedded copy of a shared database')
  t.same(readSecretKey(loadConfig({ set: [setting] })), Buffer.from(KEY, 'hex'))
})

for (const mode of [0o640, 0o604, 0o660, 0o644])
  t.test(`others must not be able to read or change it: ${mode.toString(8)}`, async (t) => {
    const { file, setting } = keyFile(t, KEY, mode)
    t.same(problems(SHARED, setting), [
      `server.secret_key_file: others may read ${file}, which has the mode 0${mode.toString(8)}: chmod 600 ${file}`,
    ])
  })

for (const [what, text] of [
  ['nothing', ''],
  ['half a key', KEY.slice(32)],
  ['more than a key', `${KEY}00`],
  ['what is not hexadecimal', `${KEY.slice(1)}x`],
  ['a key after a line', `\n${KEY}`],
] as const)
  t.test(`a file with ${what} is refused, and the message does not show it`, async (t) => {
    const { file, setting } = keyFile(t, text)
    t.same(problems(SHARED, setting), [
      `server.secret_key_file: ${file} has no key of 64 hexadecimal digits on its first line. Make one: openssl rand -hex 32`,
    ])
  })

t.test('a file that is not there is told once', async (t) => {
  const file = join(t.testdir({}), 'none.key')
  t.match(problems(SHARED, `server.secret_key_file=${file}`), [
    /^server\.secret_key_file: this file can't be read: ENOENT/,
  ])
})
