/** Which form the stored records have: a number in `meta`, written when a folder is new and after each migration. Folders without one are version 0. */
import { decode, encode, key } from './keys.js'
import type { Store, Transaction, View } from './types.js'

/** Counts up when stored records change so that older code would misread them. What is only added and may be missing is no new version. */
export const SCHEMA_VERSION = 9

export const SCHEMA_PARTITION = 'meta'
const schemaKey = key('schema')

export interface SchemaRecord {
  version: number
  /** The version of Restante that wrote it. */
  by: string
  /** While an upgrade to `version` goes on: the version up to which it has come. Older builds refuse the folder from its first step on. */
  from?: number
}

/** Undefined of a folder that has none: it is new, or older than the first of these numbers. */
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

/** A data folder that this version must not work on. What is in it is as it was. */
export class UnfitFolderError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UnfitFolderError'
  }
}
