/** An authority on this machine that checks each signature and each nonce (RFC 8555 §6), and answers as a test wants. */
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import type { Test } from 'tap'
import { z } from 'zod'
import { createAccountFile, newKey } from '../../src/certificates/account.js'
import { orderCertificate, type OrderDeps } from '../../src/certificates/order.js'
import { withTransport } from '../../src/certificates/transport.js'
import { listenAnywhere } from '../support/ports.js'
import { secretFolder } from '../../src/lib/secret-files.js'

export const NAME = 'mx.agents.example'
export const CHAIN = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n'
export const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'

export interface Asked {
  path: string
  /** The protected header; empty where nothing is signed. */
  header: Header
  /** Undefined for an empty one. */
  payload: unknown
}

export interface Said {
  status?: number
  /** Sent as it is when it is text. */
  body?: unknown
  headers?: Record<string, string>
}

/** @returns what is answered in place of the usual; its status is 200 unless it says another */
export type Twist = (asked: Asked, usual: Said) => Said | undefined

const jwkSchema = z.strictObject({ crv: z.literal('P-256'), kty: z.literal('EC'), x: z.string(), y: z.string() })
type Jwk = z.output<typeof jwkSchema>
const headerSchema = z.strictObject({
  alg: z.string().optional(),
  kid: z.string().optional(),
  jwk: jwkSchema.optional(),
  nonce: z.string().optional(),
  url: z.string().optional(),
})
type Header = z.output<typeof headerSchema>
const jwsSchema = z.strictObject({ protected: z.string(), payload: z.string(), signature: z.string() })
const accountSchema = z.object({ externalAccountBinding: jwsSchema.optional() })

const text = (part: string): string => Buffer.from(part, 'base64url').toString()

/** RFC 8555 §6.7 */
export const problem = (type: string, detail = 'no', status = 400): Said => ({
  status,
  body: { type: `urn:ietf:params:acme:error:${type}`, detail },
})

export interface FakeAuthority {
  base: string
  directory: string
  /** All requests, those that were refused too. */
  asked: Asked[]
  paths(): string[]
  /** From now on. */
  twist(twist: Twist): void
  /** Accounts by URL. */
  accounts: Map<string, Jwk>
  /** @returns the chain */
  order(deps?: Partial<OrderDeps>, signal?: AbortSignal): Promise<string>
  /** The error of an order. */
  fails(deps?: Partial<OrderDeps>): Promise<unknown>
  /** Of the account, by the last order's key. */
  keyAuthorization(): string
  /** How long was waited from one look to the next. */
  waits: number[]
  /** What was published, and taken back. */
  shown: { name: string; token: string; answer: string }[]
  takenBack: number
  leftover: unknown[]
}

