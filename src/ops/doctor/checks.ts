/** All checks, each with the name by which it is known and with what it is handed. The one list: what `restante doctor` shows is made from it. */
import type { DkimKeyInfo } from '../../authentication/keys.js'
import { smtpCertificate, wantedNames } from '../../certificates/from-disk.js'
import { offersStartTls } from '../../config/derived.js'
import type { Config } from '../../config/schema.js'
import { LookupError, type Resolver } from '../../dns/types.js'
import type { Clock } from '../../lib/clock.js'
import { parseHostPort, requireHostPort, type HostPort } from '../../lib/host-port.js'
import { isPublicAddress } from '../../lib/ip.js'
import { publishedPolicy } from '../../publish/mta-sts.js'
import { domainRecords, hostRecords, type RecordKind } from '../../publish/records.js'
import { createClamd, parseTarget } from '../../scan/clamd.js'
import { readBackupStatus } from '../backup/status.js'
import { checkBackups } from './backups.js'
import { checkBlockLists } from './block-lists.js'
import { checkClock, clockElsewhere, type ClockSigns } from './clock.js'
import { checkInodes, checkSpace, roomOf, type Room } from './disk.js'
import type { Facts } from './facts.js'
import { checkDataFolder, checkLock, checkNamedFiles, checkSecretFiles } from './files.js'
import { failed, ok, skipped } from './finding.js'
import { checkHeld, checkOperator, checkPaused, checkQueue, checkReports, checkWebhooks } from './mail.js'
import type { Machine } from './machine.js'
import { addressesOf, checkAddresses, checkInward, checkOutward, checkPorts, checkReverse } from './network.js'
import { askHttp, greet, isListening, showStartTls, showTls } from './probes.js'
import { checkPublished } from './records.js'
import { checkAnswers, checkDnssec, checkOwnResolver } from './resolver.js'
import { checkBaseUrl, checkClamav, checkProviders, checkRspamd, type Asked } from './services.js'
import { checkDaemonVersion, checkMemory, checkNatives, checkNode, checkOpenFiles, checkUnit } from './software.js'
import { checkOrders, checkServedCertificate, checkSmtpCertificate, checkWebCertificate } from './tls.js'
import type { Check, Finding } from './types.js'

export interface DoctorDeps {
  config: Config
  clock: Clock
  /** Installed. */
  version: string
  resolver: Resolver
  /** Believes its servers on DNSSEC, whatever server.dns_validates says. */
  believingResolver: Pick<Resolver, 'checked'>
  machine: Machine
  /** Facts of the running daemon, or the reason of their absence. */
  facts: Facts | { missing: string }
  dkimKeys: () => Promise<readonly DkimKeyInfo[]>
  /** Also connect to external mail servers. */
  outward: boolean
  /** ` --config DIR`, by which another command finds the same settings; '' for none. */
  commandOptions: string
  room?: (dir: string) => Promise<Room>
}

const RECORDS: readonly (readonly [kind: RecordKind, id: Check['id']])[] = [
  ['mx', 'dns.mx'],
  ['spf', 'dns.spf'],
  ['dkim', 'dns.dkim'],
  ['dmarc', 'dns.dmarc'],
  ['mta-sts', 'dns.mta_sts'],
  ['mta-sts-host', 'dns.mta_sts_policy'],
  ['tls-rpt', 'dns.tls_rpt'],
  ['tlsa', 'dns.tlsa'],
]

export function allChecks(deps: DoctorDeps): Check[] {
  return [
    { id: 'settings.load', run: async () => ok('the settings are right, and every file they name is there') },
    { id: 'settings.files', run: () => checkNamedFiles(deps.config) },
    ...fileChecks(deps),
    ...machineChecks(deps),
    ...fromOutside(deps, dnsChecks(deps)),
    portCheck(deps),
    ...fromOutside(deps, networkChecks(deps)),
    ...tlsChecks(deps),
    ...serviceChecks(deps),
    ...mailChecks(deps),
  ]
}

function fileChecks({ config, clock, facts, room = roomOf, machine, commandOptions: options }: DoctorDeps): Check[] {
  const { data_dir: dir, min_free_bytes: least } = config.server
  const uid = isMissing(facts) ? undefined : (facts.uid ?? undefined)
  const withRoom = (look: (room: Room) => Finding) => async (): Promise<Finding> =>
    (await machine.writtenAt(dir)) === undefined ? skipped('there is no data folder yet') : look(await room(dir))
  return [
    { id: 'files.data_folder', run: () => checkDataFolder(dir, uid) },
    { id: 'files.secrets', run: () => checkSecretFiles(config) },
    { id: 'files.lock', run: () => checkLock(dir, !isMissing(facts)) },
    { id: 'files.space', run: withRoom((found) => checkSpace(found, dir, least)) },
    { id: 'files.inodes', run: withRoom((found) => checkInodes(found, dir)) },
    {
      id: 'files.backups',
      run: async () =>
        (await machine.writtenAt(dir)) === undefined
          ? skipped('there is no data folder yet')
          : checkBackups(await readBackupStatus(dir), config.backup, clock.now(), options),
    },
  ]
}

