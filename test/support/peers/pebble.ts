/** A real authority for certificates (RFC 8555): pebble, with the name server of its own test suite, whose records are set over HTTP. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createAuthority } from './certificates.js'
import { peer } from './peers.js'
import { freePort } from '../ports.js'

const PEBBLE = '/usr/bin/pebble'
const NAME_SERVER = '/usr/bin/pebble-challtestsrv'

/** For the options of a test. */
export const pebblePeer = (): { skip: string | false } => {
  const found = [peer('pebble', PEBBLE), peer('pebble-challtestsrv', NAME_SERVER), peer('openssl', '/usr/bin/openssl')]
  return found.find(({ skip }) => skip !== false) ?? { skip: false }
}

export interface Pebble {
  directory: string
  /** PEM, by which it is known. */
  caFile: string
  /** Address of the name server, which knows all names; for the daemon too. */
  dns: string
  /** URL for setting records of the name server. */
  management: string
  /** Has a name lead elsewhere than here. */
  setAddress(name: string, address: string): Promise<void>
  /** @param httpPort at which it asks for proofs */
  start(httpPort: number): Promise<void>
  stop(): Promise<void>
}

export interface PebbleOptions {
  /** Keys for external account binding; without one of them no account is accepted. */
  binding?: { kid: string; hmacKey: string }
}

/** @param dir a folder of the test. The authority itself is down until `start` */
export async function createPebble(dir: string, { binding }: PebbleOptions = {}): Promise<Pebble> {
  const pair = createAuthority(dir).issue(['localhost'])
  const [port, managementPort, dnsPort, recordsPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const dns = `127.0.0.1:${dnsPort}`
  const management = `http://127.0.0.1:${recordsPort}`
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '']
  const where = ['-dns01', dns, '-management', `127.0.0.1:${recordsPort}`, '-defaultIPv6', '']
  const names = spawn(NAME_SERVER, [...off, ...where], { stdio: 'ignore' })
  await listening(recordsPort, names)
  let authority: ChildProcess | undefined
  return {
    directory: `https://localhost:${port}/dir`,
    caFile: join(dir, 'ca.pem'),
    dns,
    management,
    async setAddress(host, address) {
      const body = JSON.stringify({ host, addresses: [address] })
      const answer = await fetch(`${management}/add-a`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`the name server answers ${answer.status}`)
    },
    async start(httpPort) {
      const config = join(dir, 'pebble.json')
      await writeFile(
        config,
        JSON.stringify({
          pebble: {
            listenAddress: `127.0.0.1:${port}`,
            managementListenAddress: `127.0.0.1:${managementPort}`,
            certificate: pair.certFile,
            privateKey: pair.keyFile,
            httpPort,
            tlsPort: 1,
            domainBlocklist: ['blocked.example'],
            externalAccountBindingRequired: binding !== undefined,
            ...(binding && { externalAccountMACKeys: { [binding.kid]: binding.hmacKey } }),
          },
        }),
      )
      authority = spawn(PEBBLE, ['-config', config, '-dnsserver', dns], {
        stdio: 'ignore',
        // One request of ten is refused for its nonce, as any may be (RFC 8555 §6.5); a proof that went well once is not believed again.
        env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '10', PEBBLE_AUTHZREUSE: '0' },
      })
      await listening(port, authority)
    },
    async stop() {
      for (const child of [authority, names]) {
        if (!child || child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    },
  }
}

/** Waits until somebody listens there. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
