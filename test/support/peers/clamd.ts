/** A real clamd on a socket of its own, with one signature made here: no download, no system configuration. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.js'

// The EICAR test string, in two halves so that no scanner stops at this file.
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

export interface Clamd {
  socket: string
  /** `host:port` of the same clamd. */
  tcp: string
  stop(): Promise<void>
}

/** @param extra lines of its clamd.conf */
export async function startClamd(extra: string[] = []): Promise<Clamd> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-clamd-'))
  const [database, socket, conf] = [join(dir, 'db'), join(dir, 'clamd.sock'), join(dir, 'clamd.conf')]
  await mkdir(database)
  const port = await freePort()
  const md5 = createHash('md5').update(EICAR).digest('hex')
  await writeFile(join(database, 'test.hdb'), `${md5}:${EICAR.length}:Test.Eicar\n`)
  const settings = [
    `LocalSocket ${socket}`,
    `DatabaseDirectory ${database}`,
    'Foreground yes',
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    'User root',
    ...(extra.some((line) => line.startsWith('StreamMaxLength')) ? [] : ['StreamMaxLength 64M']),
    ...extra,
  ]
  await writeFile(conf, `${settings.join('\n')}\n`)
  const child = spawn('/usr/sbin/clamd', ['--config-file', conf], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 300) throw new Error(`clamd: ${output}`)
    const open = await new Promise<boolean>((resolve) => {
      const probe = connect(socket)
      probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
      probe.once('connect', () => probe.destroy())
    })
    if (open) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    socket,
    tcp: `127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
