/** Debian's Dovecot as a server with TLS and sdbox mailboxes, as its package sets it up but for what is said here. Needs root, as its master does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.js'
import { listening } from './postfix-stack.js'

export const DOVECOT = '/usr/sbin/dovecot'

export interface DovecotServer {
  port: number
  pid: number
  stop(): Promise<void>
}

/** @param password of everybody: each name is a user with a mailbox */
export async function startDovecotServer(
  tls: { keyFile: string; certFile: string },
  password: string,
): Promise<DovecotServer> {
  const home = await mkdtemp(join(tmpdir(), 'restante-dovecot-'))
  await chmod(home, 0o755)
  const [, uid = '', gid = ''] = /^mail:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  await mkdir(join(home, 'mail'))
  await chown(join(home, 'mail'), Number(uid), Number(gid))
  const port = await freePort()
  const config = join(home, 'dovecot.conf')
  const settings = [
    `base_dir = ${home}/run`,
    `log_path = ${home}/log`,
    'protocols = imap',
    'listen = 127.0.0.1',
    'ssl = required',
    `ssl_cert = <${tls.certFile}`,
    `ssl_key = <${tls.keyFile}`,
    `mail_location = sdbox:${home}/mail/%u`,
    'mail_uid = mail',
    'mail_gid = mail',
    'first_valid_uid = 1',
    // COMPRESS.
    'protocol imap {\n  mail_plugins = imap_zlib\n}',
    'mail_max_userip_connections = 10000',
    `passdb {\n  driver = static\n  args = password=${password}\n}`,
    `userdb {\n  driver = static\n  args = home=${home}/mail/%u\n}`,
    // As its documentation advises for performance: one process takes all logins.
    `service imap-login {\n  service_count = 0\n  process_min_avail = 1\n  inet_listener imap {\n    port = 0\n  }\n  inet_listener imaps {\n    port = ${port}\n    ssl = yes\n  }\n}`,
  ]
  await writeFile(config, `${settings.join('\n')}\n`)
  const child = spawn(DOVECOT, ['-F', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await ended
    await rm(home, { recursive: true, force: true })
  }
  try {
    await Promise.race([
      listening(port),
      ended.then(() => {
        throw new Error(`Dovecot has ended: ${errors}`)
      }),
    ])
  } catch (error) {
    await stop()
    throw error
  }
  return { port, pid: child.pid ?? 0, stop }
}
