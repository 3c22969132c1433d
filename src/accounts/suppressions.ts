/** Addresses that an account may not write to: further mail to them gets a server block-listed. A send checks them in the commit that counts its recipients. */
import { z } from 'zod'
import { timestamp, type Clock } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { sha256Hex } from '../lib/ids.js'
import { decodeCursor, encodeCursor } from '../lib/cursor.js'
import { addressKey } from '../mime/address.js'
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { readValue } from '../store/values.js'
import { accountPartition } from './record.js'

export const suppressionSchema = z
  .object({
    id: z.string().describe('The address'),
    object: z.literal('suppression'),
    address: z.string().describe('In lower case'),
    reason: z.enum(['bounce', 'complaint']).describe('It does not exist, or its owner complained'),
    message_id: z.string().describe('The message (msg_…) that caused it'),
    detail: z.string().nullable().describe('The reply or report of the other side'),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Suppression' })

export type Suppression = z.infer<typeof suppressionSchema>

export interface NewSuppression {
  address: string
  reason: Suppression['reason']
  messageId: string
  detail: string | null
}

/** Max suppressions of one account; beyond it the oldest are dropped. */
export const MAX_SUPPRESSIONS = 10_000
const EMPTY = new Uint8Array(0)
const COUNT = key('suppressed-count')
export const suppressedKey = (hash: string): Uint8Array => key('suppressed', hash)
export const orderKey = (at: number, hash: string): Uint8Array => key('suppressed-on', at, hash)
const orderRange = prefixRange('suppressed-on')
const cursorSchema = z.tuple([z.int().nonnegative(), z.string().length(64)])

const hashOf = (address: string): string => sha256Hex(addressKey(address))

export type Suppressions = ReturnType<typeof createSuppressions>

export function createSuppressions({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** Within a transaction of the account's partition. Idempotent by address, reason and message. A complaint replaces a bounce. */
    async suppress(tx: Transaction, entries: NewSuppression[]) {
      for (const entry of entries) await add(tx, entry, clock)
    },

    /** The newest first. @throws ServiceError `invalid_request` for a cursor of another list */
    async list(accountId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const after = decodeCursor(cursor, cursorSchema)
      return store.read(accountPartition(accountId), async (view) => {
        const lt = after ? orderKey(...after) : orderRange.lt
        const rows = await view.range({ gte: orderRange.gte, lt, limit: limit + 1, reverse: true })
        const places = rows.slice(0, limit).map(([row]) => keyParts(row))
        const found = await view.getMany(places.map((parts) => suppressedKey(String(parts[2]))))
        const last = places.at(-1)
        const hasMore = rows.length > limit
        return {
          data: found.filter((value) => value !== undefined).map(suppressionOf),
          has_more: hasMore,
          next_cursor: hasMore && last ? encodeCursor([Number(last[1]), last[2]]) : null,
        }
      })
    },

    /** The suppressed ones of the addresses, in lower case. */
    among: (accountId: string, addresses: string[]) =>
      store.read(accountPartition(accountId), async (view) => {
        const found = await view.getMany(addresses.map((address) => suppressedKey(hashOf(address))))
        return addresses.filter((_, i) => found[i] !== undefined).map(addressKey)
      }),

    /** @returns the removed suppression @throws ServiceError `not_found` when the address is not suppressed */
    async remove(accountId: string, address: string): Promise<Suppression> {
      const removed = await store.write(accountPartition(accountId), async (tx) => {
        const bytes = await tx.get(suppressedKey(hashOf(address)))
        if (!bytes) return undefined
        const suppression = suppressionOf(bytes)
        drop(tx, suppression)
        await setCount(tx, (await countOf(tx)) - 1)
        return suppression
      })
      if (removed) return removed
      throw new ServiceError(
        'not_found',
        'This address is not on the suppression list.',
        'List suppressed addresses with GET /v1/suppressions; you can write to every other one.',
      )
    },
  }
}

type SuppressionRow = Omit<Suppression, 'id' | 'object'>

function suppressionOf(row: Uint8Array): Suppression {
  const stored = decode<SuppressionRow>(row)
  // Rows of earlier versions have "" for an empty text.
  const detail = stored.detail === '' ? null : stored.detail
  return { id: stored.address, object: 'suppression', ...stored, detail }
}

async function add(tx: Transaction, entry: NewSuppression, clock: Clock): Promise<void> {
  const { address, reason, messageId, detail } = entry
  const before = await readValue<SuppressionRow>(tx, suppressedKey(hashOf(address)))
  if (before?.reason === 'complaint' && (reason === 'bounce' || before.message_id === messageId)) return
  if (before?.reason === reason && before.message_id === messageId) return

  if (before) drop(tx, before)
  else await makeRoom(tx)
  const now = clock.now()
  const suppression: SuppressionRow = {
    address: addressKey(address),
    reason,
    message_id: messageId,
    detail,
    created_at: timestamp(now),
  }
  tx.put(suppressedKey(hashOf(address)), encode(suppression))
  tx.put(orderKey(now, hashOf(address)), EMPTY)
}

function drop(tx: Transaction, { address, created_at }: SuppressionRow): void {
  tx.delete(suppressedKey(hashOf(address)))
  tx.delete(orderKey(Date.parse(created_at), hashOf(address)))
}

/** Drops the oldest so that one can be added. */
async function makeRoom(tx: Transaction): Promise<void> {
  const count = await countOf(tx)
  if (count < MAX_SUPPRESSIONS) return setCount(tx, count + 1)
  const [oldest] = await tx.range({ ...orderRange, limit: 1 })
  if (!oldest) return
  tx.delete(oldest[0])
  tx.delete(suppressedKey(String(keyParts(oldest[0])[2])))
}

async function countOf(view: View): Promise<number> {
  return (await readValue<number>(view, COUNT)) ?? 0
}

async function setCount(tx: Transaction, count: number): Promise<void> {
  tx.put(COUNT, encode(Math.max(0, count)))
}

/** @throws ServiceError `recipient_suppressed` when one of the addresses, given by their hash, is on the list */
export async function refuseSuppressed(view: View, hashes: string[]): Promise<void> {
  const found = (await view.getMany(hashes.map(suppressedKey))).filter((value) => value !== undefined)
  const [first] = found
  if (!first) return
  const { address, reason, message_id } = decode<Suppression>(first)
  const others = found.length === 1 ? '' : ` (and ${found.length - 1} more of these recipients)`
  const because = reason === 'bounce' ? 'its server said that it does not exist' : 'its owner complained'
  throw new ServiceError(
    'recipient_suppressed',
    `${address}${others} is on the suppression list since ${message_id}: ${because}.`,
    `Leave it out. Only if you know that it wants your mail and works now, remove it with DELETE /v1/suppressions/${encodeURIComponent(address)} and send again; GET /v1/suppressions lists all.`,
    {
      fields: found.map((value) => ({ field: 'to', problem: `${decode<Suppression>(value).address} is suppressed` })),
    },
  )
}
