/** HTTP: the public listeners for the API, MCP and pages, and the admin listener for the operator's commands. */
import { createPasskeys } from '../../accounts/sign-in/passkeys.js'
import { createSignInLinks } from '../../accounts/sign-in/sign-in-links.js'
import { startAdmin } from '../../admin/start.js'
import { createKeptToolAnswers } from '../../api/mcp/kept-answers.js'
import { createMcpEndpoint, type McpEndpoint } from '../../api/mcp/server/endpoint.js'
import { challengeOf } from '../../api/oauth/metadata.js'
import type { Config } from '../../config/schema.js'
import { baseUrl, offersPasskeys, offersStartTls, serviceName, programPorts } from '../../config/derived.js'
import { createKeptAnswers } from '../../http/answers/read-cache.js'
import { createLargeJson } from '../../http/json/large-json.js'
import { createRateLimits } from '../../http/limits/limits.js'
import { createHolds } from '../../http/limits/long-polls.js'
import type { HttpRequest } from '../../http/message.js'
import { SECOND } from '../../lib/clock.js'
import { requireHostPort } from '../../lib/host-port.js'
import { newId } from '../../lib/ids.js'
import { DURATION_BUCKETS } from '../../observe/metrics.js'
import { publishedPolicy } from '../../publish/mta-sts.js'
import { programServices } from '../../publish/programs/services.js'
import { startingPage, type PagesParts } from '../../web/pages.js'
import { apiLimits } from '../layers/account-services.js'
import { boundAdminRoutes } from './admin-routes.js'
import type { CertificateParts } from '../parts/certificates.js'
import { healthOnly, serviceContent } from './content.js'
import { startDay } from './day.js'
import type { Ground } from '../layers/ground.js'
import type { FacesParts, Layers } from './parts.js'
import { picturesOf } from './pictures.js'
import { startHttp } from './public-http.js'
import { buildSignIn } from './sign-in.js'
import type { Stops } from '../layers/stops.js'
import { startImap } from './imap.js'
import { startSubmission } from './submission.js'
import { startRedirects, tlsOf } from './web.js'

