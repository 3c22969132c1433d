/** The tasks of one kind: rows in the store, which are the truth, and a scheduler in memory, filled from them once. One process owns all tasks of a store. */
import { setImmediate as turn } from 'node:timers/promises'
import { keyAfter } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import {
  decodeTask,
  encodeTask,
  idOf,
  partitionOf,
  recordOf,
  shardIn,
  shardOf,
  taskKey,
  taskRange,
  type TaskRecord,
} from './rows.js'
import { Scheduler, type Entry } from './scheduler.js'
import type { NewTask, QueuedTask, TaskCounts } from './types.js'

const PAGE = 1_000
/** Yields to the event loop after each such page. */
const SMALL_PAGE = 100
const MAX_NAMES = 10_000

export interface KindDeps {
  store: Store
  kind: string
  shards: number
  now: () => number
}

export class Kind {
  readonly scheduler = new Scheduler()
  /** Notified when a task may be due, or has a new time. */
  readonly workers = new Set<{ look(): void }>()
  readonly #names = new Map<string, string>()
  /** Ids being written by `enqueue`. */
  readonly #enqueuing = new Map<string, Promise<void>>()
  /** Ids that left the queue while it is being loaded. */
  #finished: Set<string> | undefined
  #loading: Promise<void> | undefined
  #roomOf: ((payload: unknown) => string) | undefined

  constructor(private readonly deps: KindDeps) {}

  load(): Promise<void> {
    this.#loading ??= this.#readAll().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /** Sets the rooms that tasks need capacity in. */
  async nameRooms(roomOf: (payload: unknown) => string): Promise<void> {
    const wasRead = this.#loading !== undefined
    this.#roomOf = roomOf
    await this.load()
    if (wasRead) await this.#readAll()
  }

  add(tx: Transaction, task: NewTask<unknown>): void {
    const record = recordOf(task, this.deps.now())
    const shard = this.#shardOf(task.id)
    tx.blind(partitionOf(this.deps.kind, shard)).put(taskKey(task.id), encodeTask(record))
    tx.afterCommit(() => {
      // Otherwise it is loaded with the others.
      if (!this.#loading) return
      this.#add(task.id, shard, record)
      this.wakeWorkers()
    })
  }

  finish(tx: Transaction, id: string): void {
    tx.blind(partitionOf(this.deps.kind, this.#shardOf(id))).delete(taskKey(id))
    tx.afterCommit(() => {
      this.#finished?.add(id)
      const entry = this.scheduler.get(id)
      if (entry) this.scheduler.remove(entry)
    })
  }

  async enqueue(task: NewTask<unknown>): Promise<void> {
    const { id } = task
    // Validated before waiting for others.
    encodeTask(recordOf(task, this.deps.now()))
    await this.load()
    if (this.scheduler.get(id)) return
    const enqueuing =
      this.#enqueuing.get(id) ??
      this.deps.store
        .write(partitionOf(this.deps.kind, this.#shardOf(id)), (tx) => this.add(tx, task))
        .finally(() => this.#enqueuing.delete(id))
    this.#enqueuing.set(id, enqueuing)
    await enqueuing
  }

  /** @returns false for an unknown or running task */
  reschedule(id: string, due: number, change?: (payload: unknown) => unknown): Promise<boolean> {
    return this.#change(id, async (entry) => {
      const [record] = await this.readRows([entry])
      if (!record) {
        this.scheduler.remove(entry)
        return false
      }
      const changed = { ...record, due, payload: change ? change(record.payload) : record.payload }
      await this.write(entry, changed)
      return true
    })
  }

  /** @returns false for an unknown or running task */
  remove(id: string): Promise<boolean> {
    return this.#change(id, async (entry) => {
      await this.delete(entry)
      return true
    })
  }

  /** Changes take a task for a moment, as a worker would. */
  async #change(id: string, apply: (entry: Entry) => Promise<boolean>): Promise<boolean> {
    await this.load()
    const entry = this.scheduler.get(id)
    if (!entry || entry.state === 'leased') return false
    this.scheduler.take(entry)
    try {
      return await apply(entry)
    } catch (error) {
      this.putBack(entry, entry.due)
      throw error
    }
  }

  async counts(): Promise<TaskCounts> {
    await this.load()
    while (!this.scheduler.promote(this.deps.now())) await turn()
    return { ...this.scheduler.counts }
  }

  async get(id: string): Promise<QueuedTask<unknown> | undefined> {
    const entry = this.scheduler.get(id)
    const [record] = await this.readRows([{ id, shard: entry?.shard ?? this.#shardOf(id) }])
    return record && this.#queued(id, record)
  }

  /** Reads from the store, loaded or not. */
  async *all(): AsyncGenerator<QueuedTask<unknown>> {
    for (const shard of await this.#shards())
      for await (const rows of this.#pages(shard, SMALL_PAGE))
        for (const [id, value] of rows) yield this.#queued(id, decodeTask(value))
  }

  /** Writes the task's new state in a commit shared with concurrent writers. Does nothing if it is gone. */
  async write(entry: Entry, record: TaskRecord): Promise<void> {
    const value = encodeTask(record)
    await this.#write(entry, (tx) => {
      if (entry.state === 'gone') return
      tx.put(taskKey(entry.id), value)
      tx.afterCommit(() => {
        entry.room = this.#roomFor(record)
        this.putBack(entry, record.due)
      })
    })
    // It was finished by a commit in between, and must not come back.
    if (entry.state === 'gone' && !this.scheduler.get(entry.id))
      await this.#write(entry, (tx) => tx.delete(taskKey(entry.id)))
  }

  async delete(entry: Entry): Promise<void> {
    if (entry.state === 'gone') return
    await this.#write(entry, (tx) => {
      if (entry.state === 'gone') return
      tx.delete(taskKey(entry.id))
      tx.afterCommit(() => this.scheduler.remove(entry))
    })
  }

  /** Returns a task as if it had not been taken: due at once. */
  giveBack(entry: Entry): void {
    this.putBack(entry, Math.min(entry.due, this.deps.now()))
  }

  putBack(entry: Entry, due: number): void {
    this.scheduler.putBack(entry, due, this.deps.now())
    this.wakeWorkers()
  }

  wakeWorkers(): void {
    for (const worker of this.workers) worker.look()
  }

  #write(entry: Entry, apply: (tx: Transaction) => void): Promise<void> {
    return this.deps.store.write(partitionOf(this.deps.kind, entry.shard), apply)
  }

  #shardOf(id: string): number {
    return this.scheduler.get(id)?.shard ?? shardOf(id, this.deps.shards)
  }

  #add(id: string, shard: number, record: TaskRecord): void {
    const { due, priority } = record
    const lane = this.#oneCopy(record.lane)
    this.scheduler.add({ id, shard, due, lane, priority, room: this.#roomFor(record) }, this.deps.now())
  }

  #roomFor({ payload }: TaskRecord): string {
    return this.#roomOf ? this.#oneCopy(this.#roomOf(payload)) : ''
  }

  /** Interns names: a million tasks of ten thousand lanes share ten thousand strings. */
  #oneCopy(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    if (this.#names.size >= MAX_NAMES) this.#names.clear()
    this.#names.set(name, name)
    return name
  }

