/** interimap keeps the mailbox of a real daemon and one of Dovecot equal, by what QRESYNC (RFC 7162) tells of either. */
import t, { type Test } from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../support/daemon.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { createDovecotMailbox, dovecotPeer, startDovecot, type Dovecot } from '../../support/peers/dovecot.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { HOST } from '../../submission/world.js'
import { LABEL, startMailWorld, type Contents } from './world.js'

const INTERIMAP = '/usr/bin/interimap'
const OPENSSL = '/usr/bin/openssl'
const MESSAGES = 20
const FOLDER = 'B&APw-cher'
const LETTERS = { '\\Flagged': 'F', '\\Answered': 'R', '\\Seen': 'S' }

const put = async (dovecot: Dovecot, folder: string, id: string, flags = ''): Promise<void> => {
  const raw = `From: bob@peer.test\r\nMessage-ID: <${id}>\r\nSubject: From Dovecot\r\n\r\nHello.\r\n`
  await dovecot.ask(`APPEND ${folder} (${flags}) {${raw.length}+}\r\n${raw}`)
}

/** Runs a command on one message of a folder, by UID: `*` stands for the UID in it. */
const onMessage = async (dovecot: Dovecot, folder: string, id: string, ...commands: string[]): Promise<void> => {
  await dovecot.ask(`SELECT ${folder}`)
  const uid = / (\d+)$/.exec((await dovecot.ask(`UID SEARCH HEADER Message-ID <${id}>`)).join('\n'))?.[1]
  if (uid === undefined) throw new Error(`not in ${folder}: ${id}`)
  for (const command of commands) await dovecot.ask(command.replace('*', uid))
}

/** Folders that are not empty, but for the trash. */
async function dovecotContents(dovecot: Dovecot): Promise<Contents> {
  const contents: Contents = {}
  for (const line of await dovecot.ask('LIST "" "*"')) {
    const folder = / "?([^" ]+)"?$/.exec(line)?.[1] ?? ''
    if (line.includes('\\Noselect') || folder === 'Trash') continue
    await dovecot.ask(`EXAMINE ${folder}`)
    for (const each of await dovecot.ask('FETCH 1:* (FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])').catch(() => [])) {
      const [, flags = ''] = /FLAGS \(([^)]*)\)/.exec(each) ?? []
      const [, id] = /Message-ID: <([^>]*)>/i.exec(each) ?? []
      if (id === undefined || contents[folder]?.[id] !== undefined) throw new Error(`${folder}: ${each}`)
      const letters = Object.entries(LETTERS).map(([flag, letter]) => (flags.includes(flag) ? letter : ''))
      ;(contents[folder] ??= {})[id] = letters.join('')
    }
  }
  return contents
}

