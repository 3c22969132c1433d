import t from 'tap'
import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib'
import { ENGINES } from '../../store/engines.js'
import { eventsOf, makeWorld, present, SEND, type World } from '../../mailbox/world.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { takingTokens } from '../../../src/smtp/oauth-bearer.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { ADDRESS, Client, onServer, PASSWORD, startServer } from './server.js'

const [engine] = ENGINES
const world = async (t: Parameters<typeof makeWorld>[0]): Promise<World> => makeWorld(t, present(engine).openStore(t))

const without = (lines: string[], ...words: string[]): string[] =>
  lines.filter((line) => !words.some((word) => line.includes(word)))

onServer('passwords are taken over TLS only; before it nothing else works', async (t, _w, s) => {
  const plain = await s.connectPlain()
  t.match(plain.greeted, /^\* OK \[CAPABILITY [^\]]*STARTTLS LOGINDISABLED\]/)
  t.match(await plain.say(`LOGIN ${ADDRESS} ${PASSWORD}`), [
    'NO [PRIVACYREQUIRED] passwords are taken over TLS only: send STARTTLS first',
  ])
  t.match(await plain.say('SELECT INBOX'), [/^BAD sign in first/])
  t.match(await plain.say('NONSENSE'), [/^BAD .*unknown command "NONSENSE"/])
  const client = await s.connect()
  t.notMatch(client.greeted, /LOGINDISABLED|STARTTLS|IDLE/)
  t.match(await client.say(`LOGIN ${ADDRESS} wrong`), [/^NO \[AUTHENTICATIONFAILED\]/])
  t.match(await client.say(`LOGIN nobody@agents.example ${PASSWORD}`), [/^NO \[AUTHENTICATIONFAILED\]/])
  t.match(await client.say(`AUTHENTICATE PLAIN ${Buffer.from(`\0${ADDRESS}\0${PASSWORD}`).toString('base64')}`), [
    /^OK \[CAPABILITY .*QRESYNC/,
  ])
  t.match(await client.say('LOGIN a b'), [/^BAD you are signed in/])
  t.match(await client.say('LOGOUT'), [/^BYE/, /^OK/])
  t.equal(await client.next(), 'closed')
})

onServer('AUTHENTICATE without an initial response asks for it', async (t, _w, s) => {
  const client = await s.connect()
  client.write('x AUTHENTICATE PLAIN\r\n')
  t.equal(await client.next(), '+ ')
  client.write(`${Buffer.from(`\0${ADDRESS}\0${PASSWORD}`).toString('base64')}\r\n`)
  t.match(await client.until('x'), [/^OK/])
  const other = await s.connect()
  other.write('x AUTHENTICATE PLAIN\r\n*\r\n')
  t.match(await other.until('x'), ['+ ', /^BAD AUTHENTICATE is cancelled/])
  t.match(await other.say('NOOP'), [/^OK/])
})

const TOKENS = takingTokens({ scope: 'imap', configuration: 'https://mail.example.com/metadata' })
const ofToken = (token: string, name = ADDRESS): string =>
  Buffer.from(`n,a=${name},\x01auth=Bearer ${token}\x01\x01`).toString('base64')

t.test('a token signs in, and a wrong one is told where to get another', opensslPeer(), async (t) => {
  const w = await world(t)
  const asked: unknown[] = []
  const s = await startServer(t, w, {
    tokens: TOKENS,
    signIn: async (sent, scope) => {
      asked.push({ ...sent, scope })
      return { outcome: 'wrong' }
    },
  })
  const client = await s.connect()
  t.match(client.greeted, / AUTH=PLAIN AUTH=OAUTHBEARER AUTH=XOAUTH2\]/)
  const told = [`+ ${TOKENS.refusal('OAUTHBEARER', 'invalid_token')}`]
  client.write(`x AUTHENTICATE OAUTHBEARER ${ofToken('abc')}\r\n`)
  t.equal(await client.next(), told[0])
  client.write('AQ==\r\n')
  t.match(await client.until('x'), [/^NO \[AUTHENTICATIONFAILED\] the access token is wrong/])
  client.write('y AUTHENTICATE OAUTHBEARER\r\n')
  t.equal(await client.next(), '+ ')
  client.write(`${Buffer.from('n,,\x01\x01').toString('base64')}\r\n`)
  t.equal(await client.next(), told[0])
  client.write('*\r\n')
  t.match(await client.until('y'), [/^BAD AUTHENTICATE is cancelled/])
  t.match(await client.say(`AUTHENTICATE XOAUTH2 ${ofToken('abc')}`), [/^BAD that is no name with a bearer token/])
  t.match(await client.say('AUTHENTICATE OAUTHBEARER ='), [/^BAD/])
  t.match(await client.say('AUTHENTICATE CRAM-MD5'), [/^NO \[CANNOT\].*PLAIN, OAUTHBEARER, XOAUTH2/])
  const user = Buffer.from(`user=${ADDRESS}\x01auth=Bearer abc\x01\x01`).toString('base64')
  t.match(await client.say(`AUTHENTICATE XOAUTH2 ${user}`), [/^BYE too many wrong passwords/])
  t.same(asked, [
    { address: ADDRESS, token: 'abc', scope: 'imap:read' },
    { address: undefined, token: '', scope: 'imap:read' },
    { address: ADDRESS, token: 'abc', scope: 'imap:read' },
  ])
})

