/**
 * Waiting calls by key and request id, for `notifications/cancelled`, which is a separate request without sessions. Two clients with one key may use the same
 * id: then both calls end, and the other one gets an empty result, as after a timeout.
 */
import type { RequestId } from '@modelcontextprotocol/server'

export type OpenCalls = ReturnType<typeof createOpenCalls>

export function createOpenCalls() {
  const calls = new Map<string, Set<AbortController>>()
  // The ids 1 and "1" differ.
  const nameOf = (keyId: string, requestId: RequestId): string => `${keyId} ${JSON.stringify(requestId)}`
  return {
    /** @returns a signal, aborted when the call is cancelled before it is closed */
    open(keyId: string, requestId: RequestId): { signal: AbortSignal; close(): void } {
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
    /** Does nothing for an unknown call. */
    cancel(keyId: string, requestId: RequestId): void {
      for (const controller of calls.get(nameOf(keyId, requestId)) ?? []) controller.abort()
    },
  }
}
