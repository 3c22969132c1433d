/** All checks of `restante doctor` by id. */
import type { DkimKeyInfo } from '../../authentication/keys.js'
import type { smtpCertificate, WantedName } from '../../certificates/stored.js'
import { offersStartTls } from '../../config/derived.js'
import type { Config } from '../../config/schema.js'
import { LookupError, type Resolver } from '../../dns/types.js'
import type { Clock } from '../../lib/clock.js'
import { parseHostPort, requireHostPort, type HostPort } from '../../lib/host-port.js'
import { isPublicAddress } from '../../lib/ip.js'
import { messageOf } from '../../lib/thrown.js'
import { publishedPolicy } from '../../publish/mta-sts.js'
import { domainRecords, hostRecords } from '../../publish/records.js'
import type { RecordKind } from '../../publish/types.js'
import { bucketProblem } from '../blobs/open-blobs.js'
import { createClamd, parseTarget } from '../../scan/clamd.js'
import { readBackupStatus } from '../backup/status.js'
import { checkBackups } from './backups.js'
import { checkBlockLists } from './block-lists.js'
import { checkClock, clockElsewhere, type ClockSigns } from './clock.js'
import { checkInodes, checkSpace, roomOf, type Room } from './disk.js'
import type { Facts } from './facts.js'
import { checkDataFolder, checkLock, checkNamedFiles, checkSecretFiles } from './files.js'
import { about, failed, ok, skipped } from './finding.js'
import { checkHeld, checkOperator, checkPaused, checkQueue, checkReports, checkWebhooks } from './mail.js'
import type { Machine } from './machine.js'
import { addressesOf, checkAddresses, checkInward, checkOutward, checkPorts, checkReverse } from './network.js'
import { askHttp, greet, isListening, showStartTls, showTls } from './probes.js'
import { probeProgram } from './program-probe.js'
import { checkPrograms } from './programs.js'
import { checkPublished } from './records.js'
import { checkAnswers, checkDnssec, checkOwnResolver } from './resolver.js'
import { checkBaseUrl, checkBlobs, checkClamav, checkProviders, checkRspamd, type Asked } from './services.js'
import { checkDaemonVersion, checkMemory, checkNatives, checkNode, checkOpenFiles, checkUnit } from './software.js'
import { checkOrders, checkServedCertificate, checkSmtpCertificate, checkWebCertificate } from './tls.js'
import type { Check, Finding, Group } from './types.js'

export interface DoctorDeps {
  config: Config
  clock: Clock
  /** Version of this installation. */
  version: string
  resolver: Resolver
  /** Trusts its servers to validate DNSSEC, whatever server.dns_validates says. */
  trustingResolver: Pick<Resolver, 'checked'>
  machine: Machine
  /** Facts of the running daemon, or the reason of their absence. */
  facts: Facts | { missing: string }
  dkimKeys: () => Promise<readonly DkimKeyInfo[]>
  /** The certificate for STARTTLS. */
  smtpCertificate: () => ReturnType<typeof smtpCertificate>
  /** Names that need a certificate from the authority. */
  wantedNames: () => Promise<WantedName[]>
  /** Also connect to external mail servers. */
  outward: boolean
  /** ` --config DIR`, by which another command finds the same settings; '' for none. */
  commandOptions: string
  room?: (dir: string) => Promise<Room>
}

/** By id. */
type Checks = Record<`${Group}.${string}`, Check['run']>

const RECORDS: readonly (readonly [id: keyof Checks, kind: RecordKind])[] = [
  ['dns.mx', 'mx'],
  ['dns.spf', 'spf'],
  ['dns.dkim', 'dkim'],
  ['dns.dmarc', 'dmarc'],
  ['dns.mta_sts', 'mta-sts'],
  ['dns.mta_sts_policy', 'mta-sts-host'],
  ['dns.tls_rpt', 'tls-rpt'],
  ['dns.tlsa', 'tlsa'],
  ['dns.mail_programs', 'srv'],
  ['dns.autoconfig', 'settings-host'],
]

export function allChecks(deps: DoctorDeps): Check[] {
  const checks: Checks = {
    'settings.load': async () => ok('the settings are valid, and every file they name exists'),
    'settings.files': () => checkNamedFiles(deps.config),
    ...fileChecks(deps),
    ...machineChecks(deps),
    ...fromOutside(deps, dnsChecks(deps)),
    ...portCheck(deps),
    ...fromOutside(deps, networkChecks(deps)),
    ...tlsChecks(deps),
    ...serviceChecks(deps),
    ...mailChecks(deps),
  }
  return Object.entries(checks).map(([id, run]) => ({ id, run }))
}

