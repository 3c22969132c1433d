/** Values derived from several settings. */
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { SECOND } from '../lib/clock.js'
import { parseHostPort } from '../lib/host-port.js'
import { sectionNames, settingsOf, type Config } from './schema.js'
import { isSafeOrigin, wordsOf } from './setting/setting.js'

/** True if mail may leave this server (`relay.outbound`). */
export function mayRelayOut({ relay, domains }: Config): boolean {
  switch (relay.outbound) {
    case 'on':
      return true
    case 'off':
      return false
    case 'auto':
      return relay.smarthost !== '' || relay.allow_private_addresses || !isLocalhost(domains.names[0] ?? '')
  }
}

/** True if owners and staff can sign in by a mailed link: mail has to leave, and browsers keep no session at an address without TLS. */
export function offersMailSignIn(config: Config): boolean {
  const { identity, server } = config
  return identity.mail_sign_in && mayRelayOut(config) && isSafeOrigin(new URL(server.base_url))
}

/** True if browsers make passkeys for an origin: their relying party is a host name, and they need a secure context (WebAuthn §5.1.2). */
export function offersPasskeys(origin: string): boolean {
  const url = new URL(origin)
  return isSafeOrigin(url) && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
}

/** True if senders can use TLS, with a certificate that exists or will be obtained. */
export function offersStartTls({ smtp, tls }: Pick<Config, 'smtp' | 'tls'>): boolean {
  return smtp.tls_cert !== '' || tls.acme !== ''
}

/** Name and port for mail programs, and whether TLS begins with the first byte or with STARTTLS. */
export interface ProgramPorts {
  host: string
  tls?: number
  startTls?: number
}

/** Undefined if programs can't send here, or not read. */
export function programPorts(
  config: Pick<Config, 'domains' | 'submission' | 'imap'>,
  section: 'submission' | 'imap',
): ProgramPorts | undefined {
  const tls = parseHostPort(config[section].listen_tls[0] ?? '')?.port
  const startTls = parseHostPort(config[section].listen[0] ?? '')?.port
  if (tls === undefined && startTls === undefined) return undefined
  const host = config.domains.hostname
  return { host, ...(tls !== undefined && { tls }), ...(startTls !== undefined && { startTls }) }
}

/** True if mail programs can read or send here. */
function offersPrograms(config: Pick<Config, 'domains' | 'submission' | 'imap'>): boolean {
  return programPorts(config, 'imap') !== undefined || programPorts(config, 'submission') !== undefined
}

/** Hosts under which mail programs ask for the settings of a domain, by what they ask for. */
export function settingsHosts(domain: string): [autoconfig: string, autodiscover: string] {
  return [`autoconfig.${domain}`, `autodiscover.${domain}`]
}

/** Action for mail that can't be judged because DNS gives no answer (`smtp.dns_failure`). */
export function onDnsFailure({ smtp, domains }: Config): 'defer' | 'accept' {
  // A trial server under .localhost gets mail from this machine only, and often has no resolver.
  if (smtp.dns_failure === 'auto') return isLocalhost(domains.names[0] ?? '') ? 'accept' : 'defer'
  return smtp.dns_failure
}

/** The main process and its judging thread use two cores by themselves, at less cost. */
const CORES_WITHOUT_FRONTS = 2

/** Front processes for `smtp.processes`; the first core is for the process with the store. */
export function frontProcesses({ smtp }: Pick<Config, 'smtp'>, cores = availableParallelism()): number {
  if (smtp.processes !== 'auto') return smtp.processes
  return cores <= CORES_WITHOUT_FRONTS ? 0 : cores - 1
}

/** Threads for `smtp.judging_threads`; the first core is for the main thread. */
export function judgingThreads({ smtp }: Config): number {
  return smtp.judging_threads || Math.min(4, Math.max(1, availableParallelism() - 1))
}

/** Threads for costly mail of the API: at least two, so that one account does not delay another. They start on demand. */
export function mailThreads(): number {
  return Math.min(4, Math.max(2, availableParallelism() - 1))
}

/** Limits of parsing, the same for incoming and outgoing mail. */
export function parseLimits({ smtp }: Config) {
  return { maxHeaderBytes: smtp.max_header_bytes, maxParts: smtp.max_parts, maxDepth: smtp.max_depth }
}

/** The first domain; the service itself writes from there. */
export function primaryDomain({ domains }: Config): string {
  return domains.names[0] ?? domains.hostname
}

