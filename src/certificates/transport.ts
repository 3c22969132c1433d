/**
 * How requests reach the authority. The library for ACME sends all of them through one client of its own, which follows redirects, obeys proxies of the
 * environment, has no limits, waits and repeats as long as the authority likes, and loses what a network says of an error. So what sends for it is
 * replaced by our own request; what belongs to one order (whom to trust, when to end) is handed down with the asynchronous call.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent } from 'node:https'
import acme from 'acme-client'
import { z } from 'zod'
import { messageOf } from '../lib/caught.js'
import { SECOND } from '../lib/clock.js'
import { requestPinned } from '../lib/https.js'
import { isSafeOrigin } from '../config/setting.js'
import { AcmeError } from './errors.js'

export interface Line {
  /** Certificates (PEM) to trust in place of those that are known to all. */
  ca: string | undefined
  userAgent: string
  /** Ends what is under way. */
  signal: AbortSignal
}

const REQUEST_MS = 30 * SECOND
/** A chain has some 10 KiB, a directory less. */
const MAX_BYTES = 256 * 1024
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce'

/** RFC 8555 §6.7, RFC 7807 */
const problemSchema = z.object({ type: z.string().catch(''), detail: z.string().catch('') })

const lines = new AsyncLocalStorage<Line & { agent: Agent }>()

/** Runs what talks to an authority. Connections are kept until it ends. */
export async function overLine<T>(line: Line, work: () => Promise<T>): Promise<T> {
  acme.axios.defaults.adapter = async (config) => {
    const open = lines.getStore()
    if (!open) throw new Error('the library for ACME is used outside of overLine')
    const body: unknown = config.data
    const answer = await send(open, {
      url: config.url ?? '',
      method: config.method ?? 'get',
      body: typeof body === 'string' ? body : undefined,
    })
    return { ...answer, statusText: '', config }
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 2, ...(line.ca !== undefined && { ca: line.ca }) })
  try {
    return await lines.run({ ...line, agent }, work)
  } finally {
    agent.destroy()
  }
}

async function send(
  { ca, agent, userAgent, signal }: Line & { agent: Agent },
  { url: text, method, body }: { url: string; method: string; body: string | undefined },
) {
  const url = parseUrl(text)
  const answer = await requestPinned({
    url,
    address: url.hostname.replace(/^\[|\]$/g, ''),
    method: method === 'post' ? 'POST' : method === 'head' ? 'HEAD' : 'GET',
    headers: { 'User-Agent': userAgent, 'Content-Type': 'application/jose+json', 'Accept-Language': 'en' },
    ...(body !== undefined && { body: Buffer.from(body) }),
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_BYTES,
    verify: true,
    ...(ca !== undefined && { ca: [ca] }),
    ...(url.protocol === 'https:' && { agent }),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new AcmeError('unreachable', `${url.host} gives no answer (${messageOf(error)})`, { cause: error })
  })
  const { status, headers } = answer
  const data = answer.body.toString('utf8')
  if (status < 200 || status >= 300) {
    const { type, detail } = problemIn(data)
    // The library takes another nonce and asks again, some times.
    if (type !== BAD_NONCE)
      throw new AcmeError(type === '' ? `status ${status}` : type, detail || `${url.host} answered with ${status}`, {
        retryAfterMs: waitIn(headers['retry-after']),
      })
  }
  return { status, data, headers: plain(headers) }
}

/** What stands in an authority's answer is its word, not the operator's. */
function parseUrl(text: string): URL {
  if (!URL.canParse(text) || !isSafeOrigin(new URL(text)))
    throw new AcmeError('malformed', `the authority names an address that is neither https nor on this machine`)
  return new URL(text)
}

function problemIn(text: string): z.infer<typeof problemSchema> {
  try {
    return problemSchema.parse(JSON.parse(text))
  } catch {
    // A proxy's page, or nothing: the status says what there is to say.
    return { type: '', detail: '' }
  }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function waitIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * SECOND : Date.parse(value) - Date.now()
  return ms > 0 ? ms : undefined
}

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
