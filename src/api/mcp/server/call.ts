/** A tool call: permission, answer, errors. */
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../../../accounts/types.js'
import { ServiceError } from '../../../lib/errors.js'
import type { Asker } from '../../../lib/thread-pool.js'
import { isStorageError } from '../../../store/errors.js'
import { permit } from '../../../http/limits/authorize.js'
import { storageFailed } from '../../../http/answers/errors.js'
import { ClientGone } from '../../../http/message.js'
import { errorText } from '../errors.js'
import { marked, newFence, type Fence } from '../text/fence.js'
import type { OpenCalls } from './open-calls.js'
import { progressOf } from '../progress.js'
import type { Tool, ToolDeps } from '../tool.js'

/** The caller, and the signal that ends a held call. */
export interface Calling {
  caller: Caller
  /** The caller for work in threads; without it that work continues when the client is gone. */
  asker?: Asker | undefined
  /** Aborted when the client went away or the server stops. */
  readonly hold: AbortSignal
  openCalls: OpenCalls
  requestId: string
}

export async function callTool(
  tool: Tool,
  args: unknown,
  deps: ToolDeps,
  calling: Calling,
  request: Pick<ServerContext['mcpReq'], 'id' | '_meta' | 'notify'>,
): Promise<CallToolResult> {
  const { caller, openCalls } = calling
  const fence = newFence()
  let held: { signal: AbortSignal; close(): void } | undefined
  let ends: AbortSignal | undefined
  const cancelled = (): AbortSignal => (held ??= openCalls.open(caller.keyId, request.id)).signal
  const context = {
    caller,
    asker: calling.asker && cancellable(calling.asker, cancelled),
    fence,
    requestId: calling.requestId,
    progress: progressOf(request),
    get signal() {
      return (ends ??= AbortSignal.any([cancelled(), calling.hold]))
    },
  }
  try {
    if (tool.scope !== undefined) permit(caller, 'mailbox', tool.scope)
    const result = await tool.run(deps, args, context)
    const text = result.untrusted ? `${fence.rule}\n\n${result.text}` : result.text
    return {
      content: [{ type: 'text', text }, ...(result.more ?? [])],
      structuredContent: result.structured,
      ...(result.untrusted && marked(fence)),
    }
  } catch (error) {
    // Nobody reads it: the client left, or cancelled the call.
    if (error instanceof ClientGone || (held?.signal.aborted && error === held.signal.reason)) return CANCELLED
    return errorResult(tool.name, error, fence, deps)
  } finally {
    held?.close()
  }
}

const CANCELLED: CallToolResult = { isError: true, content: [{ type: 'text', text: 'The call was cancelled.' }] }

/** Its work ends when the client is gone or cancels the call. */
function cancellable(asker: Asker, cancelled: () => AbortSignal): Asker {
  let ends: AbortSignal | undefined
  return {
    owner: asker.owner,
    key: asker.key,
    get signal() {
      return (ends ??= AbortSignal.any([cancelled(), ...(asker.signal ? [asker.signal] : [])]))
    },
    charge: (ms) => asker.charge?.(ms),
  }
}

function errorResult(tool: string, error: unknown, fence: Fence, deps: ToolDeps): CallToolResult {
  if (error instanceof ServiceError) {
    const { text, untrusted } = errorText(tool, error, fence)
    return { isError: true, content: [{ type: 'text', text }], ...(untrusted && marked(fence)) }
  }
  const requestId = deps.newRequestId()
  deps.onError(error, requestId)
  if (isStorageError(error)) return errorResult(tool, storageFailed(), fence, deps)
  const text = `internal: Something went wrong on this server (${requestId}).\nNext: Try again in a minute; a sending tool is safe to repeat with the same idempotency_key.`
  return { isError: true, content: [{ type: 'text', text }] }
}