function fileChecks(deps: DoctorDeps): Checks {
  const { config, clock, facts, room = roomOf, machine, commandOptions } = deps
  const { data_dir: dir, min_free_bytes: least } = config.server
  const uid = isMissing(facts) ? undefined : (facts.uid ?? undefined)
  const withFolder = (check: () => Promise<Finding>) => async (): Promise<Finding> =>
    (await machine.writtenAt(dir)) === undefined ? skipped('there is no data folder yet') : check()
  return {
    'files.data_folder': () => checkDataFolder(dir, uid),
    'files.secrets': () => checkSecretFiles(config),
    'files.lock': () => checkLock(dir, !isMissing(facts)),
    'files.space': withFolder(async () => checkSpace(await room(dir), dir, least)),
    'files.inodes': withFolder(async () => checkInodes(await room(dir), dir)),
    'files.backups': withFolder(async () =>
      checkBackups(await readBackupStatus(dir), config.backup, clock.now(), commandOptions),
    ),
  }
}

function machineChecks({ config, clock, machine, facts, version, resolver }: DoctorDeps): Checks {
  const ask = askThrough(resolver)
  const known = isMissing(facts) ? undefined : facts
  return {
    async 'machine.clock'(signal) {
      const past: { what: string; at: number }[] = []
      for (const what of [`${machine.installation}/package.json`, `${config.server.data_dir}/store`]) {
        const at = await machine.writtenAt(what)
        if (at !== undefined) past.push({ what, at })
      }
      const [timedatectl, elsewhere] = await Promise.all([machine.timedatectl(signal), dateElsewhere(config, ask)])
      return checkClock({ now: clock.now(), timedatectl, past, elsewhere })
    },
    'machine.node': async () => checkNode(known?.node ?? process.version, clock.now()),
    'machine.binaries': async () =>
      checkNatives(await machine.natives(), machine.installation, config.server.http_driver),
    'machine.unit': async () => checkUnit(await machine.units(), known),
    'machine.daemon': ofDaemon(facts, (running) => checkDaemonVersion(running.version, version)),
    'machine.open_files': ofDaemon(facts, ({ open_files_limit: limit }) => checkOpenFiles(limit, config)),
    'machine.memory': async () => checkMemory(known?.memory_limit_bytes ?? null, machine.totalMemory()),
  }
}

function dnsChecks(deps: DoctorDeps): Checks {
  const { config, resolver, dkimKeys, smtpCertificate } = deps
  const records = once(async () => {
    const [keys, certificate] = await Promise.all([dkimKeys(), smtpCertificate()])
    return [
      ...config.domains.names.flatMap((domain) => domainRecords(config, domain, keys)),
      ...hostRecords(config, certificate?.cert),
    ]
  })
  return {
    'resolver.answers': () => checkAnswers(resolver, { elapsed: () => performance.now() }),
    'resolver.dnssec': () => checkDnssec(deps.trustingResolver, { isTrusted: resolver.validates }),
    'resolver.own': async () => checkOwnResolver(config.server.dns),
    'dns.addresses': () => checkAddresses(addressDeps(deps)),
    'dns.reverse': () => checkReverse(addressDeps(deps)),
    ...Object.fromEntries(RECORDS.map(([id, kind]) => [id, async () => checkPublished(deps, await records(), kind)])),
  }
}

function portCheck({ config, facts }: DoctorDeps): Checks {
  return {
    'network.ports': async () =>
      isMissing(facts)
        ? checkPorts(config, async (address) => {
            const here = reachable(address)
            return here !== undefined && isListening(here)
          })
        : ok('the daemon itself listens there'),
  }
}

function networkChecks({ config, resolver, facts, machine, outward }: DoctorDeps): Checks {
  return {
    'network.inward': () => checkInward(config, { resolver, isRunning: !isMissing(facts), greet }),
    'network.outward': () => checkOutward(outward ? requireHostPort(config.doctor.outward) : undefined, greet, config),
    'network.mail_programs': () =>
      checkPrograms(config, {
        resolver,
        isRunning: !isMissing(facts),
        probe: (service, address) => probeProgram(service, address),
      }),
    async 'network.block_lists'() {
      const addresses = [...(await addressesOf(resolver, config.domains.hostname)), ...machine.addresses()]
      return checkBlockLists(config.doctor.block_lists, [...new Set(addresses.filter(isPublicAddress))], resolver)
    },
  }
}

function tlsChecks({ config, clock, resolver, facts, smtpCertificate, wantedNames }: DoctorDeps): Checks {
  const { hostname } = config.domains
  return {
    'tls.smtp': async () =>
      isTryOut(config) && !offersStartTls(config)
        ? skipped(TRY_OUT)
        : checkSmtpCertificate({
            hostname,
            files: await smtpCertificate(),
            acme:
              config.smtp.tls_cert === '' && config.tls.acme !== ''
                ? (await wantedNames()).find(({ name }) => name === hostname)
                : undefined,
            now: clock.now(),
            isEnforced: publishedPolicy(config)?.mode === 'enforce',
          }),
    async 'tls.smtp_shown'() {
      const certificate = await smtpCertificate()
      const [listener] = config.smtp.listen
      const here = listener === undefined ? undefined : reachable(listener)
      const isAsked = certificate !== undefined && here !== undefined && !isMissing(facts)
      return checkServedCertificate(certificate?.cert, isAsked ? await showStartTls(here, hostname) : undefined)
    },
    'tls.orders': async () => checkOrders(await wantedNames()),
    'tls.web': () =>
      checkWebCertificate(config, {
        now: clock.now(),
        async ask(host, port) {
          const address = await oneAddress(resolver, host)
          return address === undefined ? { problem: `${host} has no address` } : showTls(host, port, address)
        },
      }),
  }
}

