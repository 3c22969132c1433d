/** NOTIFY (RFC 5465): changes are told between commands, of the folders and kinds that the client named, and of no others. */
import type { Test } from 'tap'
import { given, oldMail } from '../../mailbox/importing/mail.js'
import { onServer, type Client } from './server.js'

const ok = async (t: Test, client: Client, command: string): Promise<string[]> => {
  const lines = await client.say(command)
  t.match(lines.at(-1), /^OK/, command)
  return lines.slice(0, -1)
}

onServer('new mail, flags and expunges of the selected folder come between commands', async (t, w, s) => {
  await w.deliver()
  const client = await s.signedIn()
  t.match((await client.say('CAPABILITY'))[0], /\bNOTIFY\b/)
  await client.say('SELECT INBOX')
  await ok(
    t,
    client,
    'NOTIFY SET (selected (MessageNew (UID FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)]) MessageExpunge FlagChange))',
  )
  const second = await w.deliver({ subject: 'Second' })
  t.equal(await client.next(), '* 2 EXISTS')
  t.equal(
    await client.next(),
    '* 2 FETCH (UID 2 FLAGS () BODY[HEADER.FIELDS (SUBJECT)] {19}\r\nSubject: Second\r\n\r\n)',
  )
  await w.mailboxes.labels.updateMessage(w.id, second.id, { unread: false })
  t.equal(await client.next(), '* 2 FETCH (UID 2 FLAGS (\\Seen))')
  await w.mailboxes.trash.deleteMessage(w.id, second.id)
  t.equal(await client.next(), '* 2 EXPUNGE')
  t.same(await client.say('NOOP'), ['OK NOOP completed'], 'and are not told again')
})

onServer('what the client stores itself is told, and not fetched for it', async (t, w, s) => {
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await ok(t, client, 'NOTIFY SET (selected (MessageNew (UID) MessageExpunge))')
  t.match(await client.say('APPEND INBOX {23+}\r\nFrom: a@example.org\r\n\r\n'), [
    '1 EXISTS',
    /^OK \[APPENDUID \d+ 1\]/,
  ])
  await w.deliver()
  t.same([await client.next(), await client.next()], ['* 2 EXISTS', '* 2 FETCH (UID 2)'])
})

onServer('an expunge waits for a command with selected-delayed, new mail does not', async (t, w, s) => {
  const first = await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await ok(t, client, 'NOTIFY SET (selected-delayed (MessageNew MessageExpunge))')
  await w.mailboxes.trash.deleteMessage(w.id, first.id)
  await w.deliver()
  t.equal(await client.next(), '* 2 EXISTS', 'the one that is gone still has its number')
  t.match(await client.say('FETCH 1:2 UID'), ['2 FETCH (UID 2)', /^NO \[EXPUNGEISSUED\]/])
  t.same(await client.say('NOOP'), ['1 EXPUNGE', 'OK NOOP completed'])
  t.same(await client.say('FETCH 1 UID'), ['1 FETCH (UID 2)', 'OK FETCH completed'])
})

onServer('flag changes are not told to who has not asked for them, until they do', async (t, w, s) => {
  const message = await w.deliver()
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await ok(t, client, 'NOTIFY SET (selected (MessageNew MessageExpunge))')
  await w.mailboxes.labels.updateMessage(w.id, message.id, { unread: false })
  t.same(await client.say('NOOP'), ['OK NOOP completed'])
  t.same(await ok(t, client, 'NOTIFY SET (selected (MessageNew MessageExpunge FlagChange))'), [
    '1 FETCH (UID 1 FLAGS (\\Seen))',
  ])
})

onServer('without the selected folder, and after NONE, nothing of it is told', async (t, w, s) => {
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await w.deliver()
  t.same(await ok(t, client, 'NOTIFY SET (personal (MessageNew MessageExpunge))'), ['1 EXISTS'], 'an implicit NOOP')
  await w.deliver()
  t.same(await client.say('NOOP'), ['OK NOOP completed'])
  await ok(t, client, 'NOTIFY NONE')
  await w.deliver()
  client.write('x IDLE\r\n')
  t.equal(await client.next(), '+ idling')
  client.write('DONE\r\n')
  t.same(await client.until('x'), ['OK IDLE ended'])
  t.same(await ok(t, client, 'NOTIFY SET (selected (MessageNew MessageExpunge))'), ['3 EXISTS'])
})

