/** A data folder of each released version is opened by this one, which reads its mail, finds it whole and sends from it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { z } from 'zod'
import { openLmdb } from '../../src/store/lmdb.js'
import { putSchema, readSchema, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import { request } from '../support/agent.js'
import { run, startDaemon } from '../support/daemon.js'

const FOLDERS = join(process.cwd(), 'test/data-folders')
const aboutSchema = z.object({ address: z.string(), key: z.string(), neighbour: z.string(), pending: z.string() })

const kept = (await readdir(FOLDERS)).filter((name) => name.endsWith('.tar.gz'))
t.ok(kept.includes('0.1.0.tar.gz'))
for (const name of kept)
  t.test(`the data folder of ${name.replace('.tar.gz', '')}`, async (t) => {
    const about = aboutSchema.parse(JSON.parse(await readFile(join(FOLDERS, name.replace('.tar.gz', '.json')), 'utf8')))
    const dir = await mkdtemp(join(tmpdir(), 'data-folder-'))
    t.equal((await run('tar', ['-xzf', join(FOLDERS, name), '-C', dir])).code, 0)
    const daemon = await startDaemon({ 'server.data_dir': dir, 'relay.outbound': 'off' })
    t.teardown(async () => {
      await daemon.remove()
      await rm(dir, { recursive: true, force: true })
    })
    const call = (method: string, path: string, body?: unknown) =>
      request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${about.key}` })
    const threads = await call('GET', '/v1/threads?limit=100')
    const subjects: string[] = threads.body.data.map(({ subject }: { subject: string }) => subject)
    t.same(subjects.sort(), ['large', 'letter 0', 'letter 1', 'letter 2', 'to a neighbour', 'waits'])
    const found = await call('GET', '/v1/messages?q=words')
    t.equal(found.body.data.length, 3, 'what was indexed is found')
    const large = await call('GET', '/v1/messages?subject=large')
    t.equal((await call('GET', `/v1/messages/${large.body.data[0].id}/raw`)).status, 200)
    t.match((await call('GET', '/v1/drafts')).body.data, [{ subject: 'a draft' }])
    t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ }, 'beside the daemon')
    const sent = await call('POST', '/v1/send', {
      to: [about.neighbour],
      subject: 'from the new version',
      text: 'Hello.',
    })
    t.equal(sent.status, 202)
    await daemon.end('SIGTERM')
    t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ }, 'without it')
    const store = createStore(openLmdb({ path: join(dir, 'store') }))
    t.match(await readSchema(store), { version: SCHEMA_VERSION })
    await store.write('meta', (tx) => putSchema(tx, { version: SCHEMA_VERSION + 1, by: '77.0.0' }))
    await store.close()
    const refused = await run(join(process.cwd(), 'bin/restante'), ['start', '--set', `server.data_dir=${dir}`])
    t.match(refused, { code: 78, stderr: /Restante 77\.0\.0 has worked on it\. Start Restante 77\.0\.0 or later/ })
  })
