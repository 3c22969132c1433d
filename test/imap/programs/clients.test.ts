/** Clients of IMAP as scripts use them, over TLS against the real daemon: what they change is seen in the API. */
import t from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type CliResult } from '../../support/daemon.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { HOST } from '../../submission/world.js'
import { LABEL, startMailWorld } from './world.js'

const PYTHON = '/usr/bin/python3'
const CURL = '/usr/bin/curl'

/** Does one thing after the other and says what it saw. */
const IMAPLIB = `
import imaplib, json, ssl, sys
port, ca, user, password = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)
context.check_hostname = False
imap = imaplib.IMAP4_SSL('127.0.0.1', int(port), ssl_context=context)
imap.login(user, password)
seen = {}
def must(answer):
    status, data = answer
    if status != 'OK':
        raise Exception(f'{status} {data}')
    return data
def text(data):
    return [line.decode() for line in data if line]
seen['list'] = text(must(imap.list()))
seen['status'] = text(must(imap.status('INBOX', '(MESSAGES UNSEEN UIDNEXT)')))
seen['exists'] = text(must(imap.select('INBOX')))
seen['sizes'] = [len(part[1]) for part in must(imap.fetch('1:*', '(RFC822.SIZE BODY.PEEK[])')) if isinstance(part, tuple)]
seen['headers'] = must(imap.fetch('1', '(BODY.PEEK[HEADER.FIELDS (SUBJECT)])'))[0][1].decode()
seen['search'] = text(must(imap.search(None, 'SUBJECT', '"mail 1"')))
seen['text'] = text(must(imap.search('UTF-8', 'TEXT', '"number 2"')))
seen['none'] = text(must(imap.search(None, 'FROM', 'nobody')))
seen['sort'] = text(must(imap.sort('(REVERSE SUBJECT)', 'UTF-8', 'ALL')))
seen['thread'] = text(must(imap.thread('REFERENCES', 'UTF-8', 'ALL')))
read = must(imap.fetch('1', '(RFC822)'))
seen['read'], seen['after'] = read[0][1].decode(), read[1].decode()
seen['store'] = text(must(imap.store('2', '+FLAGS', '(\\\\Flagged \\\\Answered $Forwarded)')))
must(imap.copy('3', '${LABEL}'))
must(imap.create('Bills'))
seen['move'] = text(must(imap.uid('MOVE', '4', 'Bills')))
must(imap.store('4', '+FLAGS', '\\\\Deleted'))
seen['expunge'] = text(must(imap.expunge()))
message = b'From: old@peer.test\\r\\nMessage-ID: <appended@peer.test>\\r\\nSubject: Old\\r\\n\\r\\nOld.\\r\\n'
seen['append'] = text(must(imap.append('Archive', '\\\\Seen', imaplib.Time2Internaldate(1500000000), message)))
seen['quota'] = [text(part) for part in must(imap.getquotaroot('INBOX'))]
must(imap.select('Archive', readonly=True))
seen['archived'] = text(must(imap.fetch('1', '(FLAGS INTERNALDATE UID)')))
must(imap.close())
must(imap.rename('Bills', 'Papers'))
seen['renamed'] = text(must(imap.list('""', 'Pap*')))
imap.logout()
json.dump(seen, sys.stdout)
`

