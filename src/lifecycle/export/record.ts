/** Records of exports, in the partition of their account under ('export', id): ids sort by time, so the newest stand last. */
import { accountPartition } from '../../accounts/record.js'
import type { WorkQueue } from '../../queue/types.js'
import { encode, key, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readValue, readValues } from '../../store/values.js'
import type { ExportRecord } from './types.js'

/** Where the octets of an archive are: pieces.ts. */
export interface Archive {
  /** Random part of the names of its pieces: no build writes over those of another. */
  build: string
  /** In order; empty until the build is complete. */
  pieces: { bytes: number; sha256: string }[]
}

export interface StoredExport extends ExportRecord {
  /** Events and mail about it were sent. */
  announced: boolean
  /** Missing before the first build and after the removal, and for an archive that an earlier version wrote (old-folder.ts). */
  archive?: Archive | undefined
}

export const EXPORT_KIND = 'export'

/** Max listed records; older ones have ended long ago. */
const MAX_RECORDS = 20

const range = prefixRange('export')
const recordKey = (id: string): Uint8Array => key('export', id)

export const newestIn = (view: View, limit = MAX_RECORDS): Promise<StoredExport[]> =>
  readValues(view, { ...range, limit, reverse: true })

export const readExport = (store: Store, accountId: string, id: string): Promise<StoredExport | undefined> =>
  store.read(accountPartition(accountId), (view) => readValue(view, recordKey(id)))

/** Adds a new record, and removes the oldest beyond the limit. */
export async function addExport(tx: Transaction, record: StoredExport): Promise<void> {
  tx.put(recordKey(record.id), encode(record))
  for (const [old] of (await tx.range({ ...range, reverse: true })).slice(MAX_RECORDS)) tx.delete(old)
}

/** @returns the record afterwards; undefined if it is gone, or not the one that `isMeant` expects */
export async function changeExport(
  store: Store,
  { accountId, id }: Pick<ExportRecord, 'accountId' | 'id'>,
  change: Partial<StoredExport>,
  isMeant: (before: StoredExport) => boolean = () => true,
): Promise<StoredExport | undefined> {
  return store.write(accountPartition(accountId), async (tx) => {
    const before = await readValue<StoredExport>(tx, recordKey(id))
    if (!before || !isMeant(before)) return undefined
    const changed = { ...before, ...change }
    tx.put(recordKey(id), encode(changed))
    return changed
  })
}

/** Removes it with its task, which ends a running build. */
export async function removeExport(
  store: Store,
  queue: Pick<WorkQueue, 'finish'>,
  { accountId, id }: Pick<ExportRecord, 'accountId' | 'id'>,
): Promise<void> {
  await store.write(accountPartition(accountId), (tx) => {
    tx.delete(recordKey(id))
    queue.finish(tx, EXPORT_KIND, id)
  })
}
