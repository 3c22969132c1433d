/**
 * For which rooms the tasks of a worker wait, and in which shards: names only, the tasks are in the store (`rows.ts`). What stands here may be
 * too much, never too little, and is found again in the store at the start.
 */
import { FIRST_TURN, type Turn } from './turns.js'

/** Rooms that are remembered; for more of them tasks come back after a while instead. */
const MAX_ROOMS = 10_000
/** Asked about at a time, beside those where something has just ended. */
const ASKED_AT_ONCE = 32

interface Waiting {
  shard: number
  turn: Turn
  /** Times it was noted that there are some. */
  noted: number
}

export function createParked() {
  /** By name; shards in the order in which they come next. */
  const rooms = new Map<string, Map<number, Waiting>>()

  return {
    isEmpty: () => rooms.size === 0,
    has: (room: string) => rooms.has(room),
    mayTake: (room: string) => rooms.has(room) || rooms.size < MAX_ROOMS,

    note(room: string, shard: number): void {
      const shards = rooms.get(room) ?? new Map<number, Waiting>()
      const { turn, noted } = shards.get(shard) ?? { turn: FIRST_TURN, noted: 0 }
      rooms.set(room, shards.set(shard, { shard, turn, noted: noted + 1 }))
    },

    /** Of which rooms to ask now: those, and some of the others, which come in turn. */
    toAsk(first: Iterable<string>): string[] {
      const names = new Set<string>()
      for (const room of first) if (rooms.has(room)) names.add(room)
      let others = 0
      for (const room of rooms.keys()) {
        if (others++ === ASKED_AT_ONCE) break
        names.add(room)
      }
      for (const room of names) {
        const shards = rooms.get(room)
        rooms.delete(room)
        if (shards) rooms.set(room, shards)
      }
      return [...names]
    },

    /** The shard of a room whose turn it is, and how many take turns. */
    next(room: string): (Waiting & { of: number }) | undefined {
      const shards = rooms.get(room)
      const [first] = shards?.values() ?? []
      return shards && first && { ...first, of: shards.size }
    },

    /** @param ended nothing waits there any more, as far as was known when it was `next` */
    took(room: string, { shard, noted }: Waiting, { turn, ended }: { turn: Turn; ended: boolean }): void {
      const shards = rooms.get(room)
      const now = shards?.get(shard)
      if (!shards || !now) return
      shards.delete(shard)
      if (!ended || now.noted !== noted) shards.set(shard, { ...now, turn })
      if (shards.size === 0) rooms.delete(room)
    },
  }
}
