/** Outbound mail: DKIM keys, routes and TLS policies, the relay with its notices and reports, and the operator's queue. */
import { BY_ITSELF } from '../../audit/types.js'
import { generateMissing, openDkimKeys } from '../../authentication/keys.js'
import { createRotation } from '../../authentication/rotation.js'
import { createSigner } from '../../authentication/sign.js'
import { isLocalhost, mayRelayOut, parseLimits, primaryDomain } from '../../config/derived.js'
import { readRoutes, readSmarthost } from '../../config/files.js'
import { createResolver } from '../../dns/resolver.js'
import { OwnDomains } from '../../lifecycle/domains/own-domains.js'
import { serviceAddressAt } from '../../lifecycle/claims/operator-mailbox.js'
import { createEndOfDeleted } from '../../lifecycle/deletion/outbound-mail.js'
import { SECOND } from '../../lib/clock.js'
import type { FollowUps } from '../../mailbox/delivery/follow-up.js'
import { startForwarding } from '../../relay/notices/forwarding.js'
import { startLetters } from '../../relay/notices/letters.js'
import { MtaSts } from '../../relay/mta-sts/mta-sts.js'
import { startNotices } from '../../relay/notices/notices.js'
import { createForgetHolds, createHoldBack, createHoldRules } from '../../relay/queue/holds.js'
import { startResuming } from '../../relay/queue/resuming.js'
import { exposeQueue } from '../../relay/operator/metrics.js'
import { StartedOperatorQueue } from '../../relay/operator/operator.js'
import { Courier } from '../../relay/delivery/courier.js'
import { Deliverer } from '../../relay/delivery/delivery.js'
import { createHandOver } from '../../relay/delivery/hand-over.js'
import { LocalDelivery } from '../../relay/delivery/local.js'
import { Relay } from '../../relay/delivery/relay.js'
import { createRouting } from '../../relay/routing/routes.js'
import { startReportReading } from '../../reporting/received/report-reading.js'
import { createSenderNotices } from '../../relay/delivery/sender-notices.js'
import { startSimulator } from '../../relay/delivery/simulator.js'
import { createDmarcCounts } from '../../reporting/sent/dmarc-counts.js'
import { startDmarcReports } from '../../reporting/sent/dmarc-reports.js'
import { createTlsCounts } from '../../reporting/sent/tls-counts.js'
import { startTlsReports } from '../../reporting/sent/tls-reports.js'
import { createReportReader } from '../../reporting/received/reader.js'
import type { Scanner } from '../../scan/types.js'
import { markKeysUsed } from '../../store/folder/data-folder.js'
import type { Ground } from './ground.js'
import type { AccountServices } from './account-services.js'
import type { MailServices } from './mail-services.js'
import type { Stops } from './stops.js'

export type Outbound = Awaited<ReturnType<typeof buildOutbound>>

