/**
 * The tasks of one kind: rows in the store, which are the truth, and a scheduler in memory with those of the shards that this node owns, filled from the
 * rows once. Tasks of other shards are added and changed by notes to their owner (notes.ts).
 */
import { setImmediate as turn } from 'node:timers/promises'
import { shardOf } from '../cluster/shard-of.js'
import type { Duty, Shards } from '../cluster/types.js'
import { asBuffer, encode } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { askOwner, dropNotes, EMPTY_NOTE, readNotes, settleNotes, type Note, type Request } from './notes.js'
import { NoteReader } from './note-reader.js'
import { decodeTask, encodeTask, noteKey, partitionOf, recordOf, shardIn, taskKey, type TaskRecord } from './rows.js'
import { Scheduler, type Entry } from './scheduler.js'
import { StoredTasks } from './stored-tasks.js'
import type { NewTask, QueuedTask, TaskCounts } from './types.js'

const PAGE = 1_000
/** Yields to the event loop after each such page. */
const SMALL_PAGE = 100
const MAX_NAMES = 10_000

export interface KindDeps {
  store: Store
  kind: string
  shards: Shards
  duty: Duty
  now: () => number
}

interface Executor {
  /** Called when a task may be due, or has a new time. */
  look(): void
  /** Ends the running tasks of a shard. */
  drain(shard: number): Promise<void>
}

export class Kind {
  readonly scheduler = new Scheduler()
  readonly workers = new Set<Executor>()
  readonly #names = new Map<string, string>()
  /** Ids being written by `enqueue`. */
  readonly #enqueuing = new Map<string, Promise<void>>()
  /** By shard that this node owns. */
  readonly #loads = new Map<number, Promise<void>>()
  /** Ids that left the queue while a shard is being loaded. */
  readonly #finished = new Set<string>()
  #loading = 0
  #isLoaded = false
  /** Changes in progress, which a shard waits for before it is given away. */
  readonly #changes = new Set<Promise<unknown>>()
  #isFollowing = false
  #roomOf: ((payload: unknown) => string) | undefined
  readonly #notes: NoteReader
  readonly stored: StoredTasks