function machineChecks({ config, clock, machine, facts, version, resolver }: DoctorDeps): Check[] {
  const ask = askThrough(resolver)
  const known = isMissing(facts) ? undefined : facts
  return [
    {
      id: 'machine.clock',
      async run(signal) {
        const past: { what: string; at: number }[] = []
        for (const what of [`${machine.installation}/package.json`, `${config.server.data_dir}/store`]) {
          const at = await machine.writtenAt(what)
          if (at !== undefined) past.push({ what, at })
        }
        const [timedatectl, elsewhere] = await Promise.all([machine.timedatectl(signal), dateElsewhere(config, ask)])
        return checkClock({ now: clock.now(), timedatectl, past, elsewhere })
      },
    },
    { id: 'machine.node', run: async () => checkNode(known?.node ?? process.version, clock.now()) },
    {
      id: 'machine.binaries',
      run: async () => checkNatives(await machine.natives(), machine.installation, config.server.http_driver),
    },
    { id: 'machine.unit', run: async () => checkUnit(await machine.units(), known) },
    { id: 'machine.daemon', run: ofDaemon(facts, (told) => checkDaemonVersion(told.version, version)) },
    { id: 'machine.open_files', run: ofDaemon(facts, (told) => checkOpenFiles(told.open_files_limit, config)) },
    {
      id: 'machine.memory',
      run: async () => checkMemory(known?.memory_limit_bytes ?? null, machine.totalMemory()),
    },
  ]
}

function dnsChecks(deps: DoctorDeps): Check[] {
  const { config, resolver, dkimKeys } = deps
  const records = once(async () => {
    const [keys, certificate] = await Promise.all([dkimKeys(), smtpCertificate(config)])
    return [
      ...config.domains.names.flatMap((domain) => domainRecords(config, domain, keys)),
      ...hostRecords(config, certificate?.cert),
    ]
  })
  return [
    { id: 'resolver.answers', run: () => checkAnswers(resolver, { elapsed: () => performance.now() }) },
    {
      id: 'resolver.dnssec',
      run: () => checkDnssec(deps.believingResolver, { isBelieved: resolver.validates }),
    },
    { id: 'resolver.own', run: async () => checkOwnResolver(config.server.dns) },
    { id: 'dns.addresses', run: () => checkAddresses(addressDeps(deps)) },
    { id: 'dns.reverse', run: () => checkReverse(addressDeps(deps)) },
    ...RECORDS.map(([kind, id]): Check => {
      return { id, run: async () => checkPublished(deps, await records(), kind) }
    }),
  ]
}

function portCheck({ config, facts }: DoctorDeps): Check {
  return {
    id: 'network.ports',
    run: async () =>
      isMissing(facts)
        ? checkPorts(config, async (address) => {
            const here = reachable(address)
            return here !== undefined && isListening(here)
          })
        : ok('the daemon listens there itself'),
  }
}

function networkChecks({ config, resolver, facts, machine, outward }: DoctorDeps): Check[] {
  return [
    { id: 'network.inward', run: () => checkInward(config, { resolver, isRunning: !isMissing(facts), greet }) },
    {
      id: 'network.outward',
      run: () => checkOutward(outward ? requireHostPort(config.doctor.outward) : undefined, greet, config),
    },
    {
      id: 'network.block_lists',
      run: async () => {
        const addresses = [...(await addressesOf(resolver, config.domains.hostname)), ...machine.addresses()]
        return checkBlockLists(config.doctor.block_lists, [...new Set(addresses.filter(isPublicAddress))], resolver)
      },
    },
  ]
}

