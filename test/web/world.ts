/** The pages over a real socket, with the real accounts, claims and sessions behind them; only the provider is made up. */
import type { Test } from 'tap'
import { createMailSignIn, type MailSignIn } from '../../src/accounts/sign-in/mail-sign-in.js'
import { createPasskeys } from '../../src/accounts/sign-in/passkeys.js'
import { createSessions, type Sessions } from '../../src/accounts/sessions.js'
import { createSignInLinks, type SignInLinks } from '../../src/accounts/sign-in/sign-in-links.js'
import { createAudit } from '../../src/audit/audit.js'
import { createFailedSignIns } from '../../src/audit/failed-sign-ins.js'
import type { AuditEntry } from '../../src/audit/types.js'
import { clientOf } from '../../src/http/limits/audited.js'
import { DAY } from '../../src/lib/clock.js'
import { notFound } from '../../src/lib/errors.js'
import type { SignInOutcome } from '../../src/web/sign-in/session.js'
import type { Mailboxes } from '../../src/mailbox/composition/mailboxes.js'
import { readMailbox } from '../../src/mailbox/record.js'
import { ProviderError, type Identity, type IdentityProvider } from '../../src/identity/types.js'
import { addressOwner } from '../../src/mailbox/addresses.js'
import type { Engine } from '../../src/store/engine.js'
import type { Store } from '../../src/store/types.js'
import { claim, world, type World } from '../lifecycle/claims/world.js'
import { ask, type Answer } from '../http/client.js'
import { fakeOAuth, type FakeOAuth } from '../api/support/fake-oauth.js'
import { fakes } from '../api/support/fakes.js'
import { serve, type Served } from '../api/support/serve.js'

export interface Pages extends World {
  origin: string
  sessions: Sessions
  links: SignInLinks
  mailSignIn: MailSignIn
  oauth: FakeOAuth
  /** What the provider says next. */
  says: { identity: Identity | ProviderError }
  outcomes: SignInOutcome[]
  /** Ends the counting of failed sign-ins. @returns the audit log, the oldest first */
  audited(): Promise<AuditEntry[]>
  errors: unknown[]
  /** Where the provider has its humans sign in. */
  provider: { at: string }
  browser(): TestBrowser
}

/** A browser as far as pages of ours need one: it keeps cookies and sends forms. */
export interface TestBrowser {
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  /** The same with fields that may come more than once. */
  postForm(path: string, fields: URLSearchParams, headers?: Record<string, string>): Promise<Answer>
  /** Goes the whole way. @returns where it ended */
  signIn(next?: string): Promise<string>
}

export const ADA: Identity = { subject: 'ada', username: 'ada', email: 'ada@example.org', emailVerified: true }

/** On the staff of these servers. */
export const AMY = 'amy@example.org'

const NOTHING_HELD: NonNullable<Served['reviewing']> = {
  list: async () => ({ data: [], has_more: false, next_cursor: null, counts: { held: 0, blocked: 0 } }),
  counts: async () => ({ held: 0, blocked: 0 }),
  log: async () => ({ data: [], has_more: false, next_cursor: null }),
  read: notHere,
  approve: notHere,
  reject: notHere,
  suspend: notHere,
  appeal: notHere,
  appealOf: async () => undefined,
}

function notHere(): never {
  throw notFound('message')
}

