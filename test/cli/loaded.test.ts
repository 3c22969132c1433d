import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { setArgs, startDaemon } from '../support/daemon.js'

const run = promisify(execFile)

/** Appends each loaded ES module to the file LOADED, or LOADED.threads for a thread; in the end Node's own modules to LOADED.builtin. */
const HOOK = `
import { appendFileSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'
if (isMainThread)
  process.on('exit', () => appendFileSync(process.env.LOADED + '.builtin', process.moduleLoadList.join('\\n')))
register('data:text/javascript,' + encodeURIComponent(\`
import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(process.env.LOADED + '\${isMainThread ? '' : '.threads'}', url + '\\\\n')
  return next(url, context)
}\`))
`

interface Loaded {
  modules: string[]
  packages: Set<string>
}

async function recorder(t: Test): Promise<{
  env: Record<string, string>
  loaded: (by?: 'main' | 'threads') => Promise<Loaded>
  builtin: () => Promise<string[]>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'restante-loaded-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const [hook, list] = [join(folder, 'hook.mjs'), join(folder, 'list')]
  await writeFile(hook, HOOK)
  const inFile = z
    .record(z.string(), z.array(z.string()))
    .parse(JSON.parse(await readFile('dist/bundle/packages.json', 'utf8')))
  return {
    env: { NODE_OPTIONS: `--import ${hook}`, LOADED: list },
    async loaded(by = 'main') {
      const modules = (await readFile(by === 'main' ? list : `${list}.threads`, 'utf8')).trim().split('\n')
      const names = modules.flatMap((url) => inFile[url.slice(url.lastIndexOf('/') + 1)] ?? [])
      const outside = modules.flatMap((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
      return { modules, packages: new Set([...names, ...outside]) }
    },
    builtin: async () => (await readFile(`${list}.builtin`, 'utf8')).split('\n'),
  }
}

/** Packages that cost much to load, and which only some uses need. */
const HEAVY = [
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  'encoding-japanese',
  'iconv-lite',
  'joi',
  'mailauth',
  'nodemailer',
  'openid-client',
  'postcss',
  'sanitize-html',
  'undici',
  'yaml',
  'yazl',
]

t.test('a short command loads little', async (t) => {
  for (const words of [['help'], ['version'], ['claim', 'list', '--help'], ['mailbox', 'list', '--help']]) {
    const { env, loaded } = await recorder(t)
    await run('bin/restante', words, { env: { ...process.env, ...env } })
    const { modules, packages } = await loaded()
    t.ok(modules.length <= 45, `${words.join(' ')}: ${modules.length} modules`)
    for (const name of [...HEAVY, 'lmdb', 'pino', 'prom-client', 'tldts'])
      t.notOk(packages.has(name), `${words.join(' ')} does not load ${name}`)
    t.ok(packages.has('zod'), 'what is loaded is seen')
  }
})

t.test('a command that asks the daemon loads little', async (t) => {
  const daemon = await startDaemon({ 'relay.outbound': 'off' })
  t.teardown(() => daemon.remove())
  const { env, loaded, builtin } = await recorder(t)
  const settings = { 'server.data_dir': daemon.dataDir, 'server.admin': new URL(daemon.adminUrl).host }
  const words = ['claim', 'list', ...setArgs({ ...settings, 'domains.names': 'agents.test' })]
  const { stderr } = await run('bin/restante', words, { env: { ...process.env, ...env } })
  t.match(stderr, 'No claim waits')
  const { modules, packages } = await loaded()
  t.ok(modules.length <= 45, `${modules.length} modules`)
  for (const name of [...HEAVY, 'lmdb', 'pino', 'prom-client', 'tldts'])
    t.notOk(packages.has(name), `it does not load ${name}`)
  const own = await builtin()
  t.ok(own.includes('NativeModule http'), 'what is loaded is seen')
  t.notOk(
    own.some((name) => name.includes('undici')),
    'it does not load the fetch of Node',
  )
})

t.test('a daemon that nobody uses loads no library of what is not used', async (t) => {
  const { env, loaded } = await recorder(t)
  const daemon = await startDaemon({ 'relay.outbound': 'off' }, { env })
  t.teardown(() => daemon.remove())
  const { modules, packages } = await loaded()
  t.ok(modules.length <= 160, `${modules.length} modules`)
  for (const name of HEAVY) t.notOk(packages.has(name), `the start does not load ${name}`)
  t.ok(packages.has('prom-client') && packages.has('lmdb'), 'what is loaded is seen')
  const judging = (await loaded('threads')).packages
  for (const name of ['joi', 'lmdb', 'mailauth', 'pino', 'undici', 'zod'])
    t.notOk(judging.has(name), `the judging thread does not load ${name}`)
  t.ok(judging.has('libmime'), 'what is loaded is seen')
})
