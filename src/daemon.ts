/**
 * The composition root: the one place that knows every part. It builds them from the settings in the order in which they need each other,
 * and stops them in the other one.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccounts } from './accounts/accounts.js'
import { createSuppressions } from './accounts/suppressions.js'
import { generateMissing, openDkimKeys } from './authentication/keys.js'
import type { DkimKeys } from './authentication/keys.js'
import { createRotation } from './authentication/rotation.js'
import { createSigner } from './authentication/sign.js'
import { createClaims } from './claims/claims.js'
import { ensureOperatorMailboxes } from './claims/operator.js'
import { changedSettings, guardLimits, judgingThreads, mayRelayOut, onDnsFailure } from './config/derived.js'
import { readCertificate, readRoutes, readSmarthost } from './config/files.js'
import { lockDataDir } from './config/lock.js'
import type { Config } from './config/schema.js'
import { openSecrets } from './config/secrets.js'
import { installedVersion } from './config/version.js'
import { createResolver } from './dns/resolver.js'
import { createRuleGuard } from './guard/rules.js'
import { startAdmin } from './http/admin/start.js'
import { createMcp } from './http/mcp/server.js'
import type { HttpRequest } from './http/message.js'
import { createHolds } from './http/limits.js'
import { startHttp } from './http/start.js'
import { startJobs } from './jobs/jobs.js'
import { DAY, HOUR, MINUTE, SECOND, systemClock } from './lib/clock.js'
import { requireHostPort } from './lib/host-port.js'
import { newId } from './lib/ids.js'
import { createIndexer } from './mailbox/indexer.js'
import { listMailboxes } from './mailbox/list.js'
import { createMailboxes } from './mailbox/mailboxes.js'
import { createReturnPaths } from './mailbox/return-path.js'
import { createReturns } from './mailbox/returned.js'
import { readMailbox } from './mailbox/record.js'
import { startJudges } from './mx/judges.js'
import { createGreylist } from './mx/greylist.js'
import { createMxServer } from './mx/server.js'
import type { MxServer } from './mx/server.js'
import type { Logger } from './observe/log.js'
import { watchDisk } from './observe/disk.js'
import { createMetrics } from './observe/metrics.js'
import { publishedPolicy } from './publish/mta-sts.js'
import { createReceipts } from './receipts/receipts.js'
import { startForwarding } from './relay/forwarding.js'
import { createMtaSts } from './relay/mta-sts.js'
import { startNotices } from './relay/notices.js'
import { createHoldBack } from './relay/queue/hold-back.js'
import { openHolds } from './relay/queue/holds.js'
import { exposeQueue } from './relay/queue/metrics.js'
import { startOperatorQueue } from './relay/queue/operator.js'
import { startRelay } from './relay/relay.js'
import { createTlsCounts } from './relay/tls-counts.js'
import { startTlsReports } from './relay/tls-reports.js'
import type { TlsReports } from './relay/tls-reports.js'
import { createRouteFinder } from './relay/queue/route-now.js'
import { startSimulator } from './relay/simulator.js'
import { RETRY_SPAN_MS } from './relay/schedule.js'
import { createSenderNotices } from './relay/sender-notices.js'
import { createClamavScanner } from './scan/clamav.js'
import { scannerOff } from './scan/off.js'
import { createRspamd } from './scan/rspamd.js'
import { openBlobs } from './store/blobs.js'
import { openLmdb } from './store/lmdb.js'
import { createStore } from './store/store.js'
import { createWorkQueue } from './store/work.js'

export interface DaemonDeps {
  config: Config
  /** Reads the settings again, for a reload. @throws ConfigError */
  reloadConfig: () => Config
  log: Logger
}

export interface Daemon {
  /**
   * Takes over the settings that can change while it runs, the DKIM keys and the certificate; the log says what needs a restart.
   *
   * @throws Error that says what is wrong; it is in the log too, and everything stays as it was
   */
  reload(): Promise<void>
  /** Takes no more connections, finishes what was accepted within `server.shutdown_seconds`, and closes the store. */
  stop(): Promise<void>
}

type Stop = () => Promise<unknown>

