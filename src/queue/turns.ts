/** Turns among due tasks: lanes are served round-robin within a priority, and priorities by weight, so that none starves. A heap orders the tasks of a lane. */
import { PRIORITIES, type Priority } from './types.js'

export interface Timed {
  due: number
  /** Breaks ties of time. */
  order: number
  lane: string
  priority: Priority
  /** Index in its heap, maintained by the heap. */
  index: number
}

/** Priority served first, pick by pick: of seven, four go to the highest, two to the middle, one to the lowest. */
const ORDER = [0, 1, 0, 2, 0, 1, 0] as const

export class Heap<T extends Timed> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    this.#items.push(item)
    this.#up(item, this.#items.length - 1)
  }

  remove(item: T): void {
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#up(last, item.index)
    this.#down(last, last.index)
  }

  #up(item: T, from: number): void {
    let at = from
    while (at > 0) {
      const above = this.#items[(at - 1) >> 1]
      if (above === undefined || !isBefore(item, above)) break
      this.#set(above, at)
      at = (at - 1) >> 1
    }
    this.#set(item, at)
  }

  #down(item: T, from: number): void {
    let at = from
    for (;;) {
      const left = 2 * at + 1
      const [a, b] = [this.#items[left], this.#items[left + 1]]
      const least = a && b && isBefore(b, a) ? b : a
      if (least === undefined || !isBefore(least, item)) break
      const next = least.index
      this.#set(least, at)
      at = next
    }
    this.#set(item, at)
  }

  #set(item: T, at: number): void {
    this.#items[at] = item
    item.index = at
  }
}

function isBefore(a: Timed, b: Timed): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}

/** Lanes of one priority with tasks, in service order. Empty lanes are skipped when met. */
class Ring<T extends Timed> {
  readonly #lanes = new Map<string, Heap<T>>()
  #order: string[] = []
  #head = 0

  add(item: T): void {
    const lane = this.#lanes.get(item.lane)
    if (lane) return lane.push(item)
    const fresh = new Heap<T>()
    fresh.push(item)
    this.#lanes.set(item.lane, fresh)
    this.#order.push(item.lane)
  }

  remove(item: T): void {
    this.#lanes.get(item.lane)?.remove(item)
  }

  /** The earliest task of the next lane; the lane moves to the end. */
  next(): T | undefined {
    while (this.#head < this.#order.length) {
      const name = this.#order[this.#head++] ?? ''
      if (this.#head > 1_000 && this.#head > this.#order.length / 2) {
        this.#order = this.#order.slice(this.#head)
        this.#head = 0
      }
      const lane = this.#lanes.get(name)
      const item = lane?.first
      if (lane && item) lane.remove(item)
      if (lane && lane.size > 0) this.#order.push(name)
      else this.#lanes.delete(name)
      if (item) return item
    }
    return undefined
  }
}

export class Turns<T extends Timed> {
  readonly #rings = PRIORITIES.map(() => new Ring<T>())
  #picks = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(item: T): void {
    this.#rings[item.priority]?.add(item)
    this.#size++
  }

  /** @param item added before, with its lane and priority of then */
  remove(item: T): void {
    this.#rings[item.priority]?.remove(item)
    this.#size--
  }

  next(): T | undefined {
    if (this.#size === 0) return undefined
    for (const priority of [ORDER[this.#picks % ORDER.length] ?? 0, ...PRIORITIES]) {
      const item = this.#rings[priority]?.next()
      if (!item) continue
      this.#picks++
      this.#size--
      return item
    }
    return undefined
  }
}
