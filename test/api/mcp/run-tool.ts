/** One call of a tool as a client sees it, over a mailbox that a test gives. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { createHolds } from '../../../src/http/limits/long-polls.js'
import { callTool } from '../../../src/api/mcp/server/call.js'
import { TOOLS_BY_NAME } from '../../../src/api/mcp/tools/tools.js'
import { createOpenCalls } from '../../../src/api/mcp/server/open-calls.js'
import type { ToolDeps } from '../../../src/api/mcp/tool.js'
import { fakes, type Fakes } from '../support/fakes.js'

export type { CallToolResult }

const { accounts } = fakes()

export function toolDeps(domain: Pick<Fakes, 'mailboxes' | 'accounts' | 'claims' | 'suppressions'>): ToolDeps {
  return {
    mailboxes: domain.mailboxes,
    accounts: domain.accounts,
    claims: domain.claims,
    suppressions: domain.suppressions,
    limits: { longPollSeconds: 1, attachmentsPerMessage: 3 },
    baseUrl: 'https://mail.example.com',
    holds: createHolds(2, domain.accounts),
    newRequestId: () => 'req_1',
    onError: (error) => {
      throw error
    },
  }
}

/** @param mailboxId whose mailbox it is; that of the fakes when not given */
export async function runTool(
  deps: ToolDeps,
  name: string,
  args: object = {},
  mailboxId?: string,
): Promise<CallToolResult> {
  const tool = TOOLS_BY_NAME.get(name)
  const caller = await accounts.authenticate('good')
  if (!tool || !caller) throw new Error(`there is no tool ${name}`)
  const calling = {
    caller: { ...caller, ...(mailboxId !== undefined && { mailboxId }) },
    requestId: 'req_1',
    hold: new AbortController().signal,
    openCalls: createOpenCalls(),
  }
  return callTool(tool, args, deps, calling, { id: 1, notify: async () => undefined })
}

/** The text of an answer. */
export function textOf({ content }: CallToolResult): string {
  const [first] = content
  if (first?.type !== 'text') throw new Error('the answer begins with no text')
  return first.text
}