export async function startPages(
  t: Test,
  {
    rates = 100_000,
    hasProviders = true,
    isAudited = false,
    mailboxesOn,
    engine,
    staff = [AMY],
    hasMail = false,
    hasPasskeys = false,
    isHere = (name) => name.endsWith('.example'),
  }: {
    rates?: number
    hasProviders?: boolean
    isAudited?: boolean
    /** The mailbox domain over the store of the pages; one that is made up otherwise. */
    mailboxesOn?: (store: Store) => Promise<Mailboxes>
    /** Another one is the same server after a restart. */
    engine?: Engine
    /** `identity.staff`. */
    staff?: readonly string[]
    /** Owners and staff get links by mail. */
    hasMail?: boolean
    hasPasskeys?: boolean
    /** Domains of this server. */
    isHere?: (domain: string) => boolean
  } = {},
): Promise<Pages> {
  const domain = await world(t, { staff, ...(engine && { engine }) })
  const { store, clock } = domain
  const sessions = createSessions({ store, clock })
  const links = createSignInLinks({ store, clock })
  const mailSignIn = createMailSignIn({
    ...{ store, clock, queue: domain.queue, accounts: domain.accounts, letters: domain.letters },
    isOffered: true,
    isLocalDomain: (name) => isHere(name),
    baseUrl: 'https://mail.example',
  })
  const at: Pages['provider'] = { at: 'https://id.example/auth' }
  const says: Pages['says'] = { identity: ADA }
  const log = { info: () => undefined, error: () => undefined }
  const audit = createAudit({ store, clock, retentionMs: DAY, log })
  const failed = createFailedSignIns({ audit, clock, log })
  const [outcomes, errors]: [SignInOutcome[], unknown[]] = [[], []]
  const provider: IdentityProvider = {
    id: 'test',
    name: 'Test & Co',
    begin: async (redirectUri, { state }) =>
      new URL(`${at.at}?${new URLSearchParams({ redirect_uri: redirectUri, state }).toString()}`),
    async complete() {
      if (says.identity instanceof ProviderError) throw says.identity
      return says.identity
    },
  }
  const down: IdentityProvider = {
    ...provider,
    id: 'down',
    async begin() {
      throw new ProviderError('unavailable', 'not there')
    },
  }
  const fake = fakes()
  const oauth = fakeOAuth()
  const server = await serve(t, {
    ...fake,
    store,
    mailboxes: mailboxesOn
      ? await mailboxesOn(store)
      : { ...fake.mailboxes, directory: { ...fake.mailboxes.directory, get: (id) => readMailbox(store, id) } },
    claims: domain.claims,
    accounts: domain.accounts,
    consent: oauth.consent,
    letters: domain.letters,
    connections: oauth.connections,
    limits: {
      requestsPerMinute: rates,
      accountRequestsPerMinute: rates,
      requestsAtOncePerKey: 100,
      bodyBytes: 100_000,
      recipientsPerMessage: 5,
      attachmentsPerMessage: 2,
      longPollSeconds: 60,
      longPollsPerKey: 2,
      eventStreamSeconds: 1800,
    },
    reviewing: NOTHING_HELD,
    providers: hasProviders ? [provider, down] : [],
    sessions,
    links,
    ...(hasMail && { mailSignIn }),
    // Its authenticators believe that the pages are there.
    ...(hasPasskeys && { passkeys: createPasskeys({ store, clock, origin: 'https://mail.example' }) }),
    onSignIn(outcome, request) {
      outcomes.push(outcome)
      if (outcome.outcome !== 'signed_in') failed.note({ ...outcome, from: clientOf(request) })
    },
    ...(isAudited && { audit }),
    onError: (error) => errors.push(error),
    clock,
  })
  const origin = `http://127.0.0.1:${server.port}`

  function browser(): TestBrowser {
    const cookies = new Map<string, string>()
    async function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await ask(server.port, path, {
        method,
        headers: { 'User-Agent': 'Test', ...(cookie !== '' && { Cookie: cookie }), ...headers },
        ...(body !== undefined && { body }),
      })
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/Max-Age=0;/.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    }
    const self: TestBrowser = {
      cookies,
      get: (path, headers = {}) => send('GET', path, headers),
      post: (path, fields, headers) => self.postForm(path, new URLSearchParams(fields), headers),
      postForm: (path, fields, headers = {}) =>
        send(
          'POST',
          path,
          { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin, ...headers },
          fields.toString(),
        ),
      async signIn(next = '/signin') {
        const begun = await self.get(`/signin/test?next=${encodeURIComponent(next)}`)
        const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? ''
        const back = await self.get(`/signin/test/callback?code=c&state=${state}`)
        return back.headers.location ?? `${back.status}: ${titleOf(back)}`
      },
    }
    return self
  }

  const audited = async (): Promise<AuditEntry[]> => {
    await failed.stop()
    return (await audit.list({ limit: 100 })).data.reverse()
  }
  return {
    ...domain,
    origin,
    sessions,
    links,
    mailSignIn,
    oauth,
    provider: at,
    says,
    outcomes,
    errors,
    browser,
    audited,
  }
}

export function titleOf({ text }: Answer): string {
  return /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? ''
}

/** The mark of the forms on a page. */
export function markOn({ text }: Answer): string {
  return /name="mark" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Mailboxes of these names that are approved by the account of an email, made when missing. @returns their ids */
export async function ownMailboxes(pages: Pages, email: string, ...names: string[]): Promise<string[]> {
  const { id } = await pages.accounts.ensure(email)
  const mailboxes: string[] = []
  for (const name of names) {
    const { address, claim_url } = await claim(pages, name)
    await pages.claims.approveAs(new URL(claim_url).pathname.split('/').at(-1) ?? '', id)
    mailboxes.push((await addressOwner(pages.store, address)) ?? '')
  }
  return mailboxes
}
