/** A real Postfix on loopback with everything of its own: config, queue, mailbox. Needs root, as its master does. */
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../daemon.js'
import { peer } from './peers.js'
import { freePort } from '../ports.js'

/** For the options of a test that starts a Postfix. */
export function postfixPeer(): { skip: string | false } {
  if (process.getuid?.() === 0) return peer('postfix', '/usr/sbin/postfix')
  if (process.env.REQUIRE_PEERS === '1') throw new Error('Postfix can only be started by root')
  return { skip: 'Postfix can only be started by root' }
}

export interface Postfix {
  port: number
  /** Messages delivered for an address's local part, oldest first. */
  mail(localPart: string): Promise<Buffer[]>
  /** Number of messages in its mailbox. */
  delivered(): Promise<number>
  log(): Promise<string>
  /** Waits for the first message to a local part; fails after 30 seconds. */
  nextMail(localPart: string, count?: number): Promise<Buffer[]>
  stop(): Promise<void>
}

export interface PostfixOptions {
  /** Further master.cf lines, for the port it listens on. */
  services?: string[] | ((port: number) => string[])
  /** Command that starts its master; runs it directly when missing. */
  launch?: typeof run
}

/**
 * @param domain the one it takes mail for, each address of it
 * @param extra further main.cf lines
 */
export async function startPostfix(
  domain: string,
  extra: string[] = [],
  { services = [], launch = run }: PostfixOptions = {},
): Promise<Postfix> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-postfix-'))
  const [conf, mail] = [join(dir, 'conf'), join(dir, 'mail')]
  const port = await freePort()
  const uid = Number((await run('id', ['-u', 'postfix'])).stdout)
  const gid = Number((await run('id', ['-g', 'postfix'])).stdout)
  await run('chmod', ['755', dir])
  for (const folder of [conf, mail, join(dir, 'queue'), join(dir, 'data')]) await mkdir(folder)
  await chown(mail, uid, gid)
  await chown(join(dir, 'data'), uid, gid)
  const main = [
    'compatibility_level = 3.6',
    `queue_directory = ${dir}/queue`,
    'command_directory = /usr/sbin',
    'daemon_directory = /usr/lib/postfix/sbin',
    `data_directory = ${dir}/data`,
    'mail_owner = postfix',
    'setgid_group = postdrop',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    `myhostname = mx.${domain}`,
    'mydestination =',
    'mynetworks =',
    'smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination',
    `virtual_mailbox_domains = ${domain}`,
    `virtual_mailbox_base = ${mail}`,
    'virtual_mailbox_maps = static:all/',
    'virtual_minimum_uid = 1',
    `virtual_uid_maps = static:${uid}`,
    `virtual_gid_maps = static:${gid}`,
    `maillog_file = ${dir}/log`,
    `maillog_file_prefixes = ${tmpdir()}`,
    'alias_maps =',
    'smtpd_peername_lookup = no',
    ...extra,
  ]
  await writeFile(join(conf, 'main.cf'), `${main.join('\n')}\n`)
  await writeFile(
    join(conf, 'master.cf'),
    [masterServices(port), ...(typeof services === 'function' ? services(port) : services), ''].join('\n'),
  )
  const started = await launch('postfix', ['-c', conf, 'start'])
  if (started.code !== 0) throw new Error(`postfix: ${started.stderr}`)
  await accepts(port)

  async function all(localPart: string): Promise<Buffer[]> {
    const folder = join(mail, 'all', 'new')
    const names = await readdir(folder).catch(() => [])
    const messages = await Promise.all(names.sort().map((name) => readFile(join(folder, name))))
    return messages.filter((raw) => raw.toString().toLowerCase().includes(`delivered-to: ${localPart}@`))
  }
  return {
    port,
    mail: all,
    delivered: async () => (await readdir(join(mail, 'all', 'new')).catch(() => [])).length,
    log: () => readFile(join(dir, 'log'), 'utf8'),
    async nextMail(localPart, count = 1) {
      for (let tries = 0; tries < 300; tries++) {
        const found = await all(localPart)
        if (found.length >= count) return found
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`no mail for ${localPart} in time:\n${await readFile(join(dir, 'log'), 'utf8')}`)
    },
    async stop() {
      await run('postfix', ['-c', conf, 'stop'])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function accepts(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('data', () => resolve(true)).once('error', () => resolve(false))
      socket.once('data', () => socket.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('postfix does not answer')
}

const masterServices = (port: number) => `127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`
