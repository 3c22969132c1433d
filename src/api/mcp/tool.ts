/** The declaration of a tool: input, output, and the scope it needs. */
import { z } from 'zod'
import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Suppressions } from '../../accounts/suppressions.js'
import type { Accounts, Caller } from '../../accounts/types.js'
import type { Claims } from '../../lifecycle/claims/types.js'
import { invalidRequest } from '../../lib/errors.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { Mailboxes } from '../../mailbox/composition/mailboxes.js'
import type { NeededScope } from '../../http/limits/authorize.js'
import type { Holds } from '../../http/limits/long-polls.js'
import { fieldProblems } from '../../http/routing/zod-problems.js'
import type { Fence } from './text/fence.js'
import { jsonSchemaOf, type JsonSchema } from './schema.js'

export interface ToolDeps {
  mailboxes: Mailboxes
  claims: Claims
  accounts: Pick<Accounts, 'usage'>
  suppressions: Pick<Suppressions, 'list' | 'remove'>
  limits: { longPollSeconds: number; attachmentsPerMessage: number }
  /** Without a slash at its end. */
  baseUrl: string
  /** Held requests, counted over REST and MCP together. */
  holds: Holds
  /** Called for internal errors, with the request id that the caller gets. */
  onError: (error: unknown, requestId: string) => void
  newRequestId: () => string
  /** Caches answers of `kept` tools; without it nothing is cached. */
  keepAnswer?: KeepAnswer | undefined
  /** Interval of progress notifications for waiting calls; 5 seconds by default. */
  progressEveryMs?: number
}

export interface ToolContext {
  caller: Caller
  /** The caller for work in threads. */
  asker?: Asker | undefined
  fence: Fence
  /** Id of the HTTP request, for the log. */
  requestId: string
  /** Aborted on cancellation, disconnect, or server stop. Only for waiting calls: requesting it has a cost. */
  readonly signal: AbortSignal
  /** Sends progress to the client, so that it keeps waiting; undefined when it did not request progress. */
  progress: Progress | undefined
}

/** @param done grows from call to call */
export type Progress = (done: number, total: number, message: string) => void

/** The output of a tool: text for the model, and data by its output schema. */
export interface ToolAnswer<S = Record<string, unknown>> {
  text: string
  structured: S
  /** True if it contains text of strangers: the rule of the fence is added. */
  untrusted: boolean
  /** Content other than text: images, files. */
  more?: ContentBlock[]
}

/**
 * Gives the answer to a call that is cached while the mailbox stays as it is, with the mark of this fence; or the one that `make` returns.
 *
 * @param call names the tool and its arguments
 */
export type KeepAnswer = (
  mailboxId: string,
  call: string,
  fence: Fence,
  make: () => Promise<ToolAnswer>,
) => Promise<ToolAnswer>

interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: I
  output: O
  annotations: ToolAnnotations
  /** The scope needed; undefined for tools that work before the mailbox is approved. */
  scope: NeededScope
  /** The answer depends only on the arguments and the caller's mailbox, and has a mark of its fence only in its text: it may be cached until that changes. */
  kept?: boolean
  run(deps: ToolDeps, input: z.output<I>, context: ToolContext): Promise<ToolAnswer<z.output<O>>>
}

/** A tool, declared once; its types stay inside `run`. */
export interface Tool extends Pick<
  ToolSpec<z.ZodObject, z.ZodObject>,
  'name' | 'title' | 'description' | 'annotations' | 'scope'
> {
  input: z.ZodObject
  output: z.ZodObject
  /** As sent. */
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  /** @throws ServiceError `invalid_request` with `fields` for invalid arguments, and the tool's own refusals */
  run(deps: ToolDeps, args: unknown, context: ToolContext): Promise<ToolAnswer>
}

/** @param spec its input is a strict object: unknown fields are refused by name, since a silently ignored flag would seem to work */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool {
  const run: Tool['run'] = async (deps, args, context) => {
    const result = spec.input.safeParse(args)
    if (result.success) return spec.run(deps, result.data, context)
    const fields = fieldProblems(result.error.issues, 'body', Object.keys(spec.input.shape))
    const names = [...new Set(fields.map((each) => each.field))].slice(0, 5).join(', ')
    throw invalidRequest(
      `The arguments of ${spec.name} can't be used: ${names}.`,
      'Correct what this error names, then call the tool again.',
      fields,
    )
  }
  return {
    ...spec,
    inputSchema: jsonSchemaOf(spec.input, 'input'),
    outputSchema: jsonSchemaOf(spec.output, 'output'),
    async run(deps, given, context) {
      const { caller, fence } = context
      const args = given ?? {}
      if (!spec.kept || !deps.keepAnswer) return run(deps, args, context)
      const call = `${spec.name} ${JSON.stringify(args)}`
      return deps.keepAnswer(caller.mailboxId, call, fence, () => run(deps, args, context))
    },
  }
}

/** Reading changes nothing, and stays within the mailbox. */
export const READS = {
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'mail:read' as const,
}
/** Idempotent and reversible changes. */
export const CHANGES = {
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'mail:write' as const,
}
/** Sends mail. A repeated call sends again unless it has the same idempotency key. */
export const SENDS = {
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scope: 'mail:send' as const,
}

export const messageId = z.string().max(64)
export const threadId = z.string().max(64)
export const pageLimit = (max: number) => z.int().min(1).max(max).default(10)
export const cursor = z.string().max(1000).optional().describe('next_cursor of the page before')
export const idempotencyKey = z.string().min(1).max(255).optional().describe('Never sends twice')
