/** The daemon and Dovecot with the same mail in the same mailboxes, as mail programs reach them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mailboxIds } from '../../src/mailbox/all-mailboxes.js'
import { readMailbox } from '../../src/mailbox/record.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import { approvedAgent } from '../../test/support/agent.js'
import { startDaemon, type Daemon } from '../../test/support/daemon.js'
import { createAuthority } from '../../test/support/peers/certificates.js'
import { freePort } from '../../test/support/ports.js'
import { startDovecotServer, type DovecotServer } from '../peers/dovecot-server.js'
import { fillWith, type RawMail } from './filling.js'
import { type Account, openImap } from './imap-client.js'
import { isShort } from './length.js'
import { createWriter } from './messages.js'

const HOST = 'mx.agents.test'
const BODY_BYTES = 300
const PASSWORD = 'secret'
/** Messages of one APPEND to Dovecot. */
const AT_ONCE = 500

export interface ImapWorld {
  daemon: Daemon
  dovecot: DovecotServer
  /** The same user of both, by the name of the mailbox. */
  accounts(name: string): { restante: Account; dovecot: Account }
  close(): Promise<void>
}

/** @param mailboxes number of messages of each */
export async function startImapWorld(mailboxes: Readonly<Record<string, number>>): Promise<ImapWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-imap-'))
  const authority = createAuthority(dir)
  const certificate = authority.issue([HOST])
  const port = await freePort()
  const daemon = await startDaemon({
    'domains.hostname': HOST,
    'smtp.tls_key': certificate.keyFile,
    'smtp.tls_cert': certificate.certFile,
    'imap.listen_tls': `127.0.0.1:${port}`,
    'imap.max_connections': '10000',
    'imap.max_connections_per_address': '10000',
    'imap.max_connections_per_account': '10000',
    'limits.storage_bytes': '1000000000000',
  })
  let dovecot: DovecotServer | undefined
  const close = async (): Promise<void> => {
    await dovecot?.stop()
    await daemon.remove()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    dovecot = await startDovecotServer(certificate, PASSWORD)
    const peer = { port: dovecot.port, ca: authority.ca, host: HOST, password: PASSWORD }
    const accounts = new Map<string, { restante: Account; dovecot: Account }>()
    for (const name of Object.keys(mailboxes)) {
      const agent = await approvedAgent(daemon, `${name}.agent`, 'human@example.org')
      const made = await agent.call('POST', '/v1/keys', { name: 'bench', scopes: ['imap'] })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      const restante = { ...peer, port, user: agent.address, password: String(made.body.api_key) }
      accounts.set(name, { restante, dovecot: { ...peer, user: agent.address } })
    }
    const of = (name: string): { restante: Account; dovecot: Account } => {
      const both = accounts.get(name)
      if (!both) throw new Error(`no mailbox ${name}`)
      return both
    }
    // Filled in its place, it starts with the mail; a short run saves the time.
    if (!isShort) await daemon.end('SIGTERM')
    for (const [name, count] of Object.entries(mailboxes)) {
      const mails = mailsOf(count)
      await fill(daemon, of(name).restante.user, mails)
      await fillDovecot(of(name).dovecot, mails)
    }
    if (!isShort) await daemon.start()
    return { daemon, dovecot, accounts: of, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** One in ten is unread. */
function mailsOf(count: number): RawMail[] {
  const writer = createWriter(7)
  return Array.from({ length: count }, (_, n) => ({
    raw: Buffer.from(writer.message(`imap${n}`, 'agent@agents.test', BODY_BYTES)),
    isSeen: n % 10 !== 0,
  }))
}

async function fill(daemon: Daemon, address: string, mails: readonly RawMail[]): Promise<void> {
  const store = createStore(openLmdb({ path: join(daemon.dataDir, 'store') }))
  try {
    for await (const id of mailboxIds(store))
      if ((await readMailbox(store, id))?.address === address) await fillWith(store, id, mails)
  } finally {
    await store.close()
  }
}

async function fillDovecot(account: Account, mails: readonly RawMail[]): Promise<void> {
  const client = await openImap(account)
  for (let at = 0; at < mails.length; at += AT_ONCE) {
    const some = mails
      .slice(at, at + AT_ONCE)
      .flatMap(({ raw, isSeen }) => [` (${isSeen ? '\\Seen' : ''}) {${raw.length}+}\r\n`, raw])
    await client.ask('APPEND INBOX', ...some)
  }
  client.close()
}
