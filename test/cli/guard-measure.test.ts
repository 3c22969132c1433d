import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { run } from '../support/daemon.js'

const cli = (words: string[]) => run(process.execPath, [join(process.cwd(), 'bin/restante'), ...words])

const mail = (from: string, subject: string, text: string): string =>
  [`From: ${from}`, 'To: bob@example.org', `Subject: ${subject}`, '', text, ''].join('\r\n')
const HONEST = mail(
  'Ruth <ruth@example.org>',
  'Lunch on Friday',
  'Shall we have lunch on Friday? The place at the corner is open again.',
)
const LURE = mail(
  '"PayPal Support" <help@secure-update.example>',
  'Your account is limited',
  'Dear customer, your account has been limited. Verify your account within 24 hours at http://paypa1-login.example/ or it will be closed.',
)

async function maildir(folder: string): Promise<string> {
  for (const part of ['cur', 'new', 'tmp', '.Junk/cur', '.Junk/new', '.Junk/tmp'])
    await mkdir(join(folder, part), { recursive: true })
  await writeFile(join(folder, 'cur', '1.a:2,S'), HONEST)
  await writeFile(join(folder, 'new', '2.a'), HONEST)
  await writeFile(join(folder, '.Junk/cur', '3.a:2,S'), LURE)
  return folder
}

t.test('each folder of a Maildir is counted for itself, and nothing is written', async (t) => {
  const folder = await maildir(t.testdir())
  const before = (await readdir(folder, { recursive: true })).sort()
  const { code, stdout, stderr } = await cli(['guard', 'measure', folder, '--list'])
  t.equal(code, 0, stderr)
  t.match(stdout, /^INBOX +2 +100\.0 % +0\.0 % +0\.0 %$/m)
  t.match(stdout, /^Junk +1 +0\.0 % +0\.0 % +100\.0 %$/m)
  t.match(stdout, /^ *1 +lookalike_host$/m)
  t.match(stdout, /^block {2}\d\.\d\d {2}.*3\.a:2,S {2}.*lookalike_host/m, 'what would not pass is named')
  t.notMatch(stdout, /limited|paypa1/, 'without its content')
  t.same((await readdir(folder, { recursive: true })).sort(), before)
})

t.test('as mail that comes in, from an mbox file, in JSON', async (t) => {
  const folder = t.testdir({
    'all.mbox': [HONEST, LURE].map((one) => `From x Thu Nov 19 10:00:00 2026\n${one}\n`).join(''),
  })
  const { code, stdout, stderr } = await cli(['guard', 'measure', join(folder, 'all.mbox'), '--incoming', '--json'])
  t.equal(code, 0, stderr)
  const told = JSON.parse(stdout)
  t.match(told, { folders: [{ folder: 'all.mbox', messages: 2, outcomes: { ham: 1 } }], unread: 0, listed: [] })
  t.equal(
    Object.values(told.folders[0].outcomes as Record<string, number>).reduce((a, b) => a + b),
    2,
  )
  t.ok(told.reasons.lookalike_host === 1)
})

t.test('files of their own, in folders; what is no message is named and the rest goes on', async (t) => {
  const folder = t.testdir({
    good: { 'a.eml': HONEST, 'notes.txt': 'no mail' },
    bad: { 'b.EML': LURE, 'c.eml': '\u0000'.repeat(10) },
  })
  const { code, stdout, stderr } = await cli(['guard', 'measure', folder])
  t.equal(code, 0, stderr)
  t.match(stdout, /^good +1 +100\.0 %/m)
  t.match(stdout, /^bad +\d/m)
})

t.test('a place without mail, or that is not there, is said', async (t) => {
  const empty = await cli(['guard', 'measure', t.testdir({ 'notes.txt': 'no mail' })])
  t.equal(empty.code, 1)
  t.match(empty.stderr, /has no messages/)
  const missing = await cli(['guard', 'measure', '/no/such/folder'])
  t.equal(missing.code, 1)
  t.match(missing.stderr, /no such file|ENOENT/i)
})