onServer('without an authorization server no token is taken', async (t, _w, s) => {
  const client = await s.connect()
  t.match(client.greeted, / AUTH=PLAIN\]/)
  t.match(await client.say(`AUTHENTICATE OAUTHBEARER ${ofToken('abc')}`), [/^NO \[CANNOT\]/])
  const plain = await s.connectPlain()
  t.notMatch(plain.greeted, /OAUTHBEARER/)
  t.match(await plain.say(`AUTHENTICATE OAUTHBEARER ${ofToken('abc')}`), [/^NO \[PRIVACYREQUIRED\]/])
})

t.test('who is barred reads why', opensslPeer(), async (t) => {
  const w = await world(t)
  const s = await startServer(t, w, { tokens: TOKENS })
  const client = await s.connect()
  s.answer.next = { outcome: 'barred', why: new ServiceError('account_suspended', 'It is suspended.', 'Write to us.') }
  t.match(await client.say(`AUTHENTICATE OAUTHBEARER ${ofToken('abc')}`), [
    'NO [AUTHORIZATIONFAILED] It is suspended. Write to us.',
  ])
  s.answer.next = { outcome: 'barred', why: new ServiceError('insufficient_scope', 'Not this.', 'Ask.') }
  client.write(`x AUTHENTICATE OAUTHBEARER ${ofToken('abc')}\r\n`)
  t.equal(await client.next(), `+ ${TOKENS.refusal('OAUTHBEARER', 'insufficient_scope')}`)
  client.write('AQ==\r\n')
  t.match(await client.until('x'), ['NO [AUTHORIZATIONFAILED] Not this. Ask.'])
})

onServer('three wrong passwords end the session', async (t, _w, s) => {
  const client = await s.connect()
  for (let i = 0; i < 2; i++) await client.say(`LOGIN ${ADDRESS} wrong`)
  t.match(await client.say(`LOGIN ${ADDRESS} wrong`), [/^BYE too many wrong passwords/])
  t.equal(await client.next(), 'closed')
})

