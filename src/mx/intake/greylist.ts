/**
 * Greylisting (RFC 6647): an unknown client is asked to come again, which mail servers do and most spam bots don't. Stored is a hash of network, sender and
 * recipient with an expiry; a client that returned is known from then on.
 */
import { createHash } from 'node:crypto'
import { DAY, type Clock } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'

export interface GreylistDeps {
  store: Store
  clock: Clock
  /** From the first attempt to the accepted one. */
  delayMs: number
  retryMs: number
  /** Time that a known client is remembered after its last message. */
  knownMs: number
  /** First attempts and known clients; 200,000 by default, some 40 MB. */
  maxEntries?: number
}

export interface Attempted {
  /** An IPv4 /24 or IPv6 /64: retries often come from another host of the farm. */
  network: string
  /** Reverse-path, '' for the null sender. */
  sender: string
  recipient: string
}

export type Greylist = ReturnType<typeof createGreylist>

interface Entry {
  /** First attempt, or last renewal of a known client. */
  at: number
  until: number
}

const SHARDS = 16
const MAX_ENTRIES = 200_000
/** A known client is renewed when this much time has passed, not at each message. */
const RENEW_AFTER_MS = DAY
/** Expired entries removed per new entry: more than are added. */
const CLEARED_AT_ONCE = 8

/*
 * Keys of `greylist/<shard>`:
 *   e, <hash>         → Entry: a first attempt or a known client
 *   u, <until>, <hash> → nothing: entries by their end
 *   n                 → how many entries there are
 */
const entryKey = (hash: string): Uint8Array => key('e', hash)
const endKey = (until: number, hash: string): Uint8Array => key('u', until, hash)
const COUNT_KEY = key('n')
const NOTHING = encode(1)

export function createGreylist({ store, clock, ...times }: GreylistDeps) {
  const maxPerShard = Math.max(CLEARED_AT_ONCE, Math.floor((times.maxEntries ?? MAX_ENTRIES) / SHARDS))

  async function put(tx: Transaction, hash: string, before: Entry | undefined, entry: Entry): Promise<void> {
    const now = clock.now()
    const counted = await tx.get(COUNT_KEY)
    let count = counted ? decode<number>(counted) : 0
    if (before) tx.delete(endKey(before.until, hash))
    else count++
    // Expired entries, and beyond the limit those that expire first.
    const { gte, lt } = prefixRange('u')
    for (const [ended] of await tx.range({ gte, lt, limit: CLEARED_AT_ONCE })) {
      const [, until, other] = keyParts(ended)
      if (typeof until !== 'bigint' || typeof other !== 'string' || other === hash) continue
      if (Number(until) > now && count <= maxPerShard) break
      tx.delete(ended)
      tx.delete(entryKey(other))
      count--
    }
    tx.put(entryKey(hash), encode(entry))
    tx.put(endKey(entry.until, hash), NOTHING)
    tx.put(COUNT_KEY, encode(count))
  }

  const read = (hash: string): Promise<Entry | undefined> =>
    store.read(partitionOf(hash), async (view) => {
      const bytes = await view.get(entryKey(hash))
      const entry = bytes && decode<Entry>(bytes)
      return entry && entry.until > clock.now() ? entry : undefined
    })

  /** Writes an entry unless another process was faster; returns the stored one. */
  const write = (hash: string, make: (before: Entry | undefined) => Entry | undefined): Promise<void> =>
    store.write(partitionOf(hash), async (tx) => {
      const bytes = await tx.get(entryKey(hash))
      const before = bytes && decode<Entry>(bytes)
      const entry = make(before)
      if (entry) await put(tx, hash, before, entry)
    })

  async function know(client: string): Promise<void> {
    const now = clock.now()
    await write(client, () => ({ at: now, until: now + times.knownMs }))
  }

  return {
    /** True if the client may continue. Durable when it resolves. */
    async passes({ network, sender, recipient }: Attempted): Promise<boolean> {
      const now = clock.now()
      const client = hashOf('client', network)
      const known = await read(client)
      if (known) {
        if (now - known.at > RENEW_AFTER_MS) await know(client)
        return true
      }
      const triplet = hashOf('triplet', network, sender.toLowerCase(), recipient.toLowerCase())
      const first = await read(triplet)
      if (first) {
        if (now - first.at < times.delayMs) return false
        await know(client)
        return true
      }
      await write(triplet, (before) =>
        before && before.until > now ? undefined : { at: now, until: now + times.retryMs },
      )
      return false
    },
  }
}

/** Addresses are not stored and can't be derived. */
function hashOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('base64url').slice(0, 24)
}

function partitionOf(hash: string): string {
  return `greylist/${hash.charCodeAt(0) % SHARDS}`
}
