/** Large objects, written in parts. Each part is confirmed by its own checksum, and the whole by its length. */
import { createHash } from 'node:crypto'
import { DAY } from '../../../lib/clock.js'
import { messageOf } from '../../../lib/thrown.js'
import { readXml } from './answers.js'
import { S3Error } from './errors.js'
import type { S3Client } from './client.js'
import { headObject, putSingle } from './objects.js'

/** An object above this has parts. S3 takes parts from 5 MiB, and 10,000 of them. */
export const PART_BYTES = 16 * 1024 * 1024
const ABANDONED_MS = DAY

export async function putInParts(client: S3Client, key: string, data: Uint8Array, partBytes: number): Promise<void> {
  const uploadId = await begin(client, key)
  try {
    const tags: string[] = []
    for (let at = 0; at < data.length; at += partBytes) {
      const part = data.subarray(at, at + partBytes)
      tags.push(await putSingle(client, key, part, { partNumber: String(tags.length + 1), uploadId }))
    }
    const confirmed = await complete(client, key, uploadId, tags)
    const found = await headObject(client, key)
    if (found?.bytes !== data.length || !(confirmed || found.etag.replaceAll('"', '') === tagOfParts(tags)))
      throw new S3Error(
        `S3 object ${key} has ${found?.bytes ?? 'no'} bytes after its parts were put together, not those ${data.length} that were sent`,
      )
  } catch (error) {
    await abort(client, key, uploadId).catch((aborting: unknown) => {
      const message = `${messageOf(error)}. Its upload could not be aborted either; the sweep does that after a day`
      throw new AggregateError([error, aborting], message, { cause: error })
    })
    throw error
  }
}

/** The ETag of an object that was written in parts. */
function tagOfParts(tags: string[]): string {
  const sums = tags.map((tag) => Buffer.from(tag.replaceAll('"', ''), 'hex'))
  return `${createHash('md5').update(Buffer.concat(sums)).digest('hex')}-${tags.length}`
}

async function begin(client: S3Client, key: string): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await client.send(
    { method: 'POST', key, query: { uploads: '' }, headers },
    ({ body }) => void idIn(body),
  )
  return idIn(answer.body)
}

function idIn(body: Buffer): string {
  const id = readXml(body.toString()).leaves.UploadId
  if (id === undefined || id === '') throw new Error('the upload has no id')
  return id
}

/** @returns false if the upload is gone: completed by an earlier try whose answer was lost, or aborted */
async function complete(client: S3Client, key: string, uploadId: string, tags: string[]): Promise<boolean> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const headers = { 'content-type': 'application/xml' }
  try {
    await client.send({ method: 'POST', key, query: { uploadId }, headers, body }, ({ body: answer }) => {
      if (readXml(answer.toString()).root !== 'CompleteMultipartUploadResult')
        throw new Error('the end of the upload was not confirmed')
    })
    return true
  } catch (error) {
    if (error instanceof S3Error && error.refusal.code === 'NoSuchUpload') return false
    throw error
  }
}

function escaped(tag: string): string {
  return tag.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Also of an upload that is completed or aborted already. */
async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.send({ method: 'DELETE', key, query: { uploadId } })
  } catch (error) {
    if (!(error instanceof S3Error && error.refusal.status === 404)) throw error
  }
}

/** Aborts uploads that were begun more than a day ago, by a process that died. */
export async function abortAbandoned(client: S3Client, prefix: string, now: number): Promise<void> {
  const answer = await client.send({ method: 'GET', key: '', query: { uploads: '', prefix } })
  for (const { name, leaves } of readXml(answer.body.toString()).lists) {
    const { Key: key, UploadId: uploadId, Initiated: begun } = leaves
    if (name !== 'Upload' || key === undefined || uploadId === undefined) continue
    if (key.startsWith(prefix) && Date.parse(begun ?? '') <= now - ABANDONED_MS) await abort(client, key, uploadId)
  }
}
