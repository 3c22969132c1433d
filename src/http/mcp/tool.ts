/** What every tool shares: who calls, and how results and errors are put. */
import { z } from 'zod'
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Accounts, Caller } from '../../accounts/types.js'
import type { Claims } from '../../claims/types.js'
import { ServiceError } from '../../lib/errors.js'
import type { Mailboxes } from '../../mailbox/types.js'
import { isStorageError } from '../../store/errors.js'
import { permit, type NeededScope } from '../authorize.js'
import { storageFailed } from '../errors.js'
import type { Holds } from '../holds.js'
import { newFence, type Fence } from './fence.js'

export interface ToolDeps {
  mailboxes: Mailboxes
  claims: Claims
  accounts: Pick<Accounts, 'usage'>
  limits: { longPollSeconds: number }
  /** Held requests, counted over REST and MCP together. */
  holds: Holds
  /** Told of errors that are ours, with a request id that the caller is told too. */
  onError: (error: unknown, requestId: string) => void
  newRequestId: () => string
}

/** Who calls, and until when a call may be held open. */
export interface Calling {
  caller: Caller
  /** Aborted when the client went away or the server stops. */
  hold: AbortSignal
}

export interface ToolContext {
  caller: Caller
  fence: Fence
  /** Aborted when the client cancelled or went away, or the server stops. */
  signal: AbortSignal
}

export interface Tool<I extends z.ZodObject, O extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: I
  output: O
  annotations: ToolAnnotations
  /** What the key has to be allowed; undefined for what may be called while the mailbox waits for its approval. */
  scope: NeededScope
  run(
    deps: ToolDeps,
    input: z.infer<I>,
    context: ToolContext,
  ): Promise<{ text: string; structured: z.infer<O>; untrusted: boolean }>
}

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const SENDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
}

/** Adds a tool to the server of one request. */
export function register<I extends z.ZodObject, O extends z.ZodObject>(
  server: McpServer,
  deps: ToolDeps,
  { caller, hold }: Calling,
  tool: Tool<I, O>,
): void {
  const { title, description, annotations } = tool
  // A field that is not there is refused by name: a file or a flag that is silently left out would be taken for done.
  const inputSchema: z.ZodObject = tool.input.strict()
  const outputSchema: z.ZodObject = tool.output
  server.registerTool(
    tool.name,
    { title, description, inputSchema, outputSchema, annotations },
    async (args, context) => {
      const fence = newFence()
      const signal = AbortSignal.any([context.mcpReq.signal, hold])
      try {
        if (tool.scope !== undefined) permit(caller, 'mailbox', tool.scope)
        const result = await tool.run(deps, tool.input.parse(args), { caller, fence, signal })
        const text = result.untrusted ? `${fence.rule}\n\n${result.text}` : result.text
        return {
          content: [{ type: 'text', text }],
          structuredContent: result.structured,
          ...(result.untrusted && { _meta: { 'restante/untrusted': true, 'restante/fence': fence.mark } }),
        }
      } catch (error) {
        return errorResult(error, deps)
      }
    },
  )
}

function errorResult(error: unknown, deps: ToolDeps): CallToolResult {
  if (error instanceof ServiceError) {
    const fields = error.fields?.map((f) => `\n- ${f.field}: ${f.problem}`).join('') ?? ''
    const retry = error.retryAfterSeconds === undefined ? '' : ` Wait ${error.retryAfterSeconds} seconds first.`
    return {
      isError: true,
      content: [{ type: 'text', text: `${error.code}: ${error.message}${fields}\nNext: ${error.hint}${retry}` }],
    }
  }
  const requestId = deps.newRequestId()
  deps.onError(error, requestId)
  if (isStorageError(error)) return errorResult(storageFailed(), deps)
  const text = `internal: Something went wrong on this server (${requestId}).\nNext: Try again in a minute; a sending tool is safe to repeat with the same idempotency_key.`
  return { isError: true, content: [{ type: 'text', text }] }
}

export const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('Your own unique key for this send; the same key within 24 h never sends twice')
