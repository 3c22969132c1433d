/** An account's mail and data as one zip archive, built in the background and kept for 7 days. */
import type { Readable } from 'node:stream'

export type ExportState = 'queued' | 'building' | 'ready' | 'failed' | 'expired'

export interface ExportRecord {
  /** `exp_…` */
  id: string
  accountId: string
  state: ExportState
  progress: { messages: number; messagesTotal: number; bytes: number }
  createdAt: number
  readyAt: number | null
  /** Of the file and its link; null until it is ready. */
  expiresAt: number | null
  sizeBytes: number | null
  /** What went wrong, in words for its owner; null unless `failed`. */
  problem: string | null
}

/** Payload of an `export` task; its id is the export's. */
export interface ExportTask {
  account_id: string
  export_id: string
}

export interface Exports {
  /** Starts one, or gives the one that is under way. @throws ServiceError `rate_limited` when the last began less than an hour ago */
  request(accountId: string): Promise<ExportRecord>
  /** The newest first. */
  list(accountId: string): Promise<ExportRecord[]>
  /** @throws ServiceError `not_found` */
  get(accountId: string, exportId: string): Promise<ExportRecord>
  /** The last part of the address by which a ready export is downloaded, whoever has it; undefined when it is not ready (any more). */
  linkTo(record: ExportRecord): string | undefined
  /** What a link leads to; undefined for a wrong or expired one. `open` streams the octets from `start` to `end`, both included. */
  download(link: string): Promise<
    | {
        accountId: string
        exportId: string
        filename: string
        sizeBytes: number
        open(range?: { start: number; end: number }): Readable
      }
    | undefined
  >
  /** Removes every export of an account with its files, whatever its state. Idempotent. */
  removeAll(accountId: string): Promise<void>
}
