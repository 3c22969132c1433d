/**
 * The check of a bucket before it is used: it can be listed, written and cleared, and belongs to this data folder. Two data folders in one place would sweep
 * away each other's blobs, so the first one writes its mark there, before any blob.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists, replaceSynced } from '../../../lib/files.js'
import { randomBase62 } from '../../../lib/ids.js'
import { isNoObject } from './errors.js'
import { S3Client } from './client.js'
import { deleteObject, listObjects, putSingle } from './objects.js'
import type { S3BlobsOptions } from './s3-blobs.js'

/** Names begin with a letter or digit, so neither is a blob's owner. */
const MARK = '.restante'
const PROBE = '.probe'
/** In the local folder: what the mark in the bucket has to be, and where that is. */
const OWN_MARK = 'mark'

/** A place that cannot be used as it is; the message says why and what to do. */
export class BucketError extends Error {
  override name = 'BucketError'
}

type Place = Pick<S3BlobsOptions, 'bucket' | 'prefix'>

/** The place that a data folder's blobs are in: `s3://bucket/prefix`; undefined if they are files. */
export async function placeOfBlobs(localDir: string): Promise<string | undefined> {
  const own = await readOwnMark(localDir)
  return own?.isClaimed === true ? own.place : undefined
}

/** @throws BucketError or S3Error, after which nothing of the place is used */
export async function checkBucket(options: S3BlobsOptions): Promise<void> {
  const client = new S3Client(options)
  const root = options.prefix === '' ? '' : `${options.prefix}/`
  try {
    for await (const _ of listObjects(client, root, { max: '1' })) break
    const probe = `${root}${PROBE}/${randomBase62(16)}`
    await putSingle(client, probe, Buffer.from('restante'))
    await deleteObject(client, probe)
    await claim(client, root, options)
  } finally {
    client.close()
  }
}

async function claim(client: S3Client, root: string, options: S3BlobsOptions): Promise<void> {
  const { localDir } = options
  const place = nameOf(options)
  const known = await readOwnMark(localDir)
  // A claim that was interrupted elsewhere has left nothing there but a mark.
  const own = known?.isClaimed === false && known.place !== place ? undefined : known
  if (own && own.place !== place)
    throw new BucketError(
      `the blobs of this data folder are in ${own.place}, not in ${place}. Set blobs.url = "${own.place}"; or copy all objects to ${place} and then remove ${join(localDir, OWN_MARK)}`,
    )
  const key = `${root}${MARK}`
  const found = await readMark(client, key)
  if (found !== undefined && found !== own?.id) throw belongsToOther(place, key)
  if (own?.isClaimed === true && found === undefined)
    throw new BucketError(
      `${place} has lost the mark of this data folder: it was emptied, or is another bucket of the same name. Correct blobs.endpoint, or bring the objects back. If they are there, remove ${join(localDir, OWN_MARK)}`,
    )
  if (own?.isClaimed === true) return
  const id = own?.id ?? randomBase62(22)
  await writeOwnMark(localDir, { id, place, isClaimed: false })
  await putSingle(client, key, Buffer.from(`${id}\n`))
  // Whoever wrote it at the same moment finds out now, too.
  if ((await readMark(client, key)) !== id) throw belongsToOther(place, key)
  await writeOwnMark(localDir, { id, place, isClaimed: true })
}

function belongsToOther(place: string, key: string): BucketError {
  return new BucketError(
    `${place} belongs to another data folder. Set another prefix in blobs.url. If this data folder replaces the other one, such as after a restore, make sure that no daemon runs on that and remove the object ${key}`,
  )
}

async function readMark(client: S3Client, key: string): Promise<string | undefined> {
  try {
    return (await client.send({ method: 'GET', key })).body.toString().trim()
  } catch (error) {
    if (isNoObject(error)) return undefined
    throw error
  }
}

interface OwnMark {
  id: string
  place: string
  /** False from before the mark is written in the bucket until it is confirmed there. */
  isClaimed: boolean
}

async function readOwnMark(localDir: string): Promise<OwnMark | undefined> {
  const path = join(localDir, OWN_MARK)
  const text = await ifExists(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const [id = '', place = '', state = ''] = text.trim().split(' ')
  if (!['claiming', 'claimed'].includes(state))
    throw new BucketError(`${path} is damaged. Restore it from a copy of the data folder`)
  return { id, place, isClaimed: state === 'claimed' }
}

async function writeOwnMark(localDir: string, { id, place, isClaimed }: OwnMark): Promise<void> {
  await mkdir(localDir, { recursive: true, mode: 0o700 })
  await replaceSynced(join(localDir, OWN_MARK), `${id} ${place} ${isClaimed ? 'claimed' : 'claiming'}\n`)
}

function nameOf({ bucket, prefix }: Place): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`
}