/** @throws Error that says what is in the way; what had started by then is stopped */
export async function startDaemon(deps: DaemonDeps): Promise<Daemon> {
  // What accepts and what works stops together, so that all of it ends within one grace period: work that is left is in the queue. What they
  // stand on follows, in the opposite order of its start.
  const active: Stop[] = []
  const rest: Stop[] = []
  const stop = once(async () => {
    await settle(active, deps.log)
    for (const part of rest.reverse()) await settle([part], deps.log)
  })
  try {
    const reload = await build(deps, active, rest)
    return { reload, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(deps: DaemonDeps, active: Stop[], rest: Stop[]): Promise<Daemon['reload']> {
  const { config, log } = deps
  const { server, domains, smtp, relay, scan, guard, limits, identity, retention, names } = config
  const clock = systemClock
  const version = installedVersion()
  const dataDir = server.data_dir
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  rest.push(await lockDataDir(dataDir))
  const secrets = await openSecrets(dataDir)
  const metrics = createMetrics()
  // A child keeps the level it was made with, so a reload has to reach each of them.
  const loggers = [log]
  const part = (name: string): Logger => {
    const child = log.child({ part: name })
    loggers.push(child)
    return child
  }

  const store = createStore(openLmdb({ path: join(dataDir, 'store') }))
  rest.push(() => store.close())
  const blobs = await openBlobs({ dir: join(dataDir, 'blobs'), clock })
  const queue = createWorkQueue({ store, clock })

  const resolver = createResolver({ servers: server.dns, validates: server.dns_validates, clock })
  rest.push(async () => resolver.close())
  const dkimKeys = await openDkimKeys({ dir: domains.dkim_dir, clock })
  for (const { domain, zoneLine } of await generateMissing(dkimKeys, domains.names))
    log.info({ domain, record: zoneLine }, 'made a DKIM key; publish its record')
  const rotation = createRotation({
    keys: dkimKeys,
    freshResolver: () => createResolver({ servers: server.dns, clock }),
    log: part('dkim'),
  })
  const scanParts = { clock, log: part('scan'), metrics }
  const clamav =
    scan.clamav === ''
      ? undefined
      : createClamavScanner({
          address: scan.clamav,
          timeoutMs: scan.timeout_seconds * SECOND,
          maxBytes: smtp.max_message_bytes,
          concurrency: scan.concurrency,
          maxWaiting: scan.max_waiting,
          ...scanParts,
        })
  rest.push(async () => clamav?.close())
  void clamav?.greet()
  const scanner = clamav ?? scannerOff
  const rspamd =
    scan.rspamd === ''
      ? undefined
      : createRspamd({ address: scan.rspamd, timeoutMs: scan.rspamd_timeout_seconds * SECOND, ...scanParts })
  rest.push(async () => rspamd?.close())

  const apiLimits = {
    requestsPerMinute: limits.requests_per_minute,
    bodyBytes: limits.body_bytes,
    recipientsPerMessage: limits.recipients_per_message,
    attachmentsPerMessage: limits.attachments_per_message,
    longPollSeconds: limits.long_poll_seconds,
    longPollsPerKey: limits.long_polls_per_key,
  }
  const accounts = createAccounts({
    store,
    clock,
    limits: {
      ...apiLimits,
      newRecipientsPerDay: limits.new_recipients_per_day,
      storageBytes: limits.storage_bytes,
      messageBytes: smtp.max_message_bytes,
    },
    mailbox: (id) => readMailbox(store, id),
    operator: identity.operator,
  })
  const suppressions = createSuppressions({ store, clock })
  const claims = createClaims({
    store,
    blobs,
    queue,
    clock,
    accounts,
    secret: secrets.challengeKey,
    domains: domains.names,
    baseUrl: server.base_url,
    difficulty: limits.claim_difficulty,
    reserved: names.reserved,
  })
  const operator = await ensureOperatorMailboxes({ store, accounts, domains: domains.names, clock })
  if (operator.taken.length > 0)
    log.warn({ addresses: operator.taken }, 'these addresses should be the operator’s and belong to somebody else')

  const parseLimits = { maxHeaderBytes: smtp.max_header_bytes, maxParts: smtp.max_parts, maxDepth: smtp.max_depth }
  const isLocalDomain = (domain: string): boolean => domains.names.includes(domain)
  const indexer = createIndexer({ store })
  const mailboxes = createMailboxes({
    store,
    blobs,
    queue,
    clock,
    accounts,
    suppressions,
    guard: createRuleGuard({ holdAt: guard.hold_score, blockAt: guard.block_score }),
    indexer,
    log: part('mailbox'),
    limits: {
      storageBytes: limits.storage_bytes,
      pendingStorageBytes: limits.pending_storage_bytes,
      recipientsPerMessage: limits.recipients_per_message,
      messageBytes: smtp.max_message_bytes,
      idempotencyMs: retention.idempotency_hours * HOUR,
    },
    parseLimits,
    isLocalDomain,
  })

  const returnPaths = createReturnPaths(secrets.returnPathKey)
  const returns = createReturns({ store, clock, returnPaths, mailboxes, retryMs: RETRY_SPAN_MS })

  const receipts = createReceipts({
    store,
    clock,
    retentionMs: retention.receipts_days * DAY,
    log: part('receipts'),
    metrics,
  })
  rest.push(() => receipts.stop())

  const outbound = mayRelayOut(config)
  const tlsCounts =
    relay.tls_reports && outbound ? createTlsCounts({ store, clock, isLocalDomain, log: part('tls') }) : undefined
  rest.push(async () => tlsCounts?.stop())
  let tlsReports: TlsReports | undefined
  const jobs = startJobs({
    store,
    blobs,
    queue,
    clock,
    mailboxes,
    claims,
    indexer,
    receipts,
    log: part('jobs'),
    retention: { eventsMs: retention.events_days * DAY },
    also: [
      { name: 'dkim', schedule: '17 * * * *', run: async () => ({ ...(await rotation.look()) }) },
      // Reports on TLS of the days that have ended; each leaves at a time of its own.
      {
        name: 'tls-reports',
        schedule: '9 * * * *',
        run: async (signal) => ({ ...(await tlsReports?.queueEnded(signal)) }),
      },
    ],
  })
  active.push(() => jobs.stop())
  const mtaSts =
    relay.mta_sts === 'off'
      ? undefined
      : createMtaSts({
          resolver,
          store,
          allowPrivateAddresses: relay.allow_private_addresses,
          tlsResults: tlsCounts,
          clock,
          log: part('relay'),
        })
  rest.push(async () => mtaSts?.stop())
  if (relay.dane === 'on' && !resolver.validates)
    log.warn('relay.dane is on, and no resolver is believed on DNSSEC; see server.dns_validates')
  const simulator = startSimulator({ queue, mailboxes, isLocalDomain, clock, log: part('simulator') })
  active.push(() => simulator.stop())
  const holdRules = await openHolds({ store })
  const relayDeps = {
    queue,
    mailboxes,
    resolver,
    signer: createSigner(dkimKeys),
    returnPath: relay.return_path === 'message' ? returnPaths.addressFor : undefined,
    senderNotices: createSenderNotices({
      mode: relay.sender_notices,
      hostname: domains.hostname,
      parseLimits,
      clock,
    }),
    scanner,
    scanOnError: scan.on_error,
    parseLimits,
    hostname: domains.hostname,
    isLocalDomain,
    outbound,
    tlsResults: tlsCounts,
    smarthost: await readSmarthost(config),
    routes: await readRoutes(config),
    mtaSts,
    dane: relay.dane !== 'off' && resolver.validates,
    port: relay.port,
    allowPrivateAddresses: relay.allow_private_addresses,
    concurrency: relay.concurrency,
    perDestination: relay.per_destination,
    timeouts: {
      connectMs: relay.connect_timeout_seconds * SECOND,
      responseMs: relay.response_timeout_seconds * SECOND,
    },
    stopGraceMs: server.shutdown_seconds * SECOND,
    clock,
    log: part('relay'),
    metrics,
  }
  const primaryDomain = domains.names[0] ?? domains.hostname
  const forwarding =
    identity.forward_operator_mail !== '' && relayDeps.outbound
      ? startForwarding({
          ...relayDeps,
          operatorMailboxId: operator.mailboxId,
          to: identity.forward_operator_mail,
          primaryDomain,
          signingKeys: (domain) => dkimKeys.signingKeys(domain),
        })
      : undefined
  active.push(async () => forwarding?.stop())
  const intake = { ...mailboxes, deliver: forwarding?.deliver ?? mailboxes.deliver }
  const holdBack = createHoldBack({ holds: holdRules, mailboxes })
  const relaying = startRelay({ ...relayDeps, mailboxes: intake, holds: holdBack, simulator })
  active.push(() => relaying.stop())
  const notices = startNotices({ ...relayDeps, mailboxes: intake, primaryDomain, holds: holdRules })
  active.push(() => notices.stop())
  if (tlsCounts) tlsReports = startTlsReports({ ...relayDeps, counts: tlsCounts, primaryDomain, log: part('tls') })
  active.push(async () => tlsReports?.stop())
  const operatorQueue = startOperatorQueue({
    ...relayDeps,
    holds: holdRules,
    route: createRouteFinder({ ...relayDeps, isSimulated: simulator.isFor }),
    forgetFailures: (domain) => relaying.forgetFailures(domain),
    log: part('queue'),
  })
  active.push(() => operatorQueue.stop())
  exposeQueue({ queue: operatorQueue, metrics, clock })

  const spamLines = { spam: scan.spam_score, reject: scan.reject_score }
  const judges = await startJudges({
    count: judgingThreads(config),
    options: { dnsServers: server.dns, authservId: domains.hostname, parseLimits, spamLines },
    log: part('mx'),
  })
  rest.push(() => judges.close())
  const disk = watchDisk({ dir: dataDir, minFreeBytes: server.min_free_bytes, clock, log: part('disk'), metrics })
  const mx = createMxServer({
    listen: smtp.listen.map(requireHostPort),
    hostname: domains.hostname,
    primaryDomain,
    isLocalDomain,
    mailboxes: intake,
    judge: judges.judge,
    scanner,
    maxHeaderBytes: smtp.max_header_bytes,
    notices: relayDeps.outbound ? notices : undefined,
    returns,
    filter: rspamd,
    spamLines,
    limits: {
      maxMessageBytes: smtp.max_message_bytes,
      maxRecipients: smtp.max_recipients,
      maxConnections: smtp.max_connections,
      maxConnectionsPerAddress: smtp.max_connections_per_address,
      maxConnectionsPerNetwork: smtp.max_connections_per_network,
      maxReceived: smtp.max_received,
    },
    guard: guardLimits(config),
    resolver,
    dnsbl: { zones: smtp.dnsbl, action: smtp.dnsbl_action },
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
    scanOnError: scan.on_error,
    dmarcReject: smtp.dmarc_reject,
    dnsFailure: onDnsFailure(config),
    tls: await readCertificate(config),
    clock,
    log: part('mx'),
    metrics,
    receipts,
  })
  active.push(() => mx.close(server.shutdown_seconds * SECOND))
  await mx.listen()

  const httpLog = part('http')
  if (smtp.mta_sts === 'enforce' && smtp.tls_cert === '')
    log.warn({}, 'smtp.mta_sts is "enforce" and has no effect: without smtp.tls_cert there is no TLS to insist on')
  const httpAnswers = metrics.counter('http_answers_total', 'Answers of the API by status.', ['status'])
  let ready = false
  const onError = (err: unknown, request: HttpRequest): void =>
    httpLog.error({ err, request_id: request.requestId, method: request.method }, 'request failed')
  const holds = createHolds(limits.long_polls_per_key)
  const mcp = createMcp({
    holds,
    mailboxes,
    claims,
    limits: apiLimits,
    version,
    allowedOrigins: [new URL(server.base_url).origin],
    maxBodyBytes: limits.body_bytes,
    newRequestId: () => newId('req'),
    onError: (err, requestId) => httpLog.error({ err, request_id: requestId }, 'tool failed'),
  })
  rest.push(() => mcp.close())
  const http = await startHttp({
    listen: requireHostPort(server.http),
    mailboxes,
    claims,
    accounts,
    suppressions,
    limits: apiLimits,
    baseUrl: server.base_url,
    version,
    ready: () => ready,
    diskIsLow: () => disk.isLow(),
    holds,
    mtaSts: { policy: publishedPolicy(config)?.text, domains: domains.names },
    mounts: [mcp.mount],
    onError,
    onAnswer: (_request, status) => httpAnswers.inc({ status }),
    warn: (message) => httpLog.warn(message),
    clock,
  })
  active.push(() => http.close(server.shutdown_seconds * SECOND))

  const reload = reloader(deps, { mx, dkimKeys, loggers })
  const admin = await startAdmin({
    listen: requireHostPort(server.admin),
    token: secrets.adminToken,
    claims,
    accounts,
    listMailboxes: () => listMailboxes(store),
    findMailbox: (wanted) => mailboxes.resolve(wanted),
    queue: operatorQueue,
    listReceipts: (query) => receipts.list(query),
    reload,
    lookAtDkimKeys: () => rotation.look(),
    metrics: () => metrics.render(),
    ready: () => ready,
    diskIsLow: () => disk.isLow(),
    onError,
    warn: (message) => httpLog.warn(message),
    clock,
  })
  active.push(() => admin.close(server.shutdown_seconds * SECOND))
  ready = true
  log.info(
    {
      version,
      http: server.http,
      admin: server.admin,
      smtp: smtp.listen,
      domains: domains.names,
      data_dir: dataDir,
      relays_out: outbound,
    },
    'ready',
  )
  return reload
}

function reloader(
  deps: DaemonDeps,
  parts: { mx: MxServer; dkimKeys: DkimKeys; loggers: Logger[] },
): () => Promise<void> {
  const { config: started, reloadConfig, log } = deps
  return async () => {
    try {
      // All is read before anything is taken over.
      const fresh = reloadConfig()
      const certificate = await readCertificate(fresh)
      await parts.dkimKeys.reload()
      parts.mx.setCertificate(certificate)
      for (const logger of parts.loggers) logger.level = fresh.server.log_level
      const changes = changedSettings(started, fresh)
      const named = (reload: boolean): string[] =>
        changes.filter((change) => change.reload === reload).map(({ name }) => name)
      log.info({ changed: named(true), needs_restart: named(false) }, 'reloaded')
    } catch (err) {
      log.error({ err }, 'reload refused; everything stays as it was')
      throw err
    }
  }
}

async function settle(stops: Stop[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(stops.map((stop) => stop()))
  for (const result of results)
    if (result.status === 'rejected') log.error({ err: result.reason }, 'a part did not stop as it should')
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= action())
}
