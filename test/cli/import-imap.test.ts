/** Mail of a real Dovecot, brought by `restante import --imap`: folders, flags and dates, all of it once, also after a kill. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { approvedAgent } from '../support/agent.js'
import { startDaemon } from '../support/daemon.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { dovecotServerPeer, PASSWORD, startDovecotServer } from '../support/peers/dovecot-server.js'
import { allPeers } from '../support/peers/peers.js'
import { freePort } from '../support/ports.js'
import { inTerminal, terminalPeer } from '../support/terminal.js'
import { refuses } from './refused.js'

/** Folder there, folder here, number of messages. */
const FOLDERS = [
  ['INBOX', 'inbox', 400],
  ['Gesendet', 'sent', 200],
  ['Work/2019', 'work/2019', 250],
  ['Café', 'cafe', 150],
] as const
/** And two more, one of them in the folder of all mail alone. */
const ALL = 1002

const FLAGS = [[], ['\\Seen'], ['\\Seen', '\\Flagged'], ['\\Answered', '$Forwarded']]
const RECEIVED = Date.UTC(2019, 2, 5, 10)

async function outputOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number | null, stdout, stderr }
}

t.test(
  '1,000 messages in several folders, and a kill in between',
  allPeers(opensslPeer(), dovecotServerPeer()),
  async (t) => {
    const dovecot = await startDovecotServer()
    t.teardown(() => dovecot.stop())
    const client = await dovecot.client()
    for (const [path, , count] of FOLDERS) {
      if (path !== 'INBOX' && path !== 'Gesendet') await client.mailboxCreate(path)
      for (let i = 0; i < count; i++) {
        const letter = `From: eve@example.org\r\nTo: ada@example.org\r\nSubject: ${path.length} ${i}\r\nMessage-ID: <${path.length}.${i}@example.org>\r\n\r\nLetter ${i}.\r\n`
        await client.append(path, letter, [...(FLAGS[i % FLAGS.length] ?? [])], new Date(RECEIVED + i * 60_000))
      }
    }
    for (const subject of ['in both', 'in all mail alone']) {
      const letter = `From: eve@example.org\r\nSubject: ${subject}\r\nMessage-ID: <${subject.length}@example.org>\r\n\r\nText.\r\n`
      await client.append('All', letter, ['\\Seen'], new Date(RECEIVED))
      if (subject === 'in both') await client.append('Work/2019', letter, ['\\Seen'], new Date(RECEIVED))
    }
    await client.append('INBOX', 'Subject: going\r\n\r\nMarked as deleted.\r\n', ['\\Deleted'])
    await client.append('INBOX', `Subject: large\r\n\r\n${'x'.repeat(70).concat('\r\n').repeat(3000)}`)
    await client.logout()

    const daemon = await startDaemon({
      'smtp.max_message_bytes': '102400',
      'smtp.max_header_bytes': '65536',
      'limits.requests_per_minute': '100000',
      'limits.account_requests_per_minute': '100000',
    })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'ada.agent')
    const password = join(t.testdir({}), 'password')
    writeFileSync(password, `${PASSWORD}\n`)
    const place = `localhost:${dovecot.port}`
    const words = ['import', agent.address, '--imap', place, '--user', 'ada', '--password-file', password]
    const count = async (): Promise<number> => (await agent.call('GET', '/v1/mailbox')).body.message_count

    const untrusted = await daemon.cli(...words)
    t.equal(untrusted.code, 1)
    t.match(untrusted.stderr, /localhost, port \d+: .*certificate/, 'its certificate is checked')
    t.equal(await count(), 0)

    const env = { ...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: dovecot.caFile }
    const start = () => {
      const child = spawn(process.execPath, daemon.cliArgs(...words), { env, stdio: ['ignore', 'pipe', 'pipe'] })
      return { child, ended: outputOf(child) }
    }
    writeFileSync(password, 'wrong\n')
    const wrong = await start().ended
    t.equal(wrong.code, 1)
    t.match(wrong.stderr, /localhost, port \d+: .*Authentication failed/i)
    writeFileSync(password, `${PASSWORD}\n`)
    const killed = start()
    while ((await count()) < 100);
    killed.child.kill('SIGKILL')
    await killed.ended
    const stopped = start()
    while ((await count()) < 500);
    stopped.child.kill('SIGINT')
    const { code, stderr } = await stopped.ended
    t.equal(code, 1)
    t.match(
      stderr,
      /Stopping after the running message[^]*Stopped\.\n\d+ imported, \d+ there already[^]*goes on where this one ended/,
    )
    const before = await count()
    t.ok(before >= 500 && before < ALL, `${before} when it was stopped`)

    const rest = await start().ended
    t.equal(rest.code, 1, 'one message is too large')
    t.match(rest.stderr, /^INBOX, UID 402: The message is larger than 102400 bytes/m)
    t.match(rest.stdout, `${ALL - before} imported, ${before} there already, 1 refused`)
    t.equal(await count(), ALL)
    t.match((await start().ended).stdout, `0 imported, ${ALL} there already, 1 refused`)

    for (const [path, label, wanted] of FOLDERS) {
      const found = new Map<string, Record<string, unknown>>()
      for (let cursor = ''; ;) {
        const page = (await agent.call('GET', `/v1/messages?label=${encodeURIComponent(label)}&limit=100${cursor}`))
          .body
        for (const message of page.data) found.set(message.subject, message)
        if (page.next_cursor === null) break
        cursor = `&cursor=${page.next_cursor}`
      }
      t.equal(found.size, path === 'Work/2019' ? wanted + 1 : wanted, path)
      for (const i of [0, 1, 2, 3, wanted - 1]) {
        const flags = FLAGS[i % FLAGS.length] ?? []
        const message = found.get(`${path.length} ${i}`)
        t.equal(message?.['created_at'], new Date(RECEIVED + i * 60_000).toISOString())
        t.equal(message?.['unread'], !flags.includes('\\Seen'))
        const labels = message?.['labels'] as string[]
        for (const [flag, as] of [
          ['\\Flagged', '$flagged'],
          ['\\Answered', '$answered'],
          ['$Forwarded', '$forwarded'],
        ] as const)
          t.equal(labels.includes(as), flags.includes(flag), `${path} ${i} ${flag}`)
      }
    }
    await daemon.end('SIGTERM')
    t.match((await daemon.cli('verify')).stdout, /nothing was found wrong/)
  },
)

