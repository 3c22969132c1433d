/**
 * Version of the format of stored records: a number in `meta`, written when a folder is new and after each migration. Folders without one are version
 * 0.
 */
import { ServiceError } from '../lib/errors.js'
import { after, type Maybe } from '../lib/maybe.js'
import { decode, encode, key } from './keys.js'
import type { Store, Transaction, View } from './types.js'

/** Incremented when older code would misread changed records, or disobey a setting in them. An added optional field is otherwise no new version. */
export const SCHEMA_VERSION = 10

/**
 * From this form on, sends may wait for a human's approval and mailboxes may be paused: programs that know only older ones read none of the events, and send
 * all the same.
 */
export const APPROVAL_FORM = 10

/** The oldest form that this program also works on: all migrations after it are rolling ones. */
export const OLDEST_FORM = 9

export const SCHEMA_PARTITION = 'meta'
const schemaKey = key('schema')

export interface SchemaRecord {
  version: number
  /** The version of Restante that wrote it. */
  by: string
  /** During an upgrade to `version`: the version reached so far. Older builds refuse the folder from its first step on. */
  from?: number
}

/** Undefined for a folder without one: it is new, or older than the first of these numbers. */
export async function readSchema(store: Pick<Store, 'read'>): Promise<SchemaRecord | undefined> {
  return store.read(SCHEMA_PARTITION, schemaOf)
}

export async function schemaOf(view: View): Promise<SchemaRecord | undefined> {
  const bytes = await view.get(schemaKey)
  return bytes && decode<SchemaRecord>(bytes)
}

export function putSchema(tx: Transaction, record: SchemaRecord): void {
  tx.put(schemaKey, encode(record))
}

/** The form that all rows have at least; some may have a newer one during an upgrade. */
export const formOf = (schema: SchemaRecord | undefined): number => schema?.from ?? schema?.version ?? 0

/** The form of a store; undefined if no daemon has worked on it. */
export async function storedForm(store: Pick<Store, 'read' | 'version'>): Promise<number | undefined> {
  const schema = await readSchema(store)
  if (schema) return formOf(schema)
  // 0.1.0 wrote no number, and the list of mailboxes.
  return (await store.version(SCHEMA_PARTITION)) > 0n ? 0 : undefined
}

/** @param place such as `the data folder /var/lib/restante` @throws UnfitFolderError for a form newer than `knows` */
export function refuseNewer(found: SchemaRecord | undefined, knows: number, place: string): void {
  if (found && found.version > knows)
    throw new UnfitFolderError(
      `${place} is in a form that this version does not know (${found.version}, here ${knows}): Restante ${found.by} has worked on it. Start Restante ${found.by} or later, or restore a backup that this version made; nothing was changed`,
    )
}

/** For code that writes rows whose form changes by a rolling migration (daemon/upgrade/migration.ts). */
export interface StoredForm {
  /** Partitions that the write must name. None once the store has the newest form. */
  partitions(): readonly string[]
  /**
   * The form to write. The commit fails and its function runs again if an upgrade has begun meanwhile, so no row of the older form is written behind
   * its steps.
   */
  of(tx: Transaction): Maybe<number>
}

/** @param newest that this program knows */
export function createStoredForm(newest = SCHEMA_VERSION): StoredForm {
  // For ever: a store gets no older form.
  let isReached = false
  return {
    partitions: () => (isReached ? [] : [SCHEMA_PARTITION]),
    of(tx) {
      if (isReached) return newest
      return after(schemaOf(tx.in(SCHEMA_PARTITION)), (schema) => {
        const version = schema?.version ?? 0
        isReached = version >= newest
        return version
      })
    },
  }
}

/**
 * For what must not begin while programs that know only older forms work on the store.
 *
 * @returns throws ServiceError `unavailable` until the store has the form, which is for ever
 */
export function createFormGate(store: Pick<Store, 'read'>, form: number): () => Promise<void> {
  let isOpen = false
  return async () => {
    isOpen ||= ((await readSchema(store))?.version ?? 0) >= form
    if (isOpen) return
    throw new ServiceError(
      'unavailable',
      'This cannot be done yet: the service is being upgraded, and a part of it still runs the version before.',
      'Try again in a few minutes. "restante cluster status" shows the operator which daemons are to be upgraded.',
      { retryAfterSeconds: 60 },
    )
  }
}

/** A data folder that this version must not use. Its contents are unchanged. */
export class UnfitFolderError extends Error {
  override name = 'UnfitFolderError'
}
