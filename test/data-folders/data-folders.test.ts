/** A data folder of each released version is opened by this one, which reads its mail, finds it whole and sends from it; so is a backup that it made. */
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { HOUR } from '../../src/lib/clock.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { putSchema, readSchema, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import { request, type Answer } from '../support/agent.js'
import { clockArgs, freeListeners, run, setArgs, startDaemon, type Daemon } from '../support/daemon.js'
import { freePort } from '../support/ports.js'

const FOLDERS = join(process.cwd(), 'test/data-folders')
const BIN = join(process.cwd(), 'bin/restante')
const aboutSchema = z.object({
  address: z.string(),
  key: z.string(),
  neighbour: z.string(),
  pending: z.string(),
  /** Of a folder with more in it than mail and a draft. */
  more: z
    .object({
      made_at: z.iso.datetime(),
      subjects: z.array(z.string()),
      held: z.string(),
      scheduled: z.string(),
      webhook: z.string(),
      suppressed: z.string(),
      leaving: z.object({ address: z.string(), key: z.string() }),
    })
    .optional(),
})
type About = z.infer<typeof aboutSchema>
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

const SUBJECTS = ['large', 'letter 0', 'letter 1', 'letter 2', 'to a neighbour', 'waits']

const callBy =
  (daemon: Daemon, key: string): Call =>
  (method, path, body) =>
    request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${key}` })

/** What was in the folder is there, and new mail is sent. */
async function use(t: Test, daemon: Daemon, { key, neighbour, more }: About): Promise<void> {
  const call = callBy(daemon, key)
  const threads = await call('GET', '/v1/threads?limit=100')
  const subjects: string[] = threads.body.data.map(({ subject }: { subject: string }) => subject)
  t.same(subjects.sort(), more?.subjects ?? SUBJECTS)
  const found = await call('GET', '/v1/messages?q=words')
  t.equal(found.body.data.length, 3, 'what was indexed is found')
  const large = await call('GET', '/v1/messages?subject=large')
  t.equal((await call('GET', `/v1/messages/${large.body.data[0].id}/raw`)).status, 200)
  t.match((await call('GET', '/v1/drafts')).body.data, [{ subject: 'a draft' }])
  if (more) await useMore(t, daemon, call, more)
  t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ }, 'beside the daemon')
  const sent = await call('POST', '/v1/send', { to: [neighbour], subject: 'from the new version', text: 'Hello.' })
  t.equal(sent.status, 202)
}

async function useMore(t: Test, daemon: Daemon, call: Call, more: NonNullable<About['more']>): Promise<void> {
  t.match((await call('GET', '/v1/trash')).body.data, [{ subject: 'thrown away' }])
  t.match((await call('GET', '/v1/suppressions')).body.data, [{ address: more.suppressed }])
  t.match((await call('GET', `/v1/webhooks/${more.webhook}`)).body, { id: more.webhook })
  t.match((await call('GET', `/v1/webhooks/${more.webhook}/deliveries`)).body.data, [
    { event: { type: 'message.received' }, status: 'waiting' },
  ])
  const statusOf = async (id: string): Promise<string> => (await call('GET', `/v1/messages/${id}`)).body.status
  t.equal(await statusOf(more.held), 'held')
  t.match((await daemon.cli('review', 'list')).stdout, more.held)
  t.match(await daemon.cli('review', 'approve', more.held), { code: 0 })
  t.equal(await statusOf(more.scheduled), 'scheduled')
  t.match(await call('POST', `/v1/messages/${more.scheduled}/cancel`), { status: 200 })
  t.equal(await statusOf(more.scheduled), 'cancelled')
  const queue = await daemon.cli('queue', 'list')
  for (const domain of ['example.net', 'example.org']) t.match(queue.stdout, domain)
  const receipts = await daemon.cli('receipts', '--json')
  t.equal(JSON.parse(receipts.stdout).length, 7, receipts.stderr)
  t.match((await daemon.cli('audit', '--json')).stdout, 'account.deletion')
  const leaving = callBy(daemon, more.leaving.key)
  t.equal((await leaving('GET', '/v1/threads')).body.error.code, 'account_deletion_pending')
  t.match(await leaving('POST', '/v1/account/deletion/cancel'), { status: 200 })
  t.match((await leaving('GET', '/v1/threads')).body.data, [{ subject: 'for who leaves' }])
}

/** To the hour after it was made. */
const aheadOf = ({ more }: About): number => (more ? Date.parse(more.made_at) + HOUR - Date.now() : 0)

async function opened(t: Test, dir: string, about: About): Promise<Daemon> {
  // Mail that was on its way goes on waiting for the smart host.
  const relay: Record<string, string> = about.more
    ? { 'relay.smarthost': `127.0.0.1:${await freePort()}` }
    : { 'relay.outbound': 'off' }
  const daemon = await startDaemon({ 'server.data_dir': dir, ...relay }, { clockAheadMs: aheadOf(about) })
  t.teardown(() => daemon.remove())
  return daemon
}

async function folder(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'data-folder-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

const names = (await readdir(FOLDERS)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5))
t.same(names.sort(), ['0.1.0', 'data-2'])
for (const name of names) {
  const about = aboutSchema.parse(JSON.parse(await readFile(join(FOLDERS, `${name}.json`), 'utf8')))

  t.test(`the data folder of ${name}`, async (t) => {
    const dir = await folder(t)
    t.equal((await run('tar', ['-xzf', join(FOLDERS, `${name}.tar.gz`), '-C', dir])).code, 0)
    const daemon = await opened(t, dir, about)
    await use(t, daemon, about)
    await daemon.end('SIGTERM')
    t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ }, 'without it')
    const store = createStore(openLmdb({ path: join(dir, 'store') }))
    t.match(await readSchema(store), { version: SCHEMA_VERSION })
    await store.write('meta', (tx) => putSchema(tx, { version: SCHEMA_VERSION + 1, by: '77.0.0' }))
    await store.close()
    const refused = await run(BIN, ['start', ...setArgs({ ...(await freeListeners()), 'server.data_dir': dir })])
    t.match(refused, { code: 78, stderr: /Restante 77\.0\.0 has worked on it\. Start Restante 77\.0\.0 or later/ })
  })

  // 0.1.0 made none.
  if (about.more)
    t.test(`a backup that ${name} made`, async (t) => {
      const dir = await folder(t)
      const words = [BIN, 'restore', join(FOLDERS, `${name}.backup.tar.gz`), '--to', dir]
      t.match(await run(process.execPath, [...clockArgs(aheadOf(about)), ...words]), { code: 0 })
      // The file system has the time of this machine, and the daemon starts only on a folder that was not written later than now.
      const now = new Date(Date.now() + aheadOf(about))
      await utimes(join(dir, 'store/data.mdb'), now, now)
      await use(t, await opened(t, dir, about), about)
    })
}
