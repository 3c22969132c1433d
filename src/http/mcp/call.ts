/** One call of a tool: whether its caller may, and how its answer or its error reads. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { ServiceError } from '../../lib/errors.js'
import { isStorageError } from '../../store/errors.js'
import { permit } from '../authorize.js'
import { storageFailed } from '../errors.js'
import { errorText } from './errors.js'
import { marked, newFence, type Fence } from './fence.js'
import type { Calling, Tool, ToolDeps } from './tool.js'

/** @param signal aborted when the client cancelled */
export async function callTool(
  tool: Tool,
  args: unknown,
  deps: ToolDeps,
  { caller, hold }: Calling,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const fence = newFence()
  try {
    if (tool.scope !== undefined) permit(caller, 'mailbox', tool.scope)
    const result = await tool.run(deps, args, { caller, fence, signal: AbortSignal.any([signal, hold]) })
    const text = result.untrusted ? `${fence.rule}\n\n${result.text}` : result.text
    return {
      content: [{ type: 'text', text }, ...(result.more ?? [])],
      structuredContent: result.structured,
      ...(result.untrusted && marked(fence)),
    }
  } catch (error) {
    return errorResult(tool.name, error, fence, deps)
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
