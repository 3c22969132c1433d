/** The public HTTP server over the parts of a test. */
import type { Test } from 'tap'
import { createPictureSenders } from '../../../src/accounts/picture-senders.js'
import type { Sessions } from '../../../src/accounts/sessions.js'
import type { Passkeys } from '../../../src/accounts/sign-in/passkeys.js'
import { createSignInLinks, type SignInLinks } from '../../../src/accounts/sign-in/sign-in-links.js'
import { createSignInStates } from '../../../src/accounts/sign-in/sign-in-states.js'
import type { ApiLimits, AccountParts, MailParts } from '../../../src/api/v1/parts.js'
import { serviceContent, type ContentDeps, type HumanParts } from '../../../src/daemon/faces/content.js'
import { startHttp, type HttpDeps } from '../../../src/daemon/faces/public-http.js'
import type { HttpServer } from '../../../src/http/server/server.js'
import { createRateLimits } from '../../../src/http/limits/limits.js'
import { createHolds, type Holds } from '../../../src/http/limits/long-polls.js'
import { systemClock, type Clock } from '../../../src/lib/clock.js'
import type { Accounts } from '../../../src/accounts/types.js'
import type { Exports } from '../../../src/lifecycle/export/exports.js'
import type { Store } from '../../../src/store/types.js'
import { testDriver } from '../../http/test-driver.js'

export interface Served
  extends
    Omit<AccountParts, 'answers' | 'baseUrl' | 'mailboxes' | 'exports'>,
    Pick<ContentDeps, 'webhooks' | 'oauth' | 'mounts' | 'challenges' | 'mtaSts' | 'programSettings' | 'audit'>,
    Pick<HttpDeps, 'largeJson' | 'trustedProxies' | 'corsOrigins'> {
  store: Store
  mailboxes: MailParts['mailboxes']
  accounts: Accounts
  exports: AccountParts['exports'] & Pick<Exports, 'download'>
  limits: ApiLimits
  consent: HumanParts['consent']
  connections: HumanParts['connections']
  letters?: HumanParts['letters']
  sessions: Sessions
  links?: SignInLinks
  mailSignIn?: HumanParts['mailSignIn']
  passkeys?: Passkeys
  providers?: HumanParts['providers']
  onSignIn?: HumanParts['onSignIn']
  reviewing?: HumanParts['reviewing']
  remember?: MailParts['answers']['remember']
  holds?: Holds
  driver?: HttpDeps['listen']['driver']
  baseUrl?: string
  ready?: () => boolean
  onError: (error: unknown) => void
  clock?: Clock
}

export async function serve(t: Pick<Test, 'teardown' | 'fail'>, given: Served): Promise<HttpServer> {
  const { store, mailboxes, accounts, exports, limits, sessions, clock = systemClock, driver = testDriver() } = given
  const holds = given.holds ?? createHolds(limits.longPollsPerKey, accounts, { clock })
  let isStopping = false
  const server = await startHttp({
    listen: {
      host: '127.0.0.1',
      port: 0,
      driver,
      clock,
      onError: (error) => given.onError(error),
      warn: (message) => t.fail(message),
    },
    baseUrl: given.baseUrl ?? '',
    rates: createRateLimits({ perKey: limits.requestsPerMinute, perAccount: limits.accountRequestsPerMinute }),
    content: serviceContent({
      mail: { answers: { answerOnce: mailboxes.answerOnce, remember: given.remember }, mailboxes, holds, limits },
      account: { ...given, exports },
      webhooks: given.webhooks,
      humans: {
        providers: given.providers ?? [],
        sessions,
        states: createSignInStates({ store, clock }),
        links: given.links ?? createSignInLinks({ store, clock }),
        mailSignIn: given.mailSignIn,
        passkeys: () => given.passkeys,
        webKey: Buffer.alloc(32, 7),
        onSignIn: given.onSignIn ?? (() => undefined),
        consent: given.consent,
        letters: given.letters,
        connections: given.connections,
        reviewing: given.reviewing,
        downloads: exports,
        fetchPictures: async () => new Map(),
        pictureSenders: createPictureSenders({ store, clock }),
      },
      health: { ready: () => !isStopping && (given.ready?.() ?? true), httpDriver: driver.name },
      oauth: given.oauth,
      mounts: given.mounts ?? [],
      challenges: given.challenges,
      mtaSts: given.mtaSts,
      programSettings: given.programSettings,
      audit: given.audit,
      about: { name: 'Agents Mail', version: '0.0.0', domain: 'agents.example', clock },
    }),
    accounts,
    holds,
    limits,
    audit: given.audit,
    largeJson: given.largeJson,
    trustedProxies: given.trustedProxies ?? [],
    corsOrigins: given.corsOrigins ?? [],
  })
  const close = (graceMs: number): Promise<void> => {
    isStopping = true
    return server.close(graceMs)
  }
  t.teardown(() => close(0))
  return {
    port: server.port,
    get httpsPorts() {
      return server.httpsPorts
    },
    get openRequests() {
      return server.openRequests
    },
    close,
  }
}
