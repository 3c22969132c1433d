/**
 * Schedules the tasks of one kind, in memory only. `held` waits for an operator; `waiting` is not due yet, in a heap by time; `ready` is due, in its lane's
 * turn (turns.ts) or listed under the room it waits for; `leased` is taken by a worker; `gone` has left the queue: a worker's result no longer matters.
 */
import { Heap, Turns } from './turns.js'
import { HELD, type Priority, type TaskCounts } from './types.js'

export interface Entry {
  readonly id: string
  readonly shard: number
  due: number
  /** Order of arrival in its state. */
  order: number
  lane: string
  priority: Priority
  /** The room it needs capacity in; '' for none. */
  room: string
  state: keyof TaskCounts | 'gone'
  /** The room whose list has it. */
  waitsFor: string | undefined
  index: number
}

/** True if a room has capacity for one more task. */
export type Ask = (room: string) => boolean

/** Rooms asked per round, besides those where something just ended. */
const ASKED_AT_ONCE = 32
/** Tasks moved per turn of the event loop. */
const MAX_MOVES = 2_000

export class Scheduler {
  readonly counts: TaskCounts = { waiting: 0, ready: 0, leased: 0, held: 0 }
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new Heap<Entry>()
  readonly #ready = new Turns<Entry>()
  /** Tasks waiting for capacity, by room. */
  readonly #rooms = new Map<string, Turns<Entry>>()
  /** Rooms that may have gained capacity since they were asked. */
  readonly #mayHaveRoom = new Set<string>()
  #asks = false
  #arrivals = 0

  get size(): number {
    return this.#entries.size
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)
  }

  all(): IterableIterator<Entry> {
    return this.#entries.values()
  }

  /** Adds a task; an overwritten one with the same id is gone. */
  add(entry: Omit<Entry, 'order' | 'state' | 'waitsFor' | 'index'>, now: number): void {
    const before = this.#entries.get(entry.id)
    if (before) this.remove(before)
    const { id, shard, due, lane, priority, room } = entry
    const state = stateAt(due, now)
    const order = this.#arrivals++
    const added = { id, shard, due, order, lane, priority, room, state, waitsFor: undefined, index: 0 }
    this.#entries.set(id, added)
    this.#enter(added, state)
  }

  remove(entry: Entry): void {
    if (entry.state === 'gone') return
    this.#leave(entry)
    entry.state = 'gone'
    this.#entries.delete(entry.id)
  }

  take(entry: Entry): void {
    this.#leave(entry)
    this.#enter(entry, 'leased')
  }

  /** Returns a taken task with a new time. */
  putBack(entry: Entry, due: number, now: number): void {
    if (entry.state === 'gone') return
    this.#leave(entry)
    entry.due = due
    entry.order = this.#arrivals++
    this.#enter(entry, stateAt(due, now))
  }

  /** Returns a taken task that found no capacity; it waits for the room. */
  park(entry: Entry, room: string): void {
    if (entry.state === 'gone') return
    this.#leave(entry)
    this.#enter(entry, 'ready', room)
    // Capacity may have come meanwhile.
    this.#mayHaveRoom.add(room)
    this.#asks = true
  }

  /** Capacity may have come in the task's room, or in all rooms without a task. */
  roomMayHaveCome(entry?: Entry): void {
    if (entry && this.#rooms.has(entry.room)) this.#mayHaveRoom.add(entry.room)
    this.#asks = true
  }

  /** Due time of the first waiting task; Infinity for none. */
  get nextDue(): number {
    return this.#waiting.first?.due ?? Infinity
  }

  /** Makes due tasks ready. @returns false if there are more */
  promote(now: number): boolean {
    for (let moves = 0; this.nextDue <= now; moves++) {
      const { first } = this.#waiting
      if (!first) break
      if (moves === MAX_MOVES) return false
      this.#leave(first)
      this.#enter(first, 'ready')
    }
    return true
  }

  /**
   * Takes the next tasks: first those waiting for rooms with capacity, then ready ones; of the latter, those without capacity are listed under their room.
   *
   * @param ask of this call; without it capacity is unlimited
   * @returns tasks taken, and whether there may be more although fewer than `limit` were found
   */
  pick(now: number, limit: number, ask?: Ask): { taken: Entry[]; more: boolean } {
    let more = !this.promote(now)
    const taken: Entry[] = []
    if (ask && this.#asks) this.#takeParked(taken, limit, ask)
    let parked = 0
    while (taken.length < limit) {
      if (parked === MAX_MOVES) {
        more = true
        break
      }
      const entry = this.#ready.next()
      if (!entry) break
      this.#uncount(entry)
      // Behind those already waiting.
      if (ask && (this.#rooms.has(entry.room) || !ask(entry.room))) {
        this.#enter(entry, 'ready', entry.room)
        parked++
      } else {
        this.#enter(entry, 'leased')
        taken.push(entry)
      }
    }
    return { taken, more }
  }

  #takeParked(taken: Entry[], limit: number, ask: Ask): void {
    for (const room of this.#roomsToAsk()) {
      if (taken.length === limit) return
      this.#mayHaveRoom.delete(room)
      const waiting = this.#rooms.get(room)
      if (!waiting) continue
      while (taken.length < limit && waiting.size > 0 && ask(room)) {
        const entry = waiting.next()
        if (!entry) break
        this.#uncount(entry)
        this.#enter(entry, 'leased')
        taken.push(entry)
      }
      if (waiting.size === 0) this.#rooms.delete(room)
      else if (taken.length === limit) this.#mayHaveRoom.add(room)
    }
    this.#asks = false
  }

  /** Rooms that may have capacity, and some of the others in turn. */
  #roomsToAsk(): Set<string> {
    const names = new Set(this.#mayHaveRoom)
    let others = 0
    for (const room of this.#rooms.keys()) {
      if (others++ === ASKED_AT_ONCE) break
      names.add(room)
    }
    for (const room of names) {
      const waiting = this.#rooms.get(room)
      if (!waiting) continue
      this.#rooms.delete(room)
      this.#rooms.set(room, waiting)
    }
    return names
  }

  #enter(entry: Entry, state: keyof TaskCounts, room?: string): void {
    entry.state = state
    this.counts[state]++
    if (state === 'waiting') this.#waiting.push(entry)
    if (state === 'ready' && room === undefined) this.#ready.add(entry)
    if (state === 'ready' && room !== undefined) {
      entry.waitsFor = room
      const waiting = this.#rooms.get(room) ?? new Turns<Entry>()
      this.#rooms.set(room, waiting)
      waiting.add(entry)
    }
  }

  #leave(entry: Entry): void {
    if (entry.state === 'waiting') this.#waiting.remove(entry)
    if (entry.state === 'ready' && entry.waitsFor === undefined) this.#ready.remove(entry)
    if (entry.state === 'ready' && entry.waitsFor !== undefined) {
      const waiting = this.#rooms.get(entry.waitsFor)
      waiting?.remove(entry)
      if (waiting?.size === 0) this.#rooms.delete(entry.waitsFor)
    }
    this.#uncount(entry)
  }

  #uncount(entry: Entry): void {
    if (entry.state === 'gone') return
    this.counts[entry.state]--
    entry.waitsFor = undefined
  }
}

function stateAt(due: number, now: number): 'held' | 'ready' | 'waiting' {
  if (due === HELD) return 'held'
  return due > now ? 'waiting' : 'ready'
}
