/** A stand-in for the endpoints of GitHub that a sign-in uses. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenAnywhere } from '../ports.js'

export interface GithubPeer {
  url: string
  apiUrl: string
  clientId: string
  clientSecret: string
  /** The user signed in there. */
  user: { id: number; login: string; emails: { email: string; primary: boolean; verified: boolean }[] }
  /** Takes the place of the answer at a path. */
  answers: Map<string, { status: number; body: string }>
  stop(): Promise<void>
}

/** @param port of a server that has none yet */
export async function startGithub(port = 0): Promise<GithubPeer> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  const tokens = new Set<string>()
  const server = createServer((request, response) => void answer(request, response))
  const listening = await listenAnywhere(server, port)
  const self: GithubPeer = {
    url: `http://localhost:${listening}`,
    apiUrl: `http://localhost:${listening}/api/v3`,
    clientId: 'Iv1.restante',
    clientSecret: 'github secret',
    user: { id: 4711, login: 'grace', emails: [{ email: 'grace@example.org', primary: true, verified: true }] },
    answers: new Map(),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', self.url)
    const instead = self.answers.get(url.pathname)
    if (instead) return reply(response, instead.status, instead.body)
    switch (url.pathname) {
      case '/login/oauth/authorize':
        return authorize(url.searchParams, response)
      case '/login/oauth/access_token':
        return reply(response, 200, JSON.stringify(grant(new URLSearchParams(await bodyOf(request)))))
      case '/api/v3/user':
      case '/api/v3/user/emails': {
        const token = /^Bearer (\w+)$/.exec(request.headers.authorization ?? '')?.[1]
        if (token === undefined || !tokens.has(token)) return reply(response, 401, '{"message":"Bad credentials"}')
        const { emails, ...user } = self.user
        return reply(response, 200, JSON.stringify(url.pathname.endsWith('emails') ? emails : user))
      }
      default:
        return reply(response, 404, '{"message":"Not Found"}')
    }
  }

  /** A page with the two answers a human has. */
  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const [redirectUri, state] = [query.get('redirect_uri') ?? '', query.get('state') ?? '']
    if (query.get('client_id') !== self.clientId || query.get('code_challenge_method') !== 'S256')
      return reply(response, 400, '{}')
    const code = randomBytes(10).toString('hex')
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri })
    const back = (answer: Record<string, string>): string =>
      `${redirectUri}?${new URLSearchParams({ ...answer, state }).toString()}`.replaceAll('&', '&amp;')
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><title>Stand-in</title><a href="${back({ code })}">Authorize</a> <a href="${back({ error: 'access_denied' })}">Cancel</a>`,
    )
  }

  function grant(form: URLSearchParams): Record<string, string> {
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (form.get('client_secret') !== self.clientSecret) return { error: 'incorrect_client_credentials' }
    if (!known || known.challenge !== challenge || known.redirectUri !== form.get('redirect_uri'))
      return { error: 'bad_verification_code' }
    const token = randomBytes(10).toString('hex')
    tokens.add(token)
    return { access_token: token, token_type: 'bearer' }
  }

  return self
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