/** @param binding keys of customers, without one of which there is no account */
export async function fakeAuthority(t: Test, binding: Record<string, string> = {}): Promise<FakeAuthority> {
  let twist: Twist = () => undefined
  let nonces = 0
  const fresh = new Set<string>()
  let thumbprint = ''
  const state = { isProven: false, isFinal: false }
  const folder = join(t.testdir(), 'certificates')

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const { asked, refusal } = judge(path, request.method ?? '', (await buffer(request)).toString())
    fake.asked.push(asked)
    const usual = refusal ?? answerTo(asked)
    const { status = 200, body = '', headers = {} } = twist(asked, usual) ?? usual
    const nonce = `nonce-${(nonces += 1)}`
    if (request.method !== 'GET') fresh.add(nonce)
    response.writeHead(status, { ...(request.method !== 'GET' && { 'Replay-Nonce': nonce }), ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  /** @returns what was asked for, and why not */
  function judge(path: string, method: string, body: string): { asked: Asked; refusal?: Said } {
    if (method !== 'POST') return { asked: { path, header: {}, payload: undefined } }
    const signed = jwsSchema.parse(JSON.parse(body))
    const header = headerSchema.parse(JSON.parse(text(signed.protected)))
    const payload: unknown = signed.payload === '' ? undefined : JSON.parse(text(signed.payload))
    const asked = { path, header, payload }
    if (header.nonce === undefined || !fresh.delete(header.nonce)) return { asked, refusal: problem('badNonce') }
    if (header.url !== `${fake.base}${path}`) return { asked, refusal: problem('unauthorized', 'another URL', 401) }
    if (
      (header.jwk === undefined) === (header.kid === undefined) ||
      (path === '/account') !== (header.jwk !== undefined)
    )
      return { asked, refusal: problem('malformed', 'jwk for a new account, kid for the rest') }
    const jwk = header.jwk ?? fake.accounts.get(header.kid ?? '')
    if (!jwk) return { asked, refusal: problem('accountDoesNotExist') }
    const isGood =
      header.alg === 'ES256' &&
      verify(
        'sha256',
        Buffer.from(`${signed.protected}.${signed.payload}`),
        { key: createPublicKey({ key: { ...jwk }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signed.signature, 'base64url'),
      )
    if (!isGood) return { asked, refusal: problem('unauthorized', 'not signed by the account', 401) }
    thumbprint = createHash('sha256')
      .update(`{"crv":"P-256","kty":"EC","x":"${jwk.x}","y":"${jwk.y}"}`)
      .digest('base64url')
    return { asked }
  }

  /** RFC 8555 §7.3.4. @returns why not */
  function judgeBinding(payload: unknown, jwk: Jwk): Said | undefined {
    if (Object.keys(binding).length === 0) return undefined
    const { externalAccountBinding: bound } = accountSchema.parse(payload)
    if (!bound) return problem('externalAccountRequired', 'no binding', 403)
    const header = headerSchema.parse(JSON.parse(text(bound.protected)))
    const key = Buffer.from(binding[header.kid ?? ''] ?? '', 'base64url')
    const mac = createHmac('sha256', key).update(`${bound.protected}.${bound.payload}`).digest('base64url')
    const isSame = JSON.stringify(jwkSchema.parse(JSON.parse(text(bound.payload)))) === JSON.stringify(jwk)
    if (header.alg === 'HS256' && header.url === `${fake.base}/account` && header.nonce === undefined && isSame)
      return mac === bound.signature ? undefined : problem('unauthorized', 'the binding is not signed by that key', 401)
    return problem('malformed', 'the binding is for something else')
  }

  function answerTo({ path, header: { jwk }, payload }: Asked): Said {
    const { base } = fake
    const order = {
      status: state.isFinal ? 'valid' : state.isProven ? 'ready' : 'pending',
      identifiers: [{ type: 'dns', value: NAME }],
      authorizations: [`${base}/authorization/1`],
      finalize: `${base}/finalize/1`,
      ...(state.isFinal && { certificate: `${base}/certificate/1` }),
    }
    const challenges = [
      { type: 'dns-account-77', url: `${base}/challenge/0`, status: 'pending' },
      { type: 'http-01', url: `${base}/challenge/1`, status: 'pending', token: TOKEN },
    ]
    switch (path) {
      case '/directory':
        return { body: { newNonce: `${base}/nonce`, newAccount: `${base}/account`, newOrder: `${base}/order` } }
      case '/nonce':
      case '/account/1':
        return {}
      case '/account': {
        const refusal = jwk && judgeBinding(payload, jwk)
        if (refusal || !jwk) return refusal ?? problem('malformed')
        const isKnown = [...fake.accounts.values()].some(({ x }) => x === jwk.x)
        fake.accounts.set(`${base}/account/1`, jwk)
        return { status: isKnown ? 200 : 201, headers: { Location: `${base}/account/1` }, body: {} }
      }
      case '/order':
        Object.assign(state, { isProven: false, isFinal: false })
        return { status: 201, headers: { Location: `${base}/order/1` }, body: { ...order, status: 'pending' } }
      case '/order/1':
        return { body: order }
      case '/authorization/1':
        return {
          body: {
            status: state.isProven ? 'valid' : 'pending',
            identifier: { type: 'dns', value: NAME },
            challenges,
          },
        }
      case '/challenge/1':
        state.isProven = true
        return { body: challenges[1] }
      case '/finalize/1':
        state.isFinal = true
        return { body: { ...order, status: 'processing' } }
      case '/certificate/1':
        return { body: CHAIN }
      default:
        return { status: 404 }
    }
  }

  const fake: FakeAuthority = {
    base: '',
    directory: '',
    asked: [],
    paths: () => fake.asked.map(({ path }) => path),
    twist: (next) => void (twist = next),
    accounts: new Map(),
    order: (deps = {}, signal = new AbortController().signal) =>
      withTransport({ ca: undefined, userAgent: 'restante/0', signal }, (transport) =>
        orderCertificate(
          {
            transport,
            directory: fake.directory,
            contact: '',
            binding: undefined,
            account: createAccountFile(secretFolder(folder), fake.directory),
            proof: {
              type: 'http-01',
              check: async () => undefined,
              show: async (challenge) => {
                fake.shown.push(challenge)
                return async () => void (fake.takenBack += 1)
              },
            },
            wait: async (ms) => void fake.waits.push(ms),
            onLeftover: (error) => void fake.leftover.push(error),
            ...deps,
          },
          NAME,
          newKey(),
          signal,
        ),
      ),
    fails: (deps) =>
      fake.order(deps).then(
        () => t.fail('the order went well'),
        (error: unknown) => error,
      ),
    keyAuthorization: () => `${TOKEN}.${thumbprint}`,
    waits: [],
    shown: [],
    takenBack: 0,
    leftover: [],
  }
  fake.base = `http://127.0.0.1:${await listenAnywhere(server)}`
  fake.directory = `${fake.base}/directory`
  t.teardown(() => server.close())
  return fake
}
