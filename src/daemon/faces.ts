/** What is served over HTTP: the API, MCP and the pages for everybody, and the admin listener for the operator's commands. */
import { createSignInLinks } from '../accounts/sign-in-links.js'
import { createSignInStates } from '../accounts/sign-in-states.js'
import { createFailedSignIns } from '../audit/failed-sign-ins.js'
import type { CertificateDesk } from '../certificates/listing.js'
import type { Certificates, HttpChallenges } from '../certificates/types.js'
import { offersStartTls } from '../config/derived.js'
import { readProviders } from '../config/files.js'
import type { Removal } from '../lifecycle/deletion/mailbox-removal.js'
import type { Deletion } from '../lifecycle/deletion/types.js'
import { startAdmin } from '../admin/start.js'
import { clientOf } from '../http/limits/audited.js'
import { createHolds } from '../http/limits/long-polls.js'
import { createKeptAnswers } from '../http/answers/read-cache.js'
import { createLargeJson } from '../http/json/large-json.js'
import { createMcp } from '../api/mcp/server/server.js'
import { challengeOf } from '../api/oauth/metadata.js'
import type { HttpRequest } from '../http/message.js'
import type { Driver } from '../http/listener/types.js'
import { startHttp, type HttpDeps } from './public-http.js'
import { createProviders } from '../identity/providers.js'
import type { Exports } from '../lifecycle/export/types.js'
import { createRetentionReport } from '../jobs/retention.js'
import { SECOND } from '../lib/clock.js'
import { requireHostPort } from '../lib/host-port.js'
import { newId } from '../lib/ids.js'
import { listMailboxes } from '../mailbox/all-mailboxes.js'
import type { Reviewing } from '../mailbox/review/review.js'
import type { Disk } from '../observe/disk.js'
import { publishedPolicy } from '../publish/mta-sts.js'
import { DURATION_BUCKETS } from '../observe/metrics.js'
import { ownAddresses } from '../reporting/received/own-addresses.js'
import { createTrace } from '../ops/trace/trace.js'
import type { WebhookService } from '../webhooks/service.js'
import { startDay } from './day.js'
import { buildDoctor } from './doctor.js'
import type { Ground } from './ground.js'
import type { Backups } from '../ops/backup/backups.js'
import type { Outbound } from './outbound.js'
import type { Service } from './service.js'
import type { Stops } from './stops.js'
import { startRedirects, tlsOf } from './web.js'

export interface Faces {
  /** From now on the health check says ready. */
  open(): void
}

