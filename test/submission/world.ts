/** A daemon with ports for mail programs, a mailbox, and an app password of it. */
import type { Test } from 'tap'
import { approvedAgent, type Agent } from '../support/agent.js'
import { startDaemon, type Daemon } from '../support/daemon.js'
import { createAuthority } from '../support/peers/certificates.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { openTlsDialog, type Dialog } from '../support/peers/smtp-dialog.js'
import { freePort } from '../support/ports.js'

export const HOST = 'mx.agents.test'
/** Names at which programs ask for their settings. */
export const SETTINGS_HOSTS = ['autoconfig.agents.test', 'autodiscover.agents.test']

export interface World {
  daemon: Daemon
  /** A folder of the test. */
  dir: string
  agent: Agent
  /** With STARTTLS. */
  port: number
  /** With TLS from the first byte. */
  tlsPort: number
  /** PEM, and its file. */
  ca: string
  caFile: string
  /** The server's own certificate, for programs that compare it. */
  certFile: string
  /** Makes an app password; by default one that sends. */
  appPassword(wanted?: Record<string, unknown>): Promise<{ id: string; text: string }>
  /** A TLS connection after EHLO. */
  greeted(): Promise<Dialog>
  /** The same after AUTH. */
  signedIn(password: string, name?: string): Promise<Dialog>
}

export async function startWorld(t: Test, settings: Record<string, string> = {}): Promise<World> {
  const dir = t.testdir()
  const authority = createAuthority(dir)
  const { keyFile, certFile } = authority.issue([HOST, ...SETTINGS_HOSTS])
  const [port, tlsPort] = [await freePort(), await freePort()]
  const daemon = await startDaemon({
    'domains.hostname': HOST,
    'smtp.tls_key': keyFile,
    'smtp.tls_cert': certFile,
    'submission.listen': `127.0.0.1:${port}`,
    'submission.listen_tls': `127.0.0.1:${tlsPort}`,
    ...settings,
  })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent', 'human@example.org')
  const greeted = async (): Promise<Dialog> => {
    const dialog = await openTlsDialog(tlsPort, { ca: authority.ca, name: HOST })
    t.teardown(() => dialog.drop())
    await dialog.reply()
    await dialog.say('EHLO laptop.test')
    return dialog
  }
  return {
    daemon,
    dir,
    agent,
    port,
    tlsPort,
    ca: authority.ca,
    caFile: `${dir}/ca.pem`,
    certFile,
    async appPassword(wanted = {}) {
      const made = await agent.call('POST', '/v1/keys', { name: 'laptop', scopes: ['submission'], ...wanted })
      t.equal(made.status, 201, JSON.stringify(made.body))
      return { id: made.body.id, text: made.body.api_key }
    },
    greeted,
    async signedIn(password, name = agent.address) {
      const dialog = await greeted()
      t.match(await dialog.say(`AUTH PLAIN ${plain(name, password)}`), /^235 2\.7\.0 /)
      return dialog
    },
  }
}

/** Settings with which mail for peer.test goes to this port of the machine; without one it goes nowhere. */
export async function relayingToPeer(t: Test, port?: number): Promise<Record<string, string>> {
  const dns = await startDnsServer({
    'peer.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
    'mx.peer.test': { A: ['127.0.0.1'] },
  })
  t.teardown(() => dns.close())
  return {
    'server.dns': dns.address,
    ...(port !== undefined && { 'relay.port': String(port), 'relay.allow_private_addresses': 'true' }),
  }
}

/** Lines of a file of settings for msmtp, which sends over TLS. */
export function msmtpSettings({ tlsPort, caFile, agent }: World, auth: string, secret: string): string[] {
  return [
    'account default',
    'host 127.0.0.1',
    `port ${tlsPort}`,
    'tls on',
    'tls_starttls off',
    `tls_trust_file ${caFile}`,
    `tls_host_override ${HOST}`,
    `auth ${auth}`,
    `user ${agent.address}`,
    `password ${secret}`,
    `from ${agent.address}`,
  ]
}

/** RFC 4616. */
export const plain = (name: string, password: string): string => base64(`\0${name}\0${password}`)
export const base64 = (text: string): string => Buffer.from(text).toString('base64')

export interface Mail {
  from: string
  to: string[]
  /** Lines of the message. */
  lines: string[]
  /** Parameters of MAIL. */
  parameters?: string
}

/** @returns the first reply that refuses, or the reply to the data */
export async function submit(dialog: Dialog, { from, to, lines, parameters = '' }: Mail): Promise<string> {
  const commands = [`MAIL FROM:<${from}>${parameters}`, ...to.map((address) => `RCPT TO:<${address}>`), 'DATA']
  for (const command of commands) {
    const reply = await dialog.say(command)
    if (!/^[23]/.test(reply)) return reply
  }
  return dialog.say([...lines, '.'].join('\r\n'))
}

/** Id of the message or draft in a reply. */
export const idIn = (reply: string): string => /\b(?:msg|drf)_[0-9A-Z]{26}\b/.exec(reply)?.[0] ?? ''