t.test('a client that leaves while its password is checked takes no place of its account', opensslPeer(), async (t) => {
  const w = await world(t)
  const checks: (() => void)[] = []
  const s = await startServer(t, w, {
    limits: { maxConnectionsPerAccount: 1 },
    signIn: async () => {
      await new Promise<void>((resolve) => void checks.push(resolve))
      return s.answer.next ?? { outcome: 'wrong' }
    },
  })
  s.answer.next = { outcome: 'in', caller: s.caller() }
  const asked = async (): Promise<void> => {
    while (checks.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const gone = await s.connect()
  gone.write(`x LOGIN ${ADDRESS} ${PASSWORD}\r\n`)
  await asked()
  t.equal(await s.open(), 1)
  gone.drop()
  while ((await s.open()) > 0) await new Promise((resolve) => setImmediate(resolve))
  checks.pop()?.()
  const client = await s.connect()
  const answer = client.say(`LOGIN ${ADDRESS} ${PASSWORD}`)
  await asked()
  checks.pop()?.()
  t.match(await answer, [/^OK /])
  t.equal(s.watched(), 1, 'nothing watches over the session that has ended')
})

t.test('a client that is turned away is told why, and does not stay', opensslPeer(), async (t) => {
  const s = await startServer(t, await world(t), { limits: { maxConnectionsPerAddress: 1 } })
  await s.connectPlain()
  const other = connectPlain({ host: '127.0.0.1', port: s.port, allowHalfOpen: true })
  t.teardown(() => other.destroy())
  let text = ''
  other.on('data', (chunk: Buffer) => (text += chunk.toString()))
  // It never closes its side.
  await once(other, 'end')
  t.match(text, /^\* BYE \[UNAVAILABLE\] /)
  const writing = setInterval(() => other.write('x NOOP\r\n'), 50)
  await new Promise((resolve) => other.on('error', () => undefined).once('close', resolve))
  clearInterval(writing)
})

onServer('STARTTLS; what came before the handshake is not executed after it', async (t, _w, s) => {
  const plain = await s.connectPlain()
  plain.write(`x STARTTLS\r\ny LOGIN ${ADDRESS} ${PASSWORD}\r\n`)
  t.match(await plain.next(), /^x OK/)
  plain.socket.removeAllListeners('data')
  const secure = connectTls({ socket: plain.socket, ca: s.ca, servername: 'mx.agents.test' })
  await once(secure, 'secureConnect')
  const client = new Client(secure)
  t.match(await client.say('SELECT INBOX'), [/^BAD sign in first/])
  t.match(await client.say(`LOGIN ${ADDRESS} ${PASSWORD}`), [/^OK/])
})

onServer('folders are listed with their use, their parents, and their status', async (t, w, s) => {
  await w.deliver({ labels: ['work/2026'] })
  const client = await s.signedIn()
  t.same(await client.say('LIST "" *'), [
    'LIST (\\HasNoChildren) "/" INBOX',
    'LIST (\\HasNoChildren \\Drafts) "/" Drafts',
    'LIST (\\HasNoChildren \\Sent) "/" Sent',
    'LIST (\\HasNoChildren \\Junk) "/" Junk',
    'LIST (\\HasNoChildren \\Trash) "/" Trash',
    'LIST (\\HasNoChildren \\Archive) "/" Archive',
    'LIST (\\HasNoChildren) "/" work/2026',
    'LIST (\\HasChildren \\NonExistent \\Noselect) "/" work',
    'OK LIST completed',
  ])
  t.same(
    await client.say('LIST "" %'),
    (await client.say('LIST "" *')).filter((line) => !line.includes('2026')),
  )
  t.same(await client.say('LIST "" ""'), ['LIST (\\Noselect) "/" ""', 'OK LIST completed'])
  t.match(await client.say('LIST "" in* RETURN (STATUS (MESSAGES UNSEEN UIDNEXT))'), ['OK LIST completed'])
  t.match(await client.say('LIST "" INBOX RETURN (SUBSCRIBED STATUS (MESSAGES UNSEEN UIDNEXT SIZE DELETED))'), [
    'LIST (\\HasNoChildren \\Subscribed) "/" INBOX',
    /^STATUS INBOX \(MESSAGES 1 UNSEEN 1 UIDNEXT 2 SIZE \d+ DELETED 0\)$/,
    'OK LIST completed',
  ])
  t.match(await client.say('CREATE "Entw&APw-rfe"'), [/^OK \[MAILBOXID \(F\d+-\d+\)\]/])
  t.match(await client.say('LIST "" E*'), ['LIST (\\HasNoChildren) "/" Entw&APw-rfe', /^OK/])
  t.match(await client.say('CREATE inbox'), [/^NO \[ALREADYEXISTS\]/])
  t.match(await client.say('UNSUBSCRIBE Trash'), [/^OK/])
  t.notOk((await client.say('LSUB "" *')).join().includes('Trash'))
  t.match(await client.say('RENAME "Entw&APw-rfe" Drafts2'), [/^OK/])
  t.match(await client.say('DELETE Drafts2'), [/^OK/])
  t.match(await client.say('DELETE Sent'), [/^NO \[CANNOT\]/])
  t.match(await client.say('NAMESPACE'), ['NAMESPACE (("" "/")) NIL NIL', /^OK/])
  t.match(await client.say('GETQUOTAROOT INBOX'), ['QUOTAROOT INBOX ""', /^QUOTA "" \(STORAGE \d+ 1024\)$/, /^OK/])
})

onServer('a folder is selected, fetched, and marked; the API shows the same', async (t, w, s) => {
  const message = await w.deliver({ subject: 'Grüße', text: 'Hello there.' })
  const client = await s.signedIn()
  const selected = await client.say('SELECT INBOX')
  t.match(selected, [
    /^FLAGS \(\\Answered \\Flagged \\Deleted \\Seen \\Draft\)/,
    /^OK \[PERMANENTFLAGS \(\\Answered .*\\\*\)\]/,
    '1 EXISTS',
    '0 RECENT',
    /^OK \[UNSEEN 1\]/,
    /^OK \[UIDVALIDITY \d+\]/,
    /^OK \[UIDNEXT 2\]/,
    /^OK \[HIGHESTMODSEQ 1\]/,
    /^OK \[MAILBOXID \(F1-\d+\)\]/,
    'OK [READ-WRITE] 1 messages',
  ])
  t.match(await client.say('FETCH 1 (FLAGS UID RFC822.SIZE INTERNALDATE EMAILID THREADID)'), [
    new RegExp(
      `^1 FETCH \\(FLAGS \\(\\) UID 1 RFC822.SIZE \\d+ INTERNALDATE "[^"]+" EMAILID \\(${message.id}\\) THREADID \\(thr_.*\\)\\)$`,
    ),
    'OK FETCH completed',
  ])
  t.match(await client.say('FETCH 1 BODY.PEEK[TEXT]<0.5>'), ['1 FETCH (BODY[TEXT]<0> "Hello")', /^OK/])
  t.match(await client.say('FETCH 1 ENVELOPE'), [
    /^1 FETCH \(ENVELOPE \("Thu, 01 Jan 2026 00:00:00 \+0000" .*\(\("Ada" NIL "ada" "example.org"\)\)/s,
    /^OK/,
  ])
  t.match(await client.say('FETCH 1 BODYSTRUCTURE'), [
    '1 FETCH (BODYSTRUCTURE ("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 14 1 NIL NIL NIL NIL))',
    /^OK/,
  ])
  t.match(await client.say('FETCH 1 (BODY[] FLAGS)'), [
    /^1 FETCH \(BODY\[\] \{\d+\}\r\nFrom: .*FLAGS \(\\Seen\)\)$/s,
    /^OK/,
  ])
  t.equal((await w.mailboxes.reading.message(w.id, message.id)).unread, false, 'reading it marks it as read')
  t.same(without(await client.say('STORE 1 +FLAGS (\\Flagged $Forwarded)'), 'OK'), [
    'FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft $Forwarded)',
    '1 FETCH (UID 1 FLAGS (\\Flagged \\Seen $Forwarded))',
  ])
  t.same((await w.mailboxes.reading.message(w.id, message.id)).labels, ['inbox', '$forwarded', '$flagged'])
  t.same(await client.say('STORE 1 -FLAGS.SILENT (\\Flagged)'), ['OK STORE completed'])
  await w.mailboxes.labels.updateMessage(w.id, message.id, { unread: true })
  t.same(await client.say('NOOP'), ['1 FETCH (UID 1 FLAGS ($Forwarded))', 'OK NOOP completed'])
  t.match(await client.say('FETCH 2 FLAGS'), [/^BAD there is no message/])
  t.match(await client.say('UID FETCH 7 FLAGS'), ['OK FETCH completed'])
  t.match(await client.say('STORE 1 FLAGS (\\Nonsense)'), [/^BAD there is no such flag/])
  t.match(await client.say('CLOSE'), [/^OK/])
  t.match(await client.say('FETCH 1 FLAGS'), [/^BAD select a mailbox first/])
})

onServer('what a fetch marks as read is told with it', async (t, w, s) => {
  for (let i = 0; i < 2; i++) await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  t.match(await client.say('FETCH 1 BODY[TEXT]'), [/^1 FETCH \(BODY\[TEXT\] .* FLAGS \(\\Seen\)\)$/s, /^OK/])
  await client.say('NOOP')
  t.match(await client.say('UID FETCH 2 BODY[TEXT]'), [
    /^2 FETCH \(UID 2 BODY\[TEXT\]/,
    '2 FETCH (UID 2 FLAGS (\\Seen))',
    /^OK/,
  ])
})

onServer('new mail, flags and expunges are told to a session that waits', async (t, w, s) => {
  await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  client.write('x IDLE\r\n')
  t.equal(await client.next(), '+ idling')
  const second = await w.deliver()
  t.equal(await client.next(), '* 2 EXISTS')
  await w.mailboxes.labels.updateMessage(w.id, second.id, { unread: false })
  t.equal(await client.next(), '* 2 FETCH (UID 2 FLAGS (\\Seen))')
  await w.mailboxes.trash.deleteMessage(w.id, second.id)
  t.equal(await client.next(), '* 2 EXPUNGE')
  client.write('done\r\n')
  t.same(await client.until('x'), ['OK IDLE ended'])
  client.write('y IDLE\r\n')
  t.equal(await client.next(), '+ idling')
  client.write('nonsense\r\n')
  t.same(await client.until('y'), ['BAD IDLE ends with DONE'])
})

onServer(
  'what is sent with IDLE is answered in order, and to a client that has said all it had to say',
  async (t, w, s) => {
    await w.deliver()
    const client = await s.signedIn()
    await client.say('SELECT INBOX')
    client.write('x IDLE\r\nDONE\r\ny NOOP\r\nz IDLE\r\n')
    t.same(await client.until('x'), ['+ idling', 'OK IDLE ended'])
    t.same(await client.until('y'), ['OK NOOP completed'])
    t.equal(await client.next(), '+ idling')
    await w.deliver()
    t.equal(await client.next(), '* 2 EXISTS')
    client.socket.end('DONE\r\nq IDLE\r\nDONE\r\n')
    t.same(await client.until('z'), ['OK IDLE ended'])
    t.same(await client.until('q'), ['+ idling', 'OK IDLE ended'])
    t.equal(await client.next(), 'closed')
  },
)

onServer('another program sees what one does, and not while it uses sequence numbers', async (t, w, s) => {
  for (let i = 0; i < 3; i++) await w.deliver()
  const [one, two] = [await s.signedIn(), await s.signedIn()]
  await one.say('SELECT INBOX')
  await two.say('SELECT INBOX')
  t.same(await one.say('STORE 2 +FLAGS.SILENT (\\Deleted)'), ['OK STORE completed'])
  t.same(await one.say('EXPUNGE'), ['2 EXPUNGE', 'OK EXPUNGE completed'])
  t.same(await two.say('FETCH 1:3 FLAGS'), [
    '1 FETCH (FLAGS ())',
    '3 FETCH (FLAGS ())',
    'NO [EXPUNGEISSUED] some of the messages are gone',
  ])
  t.same(await two.say('SORT (ARRIVAL) UTF-8 ALL'), ['SORT 1 3', 'OK SORT completed'], 'its numbers stay as they are')
  t.same(await two.say('THREAD REFERENCES UTF-8 ALL'), ['THREAD (1)(3)', 'OK THREAD completed'])
  t.same(await two.say('NOOP'), ['2 EXPUNGE', 'OK NOOP completed'])
  t.same(await two.say('UID FETCH 1:* FLAGS'), [
    '1 FETCH (UID 1 FLAGS ())',
    '2 FETCH (UID 3 FLAGS ())',
    'OK FETCH completed',
  ])
})

onServer('copies and moves tell the new UIDs', async (t, w, s) => {
  for (let i = 0; i < 3; i++) await w.deliver()
  const client = await s.signedIn()
  await client.say('CREATE Work')
  await client.say('SELECT INBOX')
  t.match(await client.say('COPY 1,3 Work'), [/^OK \[COPYUID \d+ 1,3 1:2\] COPY completed$/])
  t.match(await client.say('UID MOVE 2 Work'), [/^OK \[COPYUID \d+ 2 3\] moved$/, '2 EXPUNGE', 'OK MOVE completed'])
  t.match(await client.say('MOVE 1 Nowhere'), [/^NO \[TRYCREATE\]/])
  t.match(await client.say('MOVE 1 Drafts'), [/^NO \[CANNOT\]/])
  t.match(await client.say('UID MOVE 1:* Trash'), [
    /^OK \[COPYUID \d+ 1,3 1:2\]/,
    '2 EXPUNGE',
    '1 EXPUNGE',
    'OK MOVE completed',
  ])
})

t.test(
  'a message that is purged while it is fetched is left out, and the session goes on',
  opensslPeer(),
  async (t) => {
    const w = await world(t)
    const messages = [await w.deliver(), await w.deliver(), await w.deliver({ text: 'x'.repeat(200_000) })]
    const { folders } = w.mailboxes
    let isPurged = false
    const s = await startServer(t, w, {
      folders: {
        ...folders,
        // The rows of the messages are read; then another program empties the trash.
        async messages(mailboxId, places) {
          const states = await folders.messages(mailboxId, places)
          if (!isPurged)
            for (const { id } of messages.slice(1)) {
              await w.mailboxes.trash.deleteMessage(w.id, id)
              await w.mailboxes.trash.purge(w.id, id)
            }
          isPurged = true
          return states
        },
      },
    })
    const client = await s.signedIn()
    await client.say('SELECT INBOX')
    t.match(await client.say('FETCH 1:3 (UID ENVELOPE)'), [
      /^1 FETCH \(UID 1 ENVELOPE/,
      'NO [EXPUNGEISSUED] some of the messages are gone',
    ])
    t.same(await client.say('NOOP'), ['3 EXPUNGE', '2 EXPUNGE', 'OK NOOP completed'])
  },
)

onServer('a keyword that no program could read is none', async (t, w, s) => {
  const message = await w.deliver()
  await w.mailboxes.labels.updateMessage(w.id, message.id, { addLabels: ['$:a=20b', '$=0a', '$ok'] })
  const client = await s.signedIn()
  t.ok((await client.say('SELECT INBOX')).includes('FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft $ok)'))
  t.same(await client.say('FETCH 1 FLAGS'), ['1 FETCH (FLAGS ($ok))', 'OK FETCH completed'])
})

onServer('what a copy to the trash takes from here is told of after the next command', async (t, w, s) => {
  for (let i = 0; i < 2; i++) await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  t.match(await client.say('UID COPY 2 Trash'), [/^OK \[COPYUID \d+ 2 1\] COPY completed$/])
  t.same(await client.say('STORE 2 +FLAGS.SILENT (\\Deleted)'), ['OK STORE completed'], 'its number is still valid')
  t.same(await client.say('NOOP'), ['2 EXPUNGE', 'OK NOOP completed'])
})

onServer('while a program works by UID it is told what came, and what is gone afterwards', async (t, w, s) => {
  const first = await w.deliver()
  await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await w.mailboxes.trash.deleteMessage(w.id, first.id)
  await w.deliver()
  t.same(await client.say('UID SEARCH SEEN'), ['SEARCH', '3 EXISTS', 'OK SEARCH completed'])
  t.same(await client.say('UID FETCH 1:* FLAGS'), [
    '2 FETCH (UID 2 FLAGS ())',
    '3 FETCH (UID 3 FLAGS ())',
    'OK FETCH completed',
  ])
  await w.deliver()
  t.same(await client.say('UID STORE 2:* +FLAGS.SILENT (\\Seen)'), ['4 EXISTS', 'OK STORE completed'])
  t.same(await client.say('NOOP'), ['1 EXPUNGE', 'OK NOOP completed'])
  t.same(await client.say('FETCH 1:* UID'), [
    '1 FETCH (UID 2)',
    '2 FETCH (UID 3)',
    '3 FETCH (UID 4)',
    'OK FETCH completed',
  ])
})

onServer('QRESYNC: a program that was away is told exactly what it missed', async (t, w, s) => {
  const messages = []
  for (let i = 0; i < 4; i++) messages.push(await w.deliver())
  const before = await s.signedIn()
  await before.say('ENABLE QRESYNC')
  const selected = await before.say('SELECT INBOX')
  const [, validity] = /UIDVALIDITY (\d+)/.exec(selected.join()) ?? []
  const [, modseq] = /HIGHESTMODSEQ (\d+)/.exec(selected.join()) ?? []
  before.drop()
  await w.mailboxes.labels.updateMessage(w.id, present(messages[0]).id, { unread: false })
  await w.mailboxes.trash.deleteMessage(w.id, present(messages[1]).id)
  await w.deliver()
  const client = await s.signedIn()
  t.match(await client.say(`SELECT INBOX (QRESYNC (${validity} ${modseq}))`), [/^BAD ENABLE QRESYNC first/])
  t.match(await client.say('ENABLE QRESYNC CONDSTORE X-NONE'), ['ENABLED CONDSTORE QRESYNC', /^OK/])
  const lines = await client.say(`SELECT INBOX (QRESYNC (${validity} ${modseq}))`)
  t.same(lines.slice(-4, -1), [
    'VANISHED (EARLIER) 2',
    '1 FETCH (UID 1 FLAGS (\\Seen) MODSEQ (5))',
    '4 FETCH (UID 5 FLAGS () MODSEQ (7))',
  ])
  t.same(await client.say(`UID FETCH 1:* (FLAGS) (CHANGEDSINCE ${modseq} VANISHED)`), [
    'VANISHED (EARLIER) 2',
    '1 FETCH (UID 1 FLAGS (\\Seen) MODSEQ (5))',
    '4 FETCH (UID 5 FLAGS () MODSEQ (7))',
    'OK FETCH completed',
  ])
  t.match(await client.say('STORE 1:2 (UNCHANGEDSINCE 5) +FLAGS.SILENT (\\Deleted)'), [
    '1 FETCH (UID 1 MODSEQ (8))',
    '2 FETCH (UID 3 MODSEQ (9))',
    'OK STORE completed',
  ])
  t.match(await client.say('STORE 1 (UNCHANGEDSINCE 5) +FLAGS.SILENT (\\Flagged)'), [
    'OK [MODIFIED 1] some were changed since',
  ])
  t.match(await client.say('UID EXPUNGE 3'), ['VANISHED 3', /^OK \[HIGHESTMODSEQ \d+\] EXPUNGE completed/])
})

onServer('APPEND stores with flags and date, tells the UID, and wakes no wait for mail', async (t, w, s) => {
  const client = await s.signedIn()
  const raw = 'From: old@example.org\r\nSubject: Old\r\n\r\nOld.\r\n'
  client.write(`x APPEND INBOX (\\Seen $label1) "01-Feb-2020 10:00:00 +0100" {${raw.length}}\r\n`)
  t.equal(await client.next(), '+ OK')
  client.write(`${raw}\r\n`)
  t.match(await client.until('x'), [/^OK \[APPENDUID \d+ 1\] APPEND completed$/])
  client.write(`y APPEND INBOX {${raw.length}+}\r\n${raw} {${raw.length}+}\r\n${raw}\r\n`)
  t.match(await client.until('y'), [/^OK \[APPENDUID \d+ 2:3\]/])
  await client.say('SELECT INBOX')
  t.same(await client.say('FETCH 1 (FLAGS INTERNALDATE BODY.PEEK[])'), [
    `1 FETCH (FLAGS (\\Seen $Label1) INTERNALDATE " 1-Feb-2020 09:00:00 +0000" BODY[] "${raw}")`.replace(
      /"From.*/s,
      `{${raw.length}}\r\n${raw})`,
    ),
    'OK FETCH completed',
  ])
  t.same(
    (await eventsOf(w)).map(({ type }) => type),
    ['message.imported', 'message.imported', 'message.imported'],
  )
  client.write('z APPEND INBOX {9999999}\r\n')
  t.match(await client.until('z'), [/^NO \[TOOBIG\]/])
  client.write('z APPEND Nowhere {3+}\r\nabc\r\n')
  t.match(await client.until('z'), [/^NO \[TRYCREATE\]/])
})

onServer('SEARCH, SORT and THREAD', async (t, w, s) => {
  await w.deliver({ subject: 'Lunch', text: 'At noon?' })
  await w.deliver({ subject: 'Invoice', text: 'Pay soon.' })
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  t.same(await client.say('SEARCH SUBJECT lunch'), ['SEARCH 1', 'OK SEARCH completed'])
  t.same(await client.say('UID SEARCH RETURN (MIN MAX COUNT ALL) UNSEEN'), [
    'ESEARCH (TAG "a4") UID MIN 1 MAX 2 COUNT 2 ALL 1:2',
    'OK SEARCH completed',
  ])
  t.same(await client.say('SEARCH RETURN (SAVE) TEXT soon'), ['OK SEARCH completed'])
  t.same(await client.say('FETCH $ UID'), ['2 FETCH (UID 2)', 'OK FETCH completed'])
  t.same(await client.say('SORT (SUBJECT) UTF-8 ALL'), ['SORT 2 1', 'OK SORT completed'])
  t.same(await client.say('THREAD REFERENCES UTF-8 ALL'), ['THREAD (1)(2)', 'OK THREAD completed'])
})

onServer('a password that only reads changes nothing', async (t, w, s) => {
  const message = await w.deliver()
  const client = await s.signedIn(['imap:read'])
  t.match(await client.say('SELECT INBOX'), [
    /FLAGS/,
    'OK [PERMANENTFLAGS ()] flags that are kept',
    '1 EXISTS',
    '0 RECENT',
    /./,
    /./,
    /./,
    /./,
    /./,
    /^OK \[READ-ONLY\]/,
  ])
  await client.say('FETCH 1 BODY[]')
  for (const command of [
    'STORE 1 +FLAGS (\\Seen)',
    'COPY 1 Trash',
    'MOVE 1 Trash',
    'EXPUNGE',
    'CREATE x',
    'DELETE x',
    'RENAME x y',
    'SUBSCRIBE Trash',
    'APPEND INBOX {3+}\r\nabc',
  ])
    t.match(await client.say(command), [/^NO \[NOPERM\]/], command)
  t.equal((await w.mailboxes.reading.message(w.id, message.id)).unread, true)
  t.equal((await eventsOf(w)).length, 1)
})

onServer('what is held shows in Sent with a keyword', async (t, w, s) => {
  w.guard.verdict = { ...SEND, decision: 'hold' }
  await w.send()
  const client = await s.signedIn()
  await client.say('SELECT Sent')
  t.same(await client.say('FETCH 1 FLAGS'), ['1 FETCH (FLAGS (\\Seen $Held))', 'OK FETCH completed'])
})

onServer('drafts are messages', async (t, w, s) => {
  await w.mailboxes.drafts.create(
    w.id,
    { to: [], cc: [], bcc: [], replyTo: [], subject: 'Plan', text: 'Words.', html: null, attachments: [], labels: [] },
    {},
  )
  const client = await s.signedIn()
  await client.say('SELECT Drafts')
  const lines = await client.say('FETCH 1 (FLAGS RFC822.SIZE BODY.PEEK[])')
  const [, size, octets] = /RFC822.SIZE (\d+) BODY\[\] \{(\d+)\}/.exec(lines.join()) ?? []
  t.ok(size)
  t.equal(size, octets)
  t.match(lines.join(), 'Subject: Plan')
})

onServer('an access that ends, ends its sessions', async (t, w, s) => {
  await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  client.write('x IDLE\r\n')
  await client.next()
  s.revoke()
  t.match(await client.next(), /^\* BYE your access has ended/)
  t.equal(await client.next(), 'closed')
})

/** Goes on compressed. @returns all that comes until the text */
async function compress(t: Parameters<typeof makeWorld>[0], client: Client) {
  t.match(await client.say('COMPRESS DEFLATE'), ['OK begin DEFLATE'])
  const deflate = createDeflateRaw({ flush: constants.Z_SYNC_FLUSH })
  const inflate = createInflateRaw({ flush: constants.Z_SYNC_FLUSH })
  client.socket.removeAllListeners('data')
  deflate.pipe(client.socket)
  client.socket.pipe(inflate)
  let text = ''
  let heard = (): void => undefined
  inflate.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    heard()
  })
  return async (command: string | Buffer, end: string): Promise<string> => {
    text = ''
    deflate.write(command)
    while (!text.includes(end)) await new Promise<void>((resolve) => (heard = resolve))
    return text
  }
}

onServer('COMPRESS', async (t, w, s) => {
  await w.deliver()
  const say = await compress(t, await s.signedIn())
  t.match(await say('x SELECT INBOX\r\n', 'x OK'), '* 1 EXISTS')
  t.match(await say('x COMPRESS DEFLATE\r\n', 'x '), 'x NO [COMPRESSIONACTIVE]')
})

onServer('COMPRESS: large messages both ways, and several commands at once', async (t, _w, s) => {
  const client = await s.signedIn()
  const say = await compress(t, client)
  const lines = Array.from(
    { length: 4000 },
    (_, n) => `line ${n} ${(n * 7919) % 1000} of what compresses badly ${n ** 3}`,
  )
  const raw = `From: a@peer.test\r\nSubject: large\r\n\r\n${lines.join('\r\n')}\r\n`
  t.ok(raw.length > 3 * 64 * 1024)
  t.match(await say(`x APPEND INBOX {${raw.length}+}\r\n${raw}\r\n`, 'x '), /x OK \[APPENDUID \d+ 1\]/)
  t.match(await say('x SELECT INBOX\r\n', 'x OK'), '* 1 EXISTS')
  const fetched = await say('a FETCH 1 (BODY.PEEK[])\r\nb FETCH 1 (BODY.PEEK[])\r\nc NOOP\r\n', 'c OK')
  t.equal(fetched.split(raw).length, 3, 'twice, octet by octet')
  const ended = once(client.socket, 'close')
  t.match(await say('d LOGOUT\r\n', 'd OK'), '* BYE')
  await ended
})

onServer('items that the folder has are the same with and without others', async (t, w, s) => {
  for (let n = 0; n < 6; n++) await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await client.say('STORE 1,3 +FLAGS (\\Seen)')
  await client.say('STORE 3:4 +FLAGS (\\Flagged $Forwarded my-tag)')
  await client.say('STORE 5 +FLAGS (\\Flagged)')
  await client.say('STORE 2 +FLAGS (\\Deleted)')
  await client.say('EXPUNGE')
  for (const items of ['UID FLAGS', 'RFC822.SIZE', 'FLAGS INTERNALDATE RFC822.SIZE MODSEQ UID']) {
    const alone = await client.say(`FETCH 1:* (${items})`)
    const others = await client.say(`FETCH 1:* (${items} EMAILID)`)
    t.equal(alone.length, 6, 'five messages')
    t.same(
      alone,
      others.map((line) => line.replace(/ EMAILID \([^)]*\)/, '')),
    )
  }
  t.match(await client.say('UID FETCH 4 (FLAGS)'), [
    '3 FETCH (UID 4 FLAGS (\\Flagged $Forwarded my-tag))',
    'OK FETCH completed',
  ])
})

onServer('hostile input', async (t, _w, s) => {
  const client = await s.connect()
  t.match(await client.say(`SEARCH ${'('.repeat(3000)}`), [/^BAD/])
  t.match(await client.say('NO\0OP'), [/^BAD NUL/])
  client.write('x NOOP\n')
  client.write('\r\n')
  t.match(await client.next(), /^x BAD bare LF|^\* BAD/)
  client.write(`${'x'.repeat(200_000)}\r\n`)
  t.match(await client.next(), /BYE \[TOOBIG\]/)
  const errors = await s.connect()
  let last: string[] = []
  for (let i = 0; i < 10; i++) last = await errors.say('NONSENSE')
  t.match([...last, await errors.next()].join(), /BYE too many errors/)
})
