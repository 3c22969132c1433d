/** The tool list, built once, as it is the same for every caller. */
import type { CacheHint, Tool as ListedTool } from '@modelcontextprotocol/server'
import { MINUTE } from '../../../lib/clock.js'
import { TOOLS } from '../tools/tools.js'

/** Revision 2026-07-28, caching: what is listed changes with the version of the service alone. */
export const LIST_CACHE: CacheHint = { ttlMs: 15 * MINUTE, cacheScope: 'public' }

export const TOOL_LIST: ListedTool[] = TOOLS.map(
  ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  }),
)

export const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]))
