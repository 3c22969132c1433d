import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { startDaemon } from '../support/daemon.js'

const run = promisify(execFile)

/** Appends each loaded ES module to the file LOADED, or LOADED.threads for a thread. */
const HOOK = `
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'
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

async function recorder(
  t: Test,
): Promise<{ env: Record<string, string>; loaded: (by?: 'main' | 'threads') => Promise<Loaded> }> {
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
  }
}

/** Packages that cost much to load, and which only some uses need. */
const HEAVY = [
  '@modelcontextprotocol/server',
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

t.test('a daemon that nobody uses loads no library of what is not used', async (t) => {
  const { env, loaded } = await recorder(t)
  const daemon = await startDaemon({ 'relay.outbound': 'off' }, { env })
  t.teardown(() => daemon.remove())
  const { modules, packages } = await loaded()
  t.ok(modules.length <= 150, `${modules.length} modules`)
  for (const name of HEAVY) t.notOk(packages.has(name), `the start does not load ${name}`)
  t.ok(packages.has('prom-client') && packages.has('lmdb'), 'what is loaded is seen')
  const judging = (await loaded('threads')).packages
  for (const name of ['joi', 'lmdb', 'mailauth', 'pino', 'undici', 'zod'])
    t.notOk(judging.has(name), `the judging thread does not load ${name}`)
  t.ok(judging.has('libmime'), 'what is loaded is seen')
})
