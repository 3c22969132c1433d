/**
 * `npm test -- [part of a path …]`: runs the compiled test files, or those in whose path a name begins like that (`relay/ lib/ids`), each in a
 * process of its own, and puts their TAP together. Unlike the `tap` command it loads no hooks into them, which cost each more time than most tests need.
 * With `SAMPLE=1` without those that test/support/sample.ts leaves out.
 */
import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { LEFT_OUT, SAMPLE } from './support/sample.js'

/** A file that has not ended by then has failed. */
const LIMIT_MS = 400_000
/** Files and folders that take long, longest first: begun last, they would be waited for alone. */
const LONGEST = [
  'scenarios/mail/24-broken-nodes',
  'web/inbox/browser',
  'systemd/',
  'scenarios/people/24-approval',
  'store/serialisable',
  'scenarios/operations/',
  'web/write/browser',
  'store/',
  'bench/',
  'cli/',
  'scenarios/',
  'mx/fronts/',
  'web/',
  'submission/',
  'docs/',
  'mailbox/',
  'api/',
  'relay/',
]
/** Files that mostly wait, for time limits and other processes, longest first: one at a time runs beside those that need the processors. */
const WAITING = [
  'scenarios/mail/23-nodes',
  'daemon/upgrade/rolling',
  'scenarios/mail/25-retried-elsewhere',
  'http/listener',
  'store/blobs/s3/faults',
  'store/engines/postgres/opening',
  'mx/session-guard',
  'cluster/cluster',
].map((name) => `test/${name}.test.ts`)

const parts = process.argv.slice(2)
const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules/'))
const unknown = [...LEFT_OUT, ...WAITING].filter((name) => !all.includes(name))
if (unknown.length > 0)
  throw new Error(`test/support/sample.ts and test/main.ts name what is not there: ${unknown.join(', ')}`)
const files = all
  .filter((name) => !(SAMPLE && LEFT_OUT.has(name)))
  .filter((name) => parts.length === 0 || parts.some((part) => `/${name}`.includes(`/${part}`)))
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))

function rank(file: string): number {
  const place = LONGEST.findIndex((name) => file.startsWith(`test/${name}`))
  return place < 0 ? LONGEST.length : place
}

if (files.length === 0) {
  console.error(`No test file has ${parts.map((part) => `"/${part}"`).join(' or ')} in its path.`)
  process.exit(2)
}

const running = new Set<ChildProcess>()
t.on('spawn', (test) =>
  test.on('process', (child) => {
    running.add(child)
    child.once('exit', () => running.delete(child))
  }),
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.kill(process.pid, signal)
  })

const jobs = Number(process.env.TEST_JOBS ?? availableParallelism() + 1)
t.setTimeout(0)
t.jobs = jobs > 1 ? jobs + 1 : jobs
t.plan(files.length)
const failed: string[] = []

async function run(file: string): Promise<void> {
  const script = join('.tests', file.replace(/ts$/, 'js'))
  // tap would have Node load its hooks by NODE_OPTIONS, here and in whatever the test starts.
  const command = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, process.execPath, '--enable-source-maps', script]
  const env = { ...process.env, TAP_TIMEOUT: String(LIMIT_MS / 1000) }
  const options = { name: file, env, buffered: t.jobs > 1, timeout: LIMIT_MS, at: null, stack: '' }
  const result = await t.spawn('/usr/bin/env', command, options)
  if (result?.ok === false) failed.push(file)
}

/** Runs one file after the other of some queues, the first of them first. */
async function lane(...queues: string[][]): Promise<void> {
  const next = (): string | undefined => queues.find((queue) => queue.length > 0)?.shift()
  for (let file = next(); file !== undefined; file = next()) await run(file)
}

const waiting = WAITING.filter((file) => files.includes(file))
const working = files.filter((file) => !waiting.includes(file))
const lanes = Array.from({ length: jobs }, () => lane(working, waiting))
if (jobs > 1) lanes.push(lane(waiting))
t.teardown(() => {
  if (failed.length > 0) console.error(`\nFailed:\n${failed.map((file) => `  ${file}\n`).join('')}`)
})
await Promise.all(lanes)
