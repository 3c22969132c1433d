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
  /** Expiry of the file and its link; null until it is ready. */
  expiresAt: number | null
  sizeBytes: number | null
  /** Reason of the failure, for its owner; null unless `failed`. */
  problem: string | null
}

/** Payload of an `export` task; its id is the export's. */
export interface ExportTask {
  account_id: string
  export_id: string
}

export interface Exports {
  /** Starts one, or returns the running one. @throws ServiceError `rate_limited` if the last began less than an hour ago */
  request(accountId: string): Promise<ExportRecord>
  /** The newest first. */
  list(accountId: string): Promise<ExportRecord[]>
  /** @throws ServiceError `not_found` */
  get(accountId: string, exportId: string): Promise<ExportRecord>
  /** Last part of the public download URL of a ready export; undefined if not ready or expired. */
  linkTo(record: ExportRecord): string | undefined
  /** Archive of a link; undefined for a wrong or expired one. `open` streams the octets from `start` to `end`, both included. */
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
