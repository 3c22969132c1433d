/** An ACME client (RFC 8555) for one account: signed requests, nonces, and strict checks of responses. */
import { z } from 'zod'
import { SECOND } from '../lib/clock.js'
import { AcmeError } from './errors.js'
import { jwkOf, signEs256, signHs256, thumbprint } from './jws.js'
import type { Transport, TransportAnswer } from './transport.js'

export interface AcmeOptions {
  transport: Transport
  /** URL of the authority's directory. */
  directory: string
  account: {
    /** PEM, EC on P-256. */
    key: string
    /** Undefined until the authority has answered. */
    url?: string | undefined
  }
}

/** Key of the external account binding (§7.3.4). */
export interface Binding {
  kid: string
  /** In base64url. */
  hmacKey: string
}

/** Max repetitions of a request for its nonce (§6.5). */
const MAX_BAD_NONCES = 5
/** Max identifiers or authorizations of an order, and challenges of an authorization: one to four in practice. */
const MAX_ENTRIES = 20
/** Max wait between two polls of an order, whatever the authority requests. */
const MAX_POLL_MS = 60 * SECOND

const url = z.string().max(2048)
/** §6.5.1, §8.1 */
const base64url = z.string().regex(/^[\w-]{1,1024}$/)
/** §6.7, RFC 7807 */
const problem = z.object({ type: z.string().catch(''), detail: z.string().catch('') })
const failure = problem.optional().catch(undefined)
/** §9.7.7; lower case as ours are. */
const identifier = z.object({ type: z.string().max(64), value: z.string().max(255).toLowerCase() })

/** §7.1.1 */
const directorySchema = z.object({ newNonce: url, newAccount: url, newOrder: url })
/** §7.1.3 */
const orderSchema = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  identifiers: z.array(identifier).max(MAX_ENTRIES),
  authorizations: z.array(url).max(MAX_ENTRIES),
  finalize: url,
  certificate: url.optional(),
  error: failure,
})
/** §7.1.5, §8. A challenge of a kind that is not known may have no token. */
const challengeSchema = z.object({ type: z.string().max(64), url, token: base64url.optional(), error: failure })
/** §7.1.4 */
const authorizationSchema = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier,
  challenges: z.array(challengeSchema).max(MAX_ENTRIES),
})

/** An object of the authority, with its URL. */
type Resource<T> = T & {
  url: string
  /** Wait before the next poll, if the authority gives one (§7.5.1). At most a minute. */
  retryAfterMs: number | undefined
}
export type Order = Resource<z.output<typeof orderSchema>>
export type Authorization = Resource<z.output<typeof authorizationSchema>>
export type Challenge = z.output<typeof challengeSchema>

export type AcmeClient = ReturnType<typeof createAcmeClient>

