/**
 * Rules of the token endpoint: a code for the first tokens, a refresh token for the next (RFC 6749 §4.1.3, §6). Each use is one commit in the connection's
 * account, so of two uses of a secret one is first; the other counts as theft, and ends the connection.
 */
import { BY_ITSELF, type Audit } from '../audit/types.js'
import { accountPartition } from '../accounts/record.js'
import { type Clock, SECOND } from '../lib/clock.js'
import { constantTimeEqual } from '../lib/ids.js'
import type { Store, Transaction } from '../store/types.js'
import type { Clients } from './clients.js'
import type { Ending } from './revocation.js'
import { OAuthError } from './errors.js'
import { givenTwice, knownScopes, scopeNames, valueOf } from './parameters.js'
import { fits, isVerifier } from './pkce.js'
import {
  ACCESS_MS,
  find,
  IDLE_MS,
  isOver,
  putRow,
  readRow,
  removeRow,
  type Access,
  type ConnectionRef,
  type Lists,
  type StoredConnection,
} from './record.js'
import { resourceOf, type Resources } from './resources.js'
import { codeHash, handleOf, newHandle, newMacKey, newToken, parseToken, wasIssued, type Parsed } from './tokens.js'
import type { OAuthScope } from './scopes.js'
import type { Tokens } from './types.js'

export interface GrantsDeps {
  store: Store
  clock: Clock
  lists: Lists
  ending: Ending
  clients: Pick<Clients, 'mayExist' | 'keep'>
  resources: Resources
  /** Without it nothing is recorded. */
  audit?: Pick<Audit, 'around' | 'record'> | undefined
  /** Called for each completed request. */
  onGrant?: ((result: GrantResult) => void) | undefined
}

export interface GrantResult {
  grant: 'authorization_code' | 'refresh_token' | 'revocation'
  /** `replayed`: a code or refresh token was reused, and its connection ended. */
  outcome: 'granted' | 'refused' | 'replayed' | 'revoked'
  connectionId?: string
  accountId?: string
}

/** Valid access tokens: a new one does not end the previous one. */
const ACCESS_TOKENS = 2

/** The result of a commit. The row is gone when it is `replayed` or `spoilt`. */
type Outcome =
  | { is: 'granted'; connection: StoredConnection }
  | { is: 'replayed' | 'spoilt'; connection: StoredConnection; problem: string }
  | { is: 'refused'; problem: string }

/** Issues and revokes tokens. */
export class Grants {
  constructor(private readonly deps: GrantsDeps) {}

  /** @throws OAuthError */
  async token(form: URLSearchParams): Promise<Tokens> {
    const grant = readGrantType(form)
    const clientId = needed(form, 'client_id')
    if (!(await this.deps.clients.mayExist(clientId)))
      throw new OAuthError(
        'invalid_client',
        'There is no such client. Register at the registration endpoint, or use the https URL of a client metadata document.',
      )
    return grant === 'authorization_code' ? this.#redeem(form, clientId) : this.#refresh(form, clientId)
  }

  /**
   * Ends the connection of a token, current or not (RFC 7009). An unknown token is no error.
   *
   * @throws OAuthError
   */
  async revoke(form: URLSearchParams): Promise<void> {
    refuseTwice(form)
    refuseSecret(form)
    const text = needed(form, 'token')
    // `token_type_hint` is a hint (RFC 7009 §2.1): the prefix decides.
    const sent = parseToken('refresh', text) ?? parseToken('access', text)
    const ref = sent && (await this.deps.lists.families.get(sent.family, this.deps.clock.now()))
    const found = ref && (await find(this.deps.store, ref))
    // RFC 7009 §2.2: a token that was never issued is no error, and ends nothing.
    if (!found || !isOf(found, sent, text)) return
    const clientId = valueOf(form, 'client_id')
    if (clientId !== undefined && found.client.id !== clientId)
      throw new OAuthError('invalid_grant', 'The token is not of this client.')
    const subject = { connection_id: ref.connectionId, account_id: ref.accountId, mailbox_id: found.mailboxId }
    const end = (): Promise<boolean> => this.deps.ending.end(ref)
    const isEnded = await (this.deps.audit?.around(
      { action: 'connection.revoked', actor: { type: 'client', id: ref.connectionId, name: null }, subject },
      end,
      (wasThere) => ({ isNothing: !wasThere }),
    ) ?? end())
    if (isEnded) this.deps.onGrant?.({ grant: 'revocation', outcome: 'revoked', ...ref })
  }