t.test('imaplib of Python', allPeers(peer('python3', PYTHON), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  const { agent, arrive, ids, change } = world
  await arrive('mail', 5, 1)
  const before = await ids()
  const id = (number: number): string | undefined => before.get(`mail-${number}@peer.test`)
  await change(id(0), { add_labels: [LABEL] })
  const script = join(world.dir, 'client.py')
  await writeFile(script, IMAPLIB)
  const done = await run(PYTHON, [script, String(world.imapPort), world.caFile, world.user, world.password])
  t.equal(done.code, 0, done.stderr)
  const seen = JSON.parse(done.stdout) as Record<string, unknown>
  t.match(seen, {
    status: ['INBOX (MESSAGES 5 UNSEEN 5 UIDNEXT 6)'],
    exists: ['5'],
    headers: /^Subject: mail 0\r\n\r\n$/,
    search: ['2'],
    text: ['3'],
    none: [],
    sort: ['5 4 3 2 1'],
    thread: ['(1)(2)(3)(4)(5)'],
    read: /^Message-ID: <mail-0@peer.test>[^]*This is number 0 of mail\.\r\n$/m,
    after: ' FLAGS (\\Seen))',
    store: ['1 (UID 1 FLAGS (\\Seen))', '2 (UID 2 FLAGS (\\Answered \\Flagged $Forwarded))'],
    expunge: ['4'],
    archived: [/^1 \(FLAGS \(\\Seen\) INTERNALDATE "14-Jul-2017 02:40:00 \+0000" UID 1\)$/],
    renamed: [/"\/" "?Papers"?$/],
  })
  const message = async (id: string | undefined): Promise<{ labels: string[]; unread: boolean }> => {
    const answer = await agent.call('GET', `/v1/messages/${id ?? ''}`)
    t.equal(answer.status, 200)
    return { labels: [...answer.body.labels].sort(), unread: answer.body.unread }
  }
  t.same(await message(id(0)), { labels: ['inbox', LABEL], unread: false })
  t.same(await message(id(1)), { labels: ['$answered', '$flagged', '$forwarded', 'inbox'], unread: true })
  t.same(await message(id(2)), { labels: ['inbox', LABEL], unread: true })
  t.same(await message(id(3)), { labels: ['papers'], unread: true })
  const after = await ids()
  t.notOk(after.has('mail-4@peer.test'), 'it is in the trash')
  t.same(await message(after.get('appended@peer.test')), { labels: [], unread: false })
})

t.test('curl', allPeers(peer('curl', CURL), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  const { imapPort, user, password, caFile, agent } = world
  await world.arrive('mail', 3, 1)
  const before = await world.ids()
  const curl = async (folder: string, ...more: string[]): Promise<string> => {
    const done: CliResult = await run(CURL, [
      ...['--silent', '--show-error', '--cacert', caFile, '--resolve', `${HOST}:${imapPort}:127.0.0.1`],
      ...[`imaps://${HOST}:${imapPort}/${folder}`, '--user', `${user}:${password}`, ...more],
    ])
    t.equal(done.code, 0, done.stderr)
    return done.stdout
  }
  t.match(await curl(''), /^\* LIST \([^)]*\) "\/" INBOX\r\n/)
  t.match(await curl('', '-X', 'EXAMINE INBOX'), /^\* 3 EXISTS\r$/m)
  t.match(await curl('INBOX;UID=2'), /^Subject: mail 1\r$[^]*This is number 1 of mail\.\r\n$/m)
  t.equal(await curl('INBOX;UID=2;SECTION=TEXT'), 'This is number 1 of mail.\r\n')
  t.equal(await curl('INBOX?SUBJECT%20%22mail%202%22'), '* SEARCH 3\r\n')
  t.match(await curl('INBOX', '-X', 'STORE 3 +FLAGS (\\Flagged)'), /\* 3 FETCH \(UID 3 FLAGS \(\\Flagged\)\)/)
  t.match(await curl('INBOX', '-X', 'MOVE 1 Junk'), '')
  const file = join(world.dir, 'message.eml')
  await writeFile(file, 'From: old@peer.test\r\nMessage-ID: <put@peer.test>\r\nSubject: Old\r\n\r\nOld.\r\n')
  await curl('Archive', '-T', file)
  const after = await world.ids()
  const message = async (id: string | undefined): Promise<unknown> => {
    const { labels, unread } = (await agent.call('GET', `/v1/messages/${id ?? ''}`)).body
    return { labels, unread }
  }
  t.same(await message(before.get('mail-0@peer.test')), { labels: ['spam'], unread: true })
  t.same(await message(before.get('mail-1@peer.test')), { labels: ['inbox'], unread: false })
  t.same(await message(before.get('mail-2@peer.test')), { labels: ['inbox', '$flagged'], unread: true })
  t.match(await message(after.get('put@peer.test')), { labels: [] })
})
