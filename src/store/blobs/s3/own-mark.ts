/** The data folder's own record of the place in a bucket that it has claimed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists, makeFolder, replaceSynced } from '../../../lib/files.js'
import { BucketError } from './errors.js'

export interface OwnMark {
  /** The content of the mark in the bucket. */
  id: string
  /** `s3://bucket/prefix` */
  place: string
  /** False from before the mark is written in the bucket until it is confirmed there. */
  isClaimed: boolean
}

/** @param localDir the folder beside the database that belongs to a bucket */
export function ownMarkFile(localDir: string): string {
  return join(localDir, 'mark')
}

/** The place that a data folder's blobs are in; undefined if they are files. @throws BucketError if the record is damaged */
export async function placeOfBlobs(localDir: string): Promise<string | undefined> {
  const own = await readOwnMark(localDir)
  return own?.isClaimed === true ? own.place : undefined
}

/** @throws BucketError if it is damaged */
export async function readOwnMark(localDir: string): Promise<OwnMark | undefined> {
  const path = ownMarkFile(localDir)
  const text = await ifExists(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const [id = '', place = '', state = ''] = text.trim().split(' ')
  if (!['claiming', 'claimed'].includes(state))
    throw new BucketError(`${path} is damaged. Restore it from a copy of the data folder`)
  return { id, place, isClaimed: state === 'claimed' }
}

/** Durable when it resolves. */
export async function writeOwnMark(localDir: string, { id, place, isClaimed }: OwnMark): Promise<void> {
  await makeFolder(localDir)
  await replaceSynced(ownMarkFile(localDir), `${id} ${place} ${isClaimed ? 'claimed' : 'claiming'}\n`)
}
