/**
 * Calls that wait, by the key and the id of their request, so that `notifications/cancelled` finds them: without sessions it is a request of its
 * own. Two clients with one key may give the same id: then both calls end, and the one nobody cancelled says that nothing came, as it does when
 * its time is over.
 */
import type { RequestId } from '@modelcontextprotocol/server'

export interface OpenCalls {
  /** @returns aborted when the call is cancelled, until it is closed */
  open(keyId: string, requestId: RequestId): { signal: AbortSignal; close(): void }
  /** Nothing when there is no such call. */
  cancel(keyId: string, requestId: RequestId): void
}

export function createOpenCalls(): OpenCalls {
  const calls = new Map<string, Set<AbortController>>()
  // The id 1 is another one than "1".
  const nameOf = (keyId: string, requestId: RequestId): string => `${keyId} ${JSON.stringify(requestId)}`
  return {
    open(keyId, requestId) {
      const name = nameOf(keyId, requestId)
      const controller = new AbortController()
      const ofName = calls.get(name) ?? new Set()
      calls.set(name, ofName.add(controller))
      return {
        signal: controller.signal,
        close() {
          ofName.delete(controller)
          if (ofName.size === 0 && calls.get(name) === ofName) calls.delete(name)
        },
      }
    },
    cancel(keyId, requestId) {
      for (const controller of calls.get(nameOf(keyId, requestId)) ?? []) controller.abort()
    },
  }
}