function tlsChecks({ config, clock, resolver, facts }: DoctorDeps): Check[] {
  const { hostname } = config.domains
  return [
    {
      id: 'tls.smtp',
      run: async () =>
        isTryOut(config) && !offersStartTls(config)
          ? skipped(TRY_OUT)
          : checkSmtpCertificate({
              hostname,
              files: await smtpCertificate(config),
              acme:
                config.smtp.tls_cert === '' && config.tls.acme !== ''
                  ? (await wantedNames(config)).find(({ name }) => name === hostname)
                  : undefined,
              now: clock.now(),
              isEnforced: publishedPolicy(config)?.mode === 'enforce',
            }),
    },
    {
      id: 'tls.smtp_shown',
      async run() {
        const certificate = await smtpCertificate(config)
        const [listener] = config.smtp.listen
        const here = listener === undefined ? undefined : reachable(listener)
        const isAsked = certificate !== undefined && here !== undefined && !isMissing(facts)
        return checkServedCertificate(certificate?.cert, isAsked ? await showStartTls(here, hostname) : undefined)
      },
    },
    { id: 'tls.orders', run: async () => checkOrders(await wantedNames(config)) },
    {
      id: 'tls.web',
      run: () =>
        checkWebCertificate(config, {
          now: clock.now(),
          async ask(host, port) {
            const address = await oneAddress(resolver, host)
            return address === undefined ? { problem: `${host} has no address` } : showTls(host, port, address)
          },
        }),
    },
  ]
}

function serviceChecks({ config, clock, resolver, facts }: DoctorDeps): Check[] {
  const { scan, server } = config
  const ask = askThrough(resolver)
  return [
    {
      id: 'services.clamav',
      run: async (signal) =>
        checkClamav(scan, scan.clamav === '' ? undefined : await clamdVersion(scan.clamav, signal), clock.now()),
    },
    {
      id: 'services.rspamd',
      run: async () =>
        checkRspamd(
          scan,
          scan.rspamd === ''
            ? undefined
            : await ask(new URL('/ping', /^https?:/i.test(scan.rspamd) ? scan.rspamd : `http://${scan.rspamd}`).href),
        ),
    },
    { id: 'services.identity', run: () => checkProviders(config, ask) },
    {
      id: 'services.base_url',
      // The certificate is checked by tls.web.
      run: async () =>
        checkBaseUrl(config, isMissing(facts) ? undefined : await ask(`${server.base_url}/healthz`, false)),
    },
  ]
}

function mailChecks({ config, clock, facts, commandOptions: options }: DoctorDeps): Check[] {
  return [
    { id: 'mail.queue', run: ofDaemon(facts, (told) => checkQueue(told, clock.now(), options)) },
    { id: 'mail.paused', run: ofDaemon(facts, (told) => checkPaused(told, options)) },
    { id: 'mail.held', run: ofDaemon(facts, (told) => checkHeld(told, clock.now(), options)) },
    { id: 'mail.webhooks', run: ofDaemon(facts, (told) => checkWebhooks(told, options)) },
    { id: 'mail.reports', run: ofDaemon(facts, (told) => checkReports(told, options)) },
    { id: 'mail.operator', run: async () => checkOperator(config, isMissing(facts) ? undefined : facts) },
  ]
}

const TRY_OUT = 'domains under .localhost are in no DNS, and only this machine reaches them'

/** RFC 6761 §6.3. */
function isTryOut({ domains }: Config): boolean {
  return domains.names.every((name) => name === 'localhost' || name.endsWith('.localhost'))
}

/** Checks from outside, skipped for a server that only this machine reaches. */
function fromOutside({ config }: DoctorDeps, checks: Check[]): Check[] {
  return isTryOut(config) ? checks.map(({ id }) => ({ id, run: async () => skipped(TRY_OUT) })) : checks
}

type Ask = (url: string, verify?: boolean) => Promise<Asked>

function askThrough(resolver: Resolver): Ask {
  return async (url, verify = true) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const address = await oneAddress(resolver, host)
    return address === undefined ? { problem: `${host} has no address` } : askHttp(url, address, verify)
  }
}

/** Certificates are not judged here: with a clock that is wrong none is valid. */
async function dateElsewhere(config: Config, ask: Ask): Promise<ClockSigns['elsewhere']> {
  const url = clockElsewhere(config)
  const answer = url && (await ask(url.href, false))
  return answer && 'text' in answer && answer.date !== undefined ? { host: url.host, at: answer.date } : undefined
}

function ofDaemon(facts: DoctorDeps['facts'], look: (facts: Facts) => Finding): Check['run'] {
  return async () => (isMissing(facts) ? skipped(facts.missing) : look(facts))
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
  if (parseHostPort(`${host}:1`) === undefined) return host
  if (/^[\d.]+$/.test(host)) return host
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
    return { problem: error instanceof Error ? error.message : String(error) }
  } finally {
    clamd.close()
  }
}

/** The only finding there is when the settings are wrong: everything else hangs on them. */
export function wrongSettings(problems: readonly { where: string; problem: string }[]): Check[] {
  return [
    {
      id: 'settings.load',
      run: async () => problems.map(({ where, problem }) => ({ ...failed(problem), subject: where })),
    },
  ]
}
