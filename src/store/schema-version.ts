/**
 * Version of the format of stored records: a number in `meta`, written when a folder is new and after each migration. Folders without one are version
 * 0.
 */
import { decode, encode, key } from './keys.js'
import type { Store, Transaction, View } from './types.js'

/** Incremented when older code would misread changed records. An added optional field is no new version. */
export const SCHEMA_VERSION = 9

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
export async function readSchema(store: Store): Promise<SchemaRecord | undefined> {
  return store.read(SCHEMA_PARTITION, schemaOf)
}

export async function schemaOf(view: View): Promise<SchemaRecord | undefined> {
  const bytes = await view.get(schemaKey)
  return bytes && decode<SchemaRecord>(bytes)
}

export function putSchema(tx: Transaction, record: SchemaRecord): void {
  tx.put(schemaKey, encode(record))
}

/** A data folder that this version must not use. Its contents are unchanged. */
export class UnfitFolderError extends Error {
  override name = 'UnfitFolderError'
}
