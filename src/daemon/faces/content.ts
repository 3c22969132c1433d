/** Content of the public HTTP server: the API, the pages for humans, and mounts such as /mcp. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { oauthPages, type EndpointsDeps } from '../../api/oauth/endpoints.js'
import { apiRoutes, routes, type ApiParts } from '../../api/v1-routes.js'
import type { Letters } from '../../accounts/letters.js'
import type { Passkeys } from '../../accounts/sign-in/passkeys.js'
import type { Audit } from '../../audit/types.js'
import type { HttpChallenges } from '../../certificates/types.js'
import type { Mount } from '../../http/limits/web-handler.js'
import { challengePage } from '../../http/routing/acme-challenge.js'
import type { Health } from '../../http/routing/health.js'
import type { OpenapiTexts } from '../../http/routing/openapi.js'
import { systemClock, type Clock } from '../../lib/clock.js'
import { createPasskeyLetter } from '../../web/owner/passkey-letter.js'
import { createPasskeyChallenges } from '../../web/page/passkey-challenge.js'
import { allPages, browserError, type PagesParts } from '../../web/pages.js'
import type { Content } from './public-http.js'

export type HumanParts = Pick<
  PagesParts['signIn'],
  'providers' | 'states' | 'links' | 'mailSignIn' | 'webKey' | 'onSignIn'
> &
  Pick<PagesParts['consent'], 'consent'> &
  Pick<PagesParts['staff'], 'day'> &
  Pick<PagesParts['inbox'], 'fetchPictures' | 'pictureSenders'> & {
    letters?: Pick<Letters, 'canReach' | 'post' | 'compose'> | undefined
    reviewing?: (PagesParts['staff']['reviewing'] & PagesParts['inbox']['reviewing']) | undefined
    sessions: PagesParts['signIn']['sessions'] & PagesParts['owner']['sessions'] & PagesParts['browsers']['sessions']
    connections: PagesParts['owner']['connections']
    downloads: PagesParts['exports']
    mailPrograms?: PagesParts['owner']['mailPrograms']
    /** @param origin of the pages @returns undefined where they can have none */
    passkeys: (origin: string) => Passkeys | undefined
  }

export interface ContentDeps {
  mail: Omit<ApiParts['mail'], 'baseUrl'>
  account: Omit<ApiParts['account'], 'baseUrl' | 'answers'>
  webhooks: ApiParts['webhooks']['webhooks']
  humans: HumanParts
  health: Health
  /** OAuth endpoints; without it, none are served. */
  oauth?: EndpointsDeps | undefined
  /** Web-standard handlers such as /mcp. */
  mounts?: readonly Mount[]
  /** ACME challenges; without it, none are answered. */
  challenges?: HttpChallenges | undefined
  /** The published MTA-STS policy; without it, none is served. */
  mtaSts?: PagesParts['mtaSts']
  /** Settings for mail programs; without them, none are served. */
  programSettings?: Pick<PagesParts['programSettings'], 'services' | 'isOurs'> | undefined
  audit?: Audit | undefined
  /** `name`: of the service, for people; `domain`: the first one with claimable addresses. */
  about: { version: string; name: string; domain: string; clock?: Clock }
}

export function serviceContent(deps: ContentDeps): (baseUrl: string) => Content {
  return (baseUrl) => ({
    routes: apiRoutes(apiParts(deps, baseUrl)),
    pages: [
      ...(deps.challenges ? [challengePage(deps.challenges)] : []),
      ...(deps.oauth ? oauthPages(deps.oauth, baseUrl) : []),
      ...allPages(pagesParts(deps, baseUrl)),
    ],
    mounts: deps.mounts ?? [],
    refuseBrowser: (error, requestId) => browserError(error, requestId, { name: deps.about.name }),
  })
}

/** Of a node without the role `api`: the health check, and challenges, which an authority may ask any node for. */
export function healthOnly({ routes: all, pages }: Content): Content {
  return {
    routes: all.filter(({ path }) => path === '/healthz'),
    pages: pages.filter(({ path }) => path.startsWith('/.well-known/acme-challenge/')),
    mounts: [],
  }
}

function apiParts({ mail, account, webhooks, health, about }: ContentDeps, baseUrl: string): ApiParts {
  const { answers } = mail
  let description: Promise<OpenapiTexts> | undefined
  // Loaded with the first request for it.
  const describe = async (): Promise<OpenapiTexts> => {
    const { openapiTexts } = await import('../../http/routing/openapi.js')
    return openapiTexts(routes, { version: about.version, baseUrl }, nextTurn)
  }
  return {
    service: {
      baseUrl,
      health,
      openapi: () => (description ??= describe()),
    },
    mail: { ...mail, baseUrl },
    account: { ...account, answers, baseUrl },
    webhooks: { answers, webhooks },
  }
}

function pagesParts(
  { mail: { mailboxes, limits }, account, humans, audit, mtaSts, programSettings, about }: ContentDeps,
  baseUrl: string,
): PagesParts {
  const { version, name, domain, clock = systemClock } = about
  const { accounts, claims, deletion, exports } = account
  const { sessions, providers, states, links, mailSignIn, webKey, onSignIn } = humans
  const { consent, letters, connections, reviewing, day, fetchPictures, pictureSenders } = humans
  const ways = { providers, byMail: mailSignIn !== undefined }
  const { origin } = new URL(baseUrl)
  const keys = humans.passkeys(origin)
  const passkeys = keys && {
    ...{ keys, service: name, challenges: createPasskeyChallenges({ webKey, states, clock }) },
    letter: createPasskeyLetter({ accounts, letters, clock, origin }),
  }
  return {
    brand: { name },
    browsers: { sessions, webKey, origin, audit },
    signIn: {
      providers,
      ways,
      sessions,
      accounts,
      states,
      links,
      mailSignIn,
      passkeys,
      webKey,
      origin,
      clock,
      onSignIn,
    },
    claims: { claims, accounts, ways, origin, clock },
    consent: { consent, accounts, mailboxes, ways, letters, origin, clock },
    owner: {
      ...{
        accounts,
        mailboxes,
        sessions,
        exports,
        deletion,
        connections,
        reviewing,
        providers,
        passkeys,
        mailPrograms: humans.mailPrograms,
        audit,
        clock,
      },
    },
    inbox: {
      ...{
        accounts,
        connections,
        mailboxes,
        sessions,
        deletion,
        reviewing,
        providers,
        fetchPictures,
        pictureSenders,
        clock,
      },
      limits,
      eventStreamSeconds: limits.eventStreamSeconds,
    },
    staff: { accounts, reviewing, day, clock },
    exports: humans.downloads,
    mtaSts: mtaSts ?? { policy: undefined, domains: [] },
    programSettings: { ...(programSettings ?? { services: [], isOurs: () => false }), domain, name, baseUrl, clock },
    place: { baseUrl, domain },
    version,
  }
}
