/**
 * The endpoint /mcp: streamable HTTP, revision 2026-07-28 and those of 2025, without sessions. The SDK checks headers, revisions and messages; limits, keys and
 * scopes come first, as for /v1.
 */
import {
  createMcpHandler,
  isJsonContentType,
  ProtocolError,
  type AuthInfo,
  type McpServer,
  type Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import type { Mount } from '../../../http/limits/web-handler.js'
import { ClientGone } from '../../../http/message.js'
import type { Calling } from './call.js'
import { cancelledIds } from './incoming.js'
import { mailboxServer } from './mailbox-server.js'
import { createOpenCalls } from './open-calls.js'
import { rebindingProblem } from './rebinding.js'
import { mcpMount } from './mount.js'
import { badRequest, forbidden } from './refusal.js'
import { stepUp } from './step-up.js'
import type { ToolDeps } from '../tool.js'

/** Batches exist only in revision 2025-03-26. Each message counts as a request, and all run at once. */
const MAX_BATCH = 10

/** The SDK's response to a request that ended early; never sent. */
const CLOSED = 499

export interface McpDeps extends ToolDeps {
  version: string
  /** Origins of pages that may call. */
  allowedOrigins: string[]
  maxBodyBytes: number
}

export interface Mcp {
  mount: Mount
  /** Notifies clients that listen for changes of the list of tools. */
  notify: ServerNotifier
  close(): Promise<void>
}

export function createMcp(deps: McpDeps): Mcp {
  return serveMcp(deps, (calling) => mailboxServer(deps, calling))
}

/**
 * The endpoint for any MCP server: test/suites/mcp/mcp.ts tests it with features that no mailbox has.
 *
 * @param build makes the server of one request
 */
export function serveMcp(
  deps: Pick<McpDeps, 'allowedOrigins' | 'maxBodyBytes' | 'onError' | 'newRequestId'>,
  build: (calling: Calling) => McpServer | Server,
): Mcp {
  // The SDK passes authInfo through unchanged: the factory finds the caller by it.
  const callers = new WeakMap<AuthInfo, Calling>()
  const openCalls = createOpenCalls()
  const handler = createMcpHandler((context) => build(callingOf(callers, context.authInfo)), {
    legacy: 'stateless',
    maxRequestBodySize: deps.maxBodyBytes,
    onerror: (error) => isOurs(error) && deps.onError(error, deps.newRequestId()),
  })
  return {
    mount: {
      ...mcpMount(deps),
      async fetch(request, { caller, asker, request: received, json, countMore }) {
        if (caller === undefined) throw new Error('/mcp was reached without a caller')
        const { origin, host } = received.headers
        const problem = rebindingProblem({ origin, host }, new URL(request.url), deps.allowedOrigins)
        if (problem !== undefined) return forbidden(problem)
        // The SDK refuses other content types.
        const isJson = request.method === 'POST' && isJsonContentType(request.headers.get('content-type'))
        const parsedBody = isJson ? await json() : undefined
        const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody]
        if (messages.length > MAX_BATCH)
          return badRequest(`A batch has at most ${MAX_BATCH} messages; send more of them.`)
        if (messages.length > 1) await countMore(messages.length - 1)
        const challenge = stepUp(caller, messages, request.url)
        if (challenge) return challenge
        for (const requestId of cancelledIds(messages)) openCalls.cancel(caller.keyId, requestId)
        const authInfo: AuthInfo = { token: '', clientId: caller.keyId, scopes: [] }
        callers.set(authInfo, {
          caller,
          asker,
          get hold() {
            return received.holdSignal
          },
          openCalls,
          requestId: received.requestId,
        })
        const answer = await handler.fetch(request, { authInfo, parsedBody })
        if (answer.status === CLOSED) throw new ClientGone()
        return answer
      },
    },
    notify: handler.notify,
    close: () => handler.close(),
  }
}

function callingOf(callers: WeakMap<AuthInfo, Calling>, authInfo: AuthInfo | undefined): Calling {
  const calling = authInfo && callers.get(authInfo)
  if (!calling) throw new Error('an MCP request came through without a caller')
  return calling
}

/** False for refusals, which the SDK reports like its own errors. */
function isOurs(error: Error): boolean {
  return (
    !(error instanceof ProtocolError) && !/^(Rejected|Unsupported Media Type|subscriptions\/listen)/.test(error.message)
  )
}
