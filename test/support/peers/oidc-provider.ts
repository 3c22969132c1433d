/** A real OpenID provider on the loopback address, under another name than the daemon so that browsers take it for another site. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { freePort, listenAnywhere } from '../ports.js'

type Claims = Record<string, unknown>

export interface OidcPeer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Claims of its users by the name they type. Can be changed at any time. */
  people: Map<string, Claims>
  /** Changes the claims of ID tokens before they are signed. */
  tamper: ((claims: Claims) => Claims) | undefined
  /** Signs ID tokens with a key that is not the provider's. */
  hasStrangeKey: boolean
  start(redirectUri: string): Promise<void>
  stop(): Promise<void>
}

/** Chooses a port; nobody listens there until `start`. */
export async function oidcPeer(): Promise<OidcPeer> {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  let close: (() => Promise<unknown>) | undefined
  const self: OidcPeer = {
    issuer,
    clientId: 'restante',
    clientSecret: 'a secret with : and % in it, 32 characters at least',
    people: new Map([['ada', { preferred_username: 'ada', email: 'ada@example.org', email_verified: true }]]),
    tamper: undefined,
    hasStrangeKey: false,
    async start(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: self.clientId, client_secret: self.clientSecret, redirect_uris: [redirectUri] }],
        jwks: { keys: [{ ...jwk, use: 'sig', alg: 'RS256', kid: 'test' }] },
        cookies: { keys: ['only for tests'] },
        claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
        pkce: { required: () => true },
        findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...self.people.get(sub) }) }),
        // The only lifetimes that it complains about when nobody chose them.
        ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600 },
      })
      provider.use(async (context, next) => {
        await next()
        const body: unknown = context.body
        const isHonest = !self.tamper && !self.hasStrangeKey
        if (context.path !== '/token' || isHonest || typeof body !== 'object' || body === null) return
        if (!('id_token' in body) || typeof body.id_token !== 'string') return
        const key = self.hasStrangeKey ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : privateKey
        context.body = { ...body, id_token: resign(body.id_token, self.tamper ?? ((claims) => claims), key) }
      })
      const handle = provider.callback()
      const server = createServer((request, response) => void handle(request, response))
      await listenAnywhere(server, port)
      close = async () => {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
    async stop() {
      await close?.()
      close = undefined
    },
  }
  return self
}

function resign(token: string, tamper: (claims: Claims) => Claims, key: KeyObject): string {
  const [head = '', body = ''] = token.split('.')
  const claims: Claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const signed = `${head}.${Buffer.from(JSON.stringify(tamper(claims))).toString('base64url')}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}

/**
 * Signs in there as a browser would, without one: types the name, agrees, and follows the redirects up to the way back.
 *
 * @param answer what the human does on the last page
 * @returns where the provider sends the browser
 */
export async function passThrough(start: URL, name: string, answer: 'agree' | 'cancel' = 'agree'): Promise<URL> {
  const jar = new Map<string, string>()
  let url = start
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 20; steps++) {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form && { body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    form = undefined
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin !== start.origin) return url
      continue
    }
    const page = await response.text()
    if (response.status !== 200) throw new Error(`${url.href}: ${response.status} ${page}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    const abort = /href="([^"]+\/abort)"/.exec(page)?.[1]
    if (prompt === undefined || action === undefined || abort === undefined) throw new Error(`no form in ${page}`)
    url = new URL(answer === 'cancel' ? abort : action, url)
    if (answer === 'agree') form = new URLSearchParams({ prompt, login: name, password: 'any' })
  }
  throw new Error('too many steps')
}