  #refused(grant: GrantResult['grant'], problem: string): OAuthError {
    this.deps.onGrant?.({ grant, outcome: 'refused' })
    return new OAuthError('invalid_grant', problem)
  }

  /** The steps after a commit. @throws OAuthError unless it granted something */
  async #settle(grant: GrantResult['grant'], ref: ConnectionRef, outcome: Outcome): Promise<StoredConnection> {
    const { is } = outcome
    this.deps.onGrant?.({ grant, outcome: is === 'spoilt' ? 'refused' : is, ...ref })
    if (is === 'granted') return outcome.connection
    if (is !== 'refused') {
      const { id, accountId, mailboxId } = outcome.connection
      await this.deps.audit?.record({
        action: 'connection.revoked',
        actor: BY_ITSELF,
        subject: { connection_id: id, account_id: accountId, mailbox_id: mailboxId },
        reason: is === 'replayed' ? 'a code or refresh token came a second time' : outcome.problem,
      })
      await this.deps.ending.follow(outcome.connection)
    }
    throw new OAuthError('invalid_grant', outcome.problem)
  }

  async #redeem(form: URLSearchParams, clientId: string): Promise<Tokens> {
    const code = needed(form, 'code')
    const verifier = needed(form, 'code_verifier')
    if (!isVerifier(verifier))
      throw new OAuthError(
        'invalid_request',
        '`code_verifier` has 43 to 128 characters of A-Z a-z 0-9 - . _ ~ (RFC 7636 §4.1).',
      )
    const redirectUri = valueOf(form, 'redirect_uri')
    const isMeant = this.#requireResource(form)
    const hash = codeHash(code)
    const ref = hash === undefined ? undefined : await this.deps.lists.codes.get(hash, this.deps.clock.now())
    if (hash === undefined || ref === undefined) throw this.#refused('authorization_code', NO_SUCH_CODE)
    const { handle, family } = newHandle()
    const macKey = newMacKey()
    const access = newToken('access', handle, macKey)
    const refresh = newToken('refresh', handle, macKey)
    const now = this.deps.clock.now()
    // First, so that a new connection can be found. Without one it refers to nothing.
    await this.deps.lists.families.put(family, ref, now + IDLE_MS)
    const outcome = await this.deps.store.write(accountPartition(ref.accountId), async (tx): Promise<Outcome> => {
      const found = await readRow(tx, ref.connectionId)
      if (!found || found.codeHash !== hash) return { is: 'refused', problem: NO_SUCH_CODE }
      // RFC 6749 §4.1.2: reuse of a code revokes what it issued. So does use by somebody who cannot redeem it.
      const { state } = found
      if (state.is === 'connected')
        return spoil(tx, found, 'replayed', 'The code was redeemed before, so the connection was ended.')
      const problem = codeProblem(found, { clientId, verifier, redirectUri, isMeant }, now)
      if (problem !== undefined) return spoil(tx, found, 'spoilt', `${problem} The code cannot be used any more.`)
      const connection: StoredConnection = {
        ...found,
        expiresAt: now + IDLE_MS,
        state: {
          is: 'connected',
          family,
          macKey,
          refresh: refresh.hash,
          access: [{ hash: access.hash, endsAt: now + ACCESS_MS, scopes: found.scopes }],
        },
      }
      putRow(tx, connection)
      return { is: 'granted', connection }
    })
    if (outcome.is !== 'granted') await this.deps.lists.families.remove(family)
    const connection = await this.#settle('authorization_code', ref, outcome)
    await this.deps.clients.keep(connection.client.id, connection.expiresAt)
    return tokensOf(access.text, refresh.text, connection.scopes)
  }

  async #refresh(form: URLSearchParams, clientId: string): Promise<Tokens> {
    const text = needed(form, 'refresh_token')
    const asked = valueOf(form, 'scope')
    const isMeant = this.#requireResource(form)
    const sent = parseToken('refresh', text)
    const handle = handleOf('refresh', text)
    const now = this.deps.clock.now()
    const ref = sent && (await this.deps.lists.families.get(sent.family, now))
    if (!sent || !handle || !ref) throw this.#refused('refresh_token', NO_SUCH_REFRESH_TOKEN)
    const before = await find(this.deps.store, ref)
    const macKey = (before?.state.is === 'connected' && before.state.macKey) || newMacKey()
    const access = newToken('access', handle, macKey)
    const next = newToken('refresh', handle, macKey)
    const coming = { sent, text, clientId }
    if (before && !refreshProblem(before, coming, now)) {
      // Mistakes of the client itself cost it nothing.
      scopesFor(before, asked)
      requireSameResource(before, isMeant)
      await this.deps.lists.families.put(sent.family, ref, now + IDLE_MS)
    }
    const outcome = await this.deps.store.write(accountPartition(ref.accountId), async (tx): Promise<Outcome> => {
      const found = await readRow(tx, ref.connectionId)
      if (!found || found.state.is !== 'connected' || found.state.family !== sent.family)
        return { is: 'refused', problem: NO_SUCH_REFRESH_TOKEN }
      const problem = refreshProblem(found, coming, now)
      if (problem)
        return problem.ends ? spoil(tx, found, problem.ends, problem.words) : { is: 'refused', problem: problem.words }
      const scopes = scopesFor(found, asked)
      requireSameResource(found, isMeant)
      const living = found.state.access.filter(({ endsAt }) => endsAt > now).slice(1 - ACCESS_TOKENS)
      const connection: StoredConnection = {
        ...found,
        expiresAt: now + IDLE_MS,
        state: {
          ...found.state,
          macKey,
          refresh: next.hash,
          access: [...living, { hash: access.hash, endsAt: now + ACCESS_MS, scopes } satisfies Access],
        },
      }
      putRow(tx, connection)
      return { is: 'granted', connection }
    })
    const connection = await this.#settle('refresh_token', ref, outcome)
    await this.deps.clients.keep(connection.client.id, connection.expiresAt)
    return tokensOf(access.text, next.text, scopesFor(connection, asked))
  }

  /** @returns whether a resource is the one that the request names, if it names one @throws OAuthError `invalid_target` */
  #requireResource(form: URLSearchParams): (resource: string) => boolean {
    const { resources } = this.deps
    const named = resourceOf(resources, form)
    if (named.is === 'unknown')
      throw new OAuthError('invalid_target', `\`resource\` is ${resources.all.join(' or ')} here.`)
    return (resource) => named.is !== 'named' || resources.covers(named.resource, resource)
  }
}

