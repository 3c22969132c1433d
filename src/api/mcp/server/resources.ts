/** The MCP resource mailbox://usage: all limits and usage of the account. */
import { ResourceNotFoundError, type ReadResourceResult, type Resource } from '@modelcontextprotocol/server'
import type { Caller } from '../../../accounts/types.js'
import { permit } from '../../../http/limits/authorize.js'
import { answeringProtocol } from '../errors.js'
import type { ToolDeps } from '../tool.js'
import { usageOf } from '../tools/usage.js'

const USAGE = 'mailbox://usage'

export const RESOURCE_LIST: Resource[] = [
  {
    uri: USAGE,
    name: 'usage',
    title: 'Usage',
    description: 'Limits of the account, what is used of them, and what became of what was sent.',
    mimeType: 'application/json',
  },
]

/** @throws ProtocolError for an unknown resource, or one that the caller may not read */
export async function readResource(uri: string, deps: ToolDeps, caller: Caller): Promise<ReadResourceResult> {
  if (uri !== USAGE) throw new ResourceNotFoundError(uri.slice(0, 200))
  return answeringProtocol('usage', deps, async () => {
    permit(caller, 'mailbox', 'mail:read')
    const text = JSON.stringify(await usageOf(deps, caller), undefined, 2)
    return { contents: [{ uri: USAGE, mimeType: 'application/json', text }] }
  })
}
