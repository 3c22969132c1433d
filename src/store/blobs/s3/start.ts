/**
 * The check of a bucket before it is used: it can be listed, written and cleared, and belongs to this data folder. Two data folders in one place would sweep
 * away each other's blobs, so the first one writes its mark there, before any blob.
 */
import { randomBase62 } from '../../../lib/ids.js'
import { BucketError, isNoObject } from './errors.js'
import { S3Client } from './client.js'
import { deleteObject, listObjects, putSingle } from './objects.js'
import { ownMarkFile, readOwnMark, writeOwnMark } from './own-mark.js'
import type { S3BlobsOptions } from './s3-blobs.js'

/** Names begin with a letter or digit, so neither is a blob's owner. */
const MARK = '.restante'
const PROBE = '.probe'

type Place = Pick<S3BlobsOptions, 'bucket' | 'prefix'>

/** Lists the place, and changes nothing. @throws S3Error */
export async function askBucket(options: S3BlobsOptions): Promise<void> {
  const client = new S3Client(options)
  try {
    for await (const _ of listObjects(client, rootOf(options), { max: '1' })) break
  } finally {
    client.close()
  }
}

/** @throws BucketError or S3Error, after which nothing of the place is used */
export async function checkBucket(options: S3BlobsOptions): Promise<void> {
  const client = new S3Client(options)
  const root = rootOf(options)
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
      `the blobs of this data folder are in ${own.place}, not in ${place}. Set blobs.url = "${own.place}"; or copy all objects to ${place} and then remove ${ownMarkFile(localDir)}`,
    )
  const key = `${root}${MARK}`
  const found = await readMark(client, key)
  if (found !== undefined && found !== own?.id) throw belongsToOther(place, key)
  if (own?.isClaimed === true && found === undefined)
    throw new BucketError(
      `${place} has lost the mark of this data folder: it was emptied, or is another bucket of the same name. Correct blobs.endpoint, or bring the objects back. If they are there, remove ${ownMarkFile(localDir)}`,
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

function rootOf({ prefix }: Place): string {
  return prefix === '' ? '' : `${prefix}/`
}

function nameOf({ bucket, prefix }: Place): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`
}
