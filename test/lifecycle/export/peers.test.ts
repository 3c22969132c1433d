/** The archive as other programs read it: unzip, Python's mailbox module, Dovecot and mutt. */
import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { HOUR } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { run } from '../../support/daemon.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { peer } from '../../support/peers/peers.js'
import { makeWorld } from './world.js'

const SMALL = 2_000
const head = (id: string): string =>
  `Return-Path: <ada@example.org>\r\nFrom: ada@example.org\r\nSubject: ${id}\r\nMessage-ID: <${id}@example.org>\r\n`

/** What breaks careless writers and readers of mbox files. */
const TRICKY: [string, Buffer][] = [
  [
    'from',
    Buffer.from(`${head('from')}\r\nFrom me\r\n>From you\r\n>>From us\r\n\r\nFrom a Thu Jan  1 00:00:00 1970\r\nx\r\n`),
  ],
  ['no-end', Buffer.from(`${head('no-end')}\r\nno end`)],
  ['no-body', Buffer.from(head('no-body'))],
  ['octets', Buffer.concat([Buffer.from(`${head('octets')}\r\nNUL `), Buffer.from([0, 255, 254, 233, 13, 10])])],
  ['blank', Buffer.from(`${head('blank')}\r\n\r\n\r\nFrom \r\n\r\n\r\n`)],
  [
    'large',
    Buffer.from(
      `${head('large')}MIME-Version: 1.0\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
        randomBytes(5_000_000).toString('base64').replace(/.{76}/g, '$&\r\n'),
    ),
  ],
]

/** Line ends of mbox, and none at the end, where a reader can't know what was there. */
function comparable(raw: Buffer): string {
  const text = raw.toString('latin1').replaceAll('\r\n', '\n').replace(/\n+$/, '')
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

const READ = `import hashlib, json, mailbox, re, sys
found = {}
for message in mailbox.mbox(sys.argv[1], create=False):
    sender, date = message.get_from().split(' ', 1)
    box = message.as_bytes()
    found[message['Message-ID'].strip('<>')] = [sender, message['Subject']]
raws = []
box = mailbox.mbox(sys.argv[1], create=False)
for key in box.keys():
    raw = re.sub(rb'(?m)^>(>*From )', rb'\\1', box.get_bytes(key)).rstrip(b'\\n')
    raws.append(hashlib.sha256(raw).hexdigest())
json.dump({'found': found, 'raws': raws}, sys.stdout)
`

t.test('every message is read back by other programs', peer('python3', '/usr/bin/python3'), async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine({ lateness: 0, conflicts: 0 })))
  const mailbox = await world.addMailbox('one@agents.test')
  const expected: string[] = []
  for (const [, raw] of TRICKY) {
    await world.deliver(mailbox, { raw })
    expected.push(comparable(raw))
  }
  for (let i = 0; i < SMALL; i++) {
    const raw = Buffer.from(`${head(`small-${i}`)}\r\nNumber ${i}\r\nFrom here\r\n`)
    await world.deliver(mailbox, { raw })
    expected.push(comparable(raw))
  }
  const sent = await world.mailboxes.sending.send(
    mailbox,
    {
      to: [{ address: 'bob@example.org', name: '' }],
      cc: [],
      bcc: [{ address: 'secret@example.org', name: '' }],
      replyTo: [],
      subject: 'Sent',
      text: 'From me to you',
      html: null,
      attachments: [],
      labels: [],
    },
    {},
  )
  t.match(sent, { status: 'queued' })
  const count = expected.length + 1
  await world.work()
  await world.exports.request(world.account.id)
  const ready = await world.until('ready')
  t.match(ready.progress, { messages: count, messagesTotal: count })
  const folder = await world.unpack(ready)
  const file = join(folder, 'mail/one@agents.test.mbox')

  await t.test('Python’s mailbox', async (t) => {
    const script = join(folder, 'read.py')
    await writeFile(script, READ)
    const { code, stdout, stderr } = await run('/usr/bin/python3', [script, file])
    t.equal(code, 0, stderr)
    const { found, raws } = JSON.parse(stdout)
    t.equal(raws.length, count)
    t.strictSame(
      expected.filter((hash) => !raws.includes(hash)),
      [],
    )
    t.strictSame(found['no-body@example.org'], ['ada@example.org', 'no-body'])
    t.equal(Object.values(found).filter((one) => Array.isArray(one) && one[0] === 'one@agents.test').length, 1)
  })

  await t.test('who got a blind copy is in the metadata, and not in the mail', async (t) => {
    t.notOk((await readFile(file)).includes('secret@example.org'))
    const messages = JSON.parse(await readFile(join(folder, 'metadata/one@agents.test/messages.json'), 'utf8'))
    t.equal(messages.length, count)
    t.match(messages.at(-1), { subject: 'Sent', bcc: [{ address: 'secret@example.org' }] })
  })

  await t.test('unzip', peer('unzip', '/usr/bin/unzip'), async (t) => {
    const { code, stdout } = await run('/usr/bin/unzip', ['-t', `${folder}.zip`])
    t.equal(code, 0, stdout)
    t.match(stdout, /No errors detected/)
  })

  await t.test('Dovecot', peer('doveadm', '/usr/bin/doveadm'), async (t) => {
    const home = await mkdtemp(join(tmpdir(), 'dovecot-'))
    t.teardown(() => rm(home, { recursive: true, force: true }))
    await mkdir(join(home, 'mail'))
    await copyFile(file, join(home, 'mail/inbox'))
    const config = join(home, 'dovecot.conf')
    const { username, uid } = userInfo()
    // It reads nobody's mail as root.
    const isRoot = uid === 0
    await writeFile(
      config,
      [
        `base_dir = ${home}/run`,
        `mail_location = mbox:${home}/mail:INBOX=${home}/mail/inbox:INDEX=MEMORY`,
        'ssl = no',
        'first_valid_uid = 1',
        ...(isRoot ? ['mail_uid = mail', 'mail_gid = mail'] : []),
        `mail_home = ${home}`,
        'log_path = /dev/stderr',
        '',
      ].join('\n'),
    )
    if (isRoot) t.equal((await run('/usr/bin/chown', ['-R', 'mail:mail', home])).code, 0)
    const { code, stdout, stderr } = await run('/usr/bin/env', [
      `USER=${username}`,
      `HOME=${home}`,
      '/usr/bin/doveadm',
      '-c',
      config,
      'fetch',
      'hdr.message-id',
      'mailbox',
      'INBOX',
    ])
    t.equal(code, 0, stderr)
    t.equal(stdout.match(/^hdr\.message-id: </gm)?.length, count, stderr)
  })

  await t.test('mutt', peer('mutt', '/usr/bin/mutt'), async (t) => {
    const home = await mkdtemp(join(tmpdir(), 'mutt-'))
    t.teardown(() => rm(home, { recursive: true, force: true }))
    const config = join(home, 'rc')
    await writeFile(
      config,
      ['set status_format="[%m messages]"', `set folder=${home}`, 'set quit=yes', 'push "<exit>"', ''].join('\n'),
    )
    // In the foreground: a mutt in a group of its own is stopped by its terminal, and `script` with it, for ever.
    const command = `TERM=xterm HOME=${home} exec timeout --foreground 60 /usr/bin/mutt -n -R -F ${config} -f ${file}`
    const { code, stdout } = await run('/usr/bin/env', ['SHELL=/bin/sh', 'script', '-qec', command, '/dev/null'])
    t.equal(code, 0, stdout.slice(-500))
    t.ok(stdout.includes(`[${count} messages]`))
  })
  t.ok(ready.expiresAt !== null && ready.expiresAt > world.clock.now() + HOUR)
})
