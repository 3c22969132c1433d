/**
 * Which task comes next, for the tasks of one kind. All of it is plain objects in memory: nothing here reads or writes the store.
 *
 *     held      waits until an operator lets it go on
 *     waiting   is not due yet: in a heap by time
 *     ready     is due: among those whose turn it is (turns.ts), or in the list of the room for which it waits
 *     leased    was taken by a worker
 *     gone      has left the queue; who still works on it has nothing more to say of it
 */
import { Heap, Turns } from './turns.js'
import { HELD, type Priority, type TaskCounts } from './types.js'

export interface Entry {
  readonly id: string
  /** Where its row stands. */
  readonly shard: number
  due: number
  /** When it came to where it is, among all. */
  order: number
  /** '' for a task without one. */
  lane: string
  priority: Priority
  /** What it needs room of; '' where nothing is shared. */
  room: string
  state: keyof TaskCounts | 'gone'
  /** The room in whose list it is. */
  waitsFor: string | undefined
  index: number
}

/** Says whether there is room for one task more. */
export type Ask = (room: string) => boolean

/** Rooms that are asked about at a time, beside those where something has just ended. */
const ASKED_AT_ONCE = 32
/** Tasks that are moved in one turn of the event loop. */
const MAX_MOVES = 2_000

export class Scheduler {
  readonly counts: TaskCounts = { waiting: 0, ready: 0, leased: 0, held: 0 }
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new Heap<Entry>()
  readonly #ready = new Turns<Entry>()
  /** Tasks for which there is no room, by its name. */
  readonly #rooms = new Map<string, Turns<Entry>>()
  /** Rooms where there may be some since they were asked about. */
  readonly #mayHaveRoom = new Set<string>()
  #asks = false
  #came = 0

  get size(): number {
    return this.#entries.size
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)
  }

  all(): IterableIterator<Entry> {
    return this.#entries.values()
  }

  /** A task that came to the queue; one of the same id, which it was written over, is gone. */
  add(entry: Omit<Entry, 'order' | 'state' | 'waitsFor' | 'index'>, now: number): void {
    const before = this.#entries.get(entry.id)
    if (before) this.remove(before)
    const { id, shard, due, lane, priority, room } = entry
    const state = stateAt(due, now)
    const order = this.#came++
    const added = { id, shard, due, order, lane, priority, room, state, waitsFor: undefined, index: 0 }
    this.#entries.set(id, added)
    this.#enter(added, state)
  }

  /** Out of the queue, wherever it is. */
  remove(entry: Entry): void {
    if (entry.state === 'gone') return
    this.#leave(entry)
    entry.state = 'gone'
    this.#entries.delete(entry.id)
  }

  /** As if a worker had taken it. */
  take(entry: Entry): void {
    this.#leave(entry)
    this.#enter(entry, 'leased')
  }

  /** Back from whoever took it, with a new time. */
  putBack(entry: Entry, due: number, now: number): void {
    if (entry.state === 'gone') return
    this.#leave(entry)
    entry.due = due
    entry.order = this.#came++
    this.#enter(entry, stateAt(due, now))
  }

  /** Back from whoever took it and found no room; it waits with the others for some. */
  park(entry: Entry, room: string): void {
    if (entry.state === 'gone') return
    this.#leave(entry)
    this.#enter(entry, 'ready', room)
    // It may have come since.
    this.#mayHaveRoom.add(room)
    this.#asks = true
  }

  /** There may be room where this task was, or anywhere when none is named. */
  roomMayHaveCome(entry?: Entry): void {
    if (entry && this.#rooms.has(entry.room)) this.#mayHaveRoom.add(entry.room)
    this.#asks = true
  }

  /** When the first of those that wait is due; Infinity when none waits. */
  get nextDue(): number {
    return this.#waiting.first?.due ?? Infinity
  }

  /** Makes ready what has become due. @returns false when there is more of it */
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
   * Takes those whose turn it is: first of those that wait for room, where there is some now, then of all that is ready. Of these, those for
   * which there is no room are put into the list of it.
   *
   * @param ask begun for this call; nobody waits for room when not given
   * @returns what was taken, and whether there may be more to do at once though not all of `limit` were found
   */
  pick(now: number, limit: number, ask?: Ask): { taken: Entry[]; more: boolean } {
    let more = !this.promote(now)
    const taken: Entry[] = []
    if (ask && this.#asks) this.#letIn(taken, limit, ask)
    let parked = 0
    while (taken.length < limit) {
      if (parked === MAX_MOVES) {
        more = true
        break
      }
      const entry = this.#ready.next()
      if (!entry) break
      this.#left(entry)
      // Behind those who wait already.
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

  #letIn(taken: Entry[], limit: number, ask: Ask): void {
    for (const room of this.#toAsk()) {
      if (taken.length === limit) return
      this.#mayHaveRoom.delete(room)
      const waiting = this.#rooms.get(room)
      if (!waiting) continue
      while (taken.length < limit && waiting.size > 0 && ask(room)) {
        const entry = waiting.next()
        if (!entry) break
        this.#left(entry)
        this.#enter(entry, 'leased')
        taken.push(entry)
      }
      if (waiting.size === 0) this.#rooms.delete(room)
      else if (taken.length === limit) this.#mayHaveRoom.add(room)
    }
    this.#asks = false
  }

  /** Those where there may be room, and some of the others, which come in turn. */
  #toAsk(): Set<string> {
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

  /** To where it stands by its state. */
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
    this.#left(entry)
  }

  /** It stands nowhere now. */
  #left(entry: Entry): void {
    if (entry.state === 'gone') return
    this.counts[entry.state]--
    entry.waitsFor = undefined
  }
}

function stateAt(due: number, now: number): 'held' | 'ready' | 'waiting' {
  if (due === HELD) return 'held'
  return due > now ? 'waiting' : 'ready'
}
