/** What Debian's own packages make of a relay: Postfix with OpenDKIM as its milter, signing RSA-2048, everything on to one next server. */
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.js'
import { startPostfix } from '../../test/support/peers/postfix.js'
import { SELECTOR, SENDER_DOMAIN } from '../support/messages.js'
import { createNamespace } from '../namespace.js'
import { listening, type Peer } from './postfix-stack.js'

/** @param pem the signing key of the senders' domain */
export async function startPostfixRelay(nextPort: number, perDestination: number, pem: string): Promise<Peer> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-relay-'))
  await chmod(dir, 0o755)
  const [conf, key] = [join(dir, 'opendkim.conf'), join(dir, 'key.pem')]
  const dkimPort = await freePort()
  await writeFile(key, pem, { mode: 0o600 })
  await chown(key, 0, 0)
  const settings = [
    'Mode s',
    `Socket inet:${dkimPort}@127.0.0.1`,
    `Domain ${SENDER_DOMAIN}`,
    `Selector ${SELECTOR}`,
    `KeyFile ${key}`,
    'Canonicalization relaxed/relaxed',
    'OversignHeaders From',
    'InternalHosts 127.0.0.0/8',
    // The folder of temporary files belongs to everybody.
    'RequireSafeKeys no',
    'Syslog no',
    'Background no',
  ]
  await writeFile(conf, `${settings.join('\n')}\n`)
  // Nothing asks it for a name; it is there to count CPU time by.
  const namespace = await createNamespace(dir, '127.0.0.1')
  const close = async (): Promise<void> => {
    await namespace.close()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    namespace.start('/usr/sbin/opendkim', ['-f', '-x', conf])
    await listening(dkimPort)
    const main = [
      `relayhost = [127.0.0.1]:${nextPort}`,
      'mynetworks = 127.0.0.0/8',
      `smtpd_milters = inet:127.0.0.1:${dkimPort}`,
      'milter_default_action = tempfail',
      'smtpd_client_connection_count_limit = 0',
      `smtp_destination_concurrency_limit = ${perDestination}`,
      `initial_destination_concurrency = ${perDestination}`,
      'smtp_tls_security_level = none',
      // It would hold senders up for a second at a time while its queue is longer than it can deliver.
      'in_flow_delay = 0',
    ]
    const postfix = await startPostfix('relay.example', main, { launch: namespace.run })
    return {
      port: postfix.port,
      cpuMs: namespace.cpuMs,
      async stop() {
        await postfix.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
