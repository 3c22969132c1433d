/**
 * The nodes that take part. Each writes a heartbeat every two seconds; the others watch its version and measure by their own clocks how long it stays,
 * so clocks of machines need not agree. Who finds one dead takes its fence away (fence.ts), and frees its shards, in one commit.
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
/** A heartbeat that stays for so long is a dead node's. */
const DEAD_MS = 10_000
/** Less than what others wait, by more than clocks of machines run apart in that time. */
export const SOLE_MS = 5_000

/** Takes a node out, and frees its shards. The transaction has to name all of `partitionsOf`. */
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
 * Takes part from now on. The data folder is locked, so another node with its id on this host is a dead process; one elsewhere is waited for until its
 * heartbeat stays.
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
      // Here and not before: an upgrade begins in a commit that depends on the members.
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
 * Waits until the others know of this node, or are found dead: one that believes itself alone reads from its memory (cached-engine.ts). Nothing must be
 * committed before.
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

/** Takes out a node whose heartbeat stays. @returns what is known of it; undefined when it is gone, or alive after all */
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

/** Finds nodes whose heartbeat stays. */
export function createWatch(store: Pick<Store, 'versions'>) {
  const seen = new Map<string, { beat: bigint; at: number }>()
  let lookedAt = performance.now()

  return {
    /** @param ids of the other nodes @returns those that are dead */
    async look(ids: readonly string[]): Promise<DeadNode[]> {
      const versions = await store.versions(ids.map(beatOf))
      const now = performance.now()
      // This node stalled, or the database was away: the others may not have been able to write either.
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

/** True while a node works on a shared store: waits for its next heartbeats if there is one. */
export async function isWorkedOn(store: Pick<Store, 'read' | 'versions'>): Promise<boolean> {
  const members = await store.read(MEMBERS, readMembers)
  if (members.length === 0) return false
  const beats = members.map(({ id }) => beatOf(id))
  const before = await store.versions(beats)
  await pause(3 * BEAT_MS)
  const after = await store.versions(beats)
  return after.some((version, i) => version !== before[i])
}
