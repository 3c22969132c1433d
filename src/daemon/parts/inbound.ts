/** Incoming mail: the intake of all sessions, and the SMTP server with its judging threads. */
import type { Certificates } from '../../certificates/types.js'
import { clientRates, judgingThreads, onDnsFailure, parseLimits, primaryDomain, sessionLimits } from '../../config/derived.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock.js'
import { requireHostPort } from '../../lib/host-port.js'
import { createGreylist } from '../../mx/intake/greylist.js'
import { createIntakes } from '../../mx/intake/intake.js'
import { startJudges } from '../../mx/judging/judges.js'
import { createMxServer, type MxServer } from '../../mx/session/server.js'
import type { Disk } from '../../observe/disk.js'
import type { Certificate } from '../../smtp/tls.js'
import type { Ground } from '../layers/ground.js'
import type { Outbound } from '../layers/outbound.js'
import type { Scanners } from '../layers/scanners.js'
import type { MailServices } from '../layers/mail-services.js'
import type { Stops } from '../layers/stops.js'

export async function startInbound(
  ground: Ground,
  { mailboxes, returns, receipts }: MailServices,
  { followUps, notices, isOpen, reports }: Outbound,
  { scanner, rspamd }: Scanners,
  disk: Disk,
  certificates: Certificates,
  stops: Stops,
): Promise<MxServer> {
  const { config, store, clock, part, metrics, resolver } = ground
  const { server, domains, smtp, scan } = config
  const spamLines = { spam: scan.spam_score, reject: scan.reject_score }
  const judges = await startJudges({
    count: judgingThreads(config),
    options: { dnsServers: server.dns, authservId: domains.hostname, parseLimits: parseLimits(config), spamLines },
    log: part('mx'),
  })
  stops.rest.push(() => judges.close())
  const limits = {
    maxMessageBytes: smtp.max_message_bytes,
    maxHeaderBytes: smtp.max_header_bytes,
    maxRecipients: smtp.max_recipients,
    maxConnections: smtp.max_connections,
    maxConnectionsPerAddress: smtp.max_connections_per_address,
    maxConnectionsPerNetwork: smtp.max_connections_per_network,
    maxReceived: smtp.max_received,
  }
  const intakes = createIntakes({
    names: {
      hostname: domains.hostname,
      primaryDomain: primaryDomain(config),
      isLocalDomain: ground.domains.isLocal,
    },
    limits,
    rates: clientRates(config),
    greylist: smtp.greylist
      ? createGreylist({
          store,
          clock,
          delayMs: smtp.greylist_minutes * MINUTE,
          retryMs: smtp.greylist_retry_hours * HOUR,
          knownMs: smtp.greylist_days * DAY,
        })
      : undefined,
    disk: { isLow: async () => !(await disk.mayTakeMail()) },
    policy: {
      scanOnError: scan.on_error,
      dmarcReject: smtp.dmarc_reject,
      ownDomain: smtp.own_domain_spoofing,
      dnsFailure: onDnsFailure(config),
    },
    spamLines,
    scannerEnabled: () => scanner.enabled,
    delivering: { mailboxes, returns, followUps, notices: isOpen ? notices : undefined },
    records: { receipts, dmarcResults: reports.dmarcResults },
    clock,
    log: part('mx'),
  })
  metrics.gauge('mx_connections', 'Open connections to the receiver.', () => intakes.connections)
  const mx = createMxServer({
    listen: smtp.listen.map(requireHostPort),
    hostname: domains.hostname,
    limits,
    sessionLimits: sessionLimits(config),
    clients: { resolver, dnsbl: { zones: smtp.dnsbl, action: smtp.dnsbl_action } },
    judging: { judge: judges.judge, scanner, filter: rspamd },
    intakeFor: intakes.for,
    dsn: isOpen,
    keepsReceipts: true,
    tls: certificateOf(certificates, domains.hostname),
    clock,
    log: part('mx'),
    metrics,
  })
  stops.active.push(() => mx.close(server.shutdown_seconds * SECOND))
  certificates.onChange(() => mx.setCertificate(certificateOf(certificates, domains.hostname)))
  await mx.listen()
  return mx
}

/** The host's certificate, and others for clients that use another name (SNI). */
function certificateOf(certificates: Certificates, hostname: string): Certificate | undefined {
  const main = certificates.shownBy('smtp.tls_cert', hostname)
  if (!main) return undefined
  const others = certificates
    .all()
    .flatMap(({ names }) => names)
    .filter((name) => name !== hostname && !name.startsWith('*.') && !main.names.includes(name))
  return { ...main, byName: new Map(others.map((name) => [name, certificates.of(name) ?? main])) }
}