/** Every call throws AcmeError, or the reason of the transport's signal. */
export function createAcmeClient({ transport, directory, account }: AcmeOptions) {
  const jwk = jwkOf(account.key)
  let kid = account.url
  let places: z.output<typeof directorySchema> | undefined
  let nonce: string | undefined

  async function place(name: keyof z.output<typeof directorySchema>): Promise<string> {
    if (!places) {
      const answer = await transport.send({ method: 'GET', url: directory })
      if (!isOk(answer)) throw problemOf(answer, directory)
      places = read(directorySchema, answer, 'no_directory', `${directory} is not an ACME directory`)
    }
    return places[name]
  }

  /** Each is used once (§6.5). */
  async function takeNonce(): Promise<string> {
    const kept = nonce
    nonce = undefined
    if (kept !== undefined) return kept
    const at = await place('newNonce')
    const answer = await transport.send({ method: 'HEAD', url: at })
    if (!isOk(answer)) throw problemOf(answer, at)
    const fresh = nonceOf(answer)
    if (fresh === undefined) throw new AcmeError('malformed', 'the authority gives no nonce')
    return fresh
  }

  /** §6.2. A request refused for its nonce is repeated with the one that the refusal brought (§6.5). */
  async function post(at: string, payload?: object, signer: object = { kid: accountUrl() }): Promise<TransportAnswer> {
    for (let refused = 0; ; refused += 1) {
      const body = signEs256(account.key, { ...signer, nonce: await takeNonce(), url: at }, payload)
      const answer = await transport.send({ method: 'POST', url: at, body: JSON.stringify(body) })
      nonce = nonceOf(answer)
      if (isOk(answer)) return answer
      const error = problemOf(answer, at)
      if (error.kind !== 'badNonce' || refused === MAX_BAD_NONCES) throw error
    }
  }

  function accountUrl(): string {
    if (kid === undefined) throw new Error('the account is not registered')
    return kid
  }

  function resource<T>(schema: z.ZodType<T>, url: string, answer: TransportAnswer): Resource<T> {
    const wait = retryAfterOf(answer)
    const value = read(schema, answer, 'malformed', `${url} can't be read`)
    return { ...value, url, retryAfterMs: wait === undefined ? undefined : Math.min(wait, MAX_POLL_MS) }
  }

  const setContact = async (contact: string): Promise<void> => {
    await post(accountUrl(), { contact: contactUrls(contact) })
  }

  return {
    /**
     * Creates the account, or finds the one that the key already has (§7.3.1). Later calls are signed for it.
     *
     * @param contact a mail address, or '' for none
     * @returns its URL
     */
    async register(contact: string, binding: Binding | undefined): Promise<string> {
      const at = await place('newAccount')
      const answer = await post(
        at,
        {
          termsOfServiceAgreed: true,
          contact: contactUrls(contact),
          ...(binding && { externalAccountBinding: signHs256(binding.hmacKey, { kid: binding.kid, url: at }, jwk) }),
        },
        { jwk },
      )
      kid = locationOf(answer, 'account')
      // §7.3.1: an account that exists is returned unchanged.
      if (answer.status === 200) await setContact(contact)
      return kid
    },
    /** §7.3.2 */
    setContact,
    /** §7.4 */
    async newOrder(name: string): Promise<Order> {
      const answer = await post(await place('newOrder'), { identifiers: [{ type: 'dns', value: name }] })
      return resource(orderSchema, locationOf(answer, 'order'), answer)
    },
    order: async (url: string): Promise<Order> => resource(orderSchema, url, await post(url)),
    authorization: async (url: string): Promise<Authorization> => resource(authorizationSchema, url, await post(url)),
    /** §7.5.2 */
    async deactivate(url: string): Promise<void> {
      await post(url, { status: 'deactivated' })
    },
    /** The token joined with the account key's thumbprint (§8.1). */
    keyAuthorization: (token: string): string => `${token}.${thumbprint(jwk)}`,
    /** Notifies the authority that the challenge is ready (§7.5.1). */
    async takeUp({ url }: Challenge): Promise<void> {
      await post(url, {})
    },
    /** @param csr DER */
    async finalize(order: Order, csr: Buffer): Promise<void> {
      await post(order.finalize, { csr: csr.toString('base64url') })
    },
    /** @returns the chain in PEM (§7.4.2), not checked */
    certificate: async (url: string): Promise<string> => (await post(url)).text,
  }
}

function contactUrls(contact: string): string[] {
  return contact === '' ? [] : [`mailto:${contact}`]
}

function isOk({ status }: TransportAnswer): boolean {
  return status >= 200 && status < 300
}

/** §6.5.1: an invalid one is ignored. */
function nonceOf(answer: TransportAnswer): string | undefined {
  return base64url.safeParse(answer.field('replay-nonce')).data
}

function locationOf(answer: TransportAnswer, what: string): string {
  const location = url.safeParse(answer.field('location')).data
  if (location === undefined) throw new AcmeError('malformed', `the authority does not say where the ${what} is`)
  return location
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(answer: TransportAnswer): number | undefined {
  const value = answer.field('retry-after')
  if (value === undefined) return undefined
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * SECOND : Date.parse(value) - Date.now()
  return ms > 0 ? ms : undefined
}

function problemOf(answer: TransportAnswer, at: string): AcmeError {
  // A proxy's page, or nothing: only the status is useful.
  const { type, detail } = problem.catch({ type: '', detail: '' }).parse(parsed(answer.text))
  return new AcmeError(
    type === '' ? `status ${answer.status}` : type,
    detail || `${new URL(at).host} answered with ${answer.status}`,
    { retryAfterMs: retryAfterOf(answer) },
  )
}

/** @param words the beginning of the error's message */
function read<T>(schema: z.ZodType<T>, { text }: TransportAnswer, kind: string, words: string): T {
  const { data, error } = schema.safeParse(parsed(text))
  if (error === undefined) return data
  const [issue] = error.issues
  throw new AcmeError(kind, `${words}: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