const NO_SUCH_CODE = 'There is no such code; it works once, and for a minute. Start the authorization again.'
const NO_SUCH_REFRESH_TOKEN =
  'There is no such refresh token: its connection was ended, or not used for 30 days. Start the authorization again.'

/** @throws OAuthError */
function readGrantType(form: URLSearchParams): 'authorization_code' | 'refresh_token' {
  refuseTwice(form)
  refuseSecret(form)
  const grant = needed(form, 'grant_type')
  if (grant === 'authorization_code' || grant === 'refresh_token') return grant
  throw new OAuthError('unsupported_grant_type', '`grant_type` is authorization_code or refresh_token here.')
}

/** @throws OAuthError */
function refuseTwice(form: URLSearchParams): void {
  const twice = givenTwice(form)
  if (twice !== undefined) throw new OAuthError('invalid_request', 'A parameter is given twice; give each once.')
}

/** A client with a secret would believe to be confidential. @throws OAuthError */
function refuseSecret(form: URLSearchParams): void {
  for (const name of ['client_secret', 'client_assertion'])
    if (form.has(name))
      throw new OAuthError('invalid_client', `Clients here are public and have no secret: leave \`${name}\` out.`)
}

/** @throws OAuthError */
function needed(form: URLSearchParams, name: string): string {
  const value = valueOf(form, name)
  if (value !== undefined) return value
  throw new OAuthError('invalid_request', `\`${name}\` is missing.`)
}

