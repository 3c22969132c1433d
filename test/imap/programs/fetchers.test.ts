/** Programs that get mail to keep it elsewhere, over TLS from the real daemon. */
import t from 'tap'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../support/daemon.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { HOST } from '../../submission/world.js'
import { LABEL, maildirContents, maildirFiles, putInto, setFlags, startMailWorld } from './world.js'

const GETMAIL = '/usr/bin/getmail'
const FETCHMAIL = '/usr/bin/fetchmail'
const OFFLINEIMAP = '/usr/bin/offlineimap'
const MESSAGES = 20

const ids = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${name}-${number}@peer.test`).sort()

/** Message-IDs in what was got. */
const idsIn = async (mbox: string): Promise<(string | undefined)[]> =>
  [...(await readFile(mbox, 'utf8')).matchAll(/^Message-ID: <(.*)>/gm)].map(([, id]) => id).sort()

t.test('getmail6 gets new mail once', allPeers(peer('getmail', GETMAIL), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  await world.arrive('mail', MESSAGES)
  const mbox = join(world.dir, 'mbox')
  const lines = [
    '[retriever]',
    'type = SimpleIMAPSSLRetriever',
    'server = 127.0.0.1',
    `port = ${world.imapPort}`,
    `ca_certs = ${world.caFile}`,
    `ssl_cert_hostname = ${HOST}`,
    `username = ${world.user}`,
    `password = ${world.password}`,
    '[destination]',
    // Into a Maildir it does not deliver as root.
    'type = MDA_external',
    'path = /bin/sh',
    `arguments = ("-c", "cat >> ${mbox}")`,
    'allow_root_commands = true',
    'unixfrom = true',
    '[options]',
    'read_all = false',
    'delete = false',
    'received = false',
    'delivered_to = false',
  ]
  await writeFile(join(world.dir, 'getmailrc'), `${lines.join('\n')}\n`, { mode: 0o600 })
  const get = async (): Promise<string> => {
    const got = await run(GETMAIL, [`--getmaildir=${world.dir}`])
    t.equal(got.code, 0, got.stderr)
    t.equal(got.stderr, '')
    return got.stdout
  }
  t.match(await get(), `${MESSAGES} messages`)
  t.same(await idsIn(mbox), ids('mail', MESSAGES))
  await world.arrive('later', 2)
  t.match(await get(), /\b2 messages/)
  t.same(await idsIn(mbox), [...ids('later', 2), ...ids('mail', MESSAGES)])
})

t.test('fetchmail gets it and marks it as read', allPeers(peer('fetchmail', FETCHMAIL), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  await world.arrive('mail', MESSAGES)
  const [config, mbox] = [join(world.dir, 'fetchmailrc'), join(world.dir, 'mbox')]
  const lines = [
    `set pidfile "${join(world.dir, 'fetchmail.pid')}"`,
    `poll localhost service ${world.imapPort} protocol IMAP`,
    `  user "${world.user}" password "${world.password}" keep ssl sslcertck`,
    `  sslcertfile "${world.caFile}" sslcommonname "${HOST}"`,
    `  mda "/bin/sh -c 'cat >> ${mbox}'"`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  const fetch = () => run(FETCHMAIL, ['-f', config, '--nosyslog', '--nodetach'])
  const first = await fetch()
  t.equal(first.code, 0, `${first.stderr}${first.stdout}`)
  t.same(await idsIn(mbox), ids('mail', MESSAGES))
  t.same(
    Object.values((await world.contents()).INBOX ?? {}),
    Array.from({ length: MESSAGES }, () => 'S'),
  )
  t.equal((await fetch()).code, 1, 'there is no new mail')
})

t.test('offlineimap3 keeps both sides equal', allPeers(peer('offlineimap', OFFLINEIMAP), opensslPeer()), async (t) => {
  const world = await startMailWorld(t)
  await world.arrive('mail', MESSAGES)
  const byId = await world.ids()
  await world.change(byId.get('mail-0@peer.test'), { remove_labels: ['inbox'] })
  await world.change(byId.get('mail-1@peer.test'), { add_labels: [LABEL, '$flagged'], unread: false })
  const [config, maildir] = [join(world.dir, 'offlineimaprc'), join(world.dir, 'mail')]
  const fingerprint = (
    await run('/usr/bin/openssl', ['x509', '-in', world.certFile, '-noout', '-fingerprint', '-sha256'])
  ).stdout
  const lines = [
    '[general]',
    `metadata = ${join(world.dir, 'metadata')}`,
    'accounts = agent',
    '[Account agent]',
    'localrepository = near',
    'remoterepository = far',
    '[Repository near]',
    'type = Maildir',
    `localfolders = ${maildir}`,
    'sep = /',
    '[Repository far]',
    'type = IMAP',
    'remotehost = 127.0.0.1',
    `remoteport = ${world.imapPort}`,
    'ssl = yes',
    `cert_fingerprint = ${fingerprint.replace(/^.*=/, '').replaceAll(':', '').trim().toLowerCase()}`,
    `remoteuser = ${world.user}`,
    `remotepass = ${world.password}`,
    "folderfilter = lambda folder: folder != 'Trash'",
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  const sync = async (): Promise<void> => {
    const done = await run(OFFLINEIMAP, ['-c', config, '-o', '-u', 'basic'])
    t.equal(done.code, 0, `${done.stderr}${done.stdout}`)
    t.same(await maildirContents(maildir), await world.contents())
  }
  await sync()
  const file = async (id: string): Promise<string> => (await maildirFiles(maildir, 'INBOX')).get(id) ?? id
  await world.change(byId.get('mail-2@peer.test'), { add_labels: ['$answered'] })
  await world.change(byId.get('mail-3@peer.test'), { remove_labels: ['inbox'], add_labels: [LABEL] })
  await world.arrive('later', 2)
  await setFlags(await file('mail-4@peer.test'), 'FS')
  await rm(await file('mail-5@peer.test'))
  await putInto(maildir, 'INBOX', 'put-0@peer.test')
  await putInto(maildir, LABEL, 'put-1@peer.test')
  await sync()
  const { INBOX = {}, ...others } = await world.contents()
  t.match(INBOX, { 'mail-2@peer.test': 'R', 'mail-4@peer.test': 'FS', 'later-1@peer.test': '', 'put-0@peer.test': 'S' })
  t.notOk('mail-5@peer.test' in INBOX)
  t.match(others[LABEL], { 'mail-3@peer.test': '', 'put-1@peer.test': 'S' })
})
