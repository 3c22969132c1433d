/** The sweep of unreferenced blobs and the trash that they go to, wherever the blobs are. */
import { DAY } from '../../lib/clock.js'
import { SweepStoppedError } from '../errors.js'
import type { IsReferenced, ListedBlob, Swept } from '../types.js'
import { readTrashName } from './blob-files.js'
import { doubtOf, shareOf, takeCensus } from './census.js'

const TRASH_AGE_MS = 7 * DAY

export interface SweeperOptions {
  /** Time that deleted blobs stay in the trash; 7 days by default. */
  trashMs?: number
  /** Called after each sweep; `stopped` is true if the store looks wrong. */
  onSweep?: (stopped: boolean) => void
}

/** Blobs with a trash, of which a sweep can move unreferenced ones there. */
export abstract class SweptBlobs {
  readonly #options: SweeperOptions
  #keepers = 0
  /** The reason why the last sweep removed nothing. The trash is kept then, since its files may be needed. */
  #stopped: string | undefined

  constructor(options: SweeperOptions) {
    this.#options = options
  }

  abstract list(): AsyncIterable<ListedBlob>
  /** @returns false if there is no such blob */
  protected abstract moveToTrash(owner: string, id: string): Promise<boolean>
  /** Names in the trash, as `trashName` makes them. */
  protected abstract listTrash(): AsyncIterable<string>
  /** @returns false if it was gone */
  protected abstract removeFromTrash(name: string): Promise<boolean>
  /** Removes remains of interrupted writes, and empty folders. */
  protected abstract tidy(now: number): Promise<void>

  async emptyTrash(now: number): Promise<number> {
    const { trashMs = TRASH_AGE_MS } = this.#options
    let removed = 0
    for await (const name of this.listTrash()) {
      if (this.#keepers > 0 || this.#stopped !== undefined) break
      if (readTrashName(name).deletedAt > now - trashMs) continue
      if (await this.removeFromTrash(name)) removed++
    }
    return removed
  }

  keepTrash(): () => void {
    let keeps = true
    this.#keepers++
    return () => {
      if (keeps) this.#keepers--
      keeps = false
    }
  }

  async countTrash(): Promise<number> {
    let count = 0
    for await (const _ of this.listTrash()) count++
    return count
  }

  /** @throws SweepStoppedError, see `Blobs.sweep` */
  async sweep(now: number, isReferenced: IsReferenced, storeBornAt = Number.NEGATIVE_INFINITY): Promise<Swept> {
    const census = await takeCensus(this.list(), { now, isReferenced, storeBornAt })
    this.#stopped = doubtOf(census)
    this.#options.onSweep?.(this.#stopped !== undefined)
    if (this.#stopped !== undefined) throw new SweepStoppedError(this.#stopped)
    const found: Swept = { orphans: 0, removed: 0 }
    const share = shareOf(census.files)
    for (const { owner, id } of census.listed.slice(0, share)) if (await this.moveToTrash(owner, id)) found.orphans++
    if (census.orphans > Math.min(census.listed.length, share)) found.left = census.orphans - found.orphans
    found.removed = await this.emptyTrash(now)
    await this.tidy(now)
    return found
  }
}