interface Redeeming {
  clientId: string
  verifier: string
  redirectUri: string | undefined
  /** Of a resource. */
  isMeant: (resource: string) => boolean
}

function codeProblem({ state, client, resource }: StoredConnection, sent: Redeeming, now: number): string | undefined {
  if (state.is !== 'waiting' || state.codeEndsAt <= now) return 'The code has ended.'
  if (client.id !== sent.clientId) return 'The code was made for another client.'
  // OAuth 2.1 §10.2: checked if sent, as in OAuth 2.0.
  if (sent.redirectUri !== undefined && sent.redirectUri !== state.redirectUri)
    return 'The code was sent to another redirect_uri.'
  if (!fits(state.challenge, sent.verifier)) return 'The code_verifier is not the one of the code_challenge.'
  if (!sent.isMeant(resource)) return 'The code was made for another resource.'
  return undefined
}

/** True if a token was issued to the connection: the current ones by their hash, those before by their MAC. */
function isOf({ state }: StoredConnection, { hash, family }: Parsed, text: string): boolean {
  if (state.is !== 'connected' || state.family !== family) return false
  const current = [state.refresh, ...state.access.map((each) => each.hash)]
  return (
    current.some((each) => constantTimeEqual(each, hash)) ||
    (state.macKey !== undefined && wasIssued(text, state.macKey))
  )
}

function refreshProblem(
  found: StoredConnection,
  { sent, text, clientId }: { sent: Parsed; text: string; clientId: string },
  now: number,
): { ends?: 'replayed' | 'spoilt'; words: string } | undefined {
  // A never issued token proves no theft: its maker knows the handle, and must not end the connection.
  if (!isOf(found, sent, text)) return { words: NO_SUCH_REFRESH_TOKEN }
  if (isOver(found, now)) return { ends: 'spoilt', words: NO_SUCH_REFRESH_TOKEN }
  if (found.state.is !== 'connected' || !constantTimeEqual(found.state.refresh, sent.hash))
    return {
      ends: 'replayed',
      words: 'The refresh token was used before, so the connection was ended. Start the authorization again.',
    }
  return found.client.id === clientId ? undefined : { words: 'The refresh token is not of this client.' }
}

function spoil(tx: Transaction, connection: StoredConnection, is: 'replayed' | 'spoilt', problem: string): Outcome {
  removeRow(tx, connection.id)
  return { is, connection, problem }
}

/** RFC 6749 §6: the granted scopes or fewer. @throws OAuthError */
function scopesFor({ scopes }: StoredConnection, asked: string | undefined): readonly OAuthScope[] {
  if (asked === undefined) return scopes
  const names = scopeNames(asked)
  if (names.length > 0 && names.every((name) => scopes.some((scope) => scope === name))) return knownScopes(names)
  throw new OAuthError(
    'invalid_scope',
    `This connection has ${scopes.join(' ')}. For more, start the authorization again.`,
  )
}

/** @throws OAuthError */
function requireSameResource({ resource }: StoredConnection, isMeant: Redeeming['isMeant']): void {
  if (!isMeant(resource)) throw new OAuthError('invalid_target', `This connection is for ${resource}.`)
}

function tokensOf(access: string, refresh: string, scopes: readonly OAuthScope[]): Tokens {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_MS / SECOND,
    refresh_token: refresh,
    scope: scopes.join(' '),
  }
}
