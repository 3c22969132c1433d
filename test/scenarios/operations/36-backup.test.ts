/** A server is backed up while mail comes in, killed in the middle of it, restored on another host, and goes on there. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readAdminToken } from '../../../src/config/secrets.js'
import { approvedAgent, request, type Agent } from '../../support/agent.js'
import { freeListeners, run, setArgs, startDaemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

const BIN = join(process.cwd(), 'bin/restante')

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setImmediate(resolve))
}

const namesIn = (dir: string): Promise<string[]> => readdir(dir).catch(() => [])

async function sizesIn(dir: string): Promise<number[]> {
  const names = await namesIn(dir)
  return Promise.all(names.map(async (name) => (await stat(join(dir, name)).catch(() => ({ size: 0 }))).size))
}

async function subjects(agent: Pick<Agent, 'call'>): Promise<Set<string>> {
  const found = new Set<string>()
  for (let cursor = ''; ;) {
    const { body } = await agent.call('GET', `/v1/threads?limit=100${cursor}`)
    for (const { subject } of body.data) found.add(subject)
    if (!body.has_more) return found
    cursor = `&cursor=${body.next_cursor}`
  }
}

t.test('backed up under load, killed in the middle, restored elsewhere', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'backup-story-'))
  const key = join(root, 'key')
  await writeFile(key, `${randomBytes(32).toString('hex')}\n`)
  const daemon = await startDaemon({ 'backup.key_file': key, 'limits.storage_bytes': '1000000000' })
  const closing: (() => Promise<unknown>)[] = [() => daemon.remove()]
  t.teardown(async () => {
    for (const close of closing) await close()
    await rm(root, { recursive: true, force: true })
  })
  const agent = await approvedAgent(daemon, 'ada.agent')
  const content = randomBytes(2_000_000)
  const large = { filename: 'x', content }
  for (let i = 0; i < 12; i++)
    await deliver(daemon.smtpPort, { to: [agent.address], subject: `large ${i}`, attachments: [large] })

  const folder = join(daemon.dataDir, 'backups')
  await t.test('one that is killed leaves nothing that passes for a backup', async (t) => {
    const asked = daemon.cli('backup')
    await until(async () => (await sizesIn(folder)).some((bytes) => bytes > 1_000_000))
    await daemon.end('SIGKILL')
    t.match(await asked, { code: 69 }, 'who asked is told')
    t.match(await namesIn(folder), [/\.enc\.partial$/])
    const [partial = ''] = await namesIn(folder)
    const tried = await run(BIN, ['restore', join(folder, partial), '--to', join(root, 'none'), '--key', key])
    t.match(tried, { code: 1, stderr: /damaged|cut off/ })
    t.same(await namesIn(join(root, 'none')), [])
    await daemon.start()
  })

  const acknowledged: string[] = []
  let file = ''
  await t.test('mail that was acknowledged before it began is in it, and mail goes on meanwhile', async (t) => {
    let during = 0
    let ended = false
    const sending = (async () => {
      for (let i = 0; !ended; i++) {
        await deliver(daemon.smtpPort, {
          to: [agent.address],
          subject: `mail ${i}`,
          ...(i % 3 === 0 ? { attachments: [{ filename: 'y', content: content.subarray(0, 90_000) }] } : {}),
        })
        if (file === '') acknowledged.push(`mail ${i}`)
        else during++
      }
    })()
    await until(async () => acknowledged.length >= 10)
    file = join(root, 'one.tar.gz.enc')
    const made = await daemon.cli('backup', '--to', file, '--json')
    ended = true
    await sending
    t.match(made, { code: 0, stderr: '' })
    t.match(JSON.parse(made.stdout), { file, encrypted: true, missing_blobs: 0, mailboxes: 2 })
    t.ok(during > 0, 'mail was taken while it was made')
    t.match(await daemon.cli('backup', '--to', file), { code: 1, stderr: /is there already/ })
    const metrics = await adminMetrics(daemon)
    t.match(metrics, /^restante_backup_age_seconds \d+$/m)
    t.match(metrics, /^restante_backup_last_failed 1$/m, 'the last try was refused')
  })
  const before = await subjects(agent)
  const lastSeq = (await agent.call('GET', '/v1/mailbox')).body.last_event_seq

  const dir = join(root, 'restored')
  await t.test('a restore that is killed is begun anew, and no daemon starts in between', async (t) => {
    const child = spawn(process.execPath, [BIN, 'restore', file, '--to', dir, '--key', key], { stdio: 'ignore' })
    await until(async () => (await namesIn(join(dir, '.restoring'))).includes('blobs') || child.exitCode !== null)
    child.kill('SIGKILL')
    await once(child, 'exit')
    t.equal(child.signalCode, 'SIGKILL', 'it was in the middle')
    const started = await run(BIN, ['start', ...setArgs({ 'server.data_dir': dir, ...(await freeListeners()) })])
    t.match(started, { code: 78, stderr: /did not come to its end\. Run the same "restante restore/ })
    t.notOk((await namesIn(dir)).includes('store'))
    const done = await run(BIN, ['restore', file, '--to', dir, '--key', key])
    t.match(done, { code: 0, stdout: /Restored to .*: 2 mailboxes[^]*Next:\n/ }, done.stderr)
    t.match(await run(BIN, ['restore', file, '--to', dir, '--key', key]), { code: 1, stderr: /is not empty/ })
    const whole = await run(BIN, ['verify', '--set', `server.data_dir=${dir}`])
    t.match(whole, { code: 0, stdout: /2 mailboxes, .*nothing was found wrong/ })
  })

  await t.test('a daemon goes on with it on another host', async (t) => {
    const other = await startDaemon({ 'server.data_dir': dir })
    closing.unshift(() => other.remove())
    const there = {
      call: (method: string, path: string) =>
        request(`${other.url}${path}`, method, undefined, { authorization: `Bearer ${agent.key}` }),
    }
    const found = await subjects(there)
    t.same(
      acknowledged.filter((subject) => !found.has(subject)),
      [],
      'all of it is there',
    )
    t.same(
      [...found].filter((subject) => !before.has(subject)),
      [],
      'and nothing else',
    )
    for (let i = 0; i < 12; i++) t.ok(found.has(`large ${i}`))
    const { body } = await there.call('GET', '/v1/messages?limit=1&label=inbox')
    const raw = await there.call('GET', `/v1/messages/${body.data[0].id}/raw`)
    t.equal(raw.status, 200)
    const expired = {
      status: 410,
      body: { error: { code: 'events_expired', message: /restored from a backup/, hint: /events\?after=\d+/ } },
    }
    const lost = await there.call('GET', `/v1/events?after=${lastSeq}&wait=30`)
    t.match(lost, expired, 'an event that was given after the backup is gone, and its reader hears of it')
    const stream = { authorization: `Bearer ${agent.key}`, accept: 'text/event-stream', 'last-event-id': `${lastSeq}` }
    t.match(await request(`${other.url}/v1/events`, 'GET', undefined, stream), expired)
    const goOn = lost.body.error.oldest_seq - 1
    const waiting = there.call('GET', `/v1/events?after=${goOn}&wait=30`)
    await deliver(other.smtpPort, { to: [agent.address], subject: 'on the new host' })
    t.match((await waiting).body, { data: [{ type: 'message.received', data: { subject: 'on the new host' } }] })
    const { seq } = (await waiting).body.data[0]
    t.ok(seq > lastSeq && seq > goOn, 'no number comes twice')
    t.ok((await subjects(there)).has('on the new host'))
  })
})

async function adminMetrics(daemon: { dataDir: string; output(): string }): Promise<string> {
  const admin = /"admin":"([^"]+)"/.exec(daemon.output())?.[1] ?? ''
  const answer = await fetch(`http://${admin}/metrics`, {
    headers: { authorization: `Bearer ${await readAdminToken(daemon.dataDir)}` },
  })
  return answer.text()
}