  async #readAll(): Promise<void> {
    const left = (this.#finished = new Set())
    for (const shard of await this.#shards()) {
      for await (const rows of this.#pages(shard, PAGE)) {
        for (const [id, value] of rows) {
          const record = this.#readable(id, value)
          const known = this.scheduler.get(id)
          if (!record || left.has(id)) continue
          if (known) known.room = this.#roomFor(record)
          else this.#add(id, shard, record)
        }
      }
    }
    this.#finished = undefined
    this.wakeWorkers()
  }

  /** A garbled row does not block the others. It stays, and `restante verify` reports it. */
  #readable(id: string, value: Uint8Array): TaskRecord | undefined {
    try {
      return decodeTask(value)
    } catch (error) {
      process.emitWarning(`The task ${id} of ${this.deps.kind} can't be read: ${String(error)}`)
      return undefined
    }
  }

  async #shards(): Promise<number[]> {
    const shards: number[] = []
    for (let after = partitionOf(this.deps.kind, 0).slice(0, -1); ;) {
      const names = await this.deps.store.partitions(after, SMALL_PAGE)
      for (const name of names) {
        const shard = shardIn(name, this.deps.kind)
        if (shard === undefined) return shards
        shards.push(shard)
        after = name
      }
      if (names.length < SMALL_PAGE) return shards
    }
  }

  async *#pages(shard: number, limit: number): AsyncGenerator<[string, Uint8Array][]> {
    const { gte, lt } = taskRange
    for (let from = gte; ;) {
      const rows = await this.deps.store.read(partitionOf(this.deps.kind, shard), (view) =>
        view.range({ gte: from, lt, limit }),
      )
      yield rows.map(([bytes, value]) => [idOf(bytes), value])
      const last = rows.at(-1)
      if (!last || rows.length < limit) return
      from = keyAfter(last[0])
    }
  }

  /** Records of tasks; undefined for missing ones. */
  async readRows(which: readonly { id: string; shard: number }[]): Promise<(TaskRecord | undefined)[]> {
    const { store, kind } = this.deps
    return store.read(partitionOf(kind, 0), async (view) => {
      const found = new Map<string, Uint8Array | undefined>()
      for (const shard of new Set(which.map((one) => one.shard))) {
        const ids = which.filter((one) => one.shard === shard).map(({ id }) => id)
        const values = await view.in(partitionOf(kind, shard)).getMany(ids.map(taskKey))
        ids.forEach((id, i) => found.set(id, values[i]))
      }
      return which.map(({ id }) => {
        const value = found.get(id)
        return value && decodeTask(value)
      })
    })
  }

  #queued(id: string, { payload, attempts, queuedAt, due }: TaskRecord): QueuedTask<unknown> {
    return { id, payload, attempts, queuedAt, due, leased: this.scheduler.get(id)?.state === 'leased' }
  }
}
