/**
 * Rows of the folder index of a mailbox, in the partition `folders/<mailbox id>`. It is derived from the mailbox, and written when a mail program looks
 * (sync.ts), so that mailboxes without one cost nothing.
 *
 * | key                          | value          | read by                                                                |
 * | ---------------------------- | -------------- | ---------------------------------------------------------------------- |
 * | `index`                      | IndexRow       | everything: how far it has come                                        |
 * | `folder` · number            | FolderRow      | lists, STATUS, SELECT                                                  |
 * | `page` · folder · page       | entries        | SELECT, FETCH, SEARCH of what entries.ts has                            |
 * | `uids` · place of a message  | FolderUid[]    | changes of a message: its UIDs                                         |
 * | `draft-uid` · id of a draft  | DraftUid       | changes of a draft                                                     |
 * | `vanished` · folder · seq    | Vanished[]     | QRESYNC: UIDs that left, by the number of the last event of their sync  |
 * | `name` · key of a folder     | NameRow        | what programs have chosen: names, empty folders, subscriptions          |
 */
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import { pack, plain, unpack } from '../../store/packed.js'
import { allIn } from '../../store/pages.js'
import type { View, Writes } from '../../store/types.js'
import type { FolderKey } from './folder.js'

/** Increment when entries mean something else: the index is built anew, with new UIDVALIDITY. */
export const FOLDER_INDEX_VERSION = 3

export interface IndexRow {
  version: number
  /** Number of the last event that is in it. */
  seq: number
  /** Number from which the mailbox went on after its last restore; 0 for none. UIDVALIDITY changes with it. */
  jumpedTo: number
  /** The last UIDVALIDITY that was given; they only grow. */
  validity: number
  /** Number of the next folder. */
  nextFolder: number
  /** Names of keywords, by their bits. */
  keywords: string[]
  /** Mark of the drafts that are in it (draftsMarkKey). */
  drafts: string
  /** Comparing all messages with the index: next place, and the event up to which it then is. */
  build?: { next: number; target: number }
}

export interface FolderRow {
  /** Its number in keys. */
  number: number
  key: FolderKey
  validity: number
  /** Its id before it was renamed, which it keeps; missing: by number and UIDVALIDITY. */
  id?: string
  uidNext: number
  exists: number
  unseen: number
  /** Messages with `\Deleted`. */
  deleted: number
  /** Bytes of all messages. */
  bytes: number
  /** Its highest modseq, where that is not the index's: of Drafts, whose changes have no events. */
  modseq?: number
  /** UIDs that left at or before this modseq may not be known. */
  vanishedFrom: number
  vanishedRows: number
  /** The highest modseq of its own changes. */
  changed: number
  written?: Written
}

/** What was written of the pages of a folder: a view that is a little older takes its other pages over (view.ts). */
export interface Written {
  /** How often. */
  times: number
  /** `changed` of the folder then. Where that is higher, a daemon that does not note its writes has changed it. */
  upTo: number
  /** Numbers of the pages that were written the last times, oldest first. */
  last: readonly (readonly number[])[]
}

/** UID of a message in a folder. */
export type FolderUid = [folder: number, uid: number]

export interface DraftUid {
  uid: number
  revision: number
}

export type Vanished = [uid: number, modseq: number]

export interface NameRow {
  /** As the program wrote it; missing: the label. */
  name?: string
  /** Exists without messages. */
  created?: true
  /** Its name before it was renamed. */
  renamedFrom?: string
  /** All folders are subscribed to but these. */
  unsubscribed?: true
}

export const indexRowKey = key('index')
export const folderRowKey = (number: number): Uint8Array => key('folder', number)
export const folderRowsRange = prefixRange('folder')
export const pageKey = (folder: number, page: number): Uint8Array => key('page', folder, page)
export const pagesRange = (folder: number): { gte: Uint8Array; lt: Uint8Array } => prefixRange('page', folder)
export const uidsKey = (place: number): Uint8Array => key('uids', place)
export const uidsRange = prefixRange('uids')
export const draftUidKey = (draftId: string): Uint8Array => key('draft-uid', draftId)
export const draftUidsRange = prefixRange('draft-uid')
export const vanishedKey = (folder: number, seq: number): Uint8Array => key('vanished', folder, seq)
export const vanishedRange = (folder: number): { gte: Uint8Array; lt: Uint8Array } => prefixRange('vanished', folder)
export const nameKey = (folder: FolderKey): Uint8Array => key('name', folder)
export const namesRange = prefixRange('name')

/** Page number in a `pageKey`. */
export const pageInKey = (row: Uint8Array): number => Number(keyParts(row)[2])
/** Place in a `uidsKey`. */
export const placeInKey = (row: Uint8Array): number => Number(keyParts(row)[1])
/** Number in a `vanishedKey`. */
export const seqInVanishedKey = (row: Uint8Array): number => Number(keyParts(row)[2])
/** Folder in a `nameKey`, id in a `draftUidKey`. */
export const textInKey = (row: Uint8Array): string => String(keyParts(row)[1])

const uidsForm = plain<FolderUid[]>()
const vanishedForm = plain<Vanished[]>()

export const packUids = (uids: FolderUid[]): Uint8Array => pack(uidsForm, uids)
export const unpackUids = (row: Uint8Array): FolderUid[] => unpack(uidsForm, row)
export const packVanished = (vanished: Vanished[]): Uint8Array => pack(vanishedForm, vanished)
export const unpackVanished = (row: Uint8Array): Vanished[] => unpack(vanishedForm, row)

export async function readIndex(view: View): Promise<IndexRow | undefined> {
  const row = await view.get(indexRowKey)
  return row && decode<IndexRow>(row)
}

export async function readFolderRows(view: View): Promise<FolderRow[]> {
  return (await allIn(view, folderRowsRange)).map(([, row]) => decode<FolderRow>(row))
}

export function putFolderRow(tx: Writes, folder: FolderRow): void {
  tx.put(folderRowKey(folder.number), encode(folder))
}

export async function readNames(view: View): Promise<ReadonlyMap<string, NameRow>> {
  return new Map((await allIn(view, namesRange)).map(([name, row]) => [textInKey(name), decode<NameRow>(row)]))
}

export const newFolder = (number: number, folderKey: FolderKey, validity: number): FolderRow => ({
  number,
  key: folderKey,
  validity,
  uidNext: 1,
  exists: 0,
  unseen: 0,
  deleted: 0,
  bytes: 0,
  vanishedFrom: 0,
  vanishedRows: 0,
  changed: 0,
})

/** Greater than every one before, also those that a restored store has forgotten: it is the time in seconds. */
export const nextValidity = (last: number, now: number): number => Math.max(last + 1, Math.floor(now / 1000))
