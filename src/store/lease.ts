/**
 * One daemon works on a shared store at a time; others wait, and one of them takes over when the first stops or its heartbeat does.
 * Who owns the lease is a row that changes with each take-over only. Every commit of the owner checks its version, so that one that was stalled, cut off
 * or believed dead commits nothing any more, whatever its clock says. The heartbeat is a row in another partition: a waiting daemon watches its
 * version and measures by its own clock how long it stays, so clocks of machines need not agree.
 */
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from './engine.js'
import { UnreachableStoreError } from './errors.js'
import { asBuffer, decode, encode, key } from './keys.js'
import { createStore } from './store.js'
import type { Store } from './types.js'

/** Changes with each take-over. */
const OWNER_PARTITION = 'cluster/owner'
const BEAT_PARTITION = 'cluster/beat'
const OWNER = key('owner')
const BEAT = key('beat')

const BEAT_MS = 2_000
const LOOK_MS = 500
/** A heartbeat that stays for so long is a dead owner's. */
const DEAD_MS = 10_000
/** Less than what others wait, by more than clocks of machines run apart in that time. */
const SOLE_MS = 5_000

interface Owner {
  /** Id of the data folder. */
  id: string
  host: string
  pid: number
}

export interface LeaseOptions {
  engine: Engine
  /** Id of the data folder, of which the caller has the lock: an owner on this host with the same id is a dead process. */
  id: string
  signal: AbortSignal
  /** Called while another daemon is the owner, once for each. */
  onWaiting: (host: string) => void
  /** Called once when another daemon has taken over. Nothing can be committed from then on. */
  onLost: () => void
}

/** An engine whose commits fail once another daemon has taken over. Closing it lets another take over at once. */
export interface LeasedEngine extends Engine {
  /** True while no other daemon can have taken over yet, by the clock of this machine since its last heartbeat. */
  isSole(): boolean
}

/** True for what belongs to the daemon at work, and to no copy of the store. */
export function isOfLease(partition: string): boolean {
  return partition === OWNER_PARTITION || partition === BEAT_PARTITION
}

/** Waits until no other daemon works on the store. @throws the signal's reason */
export async function takeLease({ engine, id, signal, onWaiting, onLost }: LeaseOptions): Promise<LeasedEngine> {
  const taken = await takeOver({ engine, id, signal, onWaiting })
  const { version } = taken
  let { beatAt } = taken
  let lost = false

  function lose(): UnreachableStoreError {
    if (!lost) onLost()
    lost = true
    return new UnreachableStoreError('Another daemon has taken over the store: this one commits nothing any more')
  }

  const fenced: Engine = {
    ...engine,
    async commit(checks, ops, mark) {
      if (lost) throw lose()
      if (ops.length === 0) return engine.commit(checks, ops, mark)
      const done = await engine.commit([...checks, { partition: OWNER_PARTITION, expect: version }], ops, mark)
      if (done !== 'conflict') return done
      const [now] = await engine.versions([OWNER_PARTITION])
      if (now !== version) throw lose()
      return 'conflict'
    },
  }
  // Beside the store of the daemon: a heartbeat waits for no other writer.
  const beats = createStore({ ...fenced, close: async () => undefined })
  const ending = new AbortController()
  const beating = beat()

  async function beat(): Promise<void> {
    for (let count = 0; !ending.signal.aborted && !lost; count++) {
      try {
        const begun = performance.now()
        await beats.write(BEAT_PARTITION, (tx) => tx.put(BEAT, encode(count)))
        beatAt = begun
        await pause(BEAT_MS, undefined, { signal: ending.signal })
      } catch (error) {
        if (ending.signal.aborted) return
        // The database is away, for all daemons: the next try says whether the lease is kept.
        if (!(error instanceof UnreachableStoreError)) throw error
        if (!lost) await pause(LOOK_MS)
      }
    }
  }

  return {
    ...fenced,
    isSole: () => !lost && performance.now() - beatAt < SOLE_MS,
    async close() {
      ending.abort()
      await beating
      if (!lost) await beats.write(BEAT_PARTITION, (tx) => tx.delete(BEAT))
      await beats.close()
      await engine.close()
    },
  }
}

/** True while a daemon works on a shared store: waits for its next heartbeats if there was one. */
export async function isWorkedOn(store: Pick<Store, 'version'>): Promise<boolean> {
  const before = await store.version(BEAT_PARTITION)
  if (before === 0n) return false
  await pause(3 * BEAT_MS)
  return (await store.version(BEAT_PARTITION)) !== before
}

/** @returns the version of the owner's row, and when the first heartbeat began */
async function takeOver({
  engine,
  id,
  signal,
  onWaiting,
}: Omit<LeaseOptions, 'onLost'>): Promise<{ version: bigint; beatAt: number }> {
  const me: Owner = { id, host: hostname(), pid: process.pid }
  let seen: { version: bigint; beat: bigint; at: number } | undefined
  let told: string | undefined
  for (;;) {
    const [[bytes], version, beat] = await engine.read(async (reader) => [
      await reader.getMany(OWNER_PARTITION, [OWNER]),
      await reader.version(OWNER_PARTITION),
      await reader.version(BEAT_PARTITION),
    ])
    const owner = bytes && decode<Owner>(asBuffer(bytes))
    if (seen?.beat !== beat || seen.version !== version) seen = { version, beat, at: performance.now() }
    // A folder that was copied to another host has its id there too.
    const isOwn = owner?.id === id && owner.host === me.host
    if (!owner || isOwn || beat === 0n || performance.now() - seen.at > DEAD_MS) {
      const beatAt = performance.now()
      const done = await engine.commit(
        [{ partition: OWNER_PARTITION, expect: version }],
        [
          { partition: OWNER_PARTITION, key: OWNER, value: encode(me) },
          { partition: BEAT_PARTITION, key: BEAT, value: encode(0) },
        ],
        `lease ${id} ${version}`,
      )
      const taken = done === 'conflict' ? undefined : done.get(OWNER_PARTITION)
      if (taken !== undefined) return { version: taken, beatAt }
    } else if (told !== owner.id) {
      told = owner.id
      onWaiting(owner.host)
    }
    await pause(LOOK_MS, undefined, { signal })
  }
}
