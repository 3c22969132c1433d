/** Progress of a waiting call (MCP, progress): notified every few seconds, so that clients don't give up. */
import type { ServerContext } from '@modelcontextprotocol/server'
import { SECOND } from '../../lib/clock.js'
import type { Progress, ToolContext, ToolDeps } from './tool.js'

const EVERY_MS = 5 * SECOND

/** Progress notifier; undefined when the request has no progress token. */
export function progressOf({ _meta, notify }: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>): Progress | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress, total, message) => {
    const sent = notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } })
    // A client that left is not notified, and its call ends by its signal.
    sent.catch(() => undefined)
  }
}

export async function whileWaiting<T>(
  { progressEveryMs = EVERY_MS }: Pick<ToolDeps, 'progressEveryMs'>,
  { progress }: Pick<ToolContext, 'progress'>,
  { seconds, message }: { seconds: number; message: string },
  work: () => Promise<T>,
): Promise<T> {
  if (!progress) return work()
  const begun = performance.now()
  const timer = setInterval(() => progress((performance.now() - begun) / SECOND, seconds, message), progressEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
