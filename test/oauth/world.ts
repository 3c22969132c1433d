/** Accounts with a mailbox each, and clients that want in, over a store in memory. */
import { createHash, randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import type { Accounts } from '../../src/accounts/types.js'
import type { AccountMailbox } from '../../src/accounts/usage.js'
import { ManualClock } from '../../src/lib/clock.js'
import { createAccessTokens } from '../../src/oauth/token-callers.js'
import type { GrantResult } from '../../src/oauth/grants.js'
import { createOAuth, type OAuth, type OAuthDeps } from '../../src/oauth/oauth.js'
import type { OAuthScope } from '../../src/oauth/scopes.js'
import type { AuthorizationRequest, Tokens } from '../../src/oauth/types.js'
import type { Engine } from '../../src/store/engine.js'
import { sweepExpired } from '../../src/store/expiring.js'
import { decode, encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'

export const BASE = 'https://mail.example.com'
export const REDIRECT = 'https://agent.example.org/callback'
export const FROM = '198.51.100.7'
const RECORD = key('record')
export const partitionOf = (mailboxId: string): string => `mailbox/${mailboxId}`

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1_000_000,
  requestsPerMinute: 600,
  recipientsPerMessage: 50,
  messageBytes: 2_000_000,
  attachmentsPerMessage: 20,
  longPollSeconds: 60,
}

export interface World {
  store: Store
  clock: ManualClock
  accounts: Accounts
  oauth: OAuth
  accountId: string
  mailboxId: string
  clientId: string
  /** Ids of connections and keys whose end was told. */
  ended: string[]
  grants: GrantResult[]
  saveMailbox(mailboxId: string, change?: Partial<AccountMailbox>): Promise<void>
}

export interface Proof {
  verifier: string
  challenge: string
}

export function newProof(): Proof {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export async function world(
  t: Test,
  options: Partial<Pick<OAuthDeps, 'limits' | 'documents' | 'registrationsPerHour' | 'mailHost'>> & {
    engine?: Engine
    /** What another process of the same engine made. */
    before?: World
  } = {},
): Promise<World> {
  const store = createStore(options.engine ?? memoryEngine())
  t.teardown(() => store.close())
  const clock = options.before?.clock ?? new ManualClock(Date.UTC(2026, 0, 1, 12))
  const mailbox = (id: string): Promise<AccountMailbox | undefined> =>
    store.read(partitionOf(id), async (view) => {
      const bytes = await view.get(RECORD)
      return bytes && decode<AccountMailbox>(bytes)
    })
  const accounts = createAccounts({
    store,
    clock,
    limits: LIMITS,
    mailbox,
    mailboxPartition: partitionOf,
    accessTokens: createAccessTokens({ store, clock }),
  })
  const ended: string[] = []
  const grants: GrantResult[] = []
  accounts.onAccessEnd(
    (each) => void ended.push('keyId' in each ? each.keyId : 'accountId' in each ? each.accountId : each.mailboxId),
  )
  const oauth = createOAuth({
    store,
    clock,
    baseUrl: BASE,
    mailbox,
    limits: { perMailbox: 5, perAccount: 8 },
    registrationsPerHour: 100,
    documents: {
      fetch: () => Promise.reject(new Error('nobody is there')),
      allowPrivateAddresses: false,
    },
    onEnd: (id) => accounts.cutOffKey(id),
    onGrant: (result) => void grants.push(result),
    ...options,
  })
  const { id: accountId } = options.before ? { id: options.before.accountId } : await accounts.ensure('ana@example.org')
  const saveMailbox: World['saveMailbox'] = (mailboxId, change = {}) =>
    store.write(partitionOf(mailboxId), (tx) =>
      tx.put(
        RECORD,
        encode({
          usedBytes: 0,
          sentCount: 0,
          receivedCount: 0,
          today: { date: '2026-01-01', sent: 0, received: 0 },
          status: 'claimed',
          accountId,
          claimId: null,
          createdAt: 0,
          ...change,
        } satisfies AccountMailbox),
      ),
    )
  const mailboxId = 'mbx_1'
  if (!options.before) await saveMailbox(mailboxId)
  const clientId =
    options.before?.clientId ??
    (await oauth.registrations?.register({ client_name: 'Helper', redirect_uris: [REDIRECT] }, FROM))?.client_id ??
    ''
  return { store, clock, accounts, oauth, accountId, mailboxId, clientId, ended, grants, saveMailbox }
}

/** What a client sends a browser with, for a proof of its own unless told otherwise. */
export function queryOf(
  w: Pick<World, 'clientId'>,
  proof: Proof,
  change: Record<string, string | null> = {},
): URLSearchParams {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: w.clientId,
    redirect_uri: REDIRECT,
    state: 'st4te',
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
    resource: `${BASE}/mcp`,
  })
  for (const [name, value] of Object.entries(change)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  return query
}

export async function requestOf(
  w: World,
  proof: Proof,
  change: Record<string, string | null> = {},
): Promise<AuthorizationRequest> {
  const checked = await w.oauth.consent.check(queryOf(w, proof, change), FROM)
  if (checked.outcome !== 'valid') throw new Error(`not valid: ${JSON.stringify(checked)}`)
  return checked.request
}

/** The code that a client gets when the owner allows what it asks for. */
export async function codeOf(
  w: World,
  proof: Proof,
  {
    change = {},
    mailboxId = w.mailboxId,
    scopes,
  }: { change?: Record<string, string | null>; mailboxId?: string; scopes?: OAuthScope[] } = {},
): Promise<string> {
  const request = await requestOf(w, proof, change)
  const location = await w.oauth.consent.allow(request, {
    accountId: w.accountId,
    mailboxId,
    scopes: scopes ?? request.scopes,
  })
  return new URL(location).searchParams.get('code') ?? ''
}

export function redeeming(
  w: Pick<World, 'clientId'>,
  code: string,
  proof: Proof,
  change: Record<string, string | null> = {},
): URLSearchParams {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: w.clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: proof.verifier,
    resource: `${BASE}/mcp`,
  })
  for (const [name, value] of Object.entries(change)) {
    if (value === null) form.delete(name)
    else form.set(name, value)
  }
  return form
}

export function refreshing(
  w: Pick<World, 'clientId'>,
  refreshToken: string,
  change: Record<string, string> = {},
): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: w.clientId,
    refresh_token: refreshToken,
    ...change,
  })
}

export async function connect(w: World, given: Parameters<typeof codeOf>[2] = {}): Promise<Tokens> {
  const proof = newProof()
  const code = await codeOf(w, proof, given)
  const { redirect_uri: redirectUri = REDIRECT, resource = `${BASE}/mcp` } = given.change ?? {}
  return w.oauth.grants.token(redeeming(w, code, proof, { redirect_uri: redirectUri, resource }))
}

/** Sweeps as the jobs do. */
export async function sweep({ store, clock, oauth }: World): Promise<void> {
  while ((await sweepExpired(store, clock.now(), oauth.forget)) > 0);
}
