/**
 * Values derived from a partition that any process may change, kept in memory: rules and lists that are needed too often to be read each time. The
 * version is asked for first, so that no value is stale, whoever made the last commit.
 */
import { SECOND } from '../lib/clock.js'
import { after, type Maybe } from '../lib/maybe.js'
import type { Store, View } from './types.js'

export interface WatchedDeps<T> {
  store: Pick<Store, 'read' | 'version' | 'newest' | 'onCommit'>
  partition: string
  /** Reads nothing but the partition. */
  read: (view: View) => Maybe<T>
}

/** @returns a function that gives the value after every commit durable by now; at once if the store knows that there was none since */
export function createWatched<T>({ store, partition, read }: WatchedDeps<T>): () => Maybe<T> {
  let known: { value: T; version: bigint; number: number } | undefined
  let reads = 0
  /** The newest version of the store when the value was last found to be current. */
  let foundAt: bigint | undefined

  async function renew(): Promise<T> {
    const number = ++reads
    const fresh = await store.read(partition, async (view) => ({
      version: await view.version(),
      value: await read(view),
      number,
    }))
    if (known === undefined || number > known.number) known = fresh
    return fresh.value
  }

  return () => {
    const before = known
    if (!before) return renew()
    // In this order: a commit between the two is seen the next time.
    const newest = store.newest()
    if (newest !== undefined && newest === foundAt) return before.value
    return after(store.version(partition), (version) => {
      if (version !== before.version) return renew()
      foundAt = newest
      return before.value
    })
  }
}

export interface Followed<T> {
  get(): Maybe<T>
  /** The value without asking: after commits of this process by a few turns, after those of others by `LOOK_MS` at most. */
  readonly latest: T
  stop(): void
}

/** Between two looks for what others committed, since their hints may be lost. */
const LOOK_MS = 5 * SECOND

/**
 * A watched value that is also read by itself whenever it changes.
 *
 * @param onError called when that failed; the next look is within `LOOK_MS`
 */
export async function openFollowed<T>({
  onError,
  ...deps
}: WatchedDeps<T> & { onError: (error: unknown) => void }): Promise<Followed<T>> {
  const { store, partition } = deps
  const watched = createWatched(deps)
  let latest: T = await watched()
  let gets = 0
  let newestGet = 0
  let isLooking = false
  let isAsked = false
  let isStopped = false

  function get(): Maybe<T> {
    const number = ++gets
    return after(watched(), (value) => {
      if (number > newestGet) [newestGet, latest] = [number, value]
      return value
    })
  }

  /** One at a time: a commit meanwhile asks for another. */
  async function look(): Promise<void> {
    isAsked = true
    if (isLooking) return
    isLooking = true
    try {
      while (isAsked && !isStopped) {
        isAsked = false
        await get()
      }
    } catch (error) {
      if (!isStopped) onError(error)
    } finally {
      isLooking = false
    }
  }

  const leave = store.onCommit((changed) => {
    if (changed === partition) void look()
  })
  // Where the newest version is known at once, all commits are of this process.
  const timer = store.newest() === undefined ? setInterval(() => void look(), LOOK_MS).unref() : undefined

  return {
    get,
    get latest() {
      return latest
    },
    stop() {
      isStopped = true
      leave()
      clearInterval(timer)
    },
  }
}
