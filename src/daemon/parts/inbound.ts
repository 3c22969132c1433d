/** Incoming mail: the intake of all sessions, and the sessions, in front processes or here. */
import type { Certificates } from '../../certificates/types.js'
import {
  clientRates,
  frontProcesses,
  judgingThreads,
  onDnsFailure,
  parseLimits,
  primaryDomain,
  scanSettings,
  sessionLimits,
} from '../../config/derived.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock.js'
import { requireHostPort } from '../../lib/host-port.js'
import { createSpamScore, spamModelOf } from '../../guard/verdict/spam.js'
import { startFronts } from '../../mx/fronts/fronts.js'
import type { FrontSettings } from '../../mx/fronts/settings.js'
import { createGreylist } from '../../mx/intake/greylist.js'
import { createIntakes, type Intakes } from '../../mx/intake/intake.js'
import { startJudges } from '../../mx/judging/judges.js'
import { shareOf } from '../../mx/limits/limits.js'
import { createMxServer } from '../../mx/session/server.js'
import type { Disk } from '../../observe/disk.js'
import { bufferedBytes } from '../../smtp/server/receive.js'
import type { Certificate } from '../../smtp/tls.js'
import { FRONT_PROCESS } from '../front/entry.js'
import type { Ground } from '../layers/ground.js'
import type { BuiltGuard } from '../layers/guard.js'
import { certificateOf } from './certificates.js'
import type { Loggers } from '../layers/loggers.js'
import type { Outbound } from '../layers/outbound.js'
import type { Scanners } from '../layers/scanners.js'
import type { MailServices } from '../layers/mail-services.js'
import type { Stops } from '../layers/stops.js'

interface InboundParts {
  guard: Pick<BuiltGuard, 'model'>
  mail: MailServices
  outbound: Outbound
  scanners: Scanners
  disk: Disk
  certificates: Certificates
  loggers: Loggers
}

interface Receiver {
  setCertificate(certificate: Certificate | undefined): void
  close(graceMs: number): Promise<void>
}

export async function startInbound(ground: Ground, parts: InboundParts, stops: Stops): Promise<void> {
  const { config } = ground
  const { certificates } = parts
  const { hostname } = config.domains
  const intakes = buildIntakes(ground, parts)
  const count = frontProcesses(config)
  const shown = certificateOf(certificates, hostname)
  const receiver: Receiver =
    count > 0
      ? await startInFronts(ground, parts, intakes, { count, certificate: shown })
      : await startHere(ground, parts, intakes, shown, stops)
  stops.active.push(() => receiver.close(config.server.shutdown_seconds * SECOND))
  certificates.onChange(() => receiver.setCertificate(certificateOf(certificates, hostname)))
}

function buildIntakes(
  { config, store, domains, shared, clock, part, metrics }: Ground,
  { guard, mail, outbound, scanners, disk }: InboundParts,
): Intakes {
  const { smtp, scan } = config
  const { mailboxes, returns, receipts } = mail
  const { followUps, notices, isOpen, reports } = outbound
  return createIntakes({
    names: {
      hostname: config.domains.hostname,
      primaryDomain: primaryDomain(config),
      isLocalDomain: domains.isLocal,
      look: domains.own,
    },
    limits: limitsOf(config),
    rates: clientRates(config),
    shared,
    greylist: smtp.greylist
      ? createGreylist({
          store,
          clock,
          delayMs: smtp.greylist_minutes * MINUTE,
          retryMs: smtp.greylist_retry_hours * HOUR,
          knownMs: smtp.greylist_days * DAY,
        })
      : undefined,
    disk,
    policy: {
      scanOnError: scan.on_error,
      dmarcReject: smtp.dmarc_reject,
      ownDomain: smtp.own_domain_spoofing,
      dnsFailure: onDnsFailure(config),
    },
    spamLines: spamLinesOf(config),
    spamScore: createSpamScore({ lines: spamLinesOf(config), model: spamModelOf(guard.model) }),
    scannerEnabled: () => scanners.scanner.enabled,
    delivering: { mailboxes, returns, followUps, notices: isOpen ? notices : undefined },
    records: { receipts, dmarcResults: reports.dmarcResults },
    clock,
    log: part('mx'),
    metrics,
  })
}

async function startInFronts(
  { config, part, metrics }: Ground,
  { outbound, loggers }: InboundParts,
  intakes: Intakes,
  { count, certificate }: { count: number; certificate: Certificate | undefined },
): Promise<Receiver> {
  const { server, smtp } = config
  const limits = limitsOf(config)
  const scan = scanSettings(config)
  const settings: Omit<FrontSettings, 'certificate'> = {
    ...sessionSettings(config, outbound),
    // What is limited in total is shared.
    limits: { ...limits, maxBufferedBytes: shareOf(bufferedBytes(limits), count, smtp.max_message_bytes) },
    scan: { ...scan, concurrency: Math.ceil(scan.concurrency / count), maxWaiting: Math.ceil(scan.maxWaiting / count) },
    dns: { servers: server.dns, validates: server.dns_validates },
    limitsMail: smtp.messages_per_minute > 0 || smtp.messages_per_minute_per_network > 0,
    parseLimits: parseLimits(config),
    spamLines: spamLinesOf(config),
    logLevel: server.log_level,
  }
  const fronts = await startFronts({
    count,
    entry: FRONT_PROCESS,
    settings,
    certificate,
    intakes,
    log: part('mx'),
    metrics,
  })
  loggers.onLevel((level) => fronts.setLevel(level))
  return fronts
}

async function startHere(
  { config, resolver, clock, part, metrics }: Ground,
  { outbound, scanners }: InboundParts,
  intakes: Intakes,
  tls: Certificate | undefined,
  stops: Stops,
): Promise<Receiver> {
  const judges = await startJudges({
    count: judgingThreads(config),
    options: {
      dnsServers: config.server.dns,
      authservId: config.domains.hostname,
      parseLimits: parseLimits(config),
      spamLines: spamLinesOf(config),
    },
    log: part('mx'),
  })
  stops.rest.push(() => judges.close())
  const { dnsbl, ...settings } = sessionSettings(config, outbound)
  const mx = createMxServer({
    ...settings,
    limits: limitsOf(config),
    clients: { resolver, dnsbl },
    judging: { judge: judges.judge, collect: judges.collect, scanner: scanners.scanner, filter: scanners.rspamd },
    intakeFor: intakes.for,
    keepsReceipts: true,
    tls,
    clock,
    log: part('mx'),
    metrics,
  })
  await mx.listen()
  return mx
}

function sessionSettings(config: Ground['config'], { isOpen }: Outbound) {
  const { domains, smtp } = config
  return {
    listen: smtp.listen.map(requireHostPort),
    hostname: domains.hostname,
    sessionLimits: sessionLimits(config),
    dnsbl: { zones: smtp.dnsbl, action: smtp.dnsbl_action },
    dsn: isOpen,
  }
}

function limitsOf({ smtp }: Ground['config']) {
  return {
    maxMessageBytes: smtp.max_message_bytes,
    maxHeaderBytes: smtp.max_header_bytes,
    maxRecipients: smtp.max_recipients,
    maxConnections: smtp.max_connections,
    maxConnectionsPerAddress: smtp.max_connections_per_address,
    maxConnectionsPerNetwork: smtp.max_connections_per_network,
    maxReceived: smtp.max_received,
  }
}

function spamLinesOf({ scan }: Ground['config']) {
  return { spam: scan.spam_score, reject: scan.reject_score }
}