  constructor(private readonly deps: KindDeps) {
    this.stored = new StoredTasks(deps.store, deps.kind)
    this.#notes = new NoteReader({
      read: (shard) => this.#readNotes(shard),
      isRead: (shard) => this.#loads.has(shard),
      isRetried: () => this.workers.size > 0,
      onError: (error) =>
        process.emitWarning(`The notes for the queue of ${deps.kind} could not be read: ${String(error)}`),
    })
  }

  /** Reads the tasks of the shards that this node owns, once. */
  async load(): Promise<void> {
    this.#follow()
    while (!this.#isLoaded) {
      const owned = this.#owned()
      await Promise.all(owned.map((shard) => this.#loadShard(shard)))
      this.#isLoaded = this.#owned().every((shard) => this.#loads.has(shard))
    }
  }

  owns(shard: number): boolean {
    return this.deps.shards.owns(this.deps.duty, shard)
  }

  ownsAny(): boolean {
    return this.#owned().length > 0
  }

  isOwn(id: string): boolean {
    return this.owns(this.#shardOf(id))
  }

  #owned(): number[] {
    return Array.from({ length: this.deps.shards.count }, (_, shard) => shard).filter((shard) => this.owns(shard))
  }

  #follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    const { shards, duty, store, kind } = this.deps
    store.onCommit((partition, _version, byOther) => {
      const shard = byOther === true ? shardIn(partition, kind) : undefined
      if (shard !== undefined && this.#loads.has(shard)) this.#notes.look(shard)
    })
    store.follow(() => [...this.#loads.keys()].map((shard) => partitionOf(kind, shard)))
    shards.follow(duty, {
      gain: () => {
        this.#isLoaded = false
        // They load it, and try again if that fails.
        this.wakeWorkers()
      },
      lose: (shard) => this.#lose(shard),
    })
  }

  #loadShard(shard: number): Promise<void> {
    const known = this.#loads.get(shard)
    if (known) return known
    const loading = this.#readShard(shard).catch((error: unknown) => {
      this.#loads.delete(shard)
      throw error
    })
    this.#loads.set(shard, loading)
    return loading
  }

  /** Another node gets it when this has resolved. */
  async #lose(shard: number): Promise<void> {
    await this.#loads.get(shard)?.catch(() => 'nothing of it was loaded')
    for (const entry of [...this.scheduler.all()])
      if (entry.shard === shard && entry.state !== 'leased') this.scheduler.remove(entry)
    await Promise.all([...this.workers].map((worker) => worker.drain(shard)))
    await Promise.allSettled(this.#changes)
    // Transactions that took it for this node's own left no note: the next owner reads the rows after their commits.
    await this.deps.store.settled()
    for (const entry of [...this.scheduler.all()]) if (entry.shard === shard) this.scheduler.remove(entry)
    this.#loads.delete(shard)
  }

  /** Sets the rooms that tasks need capacity in. */
  async nameRooms(roomOf: (payload: unknown) => string): Promise<void> {
    const read = [...this.#loads.keys()]
    this.#roomOf = roomOf
    await this.load()
    for (const shard of read) await this.#readShard(shard)
  }

  add(tx: Transaction, task: NewTask<unknown>): void {
    const record = recordOf(task, this.deps.now())
    const { id } = task
    const shard = this.#shardOf(id)
    const rows = tx.blind(partitionOf(this.deps.kind, shard))
    rows.put(taskKey(id), encodeTask(record))
    if (!this.owns(shard)) rows.put(noteKey(id), EMPTY_NOTE)
    tx.afterCommit(() => {
      // Otherwise it is loaded with the others.
      if (!this.#loads.has(shard)) return
      this.#add(id, shard, record)
      this.wakeWorkers()
    })
  }

  finish(tx: Transaction, id: string): void {
    const shard = this.#shardOf(id)
    const rows = tx.blind(partitionOf(this.deps.kind, shard))
    rows.delete(taskKey(id))
    if (!this.owns(shard)) rows.put(noteKey(id), EMPTY_NOTE)
    tx.afterCommit(() => {
      if (this.#loading > 0) this.#finished.add(id)
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
        .write(partitionOf(this.deps.kind, this.#shardOf(id)), async (tx) => {
          if (!(await tx.get(taskKey(id)))) this.add(tx, task)
        })
        .finally(() => this.#enqueuing.delete(id))
    this.#enqueuing.set(id, enqueuing)
    await enqueuing
  }

  /** @returns false for an unknown or running task */
  async reschedule(id: string, due: number, change?: (payload: unknown) => unknown): Promise<boolean> {
    const shard = await this.#placeOf(id)
    if (this.owns(shard)) return this.#reschedule(id, due, change)
    const [record] = await this.stored.read([{ id, shard }])
    if (!record) return false
    const payload = change && { before: record.payload, after: change(record.payload) }
    return this.#ask(id, shard, { op: 'reschedule', due, ...(payload && { payload }) })
  }

  /** @returns false for an unknown or running task */
  async remove(id: string): Promise<boolean> {
    const shard = await this.#placeOf(id)
    return this.owns(shard) ? this.#remove(id) : this.#ask(id, shard, { op: 'remove' })
  }

  async #placeOf(id: string): Promise<number> {
    await this.load()
    return this.#shardOf(id)
  }

  #ask(id: string, shard: number, request: Request): Promise<boolean> {
    return askOwner(this.deps.store, partitionOf(this.deps.kind, shard), id, request)
  }

  #reschedule(id: string, due: number, change?: (payload: unknown) => unknown): Promise<boolean> {
    return this.#change(id, async (entry) => {
      const [record] = await this.stored.read([entry])
      if (!record) {
        this.scheduler.remove(entry)
        return false
      }
      const changed = { ...record, due, payload: change ? change(record.payload) : record.payload }
      await this.write(entry, changed)
      return true
    })
  }

  #remove(id: string): Promise<boolean> {
    return this.#change(id, async (entry) => {
      await this.delete(entry)
      return true
    })
  }

  /** Changes take a task for a moment, as a worker would. */
  async #change(id: string, apply: (entry: Entry) => Promise<boolean>): Promise<boolean> {
    const entry = this.scheduler.get(id)
    if (!entry || entry.state === 'leased') return false
    this.scheduler.take(entry)
    const change = apply(entry).catch((error: unknown) => {
      this.putBack(entry, entry.due)
      throw error
    })
    this.#changes.add(change)
    try {
      return await change
    } finally {
      this.#changes.delete(change)
    }
  }

  /** @returns true if there were any */
  async #readNotes(shard: number): Promise<boolean> {
    const { store, kind, now } = this.deps
    const partition = partitionOf(kind, shard)
    const notes = await store.read(partition, (view) => readNotes(view, now()))
    if (notes.length === 0 || !this.owns(shard)) return false
    const settled = await Promise.all(
      notes.map(async (note) => (note.request ? { ...note, answer: await this.#carryOut(note, note.request) } : note)),
    )
    if (!this.owns(shard)) return false
    for (const [id, record] of await settleNotes(store, partition, settled, now())) this.#notice(id, shard, record)
    return true
  }

  #notice(id: string, shard: number, record: TaskRecord | undefined): void {
    const entry = this.scheduler.get(id)
    if (!record) {
      if (entry) this.scheduler.remove(entry)
    } else if (!entry && this.owns(shard)) {
      this.#add(id, shard, record)
      this.wakeWorkers()
    }
  }

  async #carryOut({ id }: Note, request: Request): Promise<boolean> {
    if (request.op === 'remove') return this.#remove(id)
    const { due, payload } = request
    if (!payload) return this.#reschedule(id, due)
    const entry = this.scheduler.get(id)
    const [record] = entry ? await this.stored.read([entry]) : []
    const isSame = record && asBuffer(encode(record.payload)).equals(encode(payload.before))
    return isSame === true ? this.#reschedule(id, due, () => payload.after) : false
  }

  async counts(): Promise<TaskCounts> {
    await this.load()
    while (!this.scheduler.promote(this.deps.now())) await turn()
    return { ...this.scheduler.counts }
  }

  async get(id: string): Promise<QueuedTask<unknown> | undefined> {
    const [record] = await this.stored.read([{ id, shard: this.#shardOf(id) }])
    const found = record ?? (await this.stored.find(id))
    return found && this.#queued(id, found)
  }

  /** Reads from the store, loaded or not. */
  async *all(): AsyncGenerator<QueuedTask<unknown>> {
    for (const shard of await this.stored.shards())
      for await (const rows of this.stored.pages(shard, SMALL_PAGE))
        for (const [id, value] of rows) yield this.#queued(id, decodeTask(value))
  }

  /** Writes the task's new state in a commit shared with concurrent writers. Does nothing if it is gone. */
  async write(entry: Entry, record: TaskRecord): Promise<void> {
    const value = encodeTask(record)
    let isFinished = false
    await this.#write(entry, (tx) => {
      if (entry.state === 'gone') return
      tx.put(taskKey(entry.id), value)
      tx.afterCommit(() => {
        // Before it is put back: one whose shard is given away leaves the memory there, and stays in the store.
        isFinished = entry.state === 'gone'
        entry.room = this.#roomFor(record)
        this.putBack(entry, record.due)
      })
    })
    // It was finished by a commit in between, and must not come back.
    if (isFinished && !this.scheduler.get(entry.id)) await this.#write(entry, (tx) => tx.delete(taskKey(entry.id)))
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
    // It is being given away, with its row.
    if (!this.owns(entry.shard)) return this.scheduler.remove(entry)
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
    return this.scheduler.get(id)?.shard ?? shardOf(id, this.deps.shards.count)
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

  async #readShard(shard: number): Promise<void> {
    this.#loading++
    try {
      if (shard === 0)
        for (const other of await this.stored.shards()) if (other >= this.deps.shards.count) await this.#adopt(other)
      for await (const rows of this.stored.pages(shard, PAGE)) {
        const strays: string[] = []
        for (const [id, value] of rows) {
          const record = this.#readable(id, value)
          const known = this.scheduler.get(id)
          if (!record || this.#finished.has(id)) continue
          if (known) known.room = this.#roomFor(record)
          else if (shardOf(id, this.deps.shards.count) !== shard) strays.push(id)
          else if (this.owns(shard)) this.#add(id, shard, record)
        }
        if (strays.length > 0) await this.#move(shard, strays)
      }
    } finally {
      this.#loading--
      if (this.#loading === 0) this.#finished.clear()
    }
    this.#notes.look(shard)
    this.wakeWorkers()
  }

  /** Moves the tasks of a shard that there was when there were more of them. */
  async #adopt(shard: number): Promise<void> {
    for await (const rows of this.stored.pages(shard, PAGE))
      await this.#move(
        shard,
        rows.map(([id]) => id),
      )
    await this.deps.store.write(partitionOf(this.deps.kind, shard), dropNotes)
  }

  /** Moves tasks into the shards where they are looked for. */
  async #move(from: number, ids: readonly string[]): Promise<void> {
    for (const shard of await this.stored.move(from, ids, this.deps.shards.count))
      if (this.owns(shard) && this.#loads.has(shard)) this.#notes.look(shard)
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

  #queued(id: string, { payload, attempts, queuedAt, due }: TaskRecord): QueuedTask<unknown> {
    return { id, payload, attempts, queuedAt, due, leased: this.scheduler.get(id)?.state === 'leased' }
  }
}
