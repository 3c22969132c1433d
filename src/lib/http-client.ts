/**
 * HTTP requests to other servers. Each has one deadline for everything and a bound on the answer; no redirect is followed, and no proxy of the
 * environment is used.
 */
import type { Agent, Dispatcher } from 'undici'
import { SECOND } from './clock.js'
import { formatHostPort } from './host-port.js'
import { hasCode } from './thrown.js'
import { portOf } from './url.js'

export interface Trust {
  /** Certificates (PEM) to trust in place of those of the platform. */
  ca?: string | string[] | undefined
  /** True if the certificate must be valid for the URL's host; the default. */
  verify?: boolean
}

export interface HttpRequest extends Trust {
  url: URL
  /** Address to connect to, checked by the caller: the name is not looked up again. Without one, the name is looked up by the system. */
  address?: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string | string[]>
  body?: Uint8Array | undefined
  /** Limit for the whole exchange, however slowly the other side answers. */
  timeoutMs: number
  /** Limit of the answer's body; a longer one is an error. */
  maxBytes: number
  /** Cut a longer body at the limit instead. */
  cutsOff?: boolean
  /** Kept connections, whose trust counts then. Without them a connection serves one request. */
  connections?: Connections | undefined
  /** Ends the request early. */
  signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  status: number
  contentType: string
  /** By name in lower case; one that came several times is joined (RFC 9110 §5.3). */
  headers: Record<string, string>
  body: Buffer
}

export interface KeepOptions extends Trust {
  /** Max wait of a connection for its next request. */
  idleMs: number
  /** The longest deadline of the requests, which limits connecting, too. */
  connectMs: number
}

export class AnswerTooLong extends Error {}

/** Connections kept for later requests to the same address and name. */
export interface Connections {
  agent: () => Promise<Agent>
  trust: Trust
  close(): void
}

/** Loaded with the first request: many installations make none, and it is large. */
const loadUndici = () => import('./undici.js')

const LIMITS = { maxHeaderSize: 16 * 1024, headersTimeout: 0, bodyTimeout: 0 }

export function keepConnections({ idleMs, connectMs, ...trust }: KeepOptions): Connections {
  let agent: Promise<Agent> | undefined
  const make = async (): Promise<Agent> => {
    const { Agent } = await loadUndici()
    const connect = connectOptions(trust, connectMs)
    const made = new Agent({ ...LIMITS, connect, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs })
    made.setMaxListeners(0)
    return made
  }
  return {
    agent: () => (agent ??= make()),
    trust,
    close: () => void agent?.then((made) => made.destroy()),
  }
}

/** @throws AnswerTooLong; the signal's reason; `TimeoutError` for the deadline; Error of the network or of TLS */
export async function sendRequest(request: HttpRequest): Promise<HttpAnswer> {
  const { connections } = request
  const deadline = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
  signal.throwIfAborted()
  // The library heeds the signal only once it is connected.
  const ended = rejectionOf(signal)
  const response = connections && (await Promise.race([askKept(connections, request, signal), ended]))
  if (response) return Promise.race([readAnswer(response, request), ended])

  const connect = connectOptions(connections?.trust ?? request, request.timeoutMs)
  const { Client } = await loadUndici()
  signal.throwIfAborted()
  const client = new Client(originOf(request), { ...LIMITS, connect })
  try {
    const asked = ask(client, request, signal)
    return await Promise.race([asked.then((last) => readAnswer(last, request)), ended])
  } finally {
    await client.destroy()
  }
}

/** @returns undefined when a kept connection was just closed by its other end, so that nothing of the request was read */
async function askKept(
  connections: Connections,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const agent = await connections.agent()
  signal.throwIfAborted()
  const origin = originOf(request)
  let isNew = false
  const onConnect = (to: URL): void => {
    isNew ||= to.origin === origin
  }
  agent.on('connect', onConnect)
  try {
    return await ask(agent, request, signal)
  } catch (error) {
    if (!isNew && (hasCode(error, 'ECONNRESET') || hasCode(error, 'UND_ERR_SOCKET'))) return undefined
    throw error
  } finally {
    agent.off('connect', onConnect)
  }
}

type Response = Dispatcher.ResponseData

function ask(dispatcher: Dispatcher, request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const { url, method, headers, body = null } = request
  return dispatcher.request({
    origin: originOf(request),
    path: `${url.pathname}${url.search}`,
    method,
    // The name that the certificate has to be valid for is taken from the host, too.
    headers: { host: url.host, ...headers },
    body,
    signal,
    reset: !request.connections,
  })
}

async function readAnswer({ statusCode, headers, body }: Response, request: HttpRequest): Promise<HttpAnswer> {
  const { maxBytes } = request
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length <= maxBytes) continue
    if (!request.cutsOff) throw new AnswerTooLong(`the answer has more than ${maxBytes} bytes`)
    break
  }
  const fields: HttpAnswer['headers'] = {}
  for (const [name, value] of Object.entries(headers)) fields[name] = [value].flat().join(', ')
  return {
    status: statusCode,
    contentType: fields['content-type'] ?? '',
    headers: fields,
    body: Buffer.concat(chunks).subarray(0, maxBytes),
  }
}

function originOf({ url, address }: HttpRequest): string {
  if (address === undefined) return url.origin
  return new URL(`${url.protocol}//${formatHostPort({ host: address, port: portOf(url) })}`).origin
}

/** A socket that is still connecting outlives its request and its client, so it has a limit of its own, a little past the request's. */
function connectOptions({ ca, verify = true }: Trust, timeoutMs: number) {
  return { rejectUnauthorized: verify, ...(ca !== undefined && { ca }), timeout: timeoutMs + SECOND }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  // Nobody waits for it any more once there is an answer.
  ended.catch(() => undefined)
  return ended
}
