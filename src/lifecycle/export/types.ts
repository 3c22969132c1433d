/** An account's mail and data as one zip archive, built in the background and kept for 7 days. */

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
