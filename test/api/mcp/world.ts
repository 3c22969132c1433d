/** The endpoint /mcp over a real socket with the domain faked, and requests of each revision as they stand on the wire. */
import type { Test } from 'tap'
import type { Caller } from '../../../src/accounts/types.js'
import type { Mount } from '../../../src/http/limits/web-handler.js'
import { createHolds, type Holds } from '../../../src/http/limits/long-polls.js'
import { createMcp } from '../../../src/api/mcp/server/server.js'
import type { Mailboxes } from '../../../src/mailbox/composition/mailboxes.js'
import { startApi, type Api } from '../support/api-server.js'
import type { Answer } from '../../http/client.js'
import { fakes, type Fakes } from '../support/fakes.js'

export const MODERN = '2026-07-28'
export const LEGACY = '2025-11-25'

export interface RpcAnswer {
  jsonrpc: '2.0'
  id: unknown
  // Tests look into answers freely; a wrong shape fails their assertions.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result?: any
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  error?: any
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  params?: any
}

export interface Rpc {
  id?: number | string
  key?: string
  /** Beside and instead of those that belong to the request; an empty one is left out. */
  headers?: Record<string, string>
  /** Beside the envelope of the request. */
  meta?: Record<string, unknown>
  signal?: AbortSignal
}

export interface McpApi {
  api: Api
  /** The domain behind the tools; that behind /v1 is the one of `api`. */
  fakes: Fakes
  holds: Holds
  errors: unknown[]
  /** Ends what the callers of these keys hold open. */
  endAccess: (keyId: string) => void
  modern: (method: string, params?: Record<string, unknown>, rpc?: Rpc) => Promise<Answer>
  legacy: (method: string, params?: Record<string, unknown>, rpc?: Rpc) => Promise<Answer>
}

export interface McpApiOptions {
  limits?: NonNullable<Parameters<typeof startApi>[1]>['limits']
  baseUrl?: string
  allowedOrigins?: string[]
  longPollsPerKey?: number
  progressEveryMs?: number
  maxBodyBytes?: number
  mailboxes?: (mailboxes: Mailboxes) => Partial<Mailboxes>
  /** Changes the caller of a key. */
  caller?: (caller: Caller) => Caller
}

export async function startMcp(t: Test, options: McpApiOptions = {}): Promise<McpApi> {
  const domain = fakes()
  const errors: unknown[] = []
  const endings: ((ended: { keyId: string }) => void)[] = []
  const onAccessEnd: Parameters<typeof createHolds>[1]['onAccessEnd'] = (fn) => (endings.push(fn), () => undefined)
  const holds = createHolds(options.longPollsPerKey ?? 2, { onAccessEnd, findEnded: async () => [] })
  const mcp = createMcp({
    holds,
    mailboxes: { ...domain.mailboxes, ...options.mailboxes?.(domain.mailboxes) },
    claims: domain.claims,
    accounts: domain.accounts,
    suppressions: domain.suppressions,
    limits: { longPollSeconds: 60, attachmentsPerMessage: 2 },
    baseUrl: 'https://mail.example.com',
    version: '1.2.3',
    allowedOrigins: options.allowedOrigins ?? [],
    maxBodyBytes: options.maxBodyBytes ?? 100_000,
    newRequestId: () => 'req_1',
    onError: (error) => errors.push(error),
    ...(options.progressEveryMs !== undefined && { progressEveryMs: options.progressEveryMs }),
  })
  t.teardown(() => mcp.close())
  const { caller: change = (caller) => caller } = options
  const mount: Mount = {
    ...mcp.mount,
    fetch: (request, context) =>
      mcp.mount.fetch(request, { ...context, caller: context.caller && change(context.caller) }),
  }
  const api = await startApi(t, {
    mounts: [mount],
    holds,
    baseUrl: options.baseUrl ?? '',
    limits: options.limits ?? {},
  })

  function send(headers: Record<string, string>, message: object, { key, signal, ...rpc }: Rpc): Promise<Answer> {
    const all = { Accept: 'application/json, text/event-stream', ...headers, ...rpc.headers }
    return api.call('POST', '/mcp', {
      ...(key !== undefined && { key }),
      ...(signal && { signal }),
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      json: message,
    })
  }

  return {
    api,
    fakes: domain,
    holds,
    errors,
    endAccess: (keyId) => endings.forEach((end) => end({ keyId })),
    modern(method, params = {}, rpc = {}) {
      const { name } = params
      const headers = {
        'MCP-Protocol-Version': MODERN,
        'Mcp-Method': method,
        ...(typeof name === 'string' && { 'Mcp-Name': name }),
      }
      const isNotification = method.startsWith('notifications/')
      const id = isNotification ? {} : { id: rpc.id ?? 1 }
      const sent = { ...params, _meta: { ...ENVELOPE, ...rpc.meta } }
      return send(headers, { jsonrpc: '2.0', ...id, method, params: sent }, rpc)
    },
    legacy(method, params = {}, rpc = {}) {
      const isNotification = method.startsWith('notifications/')
      const id = isNotification ? {} : { id: rpc.id ?? 1 }
      const sent = rpc.meta ? { ...params, _meta: rpc.meta } : params
      return send({ 'MCP-Protocol-Version': LEGACY }, { jsonrpc: '2.0', ...id, method, params: sent }, rpc)
    },
  }
}

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Until something is so; the test's own limit of time ends it otherwise. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/** The messages of an answer, of JSON or of an event stream. */
export function messagesOf({ headers, text }: Pick<Answer, 'headers' | 'text'>): RpcAnswer[] {
  if (!headers['content-type']?.startsWith('text/event-stream')) return [JSON.parse(text) as RpcAnswer].flat()
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as RpcAnswer)
}

/** The last of them: what a request was answered with. */
export function rpcOf(answer: Answer): RpcAnswer {
  const last = messagesOf(answer).at(-1)
  if (!last) throw new Error(`no message in ${answer.status} ${answer.text}`)
  return last
}