t.test('interimap', allPeers(peer('interimap', INTERIMAP), dovecotPeer(), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  const { arrive, change, contents } = world
  const mailbox = await createDovecotMailbox()
  const dovecot = await startDovecot(mailbox)
  t.teardown(async () => {
    await dovecot.stop()
    await mailbox.remove()
  })
  const config = join(world.dir, 'interimap')
  const print = `${OPENSSL} x509 -in ${world.certFile} -pubkey -noout | ${OPENSSL} pkey -pubin -outform DER | ${OPENSSL} dgst -sha256`
  const fingerprint = (await run('/bin/sh', ['-c', print])).stdout.replace(/^.*= /, '').trim()
  const lines = [
    `database = ${join(world.dir, 'interimap.db')}`,
    '[local]',
    'type = tunnel',
    `command = ${mailbox.command}`,
    'null-stderr = YES',
    '[remote]',
    'type = imaps',
    'host = 127.0.0.1',
    `port = ${world.imapPort}`,
    `username = ${world.user}`,
    `password = ${world.password}`,
    `SSL_hostname = ${HOST}`,
    // The certificate is not for 127.0.0.1: the key itself is compared.
    'SSL_verify = NO',
    `SSL_fingerprint = sha256$${fingerprint}`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  /** @returns what it says, with the dialogs */
  const sync = async (t: Test, ...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(INTERIMAP, [`--config=${config}`, '--debug', ...words])
    t.equal(code, 0, `${stderr.slice(-3000)}${stdout}`)
    if (words.length === 0) t.same(await dovecotContents(dovecot), await contents(), 'both sides are equal')
    return stderr
  }
  await arrive('mail', MESSAGES, 1)
  await world.send('sent', 2)
  const byId = await world.ids()
  const id = (number: number): string | undefined => byId.get(`mail-${number}@peer.test`)
  for (const number of [0, 1]) await change(id(number), { remove_labels: ['inbox'] })
  for (const number of [2, 3]) await change(id(number), { add_labels: [LABEL], unread: false })

  t.test('mail and folders of both sides', async (t) => {
    await put(dovecot, 'INBOX', 'old-0@peer.test', '\\Seen')
    await put(dovecot, 'INBOX', 'old-1@peer.test', '\\Flagged')
    await dovecot.ask(`CREATE ${FOLDER}`)
    await put(dovecot, FOLDER, 'book-0@peer.test', '\\Seen')
    await put(dovecot, FOLDER, 'book-1@peer.test')
    await sync(t)
    // What it has stored here itself it learns of now.
    await sync(t)
    const both = await contents()
    t.same(Object.keys(both).sort(), ['Archive', FOLDER, 'INBOX', 'Sent', LABEL].sort())
    t.match(both.INBOX, { 'old-0@peer.test': 'S', 'old-1@peer.test': 'F', 'mail-19@peer.test': '' })
    t.same(both[FOLDER], { 'book-0@peer.test': 'S', 'book-1@peer.test': '' })
    const path = `/v1/messages/${(await world.ids()).get('book-0@peer.test') ?? ''}`
    t.match((await world.agent.call('GET', path)).body, { labels: ['bucher'], unread: false })
  })

  t.test('flags, deletions and moves of both sides', async (t) => {
    await change(id(4), { add_labels: ['$flagged'], unread: false })
    await change(id(5), { remove_labels: ['inbox'], add_labels: [LABEL] })
    t.match((await world.agent.call('DELETE', `/v1/messages/${id(6) ?? ''}`)).status, /^20/)
    await arrive('later', 2)
    await onMessage(dovecot, 'INBOX', 'mail-7@peer.test', 'UID STORE * +FLAGS (\\Seen \\Answered)')
    await onMessage(dovecot, 'INBOX', 'mail-8@peer.test', `UID MOVE * ${FOLDER}`)
    await onMessage(dovecot, 'INBOX', 'mail-9@peer.test', 'UID STORE * +FLAGS (\\Deleted)', 'UID EXPUNGE *')
    await onMessage(dovecot, 'INBOX', 'old-1@peer.test', 'UID STORE * -FLAGS (\\Flagged)')
    await put(dovecot, 'Archive', 'old-2@peer.test', '\\Seen \\Flagged')
    // One changes on both sides.
    await change(id(10), { add_labels: ['$flagged'] })
    await onMessage(dovecot, 'INBOX', 'mail-10@peer.test', 'UID STORE * +FLAGS (\\Seen)')
    const dialog = await sync(t)
    t.match(dialog, /remote: C: \d+ SELECT INBOX \(QRESYNC \(\d+ \d+ /)
    t.match(dialog, /remote: S: \* VANISHED \(EARLIER\) \S+/)
    const { INBOX = {}, Archive = {}, ...others } = await contents()
    const flags = (number: number): string | undefined => INBOX[`mail-${number}@peer.test`]
    t.same([4, 5, 6, 7, 8, 9, 10].map(flags), ['FS', undefined, undefined, 'RS', undefined, undefined, 'FS'])
    t.match(INBOX, { 'later-1@peer.test': '', 'old-1@peer.test': '' })
    t.match(Archive, { 'old-2@peer.test': 'FS' })
    t.match(others[FOLDER], { 'mail-8@peer.test': '' })
    t.match(others[LABEL], { 'mail-5@peer.test': '' })
    const trash: { id: string }[] = (await world.agent.call('GET', '/v1/trash')).body.data
    // What was moved there is copied and expunged here.
    t.same(trash.map((each) => each.id).sort(), [6, 8, 9].map(id).sort())
  })

  t.test('a folder that is deleted', async (t) => {
    await sync(t, '--delete', FOLDER)
    await sync(t)
    const { Archive = {}, ...others } = await contents()
    t.notOk(FOLDER in others)
    t.match(Archive, { 'book-0@peer.test': 'S', 'mail-8@peer.test': '' }, 'its mail is in Archive on both sides')
  })

  t.test('nothing is left to do', async (t) => {
    const before = await contents()
    t.notMatch(await sync(t), /C: \d+ (?:UID STORE|UID EXPUNGE|APPEND|CREATE|SELECT)/)
    t.same(await contents(), before)
  })
})
