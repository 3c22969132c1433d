/** The endpoints over a socket, before accounts and connections that are real; /mcp says who came. */
import type { Test } from 'tap'
import { challengeOf } from '../../../src/api/oauth/metadata.js'
import { BASE, world, type World } from '../../oauth/world.js'
import { startApi, type Api } from '../support/api-server.js'
import type { Answer } from '../../http/client.js'

export interface Served {
  w: World
  api: Api
  /** As a client posts it; a text goes as it is. */
  post(path: string, form: URLSearchParams | string, headers?: Record<string, string>): Promise<Answer>
  /** With this bearer. */
  mcp(bearer: string | null): Promise<Answer>
}

export async function serve(
  t: Test,
  options: Parameters<typeof world>[1] & { corsOrigins?: string[] } = {},
): Promise<Served> {
  const w = await world(t, options)
  const api = await startApi(t, {
    accounts: w.accounts,
    oauth: w.oauth,
    baseUrl: BASE,
    corsOrigins: options.corsOrigins ?? [],
    mounts: [
      // As it is when the operator gives the server another address.
      {
        path: '/moved',
        auth: 'pending',
        audiences: ['https://other.example/mcp'],
        challenge: challengeOf(BASE),
        maxBodyBytes: 1000,
        fetch: async () => Response.json({}),
      },
      {
        path: '/mcp',
        auth: 'pending',
        audiences: w.oauth.resources.ofAgents,
        challenge: challengeOf(BASE),
        maxBodyBytes: 1000,
        fetch: async (_request, { caller }) => Response.json({ caller: caller?.keyId, scopes: caller?.scopes }),
      },
    ],
  })
  return {
    w,
    api,
    post: (path, form, headers = {}) =>
      api.call('POST', path, {
        key: null,
        body: form.toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }),
    mcp: (bearer) => api.call('POST', '/mcp', { key: bearer, json: {} }),
  }
}
