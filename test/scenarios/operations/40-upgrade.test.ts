/** A server is upgraded while mail streams in: stopped, killed, its upgrade cut off; whoever sends tries again, and nothing that was acknowledged is lost. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { z } from 'zod'
import { encode, key } from '../../../src/store/keys.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { readSchema, SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'
import { request } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

const FOLDERS = join(process.cwd(), 'test/data-folders')
const aboutSchema = z.object({ address: z.string(), key: z.string(), neighbour: z.string() })
/** While nobody answers, and after a 4xx: a mail server waits minutes. */
const RETRY_MS = 20
const UPGRADING = 'folders of 0.1.0 had no version'

/** Tries one thing after the other, each until it is acknowledged. */
function sendInLoop(send: (n: number) => Promise<boolean>): {
  done: number[]
  more(count: number): Promise<void>
  stop(): Promise<void>
} {
  const done: number[] = []
  let stopping = false
  const loop = (async () => {
    for (let n = 0; !stopping; n++) {
      while (!(await send(n).catch(() => false))) await pause(RETRY_MS)
      done.push(n)
    }
  })()
  return {
    done,
    async more(count) {
      const wanted = done.length + count
      while (done.length < wanted) await pause(RETRY_MS)
    },
    async stop() {
      stopping = true
      await loop
    },
  }
}

t.test('a folder of 0.1.0 is upgraded under load, whatever ends the process', async (t) => {
  const about = aboutSchema.parse(JSON.parse(await readFile(join(FOLDERS, '0.1.0.json'), 'utf8')))
  const dir = await mkdtemp(join(tmpdir(), 'upgrade-'))
  t.equal((await run('tar', ['-xzf', join(FOLDERS, '0.1.0.tar.gz'), '-C', dir])).code, 0)
  const daemon = await startDaemon({
    ...{ 'server.data_dir': dir, 'relay.outbound': 'off', 'smtp.messages_per_minute': '100000' },
    ...{ 'smtp.connections_per_minute': '100000', 'smtp.messages_per_minute_per_network': '100000' },
    ...{ 'smtp.connections_per_minute_per_network': '100000', 'limits.requests_per_minute': '100000' },
  })
  t.teardown(async () => {
    await daemon.remove()
    await rm(dir, { recursive: true, force: true })
  })
  const call = (method: string, path: string, body?: unknown, retryKey?: string) =>
    request(`${daemon.url}${path}`, method, body, {
      authorization: `Bearer ${about.key}`,
      ...(retryKey === undefined ? {} : { 'idempotency-key': retryKey }),
    })

  const smtp = sendInLoop(async (n) => {
    await deliver(daemon.smtpPort, { to: [about.address], subject: `smtp ${n}`, text: 'words' })
    return true
  })
  const retryKeys = new Map<number, string>()
  const api = sendInLoop(async (n) => {
    const retryKey = retryKeys.get(n) ?? randomUUID()
    retryKeys.set(n, retryKey)
    const { status } = await call(
      'POST',
      '/v1/send',
      { to: [about.neighbour], subject: `api ${n}`, text: 'words' },
      retryKey,
    )
    return status === 202
  })
  const flowing = (): Promise<unknown> => Promise.all([smtp.more(3), api.more(3)])
  /** As the build of before there were numbers leaves it; or this one, in the middle of its migration. */
  const setBack = async (cursor?: string): Promise<void> => {
    const store = createStore(openLmdb({ path: join(dir, 'store') }))
    await store.write('meta', (tx) => {
      tx.delete(key('schema'))
      if (cursor !== undefined) tx.put(key('migration', 1), encode({ cursor }))
    })
    await store.close()
  }
  const upgrades = (): number => daemon.output().split(UPGRADING).length - 1

  t.equal(upgrades(), 1, 'the folder was of an older version')
  await flowing()
  await daemon.end('SIGTERM')
  await setBack()
  const cutOff = daemon.start().then(
    () => undefined,
    () => undefined,
  )
  while (upgrades() < 2) await pause(1)
  await daemon.end('SIGKILL')
  await cutOff
  await daemon.start()
  await flowing()
  await daemon.end('SIGKILL')
  await setBack('half')
  await daemon.start()
  t.match(daemon.output(), /"goes_on":true/, 'the upgrade goes on where it was cut off')
  await flowing()
  await Promise.all([smtp.stop(), api.stop()])

  const counts = new Map<string, number>()
  for (let cursor = ''; ;) {
    const { body } = await call('GET', `/v1/messages?limit=100${cursor}`)
    for (const { subject } of body.data) counts.set(subject, (counts.get(subject) ?? 0) + 1)
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
  }
  t.ok(smtp.done.length >= 9 && api.done.length >= 9, `${smtp.done.length} by SMTP, ${api.done.length} by the API`)
  t.same(
    smtp.done.filter((n) => !counts.has(`smtp ${n}`)),
    [],
    'each message that got 250 is there',
  )
  t.same(
    api.done.filter((n) => counts.get(`api ${n}`) !== 1),
    [],
    'each message that got 202 is there, once',
  )
  const twice = smtp.done.filter((n) => (counts.get(`smtp ${n}`) ?? 0) > 1)
  t.ok(
    twice.length <= 3,
    'what was cut off before its 250, at an end of the process, may be there twice; nothing else is',
  )
  for (const subject of ['large', 'letter 0', 'letter 1', 'letter 2'])
    t.ok(counts.has(subject), `${subject} of 0.1.0 is there`)
  await daemon.end('SIGTERM')
  t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
  const store = createStore(openLmdb({ path: join(dir, 'store'), readOnly: true }))
  t.match(await readSchema(store), { version: SCHEMA_VERSION })
  await store.close()
})