export async function startFaces(
  ground: Ground,
  service: Service,
  outbound: Outbound,
  {
    version,
    disk,
    exports,
    deletion,
    removal,
    reviewing,
    webhooks,
    backups,
    certificates,
    challenges,
    desk,
    reload,
    driver,
  }: {
    version: string
    disk: Disk
    exports: Exports
    deletion: Deletion
    removal: Removal
    reviewing: Reviewing
    webhooks: WebhookService
    backups: Backups
    certificates: Certificates
    challenges: HttpChallenges
    desk: CertificateDesk
    reload: () => Promise<void>
    driver: Driver
  },
  { active, rest }: Stops,
): Promise<Faces> {
  const { config, clock, secrets, metrics, store, log, part } = ground
  const { server, domains, smtp, limits } = config
  const { accounts, suppressions, claims, mailboxes, receipts, reports, apiLimits } = service
  const httpLog = part('http')
  if (smtp.mta_sts === 'enforce' && !offersStartTls(config))
    log.warn(
      {},
      'smtp.mta_sts is "enforce" and has no effect: without smtp.tls_cert or tls.acme there is no TLS to insist on',
    )
  const policy = publishedPolicy(config)
  const httpAnswers = metrics.counter('http_responses_total', 'Responses of the API by status.', ['status'], {
    formerly: 'http_answers_total',
  })
  const httpSeconds = metrics.histogram(
    'http_request_seconds',
    'From a request of the API to its answer; those that may be held open, as for events, are left out.',
    DURATION_BUCKETS,
  )
  let isReady = false
  const onError = (err: unknown, request: HttpRequest): void =>
    httpLog.error({ err, request_id: request.requestId, method: request.method }, 'request failed')
  const shared = {
    ready: () => isReady,
    diskIsLow: () => disk.isLow(),
    storeIsReadable: () => disk.isReadable(),
    driver,
    onError,
    warn: (message: string) => httpLog.warn(message),
    clock,
  }
  const links = createSignInLinks({ store, clock })
  const day = await startDay(ground, outbound, version, { active, rest })
  const holds = createHolds(limits.long_polls_per_key, accounts, clock)
  const mcp = createMcp({
    holds,
    accounts,
    suppressions,
    mailboxes,
    claims,
    limits: apiLimits,
    version,
    allowedOrigins: [new URL(server.base_url).origin, ...server.cors_origins],
    maxBodyBytes: limits.body_bytes,
    newRequestId: () => newId('req'),
    onError: (err, requestId) => httpLog.error({ err, request_id: requestId }, 'tool failed'),
  })
  rest.push(() => mcp.close())
  const largeJson = createLargeJson()
  rest.push(() => largeJson.close())
  const http = await startHttp({
    ...shared,
    audit: ground.audit,
    listen: requireHostPort(server.http),
    https: tlsOf(config, certificates),
    mailboxes,
    claims,
    accounts,
    suppressions,
    exports,
    deletion,
    holdings: service.holdings,
    ownDomains: outbound.ownDomains,
    removal,
    reviewing,
    day: () => day.view('10m'),
    webhooks,
    limits: apiLimits,
    baseUrl: server.base_url,
    domain: domains.names[0] ?? 'localhost',
    trustedProxies: server.trusted_proxies,
    corsOrigins: server.cors_origins,
    largeJson,
    keptAnswers: createKeptAnswers(ground.store),
    version,
    holds,
    humans: { ...(await humansOf(ground, service, rest)), links },
    mtaSts: {
      // One that has senders insist on TLS is kept back until there is a certificate to show.
      get policy() {
        const isKept = smtp.mta_sts !== 'none' && !certificates.shownBy('smtp.tls_cert', domains.hostname)
        return isKept ? undefined : policy?.text
      },
      domains: domains.names,
    },
    challenges,
    oauth: service.oauth,
    consent: service.oauth.consent,
    letters: service.letters,
    connections: service.connections,
    mounts: [
      {
        ...mcp.mount,
        audiences: service.oauth.resources.all,
        challenge: challengeOf(server.base_url.replace(/\/+$/, '')),
      },
    ],
    onAnswer(_request, status, { ms, mayBeHeld }) {
      httpAnswers.inc({ status })
      if (!mayBeHeld) httpSeconds.observe(ms / SECOND)
    },
  })
  metrics.gauge(
    'http_requests_open',
    'Requests of the API at work, those that wait among them.',
    () => http.openRequests,
  )
  metrics.gauge('http_requests_waiting', 'Requests that are held open until something happens.', () => holds.count)
  active.push(() => http.close(server.shutdown_seconds * SECOND))
  await startRedirects(config, { ...shared, challenges }, { active, rest })
  const admin = await startAdmin({
    ...shared,
    audit: ground.audit,
    listen: requireHostPort(server.admin),
    token: secrets.adminToken,
    claims,
    deletion,
    reviewing,
    webhooks,
    connections: service.connections,
    accounts,
    listMailboxes: () => listMailboxes(store),
    findMailbox: (wanted) => mailboxes.directory.resolve(wanted),
    readMailbox: (id) => mailboxes.directory.get(id),
    links,
    baseUrl: server.base_url.replace(/\/+$/, ''),
    queue: outbound.operatorQueue,
    tlsReports: outbound.tlsReports,
    mtaSts: outbound.mtaSts,
    trace: createTrace({ store, mailboxes, receipts, queue: outbound.operatorQueue }),
    reports: {
      ...reports,
      summary: async (query) =>
        reports.summary({ ...query, isOwn: await ownAddresses(ground.resolver, domains.hostname) }),
    },
    listReceipts: (query) => receipts.list(query),
    backups,
    certificates: desk,
    listRetention: createRetentionReport({
      store,
      blobs: ground.blobs,
      queue: ground.queue,
      audit: ground.audit,
      receipts,
      reports,
      settings: config,
      tlsDays: outbound.tlsDays,
      dmarcDays: outbound.dmarcDays,
    }),
    reload,
    correction: service.correction,
    learnsFromReview: config.guard.learn_from_review,
    doctor: buildDoctor(ground, service, outbound, { version, reviewing, webhooks, driver }),
    lookAtDkimKeys: () => outbound.rotation.look(),
    metrics: () => metrics.render(),
    day,
  })
  active.push(() => admin.close(server.shutdown_seconds * SECOND))
  return {
    open() {
      isReady = true
    },
  }
}

/** Who can sign in, and how; the providers are asked for nothing until somebody wants to. */
async function humansOf(
  { config, store, clock, secrets, metrics, audit, part }: Ground,
  { sessions }: Service,
  rest: Stops['rest'],
): Promise<Omit<HttpDeps['humans'], 'links'>> {
  const log = part('sign-in')
  const failed = createFailedSignIns({ audit, clock, log })
  rest.push(() => failed.stop())
  const outcomes = metrics.counter('sign_ins_total', 'Sign-ins that came to an end, by provider and outcome.', [
    'provider',
    'outcome',
  ])
  return {
    providers: createProviders(await readProviders(config), { clock }),
    sessions,
    states: createSignInStates({ store, clock }),
    webKey: secrets.webKey,
    onSignIn(result, request) {
      outcomes.inc({ provider: result.provider, outcome: result.outcome })
      if (result.outcome === 'signed_in')
        log.info(
          {
            provider: result.provider,
            account_id: result.accountId,
            new_account: result.isNewAccount,
            new_device: result.isNewDevice,
          },
          'signed in',
        )
      else {
        const { provider, outcome, detail } = result
        failed.note({ provider, outcome, from: clientOf(request) })
        log.warn({ provider, outcome, detail }, 'a sign-in failed')
      }
    },
  }
}
