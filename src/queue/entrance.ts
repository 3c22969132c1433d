/**
 * Which tasks of a worker wait for a room they share with others (`Rooms`), and who of those that wait is taken when there is some. The tasks are in
 * the store, in rows of their own (`rows.ts`); what is remembered here is what they wait for (`parked.ts`) and when to ask for it again.
 */
import { MINUTE, SECOND, type Clock } from '../lib/clock.js'
import { createParked } from './parked.js'
import { checkRoom, SHARDS } from './rows.js'
import type { Settlement } from './tasks.js'
import type { Turn } from './turns.js'
import type { Rooms } from './types.js'

/** Tasks that wait for one room too many come back so much later. */
const ROOM_LATER_MS = MINUTE
/** Pause after the queue could not be read or written (disk full). */
const TROUBLE_PAUSE_MS = SECOND

interface EntranceDeps<P> {
  /** Without them nobody waits. */
  rooms: Rooms<P> | undefined
  clock: Clock
  /** Names of the rooms for which tasks of a shard wait. */
  roomsIn: (shard: number) => Promise<string[]>
  /** Takes and begins those that wait for a room in a shard, at most `limit`. @returns how many */
  take: (room: string, from: { shard: number; turn: Turn; limit: number }) => Promise<{ count: number; turn: Turn }>
  /** The worker's own places. */
  places: {
    free(): number
    /** Keeps so many for what is being taken; a negative count gives back. */
    promise(count: number): void
  }
  onQueueError: (error: unknown) => void
}

export function createEntrance<P>({ rooms, clock, roomsIn, take, places, onQueueError }: EntranceDeps<P>) {
  const parked = createParked()
  /** When to ask for room; 0 is now. */
  let askAt = Infinity
  /** Where it may have come since, or somebody has come to wait. */
  const first = new Set<string>()
  /** Whether to look in the store who waits for room. */
  let isUnknown = rooms !== undefined
  /** The asking that goes on: it counts who was let in and has not begun yet. */
  let asking: ((room: string) => boolean) | undefined

  const note = (room: string, shard: number): void => {
    parked.note(room, shard)
    first.add(room)
    askAt = 0
  }

  /** Behind those who wait already. */
  const mayEnter = (room: string): boolean => !parked.has(room) && (asking ?? rooms?.ask())?.(room) === true

  const find = async (): Promise<void> => {
    isUnknown = false
    try {
      for (let shard = 0; shard < SHARDS; shard++) {
        for (const room of await roomsIn(shard)) parked.note(room, shard)
      }
      askAt = 0
    } catch (error) {
      // They are looked for again with everything else.
      onQueueError(error)
    }
  }

  const letInto = async (room: string, count: number): Promise<void> => {
    let left = count
    places.promise(left)
    try {
      while (left > 0) {
        const waiting = parked.next(room)
        // The room is for others.
        if (!waiting) return void (askAt = 0)
        const limit = Math.ceil(left / waiting.of)
        const taken = await take(room, { ...waiting, limit })
        parked.took(room, waiting, { turn: taken.turn, ended: taken.count < limit })
        places.promise(-taken.count)
        left -= taken.count
      }
    } catch (error) {
      onQueueError(error)
      first.add(room)
      askAt = clock.now() + TROUBLE_PAUSE_MS
    } finally {
      places.promise(-left)
    }
  }

  return {
    /** When `letIn` has something to do; 0 is now. */
    nextAsk: (): number => (isUnknown ? 0 : parked.isEmpty() ? Infinity : askAt),

    /** There may be room again. */
    askAgain(): void {
      askAt = 0
    },

    /** And somebody may wait of whom nothing is known. */
    findAgain(): void {
      isUnknown = rooms !== undefined
      askAt = 0
    },

    /** It is written down that a task waits. */
    note,

    /** A task has ended that may have had room. */
    ended(payload: P): void {
      const room = rooms?.nameOf(payload)
      if (room !== undefined && parked.has(room)) first.add(room)
      askAt = 0
    },

    /** Begins one asking, for those whom `waitsFor` lets in. */
    ask(): void {
      asking = rooms?.ask()
    },

    /** All who were let in have begun. */
    endAsking(): void {
      asking = undefined
    },

    /** What a task waits for that is ready; undefined when it may be taken. */
    waitsFor(payload: P): { room: string } | { due: number } | undefined {
      const room = rooms?.nameOf(payload)
      if (room === undefined || mayEnter(room)) return undefined
      return parked.mayTake(room) ? { room } : { due: clock.now() + ROOM_LATER_MS }
    },

    /** Where a task goes whose handler found no room. */
    settlementOf(waitFor: string): Settlement {
      if (!rooms) throw new Error('a worker without rooms has a task wait for one')
      const room = checkRoom(waitFor)
      return parked.mayTake(room) ? { to: 'parked', room } : { to: 'untaken', due: clock.now() + ROOM_LATER_MS }
    },

    /** Takes those for whom there is room by now. */
    async letIn(): Promise<void> {
      if (!rooms) return
      if (isUnknown) await find()
      if (askAt > clock.now() || parked.isEmpty()) return
      askAt = Infinity
      const mayEnterNow = (asking = rooms.ask())
      let free = places.free()
      const wanted = parked.toAsk(first).map((room) => {
        let count = 0
        while (count < free && mayEnterNow(room)) count++
        free -= count
        return { room, count }
      })
      first.clear()
      await Promise.all(wanted.map(({ room, count }) => letInto(room, count)))
    },
  }
}
