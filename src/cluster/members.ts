/**
 * The nodes that take part. Each writes a heartbeat every two seconds. The others watch the version of that row, and measure by their own clocks how long
 * it stays the same, so the clocks of the machines need not agree. The node that finds another one dead deletes its fence (fence.ts) and frees its shards,
 * in one commit.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { decode } from '../store/keys.js'
import { refuseNewer, SCHEMA_PARTITION, schemaOf } from '../store/schema-version.js'
import type { Store, Transaction } from '../store/types.js'
import {
  BEAT,
  beatOf,
  encodeRow,
  FENCE,
  fenceOf,
  memberKey,
  MEMBERS,
  readMembers,
  SHARD_RANGE,
  SHARDS,
  type Beat,
  type Member,
} from './rows.js'

export const BEAT_MS = 2_000
const LOOK_MS = 250
/** A node whose heartbeat stays the same for so long is dead. */
const DEAD_MS = 10_000
/** So long after its last heartbeat a node may believe itself alone. The others wait longer before they take it out, whatever their clocks do in that time. */
export const SOLE_MS = 5_000

/** Takes a node out, and frees its shards. The transaction has to name all partitions of `partitionsOf`. */
async function remove(tx: Transaction, id: string): Promise<void> {
  const shards = tx.in(SHARDS)
  for (const [row, value] of await shards.range({ ...SHARD_RANGE }))
    if (decode<string>(value) === id) shards.delete(row)
  tx.in(MEMBERS).delete(memberKey(id))
  tx.in(fenceOf(id)).delete(FENCE)
  tx.in(beatOf(id)).delete(BEAT)
}

const partitionsOf = (id: string): string[] => [MEMBERS, SHARDS, fenceOf(id), beatOf(id)]

export interface JoinOptions {
  store: Store
  me: Member
  signal: AbortSignal
  /** Called when another node works with a copy of this data folder. */
  onTwin: (host: string) => void
}

/**
 * Adds this node. Its data folder is locked, so a node with the same id on this host is a dead process, and is replaced. One on another host works with a
 * copy of the folder: this node waits until that one's heartbeat stays the same.
 *
 * @returns the version of the fence
 * @throws UnfitFolderError for a store whose form this program does not know
 * @throws the signal's reason
 */
export async function join({ store, me, signal, onTwin }: JoinOptions): Promise<bigint> {
  let seen: { beat: bigint; at: number } | undefined
  let isTold = false
  for (;;) {
    const twin = await store.write([...partitionsOf(me.id), SCHEMA_PARTITION], async (tx) => {
      // In this transaction and not before it: an upgrade begins in a commit that depends on the members.
      refuseNewer(await schemaOf(tx.in(SCHEMA_PARTITION)), me.knows, 'the database of store.url')
      const row = await tx.get(memberKey(me.id))
      const before = row && decode<Member>(row)
      const beats = await tx.in(beatOf(me.id)).version()
      if (seen?.beat !== beats) seen = { beat: beats, at: performance.now() }
      if (before && before.host !== me.host && performance.now() - seen.at <= DEAD_MS) return before
      await remove(tx, me.id)
      tx.put(memberKey(me.id), encodeRow(me))
      tx.in(fenceOf(me.id)).put(FENCE, encodeRow(me.version))
      tx.in(beatOf(me.id)).put(BEAT, encodeRow({ count: 0, seen: '0', at: me.since }))
      return undefined
    })
    const fence = await store.version(fenceOf(me.id))
    if (!twin && fence !== 0n) return fence
    if (twin && !isTold) onTwin(twin.host)
    isTold = true
    await pause(LOOK_MS, undefined, { signal })
  }
}

/**
 * Waits until each of the others knows of this node, or is found dead. This node must commit nothing before: a node that believes itself alone trusts the
 * rows in its memory (store/cache/).
 *
 * @throws the signal's reason
 */
export async function untilKnown(store: Store, me: string, signal: AbortSignal): Promise<void> {
  const [joined, before] = await store.read(MEMBERS, (view) => Promise.all([view.version(), readMembers(view)]))
  for (;;) {
    const isKnown = await store.read(MEMBERS, async (view) => {
      const now = new Set((await readMembers(view)).map(({ id }) => id))
      const others = before.filter(({ id }) => id !== me && now.has(id))
      const beats = await Promise.all(others.map(({ id }) => view.in(beatOf(id)).get(BEAT)))
      return beats.every((row) => row !== undefined && BigInt(decode<Beat>(row).seen) >= joined)
    })
    if (isKnown) return
    await pause(LOOK_MS, undefined, { signal })
  }
}

/** Writes a heartbeat. @returns the members at that moment */
export function beat(store: Store, me: string, count: number): Promise<Member[]> {
  return store.write([beatOf(me), MEMBERS], async (tx) => {
    const view = tx.in(MEMBERS)
    const [members, version] = await Promise.all([readMembers(view), view.version()])
    tx.put(BEAT, encodeRow({ count, seen: String(version), at: Date.now() }))
    return members
  })
}

/** Takes out a node whose heartbeat stays the same. @returns what is known of it; undefined if it is gone, or alive after all */
export function takeOut(store: Store, { id, beat: seen }: DeadNode): Promise<Member | undefined> {
  return store.write(partitionsOf(id), async (tx) => {
    const row = await tx.get(memberKey(id))
    if (!row || (await tx.in(beatOf(id)).version()) !== seen) return undefined
    await remove(tx, id)
    return decode<Member>(row)
  })
}

export function leave(store: Store, id: string): Promise<void> {
  return store.write(partitionsOf(id), (tx) => remove(tx, id))
}

export interface DeadNode {
  id: string
  /** The version of its last heartbeat. */
  beat: bigint
}

/** Finds nodes whose heartbeat stays the same. */
export function createWatch(store: Pick<Store, 'versions'>) {
  const seen = new Map<string, { beat: bigint; at: number }>()
  let lookedAt = performance.now()

  return {
    /** @param ids of the other nodes @returns those that are dead */
    async look(ids: readonly string[]): Promise<DeadNode[]> {
      const versions = await store.versions(ids.map(beatOf))
      const now = performance.now()
      // This node stalled, or the database was away. The others may not have been able to write either, so their time begins anew.
      if (now - lookedAt > DEAD_MS / 2) seen.clear()
      lookedAt = now
      for (const known of seen.keys()) if (!ids.includes(known)) seen.delete(known)
      return ids.flatMap((id, i) => {
        const beat = versions[i] ?? 0n
        const before = seen.get(id)
        if (before?.beat === beat) return now - before.at > DEAD_MS ? [{ id, beat }] : []
        seen.set(id, { beat, at: now })
        return []
      })
    },
  }
}

/** True if a node works on a shared store. If nodes are listed there, this waits for their next heartbeats. */
export async function isWorkedOn(store: Pick<Store, 'read' | 'versions'>): Promise<boolean> {
  const members = await store.read(MEMBERS, readMembers)
  if (members.length === 0) return false
  const beats = members.map(({ id }) => beatOf(id))
  const before = await store.versions(beats)
  await pause(3 * BEAT_MS)
  const after = await store.versions(beats)
  return after.some((version, i) => version !== before[i])
}
