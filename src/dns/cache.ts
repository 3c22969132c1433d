/** Caches answers within their TTL, limited in number and size, since strangers choose both names and answers. */
import type { Clock } from '../lib/clock.js'

export type Cache<T> = ReturnType<typeof createCache<T>>

/** Memory of a key and its entry, beside the value. */
const ENTRY_OVERHEAD_BYTES = 200

export function createCache<T>(options: { clock: Clock; maxEntries: number; maxBytes: number }) {
  const { clock, maxEntries, maxBytes } = options
  // A Map keeps insertion order, so its first key is the oldest.
  const entries = new Map<string, { value: T; bytes: number; expiresAt: number }>()
  let totalBytes = 0

  function drop(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key: string): T | undefined {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.expiresAt > clock.now()) return entry.value
      drop(key)
      return undefined
    },
    expiresAt: (key: string): number | undefined => entries.get(key)?.expiresAt,
    /** @param bytes about what the value costs in memory */
    set(key: string, value: T, bytes: number, ttlMs: number): void {
      drop(key)
      const cost = bytes + key.length + ENTRY_OVERHEAD_BYTES
      if (ttlMs <= 0 || cost > maxBytes) return
      entries.set(key, { value, bytes: cost, expiresAt: clock.now() + ttlMs })
      totalBytes += cost
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && totalBytes <= maxBytes) break
        drop(oldest)
      }
    },
  }
}