onServer('other folders are told by STATUS, at first on request', async (t, w, s) => {
  const client = await s.signedIn()
  await client.say('CREATE Lists/Lemonade')
  await client.say('CREATE Other')
  await client.say('SELECT INBOX')
  t.match(await ok(t, client, 'NOTIFY SET STATUS (subtree Lists (MessageNew MessageExpunge FlagChange))'), [
    /^STATUS Lists\/Lemonade \(MESSAGES 0 UIDNEXT 1 UIDVALIDITY \d+ UNSEEN 0\)$/,
  ])
  await w.deliver({ labels: ['other'] })
  const listed = await w.deliver({ labels: ['lists/lemonade'] })
  t.match(await client.next(), /^\* STATUS Lists\/Lemonade \(MESSAGES 1 UIDNEXT 2 UIDVALIDITY \d+ UNSEEN 1\)$/)
  await w.mailboxes.labels.updateMessage(w.id, listed.id, { addLabels: ['$flagged'] })
  await w.mailboxes.labels.updateMessage(w.id, listed.id, { unread: false })
  t.match(await client.next(), /MESSAGES 1 .* UNSEEN 0\)$/, 'a star alone is not told')
  await client.say('ENABLE CONDSTORE')
  await w.mailboxes.labels.updateMessage(w.id, listed.id, { removeLabels: ['$flagged'] })
  t.match(await client.next(), /UNSEEN 0 HIGHESTMODSEQ \d+\)$/, 'but with CONDSTORE, by its modseq')
  await w.mailboxes.trash.deleteMessage(w.id, listed.id)
  t.match(await client.next(), /^\* STATUS Lists\/Lemonade \(MESSAGES 0 UIDNEXT 2 /)
  await client.say('SELECT Lists/Lemonade')
  await w.deliver({ labels: ['lists/lemonade'] })
  t.same(await client.say('NOOP'), ['OK NOOP completed'], 'what is selected is told by what was asked for it')
})

onServer('each filter names its folders, and NONE takes some out', async (t, w, s) => {
  const status = async (groups: string): Promise<string[]> => {
    const client = await s.signedIn()
    const lines = await ok(t, client, `NOTIFY SET STATUS ${groups}`)
    client.drop()
    return lines.map((line) => line.split(' ')[1] ?? '')
  }
  const client = await s.signedIn()
  for (const name of ['Work', 'Work/2026', 'Home']) await client.say(`CREATE ${name}`)
  await client.say('UNSUBSCRIBE Home')
  const events = '(MessageNew MessageExpunge)'
  const system = ['Drafts', 'Sent', 'Junk', 'Trash', 'Archive']
  t.same(await status(`(personal ${events})`), ['INBOX', ...system, 'Home', 'Work', 'Work/2026'])
  t.same(await status(`(subscribed ${events})`), ['INBOX', ...system, 'Work', 'Work/2026'])
  t.same(await status(`(inboxes ${events})`), ['INBOX', 'Junk', 'Home', 'Work', 'Work/2026'])
  t.same(await status(`(subtree Work ${events})`), ['Work', 'Work/2026'])
  t.same(await status(`(mailboxes (inbox Work Nowhere "%") ${events})`), ['INBOX', 'Work'])
  t.same(await status(`(subtree Work ${events}) (mailboxes Work NONE)`), ['Work/2026'])
  t.same(await status(`(subtree Work (MailboxName)) (mailboxes Home ${events})`), ['Home'])
  await w.deliver()
})

onServer(
  'names and subscriptions are told by LIST, and not those that the client has changed itself',
  async (t, _w, s) => {
    const [client, other] = [await s.signedIn(), await s.signedIn()]
    await ok(t, client, 'NOTIFY SET (personal (MailboxName SubscriptionChange))')
    await other.say('CREATE Work/2026')
    t.equal(await client.next(), '* LIST (\\HasNoChildren \\Subscribed) "/" Work/2026')
    t.equal(await client.next(), '* LIST (\\HasChildren \\NonExistent \\Noselect) "/" Work', 'and what is above it')
    await other.say('UNSUBSCRIBE Work/2026')
    t.equal(await client.next(), '* LIST (\\HasNoChildren) "/" Work/2026')
    await other.say('SUBSCRIBE Work/2026')
    t.equal(await client.next(), '* LIST (\\HasNoChildren \\Subscribed) "/" Work/2026')
    await other.say('DELETE Work/2026')
    t.equal(await client.next(), '* LIST (\\HasNoChildren \\NonExistent \\Noselect) "/" Work/2026')
    t.equal(await client.next(), '* LIST (\\HasNoChildren \\NonExistent \\Noselect) "/" Work')
    t.match(await client.say('CREATE Mine'), [/^OK/])
    t.match(await client.say('RENAME Mine Own'), [/^OK/])
    t.match(await client.say('UNSUBSCRIBE Own'), [/^OK/])
    t.match(await client.say('DELETE Own'), [/^OK/])
    await other.say('CREATE Last')
    t.match(await client.next(), /Last$/)
  },
)

