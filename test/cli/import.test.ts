/** Old mail in files that Python's `mailbox` module has written, and what the mailbox has of it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderNamed } from '../../src/cli/import/folder-names.js'
import { foldersOfMaildir } from '../../src/cli/import/maildir.js'
import { readMbox } from '../../src/cli/import/mbox.js'
import type { OldMessage, UnreadMessage } from '../../src/cli/import/old-message.js'
import { approvedAgent } from '../support/agent.js'
import { startDaemon } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'
import { refuses } from './refused.js'

const PYTHON = '/usr/bin/python3'

/** Writes an mbox and a Maildir with the same messages, and one folder more. */
const WRITE = `
import mailbox, sys, email.message
folder, count = sys.argv[1], int(sys.argv[2])
def message(kind, i):
    m = kind()
    m['From'] = 'Ada <ada@example.org>'
    m['To'] = 'agent@agents.test'
    m['Subject'] = 'Message %d' % i
    m['Date'] = 'Tue, 05 Mar 2019 10:%02d:00 +0000' % (i % 60)
    m['Message-ID'] = '<%d@example.org>' % i
    m.set_payload('Dear agent,\\n\\nFrom here on it is text.\\n>From there too.\\n\\n%d\\n' % i)
    return m
box = mailbox.mbox(folder + '/old.mbox')
for i in range(count):
    m = message(mailbox.mboxMessage, i)
    m.set_from('ada@example.org', (2019, 3, 5, 10, i % 60, 0, 1, 64, 0))
    m.set_flags('RO' if i % 2 else '')
    if i % 3 == 0: m.add_flag('F')
    if i % 5 == 0: m.add_flag('A')
    box.add(m)
box.flush()
md = mailbox.Maildir(folder + '/Maildir')
for i in range(count):
    m = message(mailbox.MaildirMessage, i)
    m.set_date(1551780000 + i)
    if i % 2: m.set_subdir('cur'); m.add_flag('S')
    if i % 3 == 0: m.set_subdir('cur'); m.add_flag('F')
    if i == 4: m.set_subdir('cur'); m.add_flag('RTP')
    md.add(m)
for name in ('Sent Items', 'Work.2019', 'Caf&AOk-'):
    md.add_folder(name).add(message(mailbox.MaildirMessage, 900 + len(name)))
`

const write = (folder: string, count: number): void => {
  execFileSync(PYTHON, ['-c', WRITE, folder, String(count)])
}

async function all(messages: AsyncIterable<OldMessage | UnreadMessage>): Promise<OldMessage[]> {
  const found: OldMessage[] = []
  for await (const one of messages) {
    if ('problem' in one) throw new Error(one.problem)
    found.push(one)
  }
  return found
}

t.test('an mbox file of Python is read as it was written', peer('python3', PYTHON), async (t) => {
  const dir = t.testdir({})
  write(dir, 12)
  const found = await all(readMbox(join(dir, 'old.mbox')))
  t.equal(found.length, 12)
  for (const [i, { raw, flags, receivedAt }] of found.entries()) {
    const text = raw.toString()
    t.match(text, new RegExp(`^From: Ada[^]*Subject: Message ${i}\n[^]*\n\n[^]*\n\n${i}\n$`))
    t.match(text, /\nFrom here on it is text\.\nFrom there too\.\n/, 'without the mark of the file')
    t.notMatch(text, /^(X-)?Status:/m)
    t.equal(receivedAt, Date.UTC(2019, 2, 5, 10, i))
    t.same(flags, [
      ...(i % 2 ? ['seen'] : []),
      ...(i % 3 === 0 ? ['flagged'] : []),
      ...(i % 5 === 0 ? ['answered'] : []),
    ])
  }
})

t.test('other mbox files', async (t) => {
  const dir = t.testdir({
    empty: '',
    crlf: 'From a@b.example Tue Mar 05 11:00:00 2019 +0100\r\nSubject: One\r\nX-Keywords: Work $Forwarded\r\n Other\r\n\r\nText\r\n\r\nFrom x\r\nSubject: Two\r\n\r\n',
    folded:
      'From a@b.example Tue Mar  5 10:00:00 2019\nStatus: R\n O\nSubject: One\n\nStatus: text\n>>From x\nFrom no empty line before\n',
    own: "From MAILER-DAEMON Tue Mar  5 10:00:00 2019\nSubject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1\n\nx\n\nFrom a Tue Mar  5 10:00:00 2019\nSubject: One\n\n",
    none: 'Subject: One\n\nText\n',
  })
  const read = async (name: string) => all(readMbox(join(dir, name)))
  t.same(await read('empty'), [])
  t.match(await read('crlf'), [
    {
      raw: Buffer.from('Subject: One\r\n\r\nText\r\n'),
      keywords: ['Work', '$Forwarded'],
      receivedAt: Date.UTC(2019, 2, 5, 10),
    },
    { raw: Buffer.from('Subject: Two\r\n'), receivedAt: undefined },
  ])
  t.match(await read('folded'), [
    { raw: Buffer.from('Subject: One\n\nStatus: text\n>From x\nFrom no empty line before\n'), flags: ['seen'] },
  ])
  t.equal((await read('own')).length, 1)
  await t.rejects(read('none'), /is no mbox file/)
})

