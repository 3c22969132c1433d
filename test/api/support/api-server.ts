/** The API over a real socket with the domain faked. */
import type { Test } from 'tap'
import { createSessions } from '../../../src/accounts/sessions.js'
import { createSignInLinks } from '../../../src/accounts/sign-in-links.js'
import { createSignInStates } from '../../../src/accounts/sign-in-states.js'
import type { Mount } from '../../../src/http/limits/web-handler.js'
import type { MtaStsDeps } from '../../../src/web/files/mta-sts.js'
import type { HttpServer } from '../../../src/http/server/server.js'
import { startHttp, type HttpDeps } from '../../../src/daemon/public-http.js'
import type { ApiLimits } from '../../../src/api/v1/parts.js'
import { systemClock } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { ask, type Answer, type Ask } from '../../http/client.js'
import { fakeOAuth } from './fake-oauth.js'
import { fakes, type Fakes } from './fakes.js'
import { testDriver } from '../../http/test-driver.js'

const LIMITS: ApiLimits = {
  requestsPerMinute: 10_000,
  accountRequestsPerMinute: 100_000,
  requestsAtOncePerKey: 100,
  bodyBytes: 2_000_000,
  recipientsPerMessage: 5,
  attachmentsPerMessage: 2,
  longPollSeconds: 60,
  longPollsPerKey: 2,
  eventStreamSeconds: 1800,
}

export interface Api {
  server: HttpServer
  fakes: Fakes
  errors: unknown[]
  /** As the holder of the key `good`, unless told otherwise; an object as body is sent as JSON. */
  call: (
    method: string,
    path: string,
    options?: Omit<Ask, 'body'> & { key?: string | null; json?: unknown; body?: string | Buffer },
  ) => Promise<Answer>
}

export async function startApi(
  t: Pick<Test, 'teardown' | 'fail'>,
  options: {
    limits?: Partial<ApiLimits>
    mounts?: Mount[]
    holds?: HttpDeps['holds']
    baseUrl?: string
    ready?: () => boolean
    mtaSts?: MtaStsDeps
    challenges?: HttpDeps['challenges']
    corsOrigins?: string[]
    trustedProxies?: string[]
    keptAnswers?: HttpDeps['keptAnswers']
    largeJson?: HttpDeps['largeJson']
    oauth?: HttpDeps['oauth']
    /** As in test/http/test-driver.ts when not given. */
    driver?: HttpDeps['driver']
    /** Faked when not given. */
    accounts?: HttpDeps['accounts']
    claims?: HttpDeps['claims']
  } = {},
): Promise<Api> {
  const domain = fakes()
  const errors: unknown[] = []
  const store = createStore(memoryEngine())
  const server = await startHttp({
    domain: 'agents.example',
    driver: options.driver ?? testDriver(),
    listen: { host: '127.0.0.1', port: 0 },
    mailboxes: domain.mailboxes,
    claims: options.claims ?? domain.claims,
    accounts: options.accounts ?? domain.accounts,
    suppressions: domain.suppressions,
    webhooks: domain.webhooks,
    deletion: domain.deletion,
    ...fakeOAuth(),
    holdings: domain.holdings,
    ownDomains: domain.ownDomains,
    removal: domain.removal,
    exports: domain.exports,
    limits: { ...LIMITS, ...options.limits },
    humans: {
      providers: [],
      sessions: createSessions({ store, clock: systemClock }),
      states: createSignInStates({ store, clock: systemClock }),
      links: createSignInLinks({ store, clock: systemClock }),
      webKey: Buffer.alloc(32, 7),
      onSignIn: () => undefined,
    },
    baseUrl: options.baseUrl ?? '',
    ...(options.oauth && { oauth: options.oauth }),
    version: '0.0.0',
    ready: options.ready ?? (() => true),
    mounts: options.mounts ?? [],
    ...(options.holds && { holds: options.holds }),
    ...(options.mtaSts && { mtaSts: options.mtaSts }),
    ...(options.challenges && { challenges: options.challenges }),
    corsOrigins: options.corsOrigins ?? [],
    trustedProxies: options.trustedProxies ?? [],
    ...(options.largeJson && { largeJson: options.largeJson }),
    ...(options.keptAnswers && { keptAnswers: options.keptAnswers }),
    onError: (error) => errors.push(error),
    warn: (message) => t.fail(message),
  })
  t.teardown(() => server.close(0))
  return {
    server,
    fakes: domain,
    errors,
    call(method, path, { key = 'good', json, body, headers = {}, ...rest } = {}) {
      const sent = json === undefined ? body : JSON.stringify(json)
      return ask(server.port, path, {
        ...rest,
        method,
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
      })
    },
  }
}
