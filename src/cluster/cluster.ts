/** Joins the nodes of a shared store, and keeps this one among them. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../store/engine.js'
import { UnreachableStoreError } from '../store/errors.js'
import type { Nodes } from '../store/nodes/nodes.js'
import { createStore } from '../store/store.js'
import { fenced } from './fence.js'
import { beat, BEAT_MS, createWatch, join, leave, SOLE_MS, takeOut, untilKnown } from './members.js'
import { fenceOf, MEMBERS, SHARDS, type Member } from './rows.js'
import { createShards } from './shards.js'
import type { Shards } from './types.js'

/** After a pause in which others may have come. */
const UNKNOWN = ['unknown']
/** After the database could not be reached. */
const AGAIN_MS = 500

export interface ClusterOptions {
  engine: Engine
  me: Member
  signal: AbortSignal
  /** Called when another node works with a copy of this data folder. */
  onTwin: (host: string) => void
  /** Called when nodes came or went. */
  onMembers: (others: readonly Member[]) => void
  /** Called for a node that this one found dead. */
  onDead: (member: Member) => void
  /** Called when something failed that is tried again. */
  onError: (error: unknown) => void
  /** Called once when others believe this node dead. Nothing can be committed from then on. */
  onLost: () => void
}

export interface Cluster {
  /** Commits fail once others believe this node dead. Closing it leaves. */
  engine: Engine
  /**
   * Since when no other node can have written, in milliseconds as `performance.now`: another number after each time that others may have. Undefined
   * while others may, and when the last heartbeat is too old to tell.
   */
  soleSince(): number | undefined
  /** The other nodes, as of the last heartbeat. */
  others(): readonly Member[]
  nodes: Nodes
  shards: Shards
  /** Takes shards from now on. */
  begin(): void
}

/**
 * @throws UnfitFolderError for a store whose form this program does not know
 * @throws the signal's reason
 */
export async function joinCluster(options: ClusterOptions): Promise<Cluster> {
  const { engine, me, signal, onMembers, onDead, onError, onLost } = options
  const bare = createStore(keptOpen(engine))
  const version = await join({ ...options, store: bare })
  const { engine: checked, isLost } = fenced(engine, { partition: fenceOf(me.id), version }, onLost)
  // Beside the store of the daemon: a heartbeat waits for no other writer.
  const store = createStore(keptOpen(checked))
  const { shards, settle, settled } = createShards(store, me.id, onError)
  const watch = createWatch(store)
  const ending = new AbortController()
  let others: readonly Member[] = []
  /** When the last heartbeat began. */
  let beatAt = -Infinity
  let aloneSince: number | undefined
  let hasBegun = false
  let wake: () => void = () => undefined
  const stopListening = engine.onCommit((partition) => {
    if (partition === SHARDS || partition === MEMBERS) wake()
  })

  /** True while no other node can have begun to commit unknown to this one. */
  const isFresh = (): boolean => performance.now() - beatAt < SOLE_MS

  function setOthers(now: readonly Member[]): void {
    others = now
    aloneSince = others.length > 0 ? undefined : (aloneSince ?? performance.now())
  }

  async function look(count: number): Promise<void> {
    const begun = performance.now()
    const members = await beat(store, me.id, count)
    // Since the last heartbeat another may have come, and be gone again.
    if (!isFresh()) aloneSince = undefined
    beatAt = begun
    const now = members.filter(({ id }) => id !== me.id)
    const isChanged = now.map(({ id }) => id).join() !== others.map(({ id }) => id).join()
    setOthers(now)
    if (isChanged) onMembers(others)
    for (const dead of await watch.look(others.map(({ id }) => id))) {
      const member = await takeOut(store, dead)
      setOthers(others.filter(({ id }) => id !== dead.id))
      if (member) onDead(member)
    }
    if (hasBegun) await settle([...others, me])
  }

  async function sleep(ms: number): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    await pause(ms, undefined, { signal: AbortSignal.any([woken.signal, ending.signal]) }).catch(() => undefined)
    wake = () => undefined
  }

  let tellFirst: () => void = () => undefined
  const firstLook = new Promise<void>((resolve) => (tellFirst = resolve))

  async function keepLooking(): Promise<void> {
    for (let count = 1; !ending.signal.aborted && !isLost(); count++) {
      try {
        await look(count)
        tellFirst()
        await sleep(BEAT_MS)
      } catch (error) {
        // The database is away, for all nodes: the next try says whether this one still takes part.
        if (!(error instanceof UnreachableStoreError)) onError(error)
        await sleep(AGAIN_MS)
      }
    }
  }

  async function close(): Promise<void> {
    stopListening()
    ending.abort()
    await looking
    await settled()
    // Otherwise others find it dead.
    if (!isLost()) await leave(store, me.id).catch(onError)
    await store.close()
    await bare.close()
    await engine.close()
  }

  const looking = keepLooking()
  const cluster: Cluster = {
    engine: { ...checked, close },
    soleSince: () => (!isLost() && isFresh() ? aloneSince : undefined),
    others: () => others,
    nodes: {
      id: me.instance,
      peers: () => (others.length > 0 || isFresh() ? others.map(({ instance }) => instance) : UNKNOWN),
    },
    shards,
    begin() {
      hasBegun = true
      wake()
    },
  }
  try {
    await untilKnown(bare, me.id, signal)
    await firstLook
  } catch (error) {
    await close()
    throw error
  }
  return cluster
}

const keptOpen = (engine: Engine): Engine => ({ ...engine, close: async () => undefined })