t.test('a Maildir of Python is read with its folders', peer('python3', PYTHON), async (t) => {
  const dir = t.testdir({})
  write(dir, 6)
  const folders = await foldersOfMaildir(join(dir, 'Maildir'), 'INBOX')
  t.same(folders.map(({ name }) => name).sort(), ['Café', 'INBOX', 'Sent', 'Work/2019'])
  const inbox = folders.find(({ name }) => name === 'INBOX')
  const found = await all(inbox?.messages() ?? (async function* () {})())
  const bySubject = new Map(found.map((one) => [/Subject: Message (\d+)/.exec(one.raw.toString())?.[1], one]))
  for (let i = 0; i < 6; i++) {
    const one = bySubject.get(String(i))
    t.equal(one?.receivedAt, (1_551_780_000 + i) * 1000)
    t.same(one?.flags, [
      ...(i % 2 ? ['seen'] : []),
      ...(i % 3 === 0 ? ['flagged'] : []),
      ...(i === 4 ? ['answered', 'deleted'] : []),
    ])
    t.same(one?.keywords, i === 4 ? ['$Forwarded'] : [])
  }
})

t.test('folders within folders, and their names', async (t) => {
  const dir = t.testdir({
    INBOX: { cur: {}, new: {} },
    Lists: { tap: { cur: { 'a:2,S': 'Subject: x\n\n' } } },
    notes: {},
  })
  const folders = await foldersOfMaildir(dir, 'INBOX')
  t.same(folders.map(({ name }) => name).sort(), ['INBOX', 'Lists/tap'])
  t.same(['[Gmail]/Spam', 'INBOX/Sent', 'Deleted Items', 'inbox', 'Sent/2019', 'INBOX'].map(folderNamed), [
    ...['Junk', 'Sent', 'Trash', 'INBOX', 'Sent/2019', 'INBOX'],
  ])
})

t.test('what is not clear is refused', async (t) => {
  for (const [words, code, problem] of [
    [['a@agents.test'], 64, /Give --mbox, --maildir or --imap/],
    [['a@agents.test', '--mbox', 'x', '--maildir', 'y'], 64, /Give --mbox, --maildir or --imap/],
    [['--mbox', 'x'], 64, /needs ADDRESS/],
    [['a@agents.test', '--maildir', t.testdir({ notes: {} })], 1, /is no Maildir/],
  ] as const)
    await refuses(t, ['import', ...words], code, problem)
})

t.test('an import goes on after a crash, and brings every message once', peer('python3', PYTHON), async (t) => {
  const dir = t.testdir({})
  write(dir, 150)
  writeFileSync(join(dir, 'Maildir/new/9.null.x'), 'Subject: x\n\na\0b\n')
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const { address } = (await agent.call('GET', '/v1/mailbox')).body
  const { next_after: after } = (await agent.call('GET', '/v1/events?limit=100')).body
  const count = async (): Promise<number> => (await agent.call('GET', '/v1/mailbox')).body.message_count
  const importing = daemon.cli('import', address, '--maildir', join(dir, 'Maildir'))
  while ((await count()) < 20);
  await daemon.end('SIGKILL')
  const broken = await importing
  t.equal(broken.code, 69)
  t.match(broken.stderr, /can't be reached[^]*\d+ imported[^]*goes on where this one ended/)
  await daemon.start()
  const stored = await count()
  t.ok(stored >= 20 && stored < 153, `${stored} before the crash`)
  const rest = await daemon.cli('import', address, '--maildir', join(dir, 'Maildir'))
  t.equal(rest.code, 1, 'one message was refused')
  t.match(rest.stderr, /9\.null\.x: The message cannot be read: it has octets of the value 0/)
  t.match(rest.stdout, `${153 - stored} imported, ${stored} there already, 1 refused`)
  t.equal(await count(), 153)
  // The file was touched by a program since.
  const [first = ''] = readdirSync(join(dir, 'Maildir/cur'))
  utimesSync(join(dir, 'Maildir/cur', first), 1, 1)
  const again = await daemon.cli('import', address, '--maildir', join(dir, 'Maildir'), '--json')
  t.same(JSON.parse(again.stdout), { imported: 0, known: 153, refused: 1 })

  const boxed = await daemon.cli('import', address, '--mbox', join(dir, 'old.mbox'), '--folder', 'Old/2019')
  t.same(boxed, { code: 0, stdout: '150 imported, 0 there already, 0 refused\n', stderr: '' })
  const list = (query: string) => agent.call('GET', `/v1/messages?${query}&limit=100`)
  const labelled = (await list('label=old/2019')).body.data
  t.match(labelled[0], {
    imported: true,
    subject: 'Message 149',
    created_at: '2019-03-05T10:29:00.000Z',
    unread: false,
  })
  t.equal((await list('label=sent')).body.data.length, 1)
  t.same((await agent.call('GET', `/v1/events?after=${after}&limit=100`)).body.data, [], 'no agent is told')
  const told = (await agent.call('GET', `/v1/events?after=${after}&limit=100&types=message.imported`)).body
  t.equal(told.data.length, 100)
  const audit = JSON.parse((await daemon.cli('audit', '--action', 'mailbox.imported', '--json')).stdout)
  const entries = (audit.data ?? audit).length
  t.ok(entries >= 10 && entries <= 13, 'one entry for each folder of each import')
  t.match(await daemon.cli('import', 'nobody@agents.test', '--mbox', join(dir, 'old.mbox')), {
    code: 1,
    stderr: /no such mailbox/i,
  })
  await daemon.end('SIGTERM')
  t.match((await daemon.cli('verify')).stdout, /nothing was found wrong/)
})
