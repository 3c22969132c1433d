/** Objects of a bucket: written with checksums both ways, read in pieces, copied by the server, listed. */
import type { HttpAnswer } from '../../../lib/http-client.js'
import { readXml } from './answers.js'
import { isNoObject, S3Error } from './errors.js'
import { digestOf } from './hashing.js'
import type { S3Client } from './client.js'

export interface StoredObject {
  key: string
  bytes: number
  /** Milliseconds since the epoch. */
  changedAt: number
}

/** Writes a small object. @returns its ETag once the server has confirmed the checksum */
export async function putSingle(
  client: S3Client,
  key: string,
  body: Uint8Array,
  query: Record<string, string> = {},
): Promise<string> {
  const md5 = await digestOf('md5', body)
  const headers = { 'content-md5': md5.toString('base64'), 'content-type': 'application/octet-stream' }
  const answer = await client.send({ method: 'PUT', key, query, headers, body }, (answer) => checkTag(answer, md5))
  return answer.headers.etag ?? ''
}

/** Compares the checksum that a server reports, where it is one: with keys of a key service it is not the MD5. */
function checkTag({ headers }: HttpAnswer, md5: Buffer): void {
  const found = /^"?([0-9a-f]{32})"?$/i.exec(headers.etag ?? '')?.[1]
  const isHash =
    !/kms/i.test(headers['x-amz-server-side-encryption'] ?? '') &&
    !('x-amz-server-side-encryption-customer-algorithm' in headers)
  if (found !== undefined && isHash && found.toLowerCase() !== md5.toString('hex'))
    throw new Error('the server stored other bytes than were sent')
}

/** Length and ETag of an object; undefined if there is none. */
export async function headObject(client: S3Client, key: string): Promise<{ bytes: number; etag: string } | undefined> {
  try {
    const { headers } = await client.send({ method: 'HEAD', key })
    return { bytes: Number(headers['content-length']), etag: headers.etag ?? '' }
  } catch (error) {
    if (isNoObject(error)) return undefined
    throw error
  }
}

export interface Piece {
  body: Buffer
  /** Length of the whole object. */
  total: number
}

/** Room for a refusal, which may be longer than the piece. */
const REFUSAL_BYTES = 64 * 1024

/** Octets of an object from `start`, at most `max`. @returns undefined if there is no such object */
export async function readPiece(client: S3Client, key: string, start: number, max: number): Promise<Piece | undefined> {
  const headers = { range: `bytes=${start}-${start + max - 1}` }
  try {
    const answer = await client.send(
      { method: 'GET', key, headers, maxBytes: Math.max(max, REFUSAL_BYTES) },
      (each) => void pieceOf(each, start),
    )
    return pieceOf(answer, start)
  } catch (error) {
    if (isNoObject(error)) return undefined
    // An empty object has no range.
    const isEmpty =
      error instanceof S3Error && error.refusal.status === 416 && (await headObject(client, key))?.bytes === 0
    if (isEmpty) return { body: Buffer.alloc(0), total: 0 }
    throw error
  }
}

/** @throws Error if the body is not what its headers announce */
function pieceOf({ status, headers, body }: HttpAnswer, start: number): Piece {
  if (status === 200 && start === 0) return { body, total: body.length }
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(from) !== start || Number(to) - start + 1 !== body.length)
    throw new Error(`the answer has ${body.length} bytes, and not those of its range ${headers['content-range'] ?? ''}`)
  return { body, total: Number(total) }
}

/** Copies an object on the server. @returns false if there is no source */
export async function copyObject(client: S3Client, bucket: string, from: string, to: string): Promise<boolean> {
  try {
    await client.send(
      { method: 'PUT', key: to, headers: { 'x-amz-copy-source': `/${bucket}/${from}` } },
      ({ body }) => {
        if (readXml(body.toString()).root !== 'CopyObjectResult') throw new Error('the copy was not confirmed')
      },
    )
    return true
  } catch (error) {
    if (isNoObject(error)) return false
    throw error
  }
}

/** Idempotent. */
export async function deleteObject(client: S3Client, key: string): Promise<void> {
  try {
    await client.send({ method: 'DELETE', key })
  } catch (error) {
    if (!isNoObject(error)) throw error
  }
}

const PAGE = '1000'

/** Objects whose keys begin with `prefix`, in pages of the server. @param after leaves out keys up to this one, where the server heeds it */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  { after, max = PAGE }: { after?: string; max?: string } = {},
): AsyncGenerator<StoredObject> {
  for (let token: string | undefined; ;) {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': max,
      prefix,
      ...(token === undefined ? after !== undefined && { 'start-after': after } : { 'continuation-token': token }),
    }
    const answer = await client.send({ method: 'GET', key: '', query }, ({ body }) => {
      if (readXml(body.toString()).root !== 'ListBucketResult') throw new Error('the answer is no listing')
    })
    const { leaves, lists } = readXml(answer.body.toString())
    const isEncoded = leaves.EncodingType === 'url'
    for (const { name, leaves: each } of lists) {
      if (name !== 'Contents' || each.Key === undefined) continue
      const key = isEncoded ? decodeURIComponent(each.Key.replaceAll('+', ' ')) : each.Key
      yield { key, bytes: Number(each.Size), changedAt: Date.parse(each.LastModified ?? '') }
    }
    token = leaves.NextContinuationToken
    if (leaves.IsTruncated !== 'true' || token === undefined || token === '') return
  }
}
