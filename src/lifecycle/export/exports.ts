/**
 * Exports of accounts. The task of an export stays as long as its record: it builds the archive, announces it, removes it after 7 days, and at last the
 * record. A record names the pieces of its archive until they are removed, so that a crash in between leaves none behind.
 */
import { DAY, HOUR, SECOND, utcDay } from '../../lib/clock.js'
import { notFound, ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import { accountPartition } from '../../accounts/record.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { announce, build, estimate, ExportFailed, isUnfinished, mailboxesOf, type BuildingDeps } from './task.js'
import { linkOf, placeOf } from './link.js'
import { adoptFiles } from './old-folder.js'
import { discardPieces, hasPieces, readPieces, sizeOf } from './pieces.js'
import {
  EXPORT_KIND,
  addExport,
  changeExport,
  newestIn,
  readExport,
  removeExport,
  type StoredExport,
} from './record.js'
import type { ExportRecord, ExportTask } from './types.js'

export const EXPORT_PATH = '/export/'

/** Min time between the starts of two exports of an account. */
const APART_MS = HOUR
/** Max archives per account: a newer one replaces the oldest. */
const KEPT_ARCHIVES = 2
/** Retention of the record of an export. */
const RECORD_MS = 30 * DAY
/** Max tries of one export, including those ended by crashes and restarts. */
const MAX_TRIES = 20
const LONGEST_MS = DAY

export interface ExportsDeps extends Omit<BuildingDeps, 'urlOf'> {
  queue: Pick<WorkQueue, 'add' | 'finish'>
  /** Links to downloads: the key that signs them, and their base URL without a trailing slash. */
  links: { webKey: Uint8Array; baseUrl: string }
}

export class Exports {
  readonly #deps: ExportsDeps
  readonly #store: ExportsDeps['store']
  readonly #building: BuildingDeps
  /** Running in this process, by account. */
  readonly #running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>()

  constructor(deps: ExportsDeps) {
    this.#deps = deps
    this.#store = deps.store
    this.#building = {
      ...deps,
      urlOf: (record) => deps.links.baseUrl + EXPORT_PATH + this.#link(record),
    }
  }

  /** Starts one, or returns the running one. @throws ServiceError `rate_limited` if the last began less than an hour ago */
  async request(accountId: string): Promise<ExportRecord> {
    if (!(await this.#deps.accounts.get(accountId))) throw notFound('account')
    const now = this.#deps.clock.now()
    const [last] = await this.#store.read(accountPartition(accountId), (view) => newestIn(view, 1))
    const current = underWay(last, now)
    if (current) return this.#shown(current)
    if (!(await this.#deps.disk.hasRoomFor(estimate(await mailboxesOf(this.#deps, accountId)))))
      throw new ServiceError(
        'unavailable',
        'The disk of this server has not enough space for an archive of your mail.',
        'Try again in an hour, or contact the operator (postmaster@ this domain). No export was started.',
        { retryAfterSeconds: HOUR / SECOND },
      )

    const id = newId('exp', now)
    const payload: ExportTask = { account_id: accountId, export_id: id }
    const record = await this.#store.write(accountPartition(accountId), async (tx) => {
      const [before] = await newestIn(tx, 1)
      const other = underWay(before, now)
      if (other) return other
      const made: StoredExport = {
        id,
        accountId,
        state: 'queued',
        progress: { messages: 0, messagesTotal: 0, bytes: 0 },
        createdAt: now,
        readyAt: null,
        expiresAt: null,
        sizeBytes: null,
        problem: null,
        announced: false,
      }
      await addExport(tx, made)
      this.#deps.queue.add(tx, EXPORT_KIND, { id, payload, due: now })
      return made
    })
    return this.#shown(record)
  }

  /** The newest first. */
  async list(accountId: string): Promise<ExportRecord[]> {
    const records = await this.#store.read(accountPartition(accountId), (view) => newestIn(view))
    return records.map((record) => this.#shown(record))
  }

  /** @throws ServiceError `not_found` */
  async get(accountId: string, exportId: string): Promise<ExportRecord> {
    const record = await readExport(this.#store, accountId, exportId)
    if (!record)
      throw new ServiceError(
        'not_found',
        'There is no such export.',
        'List exports with GET /v1/account/exports; their records are kept for 30 days.',
      )
    return this.#shown(record)
  }

  /** Last part of the public download URL of a ready export; undefined if not ready or expired. */
  linkTo(record: ExportRecord): string | undefined {
    return this.#isReady(record) ? this.#link(record) : undefined
  }

  /**
   * Archive of a link; undefined for a wrong or expired one. `open` streams the octets from `start` to `end`, both included.
   *
   * @throws ServiceError `unavailable` while the archive is moved out of the folder of an earlier version
   */
  async download(text: string) {
    const name = placeOf(this.#deps.links.webKey, text)
    const record = name && (await readExport(this.#store, name.accountId, name.exportId))
    if (!name || !record || !this.#isReady(record)) return undefined
    const { archive } = record
    if (!archive) throw moving()
    const { blobs } = this.#deps
    if (!(await hasPieces(blobs, record, archive))) return undefined
    return {
      ...name,
      filename: `restante-export-${utcDay(record.readyAt ?? record.createdAt)}.zip`,
      sizeBytes: sizeOf(archive),
      /** Differs for other octets under the same link. */
      version: archive.build,
      open: (range?: { start: number; end: number }): AsyncIterable<Buffer> =>
        readPieces(blobs, record, archive, range),
    }
  }

  /** Removes every export of an account with its archive, whatever its state. Idempotent. */
  async removeAll(accountId: string): Promise<void> {
    const work = this.#running.get(accountId)
    work?.stop.abort()
    await work?.ended
    for (;;) {
      const records = await this.#store.read(accountPartition(accountId), (view) => newestIn(view))
      if (records.length === 0) break
      for (const record of records) {
        await this.#end(record)
        await removeExport(this.#store, this.#deps.queue, record)
      }
    }
  }

  /** Moves archives of an earlier version, files in `dir`, to the blob store. */
  async adopt(dir: string, signal: AbortSignal): Promise<void> {
    await adoptFiles({ ...this.#deps, dir }, signal)
  }

  async run(task: Task<ExportTask>, signal: AbortSignal): Promise<TaskOutcome<ExportTask>> {
    const { account_id: accountId, export_id: exportId } = task.payload
    let record = await readExport(this.#store, accountId, exportId)
    if (!record) return { done: true }
    if (isUnfinished(record)) {
      record = await this.#makeStoppable(record, task.attempts, signal)
      if (!record) return { done: true }
    }
    if (this.#isReady(record)) {
      if (!record.announced) {
        await this.#retire(accountId)
        await announce(this.#building, record, signal)
      }
      return { done: false, retryAt: record.expiresAt ?? this.#deps.clock.now() }
    }
    if (record.state === 'ready' || record.archive) await this.#end(record)
    const goesAt = record.createdAt + RECORD_MS
    if (this.#deps.clock.now() < goesAt) return { done: false, retryAt: goesAt }
    await removeExport(this.#store, this.#deps.queue, record)
    return { done: true }
  }

  #link({ accountId, id }: ExportRecord): string {
    return linkOf(this.#deps.links.webKey, { accountId, exportId: id })
  }

  #isReady({ state, expiresAt }: ExportRecord): boolean {
    return state === 'ready' && expiresAt !== null && this.#deps.clock.now() < expiresAt
  }

  /** Public form: after its expiry it is expired, even if that is not stored yet. */
  #shown({ announced: _announced, archive: _archive, ...record }: StoredExport): ExportRecord {
    return record.state === 'ready' && !this.#isReady(record) ? { ...record, state: 'expired' } : record
  }

  /** Builds of it on other nodes end, too. Idempotent. */
  async #end(record: StoredExport): Promise<void> {
    const state = record.state === 'failed' ? 'failed' : 'expired'
    const ended = await changeExport(this.#store, record, { state })
    if (!ended?.archive) return
    await discardPieces(this.#deps.blobs, ended, ended.archive)
    await changeExport(this.#store, ended, { archive: undefined })
  }

  async #make(record: StoredExport, tries: number, signal: AbortSignal): Promise<StoredExport | undefined> {
    try {
      if (tries > MAX_TRIES || this.#deps.clock.now() > record.createdAt + LONGEST_MS)
        throw new ExportFailed('It was interrupted too often. Request a new one.')
      return await build(this.#building, record, signal)
    } catch (error) {
      if (!(error instanceof ExportFailed)) throw error
      return changeExport(this.#store, record, { state: 'failed', problem: error.message })
    }
  }

  /** Lets `removeAll` find and stop it while it runs. */
  async #makeStoppable(record: StoredExport, tries: number, signal: AbortSignal): Promise<StoredExport | undefined> {
    const stop = new AbortController()
    const made = this.#make(record, tries, AbortSignal.any([signal, stop.signal]))
    const entry = { stop, ended: Promise.allSettled([made]) }
    this.#running.set(record.accountId, entry)
    try {
      return await made
    } catch (error) {
      if (stop.signal.aborted) return undefined
      throw error
    } finally {
      if (this.#running.get(record.accountId) === entry) this.#running.delete(record.accountId)
    }
  }

  /** Removes archives replaced by newer ones. */
  async #retire(accountId: string): Promise<void> {
    const records = await this.#store.read(accountPartition(accountId), (view) => newestIn(view))
    for (const old of records.filter(({ state }) => state === 'ready').slice(KEPT_ARCHIVES)) await this.#end(old)
  }
}

function moving(): ServiceError {
  return new ServiceError(
    'unavailable',
    'This archive is being moved to another place.',
    'Try again in a few minutes. If it takes longer than an hour, request another export.',
    { retryAfterSeconds: 60 },
  )
}

/** The unfinished export. @throws ServiceError `rate_limited` if there is none and the last is not an hour old */
function underWay(last: StoredExport | undefined, now: number): StoredExport | undefined {
  if (!last) return undefined
  if (isUnfinished(last) && now < last.createdAt + LONGEST_MS + APART_MS) return last
  const waitMs = last.createdAt + APART_MS - now
  if (waitMs <= 0) return undefined
  throw new ServiceError(
    'rate_limited',
    'The last export of this account began less than an hour ago.',
    `Its state and its link are at GET /v1/account/exports/${last.id}; request another one later.`,
    { retryAfterSeconds: Math.ceil(waitMs / SECOND) },
  )
}
