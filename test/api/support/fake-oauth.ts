/** Connections by OAuth as the pages need them: one client, requests by their `client_id`, and a record of what was asked. */
import { AGENT_SCOPES } from '../../../src/oauth/scopes.js'
import type { AuthorizationRequest, Connection, Connections, Consent, OAuthClient } from '../../../src/oauth/types.js'

export interface FakeOAuth {
  consent: Consent
  connections: Connections
  /** The next requests; by default of a registered client with the redirect URI https://client.example/back. */
  client: OAuthClient
  redirectUri: string
  scopes: AuthorizationRequest['scopes']
  /** Overrides the redirect URI of an answer. */
  strays: string | undefined
  /** Error thrown by allowing. */
  refusal: Error | undefined
  list: Connection[]
  calls: unknown[]
}

export function fakeOAuth(): FakeOAuth {
  const fake: FakeOAuth = {
    client: {
      id: 'cli_1',
      kind: 'registered',
      name: 'Desk',
      host: null,
      redirectUris: ['https://client.example/back'],
    },
    redirectUri: 'https://client.example/back',
    scopes: AGENT_SCOPES,
    strays: undefined,
    refusal: undefined,
    list: [],
    calls: [],
    consent: {
      async check(query) {
        if (query.get('client_id') === 'wrong')
          return { outcome: 'page', problem: 'It is <b>nobody</b>.', todo: 'Start again.' }
        if (query.get('client_id') === 'back')
          return {
            outcome: 'redirect',
            location: `${fake.redirectUri}?error=invalid_request`,
            words: 'It is <i>wrong</i>',
          }
        return {
          outcome: 'valid',
          request: {
            client: fake.client,
            redirectUri: fake.redirectUri,
            state: query.get('state') ?? undefined,
            scopes: fake.scopes,
            resource: 'https://mail.example/mcp',
            codeChallenge: 'c'.repeat(43),
          },
        }
      },
      async allow({ redirectUri, state }, given) {
        if (fake.refusal) throw fake.refusal
        fake.calls.push({ ...given, state })
        return answerAt(fake.strays ?? redirectUri, { code: 'thecode' }, state)
      },
      refuse({ redirectUri, state }) {
        fake.calls.push({ refused: state })
        return answerAt(redirectUri, { error: 'access_denied' }, state)
      },
    },
    connections: {
      list: async (accountId) => fake.list.filter((each) => each.accountId === accountId),
      async revoke(accountId, id) {
        fake.calls.push({ revoke: id, accountId })
        fake.list = fake.list.filter((each) => each.id !== id || each.accountId !== accountId)
      },
      async revokeAll(accountId, mailboxId) {
        fake.list = fake.list.filter(
          (each) => each.accountId !== accountId || (mailboxId ?? each.mailboxId) !== each.mailboxId,
        )
      },
    },
  }
  return fake
}

function answerAt(uri: string, answer: Record<string, string>, state = ''): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ ...answer, state }).toString()}`
}