export async function buildOutbound(
  ground: Ground,
  { accounts, operator }: AccountServices,
  { mailboxes, returnPaths, reports }: MailServices,
  scanner: Scanner,
  stops: Stops,
) {
  const { config, store, queue, clock, part, metrics, resolver } = ground
  const { server, domains, relay, scan, identity } = config
  const { isLocal: isLocalDomain, held } = ground.domains
  const limits = parseLimits(config)
  const { active, rest } = stops
  const log = part('dkim')

  const dkimKeys = await openDkimKeys({ files: ground.places.dkim, clock })
  const unsubscribe = ground.places.dkim.onChange(() => dkimKeys.reload())
  rest.push(async () => unsubscribe())
  for (const { domain, selector, zoneLine } of await generateMissing(dkimKeys, domains.names)) {
    // Names below .localhost are not in DNS (RFC 6761 §6.3).
    if (isLocalhost(domain)) log.info({ domain, selector }, 'made a DKIM key')
    else log.info({ domain, record: zoneLine }, 'made a DKIM key; publish its record')
  }
  try {
    await markKeysUsed({ dataDir: server.data_dir, dkimDir: domains.dkim_dir })
  } catch (err) {
    // Keys owned by another user can still sign.
    log.warn({ err }, 'the folder of DKIM keys could not be marked as used')
  }
  const rotation = createRotation({
    keys: dkimKeys,
    freshResolver: () => createResolver({ servers: server.dns, clock }),
    isInUse: isLocalDomain,
    onChange: (domain, change) =>
      ground.audit.record({ action: 'dkim.changed', actor: BY_ITSELF, subject: { domain }, reason: change }),
    log,
  })

  const ownDomains = new OwnDomains({
    store,
    clock,
    config,
    accounts,
    dkimKeys,
    freshResolver: () => createResolver({ servers: server.dns, clock }),
    held,
  })

  const isOpen = mayRelayOut(config)
  const tlsCounts =
    relay.tls_reports && isOpen ? createTlsCounts({ store, clock, isLocalDomain, log: part('tls') }) : undefined
  rest.push(async () => tlsCounts?.stop())
  const dmarcCounts =
    config.smtp.dmarc_reports && isOpen
      ? createDmarcCounts({ store, clock, isLocalDomain, log: part('dmarc') })
      : undefined
  rest.push(async () => dmarcCounts?.stop())
  const mtaSts =
    relay.mta_sts === 'off'
      ? undefined
      : new MtaSts({
          resolver,
          store,
          allowPrivateAddresses: relay.allow_private_addresses,
          tlsResults: tlsCounts,
          clock,
          log: part('relay'),
        })
  rest.push(async () => mtaSts?.stop())
  if (relay.dane === 'on' && !resolver.validates)
    part('relay').warn('relay.dane is on, and no resolver is believed on DNSSEC; see server.dns_validates')
  const simulator = startSimulator({ queue, mailboxes, isLocalDomain, clock, log: part('simulator') })
  active.push(() => simulator.stop())
  const holdRules = createHoldRules({ store })
  const signer = createSigner(dkimKeys)
  const hostname = domains.hostname
  const mainDomain = primaryDomain(config)
  const dane = relay.dane !== 'off' && resolver.validates
  const allowPrivateAddresses = relay.allow_private_addresses
  const ways = {
    resolver,
    mtaSts,
    dane,
    port: relay.port,
    hostname,
    allowPrivateAddresses,
    routes: await readRoutes(config),
    smarthost: await readSmarthost(config),
  }
  const routing = createRouting({ ...ways, tlsResults: tlsCounts })
  const uncountedRouting = createRouting({ ...ways, tlsResults: undefined })
  const connection = {
    hostname,
    connectTimeoutMs: relay.connect_timeout_seconds * SECOND,
    responseTimeoutMs: relay.response_timeout_seconds * SECOND,
  }
  const stopGraceMs = server.shutdown_seconds * SECOND
  const forwarding =
    identity.forward_operator_mail !== '' && isOpen
      ? startForwarding({
          queue,
          courier: new Courier({
            queue,
            routing,
            connection: { ...connection, tlsResults: tlsCounts },
            stopGraceMs,
            log: part('relay'),
          }),
          mailboxes,
          operatorMailboxId: operator.mailboxId,
          to: identity.forward_operator_mail,
          primaryDomain: mainDomain,
          signingKeys: (domain) => dkimKeys.signingKeys(domain),
          signer,
          isLocalDomain,
          clock,
          log: part('relay'),
        })
      : undefined
  active.push(async () => forwarding?.stop())
  const reportReading = startReportReading({
    queue,
    mailboxes,
    clock,
    operatorMailboxId: operator.mailboxId,
    forwarding,
    reports,
    read: createReportReader(limits),
    log: part('reports'),
  })
  active.push(() => reportReading.stop())
  const followUps: FollowUps = (delivery) => reportReading.followUp(delivery) ?? forwarding?.followUp(delivery)
  const local = new LocalDelivery({
    mailboxes,
    followUps,
    isLocalDomain,
    scanner,
    scanOnError: scan.on_error,
    parseLimits: limits,
    work: ground.work,
    hostname,
    clock,
    log: part('relay'),
  })
  const deliverer = new Deliverer({ ...connection, tlsResults: tlsCounts })
  const handOver = createHandOver({
    routing,
    deliverer,
    local,
    signer,
    returnPath: relay.return_path === 'message' ? returnPaths.addressFor : undefined,
    simulator,
    outbound: isOpen,
  })
  const relaying = new Relay({
    queue,
    mailboxes,
    routing,
    deliverer,
    handOver,
    checks: {
      holds: createHoldBack({ holds: holdRules, mailboxes }),
      endOfDeleted: createEndOfDeleted({ mailboxes }),
    },
    senderNotices: createSenderNotices({ mode: relay.sender_notices, hostname, parseLimits: limits, clock }),
    limits: { concurrency: relay.concurrency, perDestination: relay.per_destination, stopGraceMs },
    nodes: ground.nodes,
    clock,
    log: part('relay'),
    metrics,
  })
  active.push(() => relaying.stop())
  const resuming = startResuming({ queue, mailboxes, clock, log: part('relay') })
  active.push(() => resuming.stop())
  const courier = new Courier({
    queue,
    routing,
    local,
    connection: { ...connection, tlsResults: tlsCounts },
    stopGraceMs,
    log: part('relay'),
  })
  const notices = startNotices({
    queue,
    courier,
    signer,
    hostname,
    primaryDomain: mainDomain,
    holds: holdRules,
    clock,
    log: part('relay'),
  })
  active.push(() => notices.stop())
  const letterCourier = startLetters({
    store,
    courier,
    signer,
    serviceAddress: serviceAddressAt(mainDomain),
    holds: holdRules,
    clock,
    log: part('relay'),
  })
  active.push(() => letterCourier.stop())
  // RFC 8460 §3: sessions that carry reports are not reported on.
  const reportCourier = new Courier({
    queue,
    routing: uncountedRouting,
    local,
    connection,
    stopGraceMs,
    log: part('relay'),
  })
  const reporting = {
    queue,
    courier: reportCourier,
    signer,
    primaryDomain: mainDomain,
    clock,
    metrics,
    resolver,
  }
  const tlsReports =
    tlsCounts && startTlsReports({ ...reporting, counts: tlsCounts, hostname, allowPrivateAddresses, log: part('tls') })
  active.push(async () => tlsReports?.stop())
  const dmarcReports = dmarcCounts && startDmarcReports({ ...reporting, counts: dmarcCounts, log: part('dmarc') })
  active.push(async () => dmarcReports?.stop())
  const operatorQueue = new StartedOperatorQueue({
    queue,
    mailboxes,
    holds: holdRules,
    clock,
    route: async (domain) =>
      handOver.staysHere(domain) ? null : uncountedRouting.find(domain, { requireTls: false, anyTls: false }),
    forgetFailures: (domain) => relaying.forgetFailures(domain),
    log: part('queue'),
  })
  active.push(() => operatorQueue.stop())
  exposeQueue({ queue: operatorQueue, metrics, clock })
  return {
    dkim: { keys: dkimKeys, rotation },
    ownDomains,
    /** Reads reports on our domains, and forwards mail for the operator. */
    followUps,
    notices,
    /** Daily reports to other domains; each is undefined when none are sent. */
    reports: {
      tls: tlsReports,
      dmarc: dmarcReports,
      dmarcResults: dmarcCounts,
      /** Days with counts that are not reported yet. */
      tlsDays: tlsCounts && (async () => (await tlsCounts.endedDays()).length),
      dmarcDays: dmarcCounts && (async () => (await dmarcCounts.endedDays()).length),
    },
    mtaSts,
    operatorQueue,
    holds: { rules: holdRules, forget: createForgetHolds({ holds: holdRules, mailboxes }) },
    /** Destinations that get no attempts for now, after failures. */
    paused: { count: () => relaying.paused(), list: (limit: number) => relaying.pausedOnes(limit) },
    /** True if mail may leave this server. */
    isOpen,
  }
}