function serviceChecks({ config, clock, resolver, facts }: DoctorDeps): Checks {
  const { scan, server } = config
  const ask = askThrough(resolver)
  return {
    'services.blobs': async () =>
      checkBlobs(config.blobs, config.blobs.url === '' ? undefined : await bucketProblem(config, clock)),
    'services.clamav': async (signal) =>
      checkClamav(scan, scan.clamav === '' ? undefined : await clamdVersion(scan.clamav, signal), clock.now()),
    async 'services.rspamd'() {
      if (scan.rspamd === '') return checkRspamd(scan, undefined)
      const base = /^https?:/i.test(scan.rspamd) ? scan.rspamd : `http://${scan.rspamd}`
      return checkRspamd(scan, await ask(new URL('/ping', base).href))
    },
    'services.identity': () => checkProviders(config, ask),
    // The certificate is checked by tls.web.
    'services.base_url': async () =>
      checkBaseUrl(config, isMissing(facts) ? undefined : await ask(`${server.base_url}/healthz`, false)),
  }
}

function mailChecks({ config, clock, facts, commandOptions: options }: DoctorDeps): Checks {
  return {
    'mail.queue': ofDaemon(facts, (running) => checkQueue(running, clock.now(), options)),
    'mail.paused': ofDaemon(facts, (running) => checkPaused(running, options)),
    'mail.held': ofDaemon(facts, (running) => checkHeld(running, clock.now(), options)),
    'mail.webhooks': ofDaemon(facts, (running) => checkWebhooks(running, options)),
    'mail.reports': ofDaemon(facts, (running) => checkReports(running, options)),
    'mail.operator': async () => checkOperator(config, isMissing(facts) ? undefined : facts),
  }
}

const TRY_OUT = 'domains under .localhost are not in DNS, and are reachable from this machine only'

/** RFC 6761 §6.3. */
function isTryOut({ domains }: Config): boolean {
  return domains.names.every((name) => name === 'localhost' || name.endsWith('.localhost'))
}

/** Checks from outside, skipped for a server that only this machine reaches. */
function fromOutside({ config }: DoctorDeps, checks: Checks): Checks {
  return isTryOut(config)
    ? Object.fromEntries(Object.keys(checks).map((id) => [id, async () => skipped(TRY_OUT)]))
    : checks
}

type Ask = (url: string, verify?: boolean) => Promise<Asked>

function askThrough(resolver: Resolver): Ask {
  return async (url, verify = true) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const address = await oneAddress(resolver, host)
    return address === undefined ? { problem: `${host} has no address` } : askHttp(url, address, verify)
  }
}

/** Without a check of the certificate: with a wrong clock none is valid. */
async function dateElsewhere(config: Config, ask: Ask): Promise<ClockSigns['elsewhere']> {
  const url = clockElsewhere(config)
  const answer = url && (await ask(url.href, false))
  return answer && 'text' in answer && answer.date !== undefined ? { host: url.host, at: answer.date } : undefined
}

function ofDaemon(facts: DoctorDeps['facts'], check: (facts: Facts) => Finding): Check['run'] {
  return async () => (isMissing(facts) ? skipped(facts.missing) : check(facts))
}

function isMissing(facts: DoctorDeps['facts']): facts is { missing: string } {
  return 'missing' in facts
}

function addressDeps({ config, resolver, machine }: DoctorDeps) {
  const { hostname } = config.domains
  return { hostname, resolver, own: machine.addresses(), allowPrivate: config.relay.allow_private_addresses }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function oneAddress(resolver: Resolver, host: string): Promise<string | undefined> {
  if (parseHostPort(`${host}:1`) === undefined || /^[\d.]+$/.test(host)) return host
  try {
    return (await addressesOf(resolver, host))[0]
  } catch (error) {
    if (error instanceof LookupError) return undefined
    throw error
  }
}

/** A listener on every address is reached on the loopback one. */
function reachable(listener: string): HostPort | undefined {
  const parsed = parseHostPort(listener)
  if (parsed?.host === '0.0.0.0') return { ...parsed, host: '127.0.0.1' }
  return parsed?.host === '::' ? { ...parsed, host: '::1' } : parsed
}

async function clamdVersion(address: string, signal: AbortSignal): Promise<Asked> {
  const clamd = createClamd({ target: parseTarget(address), idleMs: 1, maxUses: 1 })
  try {
    return { text: await clamd.version(signal) }
  } catch (error) {
    return { problem: messageOf(error) }
  } finally {
    clamd.close()
  }
}

/** The only check when the settings are wrong: all others depend on them. */
export function wrongSettings(problems: readonly { where: string; problem: string }[]): Check[] {
  const run: Check['run'] = async () => problems.map(({ where, problem }) => about(where, failed(problem)))
  return [{ id: 'settings.load', run }]
}
