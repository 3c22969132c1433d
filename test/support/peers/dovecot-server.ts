/** A real Dovecot on loopback with TLS, and one mailbox that any name opens with its password. Needs root, as its master does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { run } from '../daemon.js'
import { freePort } from '../ports.js'
import { createAuthority } from './certificates.js'
import { peer } from './peers.js'

const DOVECOT = '/usr/sbin/dovecot'
export const PASSWORD = 'correct-horse'

/** For the options of a test. */
export function dovecotServerPeer(): { skip: string | false } {
  if (process.getuid?.() === 0) return peer('Dovecot', DOVECOT)
  if (process.env.REQUIRE_PEERS === '1') throw new Error('Dovecot can only be started by root')
  return { skip: 'Dovecot can only be started by root' }
}

export interface DovecotServer {
  /** With TLS from the first byte, for the host `localhost`. */
  port: number
  /** PEM file of the authority that its certificate is from. */
  caFile: string
  /** A signed-in client. */
  client(): Promise<ImapFlow>
  stop(): Promise<void>
}

export async function startDovecotServer(): Promise<DovecotServer> {
  const home = await mkdtemp(join(tmpdir(), 'restante-dovecot-'))
  await run('chmod', ['755', home])
  const [, uid = '', gid = ''] = /^mail:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  const tls = await mkdtemp(join(tmpdir(), 'restante-dovecot-tls-'))
  const authority = createAuthority(tls)
  const { keyFile, certFile } = authority.issue(['localhost'])
  const port = await freePort()
  const config = join(home, 'dovecot.conf')
  const mail = join(home, 'mail')
  await run('mkdir', [mail])
  await chown(mail, Number(uid), Number(gid))
  await writeFile(
    config,
    [
      'protocols = imap',
      `base_dir = ${home}/run`,
      `state_dir = ${home}/state`,
      `mail_location = sdbox:${mail}`,
      'mail_fsync = never',
      'ssl = required',
      `ssl_cert = <${certFile}`,
      `ssl_key = <${keyFile}`,
      'first_valid_uid = 1',
      `log_path = ${home}/log`,
      'service imap-login {',
      '  inet_listener imap {',
      '    port = 0',
      '  }',
      '  inet_listener imaps {',
      '    address = 127.0.0.1',
      `    port = ${port}`,
      '    ssl = yes',
      '  }',
      '}',
      'passdb {',
      '  driver = static',
      `  args = password=${PASSWORD}`,
      '}',
      'userdb {',
      '  driver = static',
      `  args = uid=mail gid=mail home=${mail}`,
      '}',
      'namespace inbox {',
      '  inbox = yes',
      '  separator = /',
      '  mailbox Gesendet {',
      '    special_use = \\Sent',
      '    auto = create',
      '  }',
      '  mailbox All {',
      '    special_use = \\All',
      '    auto = create',
      '  }',
      '}',
      '',
    ].join('\n'),
  )
  const child = spawn(DOVECOT, ['-F', '-c', config], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await accepts(port)
  return {
    port,
    caFile: join(tls, 'ca.pem'),
    async client() {
      const client = new ImapFlow({
        host: 'localhost',
        port,
        secure: true,
        tls: { ca: authority.ca },
        auth: { user: 'ada', pass: PASSWORD },
        logger: false,
      })
      await client.connect()
      return client
    },
    async stop() {
      child.kill()
      await ended
      await rm(home, { recursive: true, force: true })
      await rm(tls, { recursive: true, force: true })
    },
  }
}

async function accepts(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Dovecot does not answer')
}
