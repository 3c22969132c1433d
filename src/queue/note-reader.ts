/** Reads the notes of the shards of a kind as commits announce them, and again after a pause when that failed. */
const RETRY_MS = 1_000

export interface NoteReaderDeps {
  /** Reads the notes of a shard. Resolves with true if there may be more. */
  read(shard: number): Promise<boolean>
  /** False once a shard's notes are no matter of this node. */
  isRead(shard: number): boolean
  /** False once nothing waits for them any more. */
  isRetried(): boolean
  /** Called for the first of several failures in a row. */
  onError(error: unknown): void
}

export class NoteReader {
  /** Shards whose notes are being read; true if there may be more. */
  readonly #reading = new Map<number, boolean>()
  /** Shards whose notes could not be read the last time. */
  readonly #failing = new Set<number>()

  constructor(private readonly deps: NoteReaderDeps) {}

  /** Reads the notes of a shard until there are no more. */
  look(shard: number): void {
    const isReading = this.#reading.has(shard)
    this.#reading.set(shard, true)
    if (!isReading) void this.#read(shard)
  }

  async #read(shard: number): Promise<void> {
    try {
      while (this.#reading.get(shard) === true && this.deps.isRead(shard)) {
        this.#reading.set(shard, false)
        if (await this.deps.read(shard)) this.#reading.set(shard, true)
      }
      this.#failing.delete(shard)
    } catch (error) {
      if (!this.#failing.has(shard)) this.deps.onError(error)
      this.#failing.add(shard)
      setTimeout(() => {
        if (this.deps.isRetried()) this.look(shard)
      }, RETRY_MS).unref()
    } finally {
      this.#reading.delete(shard)
    }
  }
}