/** `server.name`, or the first domain. */
export function serviceName(config: Config): string {
  return config.server.name || primaryDomain(config)
}

/** Base URL without a trailing slash. */
export function baseUrl({ server }: Config): string {
  return server.base_url.replace(/\/+$/, '')
}

/** Limits of the receiver for one client and its network. */
export function clientRates({ smtp }: Config) {
  return {
    connectionsPerMinute: { address: smtp.connections_per_minute, network: smtp.connections_per_minute_per_network },
    messagesPerMinute: { address: smtp.messages_per_minute, network: smtp.messages_per_minute_per_network },
    badRecipientsPerHour: { address: smtp.bad_recipients_per_hour, network: smtp.bad_recipients_per_hour_per_network },
  }
}

/** Limits of the receiver for one session. */
export function sessionLimits({ smtp }: Config) {
  return {
    badRecipients: smtp.max_bad_recipients,
    commandErrors: smtp.max_command_errors,
    transactions: smtp.max_transactions,
  }
}

/** The external scanners. */
export function scanSettings({ scan, smtp }: Config) {
  return {
    clamav: scan.clamav,
    timeoutMs: scan.timeout_seconds * SECOND,
    maxBytes: smtp.max_message_bytes,
    concurrency: scan.concurrency,
    maxWaiting: scan.max_waiting,
    rspamd: scan.rspamd,
    rspamdTimeoutMs: scan.rspamd_timeout_seconds * SECOND,
  }
}

/** All listening addresses with the names of their settings. */
export function listeners({
  server,
  smtp,
  submission,
  imap,
}: Pick<Config, 'server' | 'smtp' | 'submission' | 'imap'>): { setting: string; address: string }[] {
  return [
    { setting: 'server.http', address: server.http },
    ...server.https.map((address) => ({ setting: 'server.https', address })),
    ...server.redirect.map((address) => ({ setting: 'server.redirect', address })),
    { setting: 'server.admin', address: server.admin },
    ...smtp.listen.map((address) => ({ setting: 'smtp.listen', address })),
    ...submission.listen.map((address) => ({ setting: 'submission.listen', address })),
    ...submission.listen_tls.map((address) => ({ setting: 'submission.listen_tls', address })),
    ...imap.listen.map((address) => ({ setting: 'imap.listen', address })),
    ...imap.listen_tls.map((address) => ({ setting: 'imap.listen_tls', address })),
  ]
}

/** Ports on which this server listens: what a stranger's link leads to must not be one of them. */
export const ownPorts = (config: Pick<Config, 'server' | 'smtp' | 'submission' | 'imap'>): ReadonlySet<number> =>
  new Set(listeners(config).flatMap(({ address }) => parseHostPort(address)?.port ?? []))

/** Host names under which the web is served by `server.https`, each with its https address; empty if a proxy serves it. */
export function webOrigins(config: Config): Map<string, string> {
  const { server, domains, smtp, tls } = config
  const { protocol, hostname, port, origin } = new URL(server.base_url)
  if (protocol !== 'https:') return new Map()
  const policies = smtp.mta_sts === 'off' ? [] : domains.names.map((name) => `mta-sts.${name}`)
  const settings = offersPrograms(config) ? domains.names.flatMap(settingsHosts) : []
  const others = [domains.hostname, ...policies, ...settings, ...tls.names].map((name) => name.toLowerCase())
  const all: [string, string][] = others.map((name) => [name, `https://${name}${port && `:${port}`}`])
  return new Map([[hostname, origin], ...all])
}

/** RFC 6761 §6.3: nothing under .localhost is reachable from elsewhere. */
export function isLocalhost(domain: string): boolean {
  return domain === 'localhost' || domain.endsWith('.localhost')
}

export interface ChangedSetting {
  /** `smtp.listen` */
  name: string
  /** True if a reload applies it. */
  reload: boolean
}

export function changedSettings(before: Config, after: Config): ChangedSetting[] {
  return sectionNames.flatMap((section) => {
    const [old, fresh] = [new Map(Object.entries(before[section])), new Map(Object.entries(after[section]))]
    return [...settingsOf(section)]
      .filter(([name]) => JSON.stringify(old.get(name)) !== JSON.stringify(fresh.get(name)))
      .map(([name, schema]) => ({ name: `${section}.${name}`, reload: wordsOf(schema).reload === true }))
  })
}
