/** Corners of RFC 9051 and RFC 3501 that programs run into. */
import { present } from '../../mailbox/world.js'
import { onServer } from './server.js'

onServer('no expunge is told within a command whose numbers are sequence numbers', async (t, w, s) => {
  const messages = [await w.deliver(), await w.deliver(), await w.deliver()]
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await w.mailboxes.trash.deleteMessage(w.id, present(messages[0]).id)
  t.same(await client.say('SEARCH ALL'), ['SEARCH 2 3', 'OK SEARCH completed'])
  t.same(await client.say('SORT (ARRIVAL) UTF-8 ALL'), ['SORT 2 3', 'OK SORT completed'])
  t.match(await client.say('THREAD ORDEREDSUBJECT UTF-8 ALL'), [/^THREAD \(\(?2/, 'OK THREAD completed'])
  t.match(await client.say('STORE 2 +FLAGS (\\Seen)'), [/^2 FETCH/, /^OK/])
  t.match(await client.say('FETCH 1 FLAGS'), [/^NO \[EXPUNGEISSUED\]/])
  t.same(await client.say('UID SEARCH ALL'), ['SEARCH 2 3', 'OK SEARCH completed'])
  t.same(await client.say('NOOP'), ['1 EXPUNGE', 'OK NOOP completed'])
})

onServer('a STORE without an answer still tells what another program has changed', async (t, w, s) => {
  await w.deliver()
  const [one, two] = [await s.signedIn(), await s.signedIn()]
  await one.say('SELECT INBOX')
  await two.say('SELECT INBOX')
  await one.say('STORE 1 +FLAGS.SILENT (\\Flagged)')
  t.same(await two.say('STORE 1 +FLAGS.SILENT (\\Seen)'), [
    '1 FETCH (UID 1 FLAGS (\\Flagged \\Seen))',
    'OK STORE completed',
  ])
  t.same(await one.say('NOOP'), ['1 FETCH (UID 1 FLAGS (\\Flagged \\Seen))', 'OK NOOP completed'])
  t.same(await one.say('STORE 1 -FLAGS.SILENT (\\Seen)'), ['OK STORE completed'])
})

onServer('PERMANENTFLAGS has what a program can change', async (t, w, s) => {
  const client = await s.signedIn()
  await w.deliver()
  await client.say('SELECT INBOX')
  await client.say('STORE 1 +FLAGS ($Forwarded)')
  w.guard.verdict = { ...w.guard.verdict, decision: 'hold' }
  await w.send()
  const flags = async (): Promise<string> =>
    /PERMANENTFLAGS \(([^)]*)\)/.exec((await client.say('SELECT Sent')).join())?.[1] ?? ''
  t.equal(await flags(), '\\Answered \\Flagged \\Deleted \\Seen $Forwarded \\*')
  const words = Array.from({ length: 70 }, (_, i) => `word${i}`)
  await client.say('SELECT INBOX')
  for (const some of [words.slice(0, 40), words.slice(40)]) await client.say(`STORE 1 FLAGS (${some.join(' ')})`)
  t.notMatch(await flags(), /\\\*/, 'there is no room for more keywords')
  t.match((await client.say('EXAMINE INBOX')).join('\n'), 'PERMANENTFLAGS ()')
})

onServer('INBOX is INBOX in any case, also above others; renamed it is emptied', async (t, w, s) => {
  const client = await s.signedIn()
  for (let i = 0; i < 2; i++) await w.deliver()
  t.match(await client.say('CREATE inbox/Lists'), [/^OK/])
  await w.deliver({ labels: ['inbox/other'] })
  t.match(await client.say('LIST "" INBOX*'), [
    'LIST (\\HasChildren) "/" INBOX',
    'LIST (\\HasNoChildren) "/" INBOX/Lists',
    'LIST (\\HasNoChildren) "/" INBOX/other',
    /^OK/,
  ])
  t.match(await client.say('LIST "" inBox/L%'), ['LIST (\\HasNoChildren) "/" INBOX/Lists', /^OK/])
  t.match(await client.say('STATUS iNbOx/Lists (MESSAGES)'), ['STATUS INBOX/Lists (MESSAGES 0)', /^OK/])
  t.match(await client.say('RENAME inbox Old'), [/^OK/])
  t.match(await client.say('STATUS INBOX (MESSAGES)'), ['STATUS INBOX (MESSAGES 0)', /^OK/])
  t.match(await client.say('STATUS Old (MESSAGES)'), ['STATUS Old (MESSAGES 3)', /^OK/])
  t.match(await client.say('STATUS INBOX/other (MESSAGES)'), ['STATUS INBOX/other (MESSAGES 1)', /^OK/])
  t.match(await client.say('RENAME INBOX Old'), [/^NO \[ALREADYEXISTS\]/])
})

onServer('LSUB % names a level above what is subscribed to, and no other', async (t, _w, s) => {
  const client = await s.signedIn()
  for (const name of ['A/x', 'B/x', 'C', 'C/x']) await client.say(`CREATE ${name}`)
  for (const name of ['B/x', 'C']) await client.say(`UNSUBSCRIBE ${name}`)
  const names = async (pattern: string): Promise<string[]> =>
    (await client.say(`LSUB "" ${pattern}`)).slice(0, -1).filter((line) => /[ABC](?:\/x)?$/.test(line))
  t.same(await names('%'), ['LSUB (\\Noselect) "/" C', 'LSUB (\\Noselect) "/" A'])
  t.same(await names('*'), ['LSUB () "/" A/x', 'LSUB () "/" C/x'])
})

onServer('a saved result forgets what is expunged, and ends with the selection', async (t, w, s) => {
  const messages = [await w.deliver(), await w.deliver()]
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  await client.say('SEARCH RETURN (SAVE) ALL')
  await w.mailboxes.trash.deleteMessage(w.id, present(messages[0]).id)
  await client.say('NOOP')
  t.same(await client.say('UID FETCH $ FLAGS'), ['1 FETCH (UID 2 FLAGS ())', 'OK FETCH completed'])
  t.same(await client.say('SORT RETURN (SAVE) (ARRIVAL) UTF-8 ALL'), ['OK SORT completed'], 'SAVE alone is not told')
  t.same(await client.say('UID FETCH $ FLAGS'), ['1 FETCH (UID 2 FLAGS ())', 'OK FETCH completed'])
  await client.say('SEARCH RETURN (SAVE) ALL')
  await client.say('SELECT INBOX')
  t.same(await client.say('UID FETCH $ FLAGS'), ['OK FETCH completed'], 'another selection has none')
})

onServer('copies, closes and dates at the edges', async (t, w, s) => {
  await w.deliver()
  const client = await s.signedIn()
  await client.say('EXAMINE INBOX')
  t.match(await client.say('STORE 1 +FLAGS (\\Deleted)'), [/^NO \[READ-ONLY\]/])
  t.match(await client.say('EXPUNGE'), [/^NO \[READ-ONLY\]/])
  t.match(await client.say('COPY 1 Nowhere'), [/^NO \[TRYCREATE\]/])
  t.match(await client.say('UID COPY 7 Archive'), ['OK COPY completed'], 'UIDs that are not there are no error')
  await client.say('FETCH 1 BODY[]')
  t.same(
    await client.say('FETCH 1 FLAGS'),
    ['1 FETCH (FLAGS ())', 'OK FETCH completed'],
    'EXAMINE marks nothing as read',
  )
  await client.say('SELECT INBOX')
  await client.say('STORE 1 +FLAGS (\\Deleted)')
  await client.say('EXAMINE INBOX')
  t.match(await client.say('CLOSE'), [/^OK/])
  t.match(await client.say('STATUS INBOX (MESSAGES DELETED)'), ['STATUS INBOX (MESSAGES 1 DELETED 1)', /^OK/])
  for (const date of ['01-Jan-1900 00:00:00 +0000', '31-Dec-9999 23:59:59 +0000']) {
    const raw = `Subject: ${date}\r\n\r\n`
    t.match(await client.say(`APPEND INBOX "${date}" {${raw.length}+}\r\n${raw}`), [/^OK \[APPENDUID/])
  }
  t.match(await client.say('APPEND INBOX "31-Feb-2026 00:00:00 +0000" {3+}\r\nabc'), [/^BAD/])
  await client.say('SELECT INBOX')
  t.match(await client.say('FETCH 2:3 INTERNALDATE'), [/INTERNALDATE "/, /INTERNALDATE "/, /^OK/])
  t.match(await client.say('FETCH 1:* UID'), [/./, /./, /./, /^OK/])
  await client.say('SELECT Archive')
  t.match(await client.say('UID FETCH 1:* UID'), [/^OK/], 'an empty mailbox has no messages')
  t.match(await client.say('SEARCH 1:*'), ['SEARCH', /^OK/])
})