t.test('what is not clear is refused', async (t) => {
  for (const [words, code, problem] of [
    [['a@agents.test', '--imap', 'mail.example.org'], 64, /--imap needs --user/],
    [['a@agents.test', '--imap', 'a', '--user', 'b', '--folder', 'c'], 64, /--folder is for --mbox and --maildir/],
    [['a@agents.test', '--imap', 'a', '--mbox', 'b'], 64, /Give --mbox, --maildir or --imap/],
    [['a@agents.test', '--imap', 'https://a/', '--user', 'b'], 64, /is no HOST or HOST:PORT/],
    [['a@agents.test', '--imap', 'a:0', '--user', 'b'], 64, /is no HOST or HOST:PORT/],
    [['a@agents.test', '--imap', 'a', '--user', 'b'], 64, /give --password-file/],
    [['a@agents.test', '--imap', 'a', '--user', 'b', '--password-file', '/none'], 1, /The password can't be read/],
  ] as const)
    await refuses(t, ['import', ...words], code, problem)
})

t.test('a password that is typed is not shown', terminalPeer(), async (t) => {
  const words = ['import', 'ada@agents.test', '--imap', `localhost:${await freePort()}`, '--user', 'ada']
  const run = inTerminal(t, { rows: 10, columns: 100 }, ['bin/restante', ...words], {})
  await run.seen((text) => text.includes('Password of ada on localhost: '))
  run.order('key secret\r')
  t.match(await run.ended, { code: 1, restored: true })
  t.match(run.text, /localhost, port \d+: connect ECONNREFUSED/)
  t.notMatch(run.text, /secret/)
})
