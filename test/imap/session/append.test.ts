/** APPENDs that a program sends without waiting for their responses (RFC 9051 §5.5): they share commits, and each ends by itself. */
import { present, type World } from '../../mailbox/world.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { type Client, onServer, startServer } from './server.js'

const mail = (name: string): string => `From: old@example.org\r\nSubject: ${name}\r\n\r\nText of ${name}.\r\n`

const append = (tag: string, raw: string, folder = 'INBOX'): string =>
  `${tag} APPEND ${folder} {${raw.length}+}\r\n${raw}\r\n`

function countCommits(w: World): () => number {
  let commits = 0
  w.store.onCommit((partition) => {
    if (partition === mailboxPartition(w.id)) commits++
  })
  return () => commits
}

async function subjectsOf(client: Client): Promise<(string | undefined)[]> {
  const lines = await client.say('FETCH 1:* BODY.PEEK[HEADER.FIELDS (SUBJECT)]')
  return lines.slice(0, -1).map((line) => /Subject: (\S+)/.exec(line)?.[1])
}

onServer('APPENDs sent at once are stored in their order, in few commits', async (t, w, s) => {
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  const names = Array.from({ length: 150 }, (_, n) => `m${n + 1}`)
  const commits = countCommits(w)
  client.write(`${names.map((name) => append(name, mail(name))).join('')}end NOOP\r\n`)
  let exists = 0
  for (const [i, name] of names.entries()) {
    const responses = await client.until(name)
    for (const response of responses.slice(0, -1)) {
      t.match(response, /^\d+ EXISTS$/, name)
      exists = Number.parseInt(response, 10)
    }
    t.match(responses.at(-1), new RegExp(`^OK \\[APPENDUID \\d+ ${i + 1}\\] APPEND completed$`))
    t.ok(exists > i, 'what is acknowledged was told')
  }
  t.same(await client.until('end'), ['OK NOOP completed'])
  t.equal(exists, 150)
  t.ok(commits() <= 12, `${commits()} commits`)
  t.same(await subjectsOf(client), names)
})

onServer('one of several that is refused takes nothing from the others', async (t, w, s) => {
  const client = await s.signedIn()
  await client.say('SELECT INBOX')
  const nul = `${mail('nul')}\0`
  client.write(
    [
      append('a', mail('a')),
      append('b', nul),
      append('c', mail('c'), 'Nowhere'),
      append('d', mail('d'), 'Archive'),
      `e APPEND INBOX "31-Feb-2026 00:00:00 +0000" {3+}\r\nabc\r\n`,
      `f APPEND INBOX {${mail('f').length}+}\r\n${mail('f')} {${nul.length}+}\r\n${nul}\r\n`,
      append('g', mail('g')),
      'h SEARCH ALL\r\n',
      append('i', mail('i')),
      'j NOOP\r\n',
    ].join(''),
  )
  const ends: string[] = []
  let found: string[] = []
  for (const tag of 'abcdefghij') {
    const responses = await client.until(tag)
    if (tag === 'h') found = responses
    ends.push(`${tag} ${present(responses.at(-1)).replace(/APPENDUID \d+/, 'APPENDUID')}`)
  }
  t.match(ends, [
    'a OK [APPENDUID 1] APPEND completed',
    /^b NO \[CANNOT\]/,
    /^c NO \[TRYCREATE\]/,
    'd OK [APPENDUID 1] APPEND completed',
    /^e BAD/,
    /^f NO \[CANNOT\]/,
    'g OK [APPENDUID 2] APPEND completed',
    'h OK SEARCH completed',
    'i OK [APPENDUID 3] APPEND completed',
    'j OK NOOP completed',
  ])
  t.same(found, ['SEARCH 1 2', 'OK SEARCH completed'], 'a command after them sees them, and not the next')
  t.same(await subjectsOf(client), ['a', 'g', 'i'])
})

onServer('several at once give back all the memory that they took', async (t, w) => {
  const raw = mail('x'.repeat(1000))
  // Room for twenty of them.
  const s = await startServer(t, w, { limits: { maxAppendBytes: 20 * raw.length } })
  const client = await s.signedIn()
  for (const round of [1, 2, 3]) {
    for (let n = 0; n < 15; n++) client.write(append(`r${round}-${n}`, raw))
    for (let n = 0; n < 15; n++) t.match((await client.until(`r${round}-${n}`)).at(-1), /^OK \[APPENDUID/)
  }
  const leaving = await s.signedIn()
  leaving.write(Array.from({ length: 15 }, (_, n) => append(`l${n}`, raw)).join(''))
  await leaving.until('l0')
  leaving.drop()
  while ((await s.open()) > 1) await client.say('NOOP')
  client.write(Array.from({ length: 20 }, (_, n) => append(`z${n}`, raw)).join(''))
  for (let n = 0; n < 20; n++) t.match((await client.until(`z${n}`)).at(-1), /^OK \[APPENDUID/)
})

onServer('a message that is only announced waits for the ones before it', async (t, w, s) => {
  const client = await s.signedIn()
  const raw = mail('last')
  client.write(`${append('a', mail('a'))}${append('b', mail('b'))}c APPEND INBOX {${raw.length}}\r\n`)
  t.match(await client.until('a'), [/^OK \[APPENDUID \d+ 1\]/])
  t.match(await client.until('b'), [/^OK \[APPENDUID \d+ 2\]/])
  t.equal(await client.next(), '+ OK')
  client.write(`${raw}\r\n`)
  t.match(await client.until('c'), [/^OK \[APPENDUID \d+ 3\]/])
  t.equal((await w.mailboxes.directory.get(w.id))?.messageCount, 3)
})
