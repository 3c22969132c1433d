/** The receiver that Debian's own packages make: Postfix, asking policyd-spf, with OpenDKIM and OpenDMARC as its milters, into a Maildir. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.js'
import { startPostfix } from '../../test/support/peers/postfix.js'
import { createNamespace } from '../namespace.js'

export interface Peer {
  port: number
  cpuMs(): Promise<number>
  stop(): Promise<void>
}

export interface PostfixStack extends Peer {
  /** Messages in the mailbox. */
  delivered(): Promise<number>
  /** A message as it was stored. */
  stored(): Promise<string>
}

const text = (...lines: string[]): string => `${lines.join('\n')}\n`

export async function startPostfixStack(domain: string, nameserver: string): Promise<PostfixStack> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-stack-'))
  // The policy server runs under another user than the one who wrote its settings.
  await chmod(dir, 0o755)
  const authserv = `mx.${domain}`
  const [dkimPort, dmarcPort] = [await freePort(), await freePort()]
  const [dkim, dmarc, spf, nobody] = [
    join(dir, 'opendkim.conf'),
    join(dir, 'opendmarc.conf'),
    join(dir, 'policyd.conf'),
    join(dir, 'nobody'),
  ]
  // All three leave mail from 127.0.0.0/8 unchecked unless told otherwise.
  await writeFile(nobody, text('192.0.2.255'))
  await writeFile(
    dkim,
    text(
      'Mode v',
      `Socket inet:${dkimPort}@127.0.0.1`,
      `AuthservID ${authserv}`,
      `InternalHosts ${nobody}`,
      `ExternalIgnoreList ${nobody}`,
      `Nameservers ${nameserver}`,
      'AlwaysAddARHeader yes',
      'Syslog no',
      'Background no',
    ),
  )
  await writeFile(
    dmarc,
    text(
      `Socket inet:${dmarcPort}@127.0.0.1`,
      `AuthservID ${authserv}`,
      `TrustedAuthservIDs ${authserv}`,
      `IgnoreHosts ${nobody}`,
      'PublicSuffixList /usr/share/publicsuffix/public_suffix_list.dat',
      'RejectFailures true',
      'Syslog false',
      'Background false',
    ),
  )
  await writeFile(
    spf,
    text(
      'debugLevel = 0',
      'TestOnly = 1',
      'HELO_reject = Fail',
      'Mail_From_reject = Fail',
      'skip_addresses = 192.0.2.255/32',
      'Header_Type = AR',
      `Authserv_Id = ${authserv}`,
    ),
  )
  const namespace = await createNamespace(dir, nameserver)
  try {
    namespace.start('/usr/sbin/opendkim', ['-f', '-x', dkim])
    namespace.start('/usr/sbin/opendmarc', ['-f', '-c', dmarc])
    await Promise.all([listening(dkimPort), listening(dmarcPort)])
    const main = [
      'smtpd_recipient_restrictions = reject_unauth_destination, check_policy_service unix:private/policyd-spf',
      'policyd-spf_time_limit = 3600',
      `smtpd_milters = inet:127.0.0.1:${dkimPort}, inet:127.0.0.1:${dmarcPort}`,
      'milter_default_action = tempfail',
      'smtpd_client_connection_count_limit = 0',
      // It would hold senders up for a second at a time while its queue is longer than it can deliver.
      'in_flow_delay = 0',
    ]
    const policy = `policyd-spf unix - n n - 0 spawn user=nobody argv=/usr/bin/policyd-spf ${spf}`
    const postfix = await startPostfix(domain, main, { services: [policy], launch: namespace.run })
    return {
      port: postfix.port,
      cpuMs: namespace.cpuMs,
      delivered: postfix.delivered,
      stored: async () => (await postfix.nextMail('bench.agent'))[0]?.toString('latin1') ?? '',
      async stop() {
        await postfix.stop()
        await namespace.close()
        await rm(dir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await namespace.close()
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/** Waits until somebody takes connections at the port. */
export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const probe = connect(port, '127.0.0.1')
      probe.once('error', () => resolve(false)).once('connect', () => resolve(true))
      probe.once('connect', () => probe.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nobody listens at ${port}`)
}