export async function startFaces(layers: Layers, parts: FacesParts, { active, rest }: Stops) {
  const { ground, people, mail, outbound } = layers
  const { config, clock, metrics, store, audit, part } = ground
  const { server, domains } = config
  const { accounts, claims, suppressions, accountMailboxes, oauth } = people
  const { mailboxes } = mail
  const { version, disk, driver, tls, exports, deletion, removal, reviewing, webhooks } = parts
  const log = part('http')
  const graceMs = server.shutdown_seconds * SECOND
  let isReady = false
  const health = {
    ready: () => isReady,
    httpDriver: driver.name,
    diskIsLow: () => disk.isLow(),
    storeIsReadable: () => disk.isReadable(),
  }
  const listening = {
    driver,
    clock,
    warn: (message: string) => log.warn(message),
    onError: (err: unknown, request: HttpRequest) =>
      log.error({ err, request_id: request.requestId, method: request.method }, 'request failed'),
  }
  const links = createSignInLinks({ store, clock })
  const day = await startDay(ground, outbound, version, { active, rest })
  const limits = apiLimits(config)
  const holds = createHolds(limits.longPollsPerKey, accounts, {
    clock,
    others: {
      nodes: ground.nodes,
      onError: (err) => log.warn({ err }, 'ended access of waiting requests cannot be looked for now'),
    },
  })
  const rates = createRateLimits(
    { perKey: limits.requestsPerMinute, perAccount: limits.accountRequestsPerMinute },
    ground.shared,
  )
  const mcp = createMcpEndpoint({
    holds,
    accounts,
    suppressions,
    mailboxes,
    claims,
    limits,
    version,
    baseUrl: baseUrl(config),
    allowedOrigins: [new URL(server.base_url).origin, ...server.cors_origins],
    maxBodyBytes: limits.bodyBytes,
    newRequestId: () => newId('req'),
    keepAnswer: createKeptToolAnswers(store),
    onError: (err, requestId) => log.error({ err, request_id: requestId }, 'tool failed'),
  })
  rest.push(() => mcp.close())
  const largeJson = createLargeJson()
  rest.push(() => largeJson.close())
  const content = serviceContent({
    mail: {
      answers: { answerOnce: mailboxes.answerOnce, remember: createKeptAnswers(store) },
      mailboxes,
      holds,
      limits,
    },
    account: {
      mailboxes,
      claims,
      accounts,
      suppressions,
      deletion,
      accountMailboxes,
      ownDomains: outbound.ownDomains,
      removal,
      exports,
    },
    webhooks,
    humans: {
      ...(await buildSignIn(ground, rest)),
      links,
      mailSignIn: people.mailSignIn.isOffered ? people.mailSignIn : undefined,
      passkeys: (origin) => (offersPasskeys(origin) ? createPasskeys({ store, clock, origin }) : undefined),
      sessions: people.sessions,
      consent: oauth.consent,
      letters: people.letters,
      connections: oauth.connections,
      reviewing,
      day: () => day.view('10m'),
      downloads: exports,
      mailPrograms: serversOfPrograms(config),
      fetchPictures: picturesOf(ground),
      pictureSenders: people.pictureSenders,
    },
    health,
    oauth,
    mounts: [mcpMount(mcp, layers)],
    challenges: tls.challenges,
    mtaSts: servedPolicy(layers, tls),
    programSettings: { services: programServices(config), isOurs: ground.domains.isLocal },
    audit,
    about: { version, name: serviceName(config), domain: domains.names[0] ?? 'localhost', clock },
  })
  const http = await startHttp({
    listen: {
      ...requireHostPort(server.http),
      ...listening,
      https: tlsOf(config, tls.certificates),
      onAnswer: answerMetrics(ground),
    },
    baseUrl: baseUrl(ground.config),
    rates,
    content: server.roles.includes('api') ? content : (url) => healthOnly(content(url)),
    starting: (request) => startingPage(request, { name: serviceName(config) }),
    accounts,
    holds,
    limits,
    audit,
    largeJson,
    trustedProxies: server.trusted_proxies,
    corsOrigins: server.cors_origins,
  })
  metrics.gauge('http_requests_open', 'Requests of the API in progress, including held ones.', () => http.openRequests)
  metrics.gauge('http_requests_waiting', 'Requests held open until something happens.', () => holds.count)
  active.push(() => {
    isReady = false
    return http.close(graceMs)
  })
  await startSubmission(layers, { disk, certificates: tls.certificates, holds, rates }, { active, rest })
  await startImap(layers, { certificates: tls.certificates, holds, rates }, { active, rest })
  await startRedirects(config, { ...listening, challenges: tls.challenges }, { active, rest })
  const admin = await startAdmin({
    listen: requireHostPort(server.admin),
    ...listening,
    routes: boundAdminRoutes(layers, parts, { day, links, health }),
    token: ground.secrets.adminToken,
    audit,
  })
  active.push(() => admin.close(graceMs))
  return {
    /** From now on the health check says ready. */
    open() {
      isReady = true
    },
  }
}

/** Names and ports for mail programs; undefined if the server has no port for them. */
function serversOfPrograms(config: Config) {
  const [imap, submission] = [programPorts(config, 'imap'), programPorts(config, 'submission')]
  return imap || submission ? { ...(imap && { imap }), ...(submission && { submission }) } : undefined
}

function answerMetrics({ metrics }: Ground) {
  const answers = metrics.counter('http_responses_total', 'Responses of the API by status.', ['status'], {
    formerly: 'http_answers_total',
  })
  const seconds = metrics.histogram(
    'http_request_seconds',
    'Duration of requests of the API, without those that may be held open.',
    DURATION_BUCKETS,
  )
  return (_request: HttpRequest, status: number, { ms, mayBeHeld }: { ms: number; mayBeHeld: boolean }): void => {
    answers.inc({ status })
    if (!mayBeHeld) seconds.observe(ms / SECOND)
  }
}

function mcpMount(mcp: McpEndpoint, { ground, people }: Layers) {
  return {
    ...mcp.mount,
    audiences: people.oauth.resources.all,
    challenge: challengeOf(baseUrl(ground.config)),
  }
}

/** The MTA-STS policy; one that requires TLS is served only while there is a certificate for the host. */
function servedPolicy(
  { ground: { config, part } }: Layers,
  { certificates }: CertificateParts,
): NonNullable<PagesParts['mtaSts']> {
  const { smtp, domains } = config
  if (smtp.mta_sts === 'enforce' && !offersStartTls(config))
    part('http').warn(
      {},
      'smtp.mta_sts is "enforce" and has no effect: without smtp.tls_cert or tls.acme there is no TLS to insist on',
    )
  const policy = publishedPolicy(config)
  return {
    get policy() {
      const isKept = smtp.mta_sts !== 'none' && !certificates.shownBy('smtp.tls_cert', domains.hostname)
      return isKept ? undefined : policy?.text
    },
    domains: domains.names,
  }
}