onServer('a renamed folder is told once, with its old name, and without those below it', async (t, w, s) => {
  const [client, other] = [await s.signedIn(), await s.signedIn()]
  await other.say('CREATE Work')
  await other.say('CREATE Work/2026')
  for (let i = 0; i < 3; i++) await w.deliver({ labels: ['work/2026'] })
  await ok(t, client, 'NOTIFY SET (personal (MailboxName MessageNew MessageExpunge))')
  await other.say('RENAME Work Job')
  t.equal(await client.next(), '* LIST (\\HasChildren \\Subscribed) "/" Job ("OLDNAME" (Work))')
  await other.say('CREATE End')
  const lines: string[] = []
  for (let line = ''; !line.endsWith('End'); lines.push(line)) line = await client.next()
  t.same(
    lines.filter((line) => /LIST/.test(line)),
    ['* LIST (\\HasNoChildren \\Subscribed) "/" End'],
  )
  t.notMatch(lines.join(), /Work/)
})

onServer('IDLE tells the same as is told between commands', async (t, w, s) => {
  const client = await s.signedIn()
  await ok(t, client, 'NOTIFY SET (mailboxes INBOX (MessageNew MessageExpunge))')
  client.write('x IDLE\r\n')
  t.equal(await client.next(), '+ idling')
  await w.deliver()
  t.match(await client.next(), /^\* STATUS INBOX \(MESSAGES 1 /)
  client.write('DONE\r\n')
  t.same(await client.until('x'), ['OK IDLE ended'])
})

onServer(
  'too many new messages at once are not fetched: the client is told that it is told no more',
  async (t, w, s) => {
    const client = await s.signedIn()
    await client.say('SELECT INBOX')
    await ok(t, client, 'NOTIFY SET (selected (MessageNew (UID) MessageExpunge))')
    // Nothing is told while a command is carried out.
    client.write('x IDLE\r\n')
    t.equal(await client.next(), '+ idling')
    const { folders, importing } = w.mailboxes
    const { list, view } = folders
    const some = Array.from({ length: 126 }, () => given(oldMail({ text: '' })))
    let isHeld = true
    const held: (() => void)[] = []
    folders.view = async (...args) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      return view(...args)
    }
    for (let i = 0; i < 4; i++) await importing.appendAll(w.id, 'inbox', some)
    isHeld = false
    for (const go of held) go()
    const lines: string[] = []
    for (let line = ''; !line.includes('NOTIFICATIONOVERFLOW'); lines.push(line)) line = await client.next()
    t.match(lines.at(-1), /^\* OK \[NOTIFICATIONOVERFLOW\]/)
    t.equal(lines.filter((line) => line.includes('FETCH')).length, 0)
    client.write('DONE\r\n')
    await client.until('x')
    await w.deliver()
    t.same(await client.say('NOOP'), ['OK NOOP completed'])
    folders.view = view
    folders.list = list
  },
)

onServer('what is refused leaves what was set', async (t, w, s) => {
  const client = await s.signedIn()
  t.match(await client.say('NOTIFY SET (personal (MessageNew MessageExpunge AnnotationChange))'), [
    /^NO \[BADEVENT \(MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange\)\]/,
  ])
  t.match(await client.say('NOTIFY SET (personal (MessageNew))'), [/^BAD/])
  t.match(await client.say('NOTIFY SET (personal (FlagChange))'), [/^BAD/])
  t.match(await client.say(`NOTIFY SET${' (mailboxes a (MessageNew MessageExpunge))'.repeat(21)}`), [
    /^NO \[NOTIFICATIONOVERFLOW\]/,
  ])
  await ok(t, client, 'NOTIFY SET (mailboxes INBOX (MessageNew MessageExpunge))')
  t.match(await client.say('NOTIFY SET (personal (ServerMetadataChange))'), [/^NO \[BADEVENT/])
  await w.deliver()
  t.match(await client.next(), /^\* STATUS INBOX/)
})

onServer('responses to commands and notifications are never mixed', async (t, w, s) => {
  const client = await s.signedIn()
  for (let i = 0; i < 3; i++) await w.deliver({ text: 'x'.repeat(90_000) })
  await client.say('SELECT INBOX')
  await ok(t, client, 'NOTIFY SET (selected (MessageNew (BODY.PEEK[]) MessageExpunge))')
  const delivered = Promise.all([1, 2, 3].map(() => w.deliver({ text: 'y'.repeat(90_000) })))
  client.write('a UID FETCH 1:3 BODY.PEEK[]\r\nb NONSENSE\r\nc NOOP\r\n')
  const lines: string[] = []
  await delivered
  while (
    !lines.some((line) => line.startsWith('c ')) ||
    lines.filter((line) => line.includes('FETCH (BODY')).length < 3
  )
    lines.push(await client.next())
  for (const line of lines)
    t.match(line, /^(?:\* \d+ EXISTS|\* \d+ FETCH \((?:UID \d+ )?BODY\[\] \{\d+\}\r\n[^]*\)|[abc] .*)$/)
})
