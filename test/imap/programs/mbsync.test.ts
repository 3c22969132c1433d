/** A Maildir of mbsync (isync) that is kept equal to the mailbox of a real daemon, over TLS. */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type CliResult } from '../../support/daemon.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { inSample } from '../../support/sample.js'
import { LABEL, maildirContents, maildirFiles, putInto, setFlags, startMailWorld, type MailWorld } from './world.js'

const MBSYNC = '/usr/bin/mbsync'
const [MESSAGES = 0] = inSample([1000, 200], (count) => count === 200)

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Nothing there')
  return value
}

const numbered = (name: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `${name}-${from + i}@peer.test`)

/** A Maildir beside the mailbox, and the command that makes both equal. */
async function startMbsync({ dir, certFile, imapPort, user, password }: MailWorld): Promise<[string, string]> {
  const maildir = join(dir, 'mail')
  await mkdir(maildir)
  const config = join(dir, 'mbsyncrc')
  const lines = [
    'IMAPStore far',
    'Host 127.0.0.1',
    `Port ${imapPort}`,
    'SSLType IMAPS',
    `CertificateFile ${certFile}`,
    `User ${user}`,
    `Pass ${password}`,
    '',
    'MaildirStore near',
    `Path ${maildir}/`,
    `Inbox ${maildir}/INBOX`,
    'SubFolders Verbatim',
    '',
    'Channel all',
    'Far :far:',
    'Near :near:',
    'Patterns * !Trash',
    'Create Both',
    'Expunge Both',
    'SyncState *',
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  return [maildir, config]
}

const synchronise = (config: string): Promise<CliResult> => run(MBSYNC, ['-c', config, '-a'])

/** Starts it, and kills it as soon as a count is reached. */
async function killAt(config: string, atLeast: number, count: () => Promise<number>): Promise<void> {
  const child = spawn(MBSYNC, ['-c', config, '-a'], { stdio: 'ignore' })
  const end = once(child, 'exit')
  while (child.exitCode === null && (await count()) < atLeast);
  child.kill('SIGKILL')
  const [, signal] = await end
  if (signal !== 'SIGKILL') throw new Error('it had ended before')
  // What it had sent may still be stored: if that came after the next start, mbsync would not look for it.
  for (let before = -1, now = await count(); before !== now; before = now, now = await count()) await setTimeout(200)
}

t.test('mbsync keeps a Maildir and the mailbox equal', allPeers(peer('mbsync', MBSYNC), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  const { arrive, send, ids, change, contents } = world
  const [maildir, config] = await startMbsync(world)
  const inbox = join(maildir, 'INBOX')
  /** @param killed true after a kill: what was on its way is not known then, and looked for */
  const sync = async (t: Test, killed = false): Promise<void> => {
    const { code, stdout, stderr } = await synchronise(config)
    t.equal(code, 0, `${stderr}${stdout}`)
    const problems = stderr.split('\n').filter((line) => /error|warning/i.test(line))
    t.same(killed ? problems.filter((line) => !line.includes('lost track of')) : problems, [])
    t.same(await maildirContents(maildir), await contents(), 'both sides are equal')
  }
  const filed = MESSAGES / 5
  await arrive('seed', MESSAGES)
  await send('sent', 5)
  const seeds = await ids()
  for (const id of numbered('seed', 0, filed)) await change(seeds.get(id), { remove_labels: ['inbox'] })
  for (const id of numbered('seed', filed, 2 * filed))
    await change(seeds.get(id), { remove_labels: ['inbox'], add_labels: [LABEL] })
  for (const id of numbered('seed', 2 * filed, 2 * filed + 10)) await change(seeds.get(id), { add_labels: [LABEL] })

  t.test('all of it comes, though it was killed on the way', async (t) => {
    const far = MESSAGES / 4
    await killAt(
      config,
      far,
      async () =>
        (await readdir(join(inbox, 'new')).catch(() => [])).length +
        (await readdir(join(inbox, 'cur')).catch(() => [])).length,
    )
    const got = (await maildirFiles(maildir, 'INBOX')).size
    t.ok(got >= far && got < (3 * MESSAGES) / 5, String(got))
    await sync(t, true)
    t.same(
      Object.entries(await contents())
        .map(([folder, messages]) => [folder, Object.keys(messages).length])
        .sort(),
      [
        ['Archive', filed],
        ['INBOX', 3 * filed],
        ['Sent', 5],
        [LABEL, filed + 10],
      ].sort(),
    )
    await sync(t)
  })

  t.test('flags, deletions and new mail of both sides', async (t) => {
    const files = await maildirFiles(maildir, 'INBOX')
    const last = MESSAGES - 1
    const file = (number: number): string => present(files.get(`seed-${number}@peer.test`))
    const id = (number: number): string | undefined => seeds.get(`seed-${number}@peer.test`)
    await setFlags(file(last), 'FS')
    await setFlags(file(last - 1), 'R')
    await setFlags(file(last - 2), 'T')
    await change(id(last - 3), { unread: false })
    await change(id(last - 4), { add_labels: ['$flagged'] })
    const deleted = await world.agent.call('DELETE', `/v1/messages/${present(id(last - 5))}`)
    t.match(deleted.status, /^20/)
    await change(id(last - 6), { remove_labels: ['inbox'], add_labels: [LABEL] })
    await arrive('later', 3)
    await putInto(maildir, 'INBOX', 'put-0@peer.test')
    await putInto(maildir, 'Archive', 'put-1@peer.test')
    await putInto(maildir, LABEL, 'put-2@peer.test')
    await sync(t)
    const after = await contents()
    const { INBOX = {}, Archive = {} } = after
    const flags = (number: number): string | undefined => INBOX[`seed-${number}@peer.test`]
    t.same(
      [0, 1, 2, 3, 4, 5, 6].map((before) => flags(last - before)),
      ['FS', 'R', undefined, 'S', 'F', undefined, undefined],
    )
    t.match(INBOX, { 'later-0@peer.test': '', 'put-0@peer.test': 'S' })
    t.match(Archive, { 'put-1@peer.test': 'S' })
    t.match(after[LABEL], { 'put-2@peer.test': 'S', [`seed-${last - 6}@peer.test`]: '' })
    await sync(t)
  })

  t.test('a folder made here is a label there; what is deleted in it is in the trash', async (t) => {
    const name = 'B&APw-cher'
    for (const part of ['new', 'cur', 'tmp']) await mkdir(join(maildir, name, part), { recursive: true })
    await putInto(maildir, name, 'book-0@peer.test')
    await sync(t)
    const path = `/v1/messages/${(await ids()).get('book-0@peer.test') ?? ''}`
    t.match((await world.agent.call('GET', path)).body, { labels: ['bucher'], unread: false })
    await rm(present((await maildirFiles(maildir, name)).get('book-0@peer.test')))
    await sync(t)
    t.notOk((await ids()).has('book-0@peer.test'))
  })

  t.test('killed while it stores what is new here', async (t) => {
    const before = (await ids()).size
    const count = 2 * MESSAGES
    for (let i = 0; i < count; i++) await putInto(maildir, 'INBOX', `bulk-${i}@peer.test`)
    await arrive('beside', 20)
    await killAt(config, before + 21, async () => (await ids()).size)
    await sync(t, true)
    t.equal((await ids()).size, before + 20 + count, 'none twice, none lost')
  })
})
