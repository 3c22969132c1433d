/**
 * Blobs as objects of a bucket: `<prefix>/<owner>/<id>`. A blob never changes. `put` and `link` resolve once the server has confirmed what it stored, so
 * that a commit may reference it; nothing relies on conditional requests. Objects are private: none gets an ACL or a public URL.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../../../lib/clock.js'
import { StorageError, type DamagedBlobError } from '../../errors.js'
import type { Blobs, ListedBlob, StoredBlob, WrittenBlob } from '../../types.js'
import { blobName, isName, readTrashName, TRASH, trashName } from '../blob-files.js'
import { checkSize, damageOf, noBlob, OTHER_BYTES, type DamageOf } from '../damage.js'
import { SweptBlobs, type SweeperOptions } from '../sweeper.js'
import { S3Client, type S3Options } from './client.js'
import { addTo, digestOf } from './hashing.js'
import { abortAbandoned, PART_BYTES, putInParts } from './multipart.js'
import { copyObject, deleteObject, headObject, listObjects, putSingle, readPiece } from './objects.js'
import { createSpool, piecesOf, type Spool, type Spooled } from './spool.js'

export interface S3BlobsOptions extends S3Options, SweeperOptions {
  /** Begins every key; '' for none. Without a slash at its end. */
  prefix: string
  /** A local folder for objects that are being read. */
  localDir: string
  clock: Clock
  /** An object above this is written in parts of this size; smaller in tests. */
  partBytes?: number
  /** Called for each requested blob that differs from what was written. */
  onDamaged?: (error: DamagedBlobError) => void
}

export interface S3Blobs extends Blobs {
  close(): void
}

export function createS3Blobs(options: S3BlobsOptions): S3Blobs {
  return new BlobBucket(options)
}

class BlobBucket extends SweptBlobs implements S3Blobs {
  readonly #options: S3BlobsOptions
  readonly #client: S3Client
  readonly #spool: Spool
  /** The prefix of all keys, with its slash. */
  readonly #root: string

  constructor(options: S3BlobsOptions) {
    super(options)
    this.#options = options
    this.#client = new S3Client(options)
    this.#spool = createSpool(this.#client, join(options.localDir, 'reading'))
    this.#root = options.prefix === '' ? '' : `${options.prefix}/`
  }

  async put(owner: string, id: string, data: Uint8Array): Promise<void> {
    const key = this.#keyOf(owner, id)
    const { partBytes = PART_BYTES } = this.#options
    try {
      if (data.length > partBytes) await putInParts(this.#client, key, data, partBytes)
      else await putSingle(this.#client, key, data)
    } catch (error) {
      throw new StorageError(`Could not write blob ${owner}/${id}`, { cause: error })
    }
  }

  async link(from: { owner: string; id: string }, to: { owner: string; id: string }): Promise<void> {
    const [source, target] = [this.#keyOf(from.owner, from.id), this.#keyOf(to.owner, to.id)]
    const [original, existing] = await Promise.all([headObject(this.#client, source), headObject(this.#client, target)])
    if (!original) throw noBlob(from.owner, from.id)
    if (existing) {
      // Linked before, by an interrupted attempt. An ETag tells only of objects that were written in the same way.
      const isSame = existing.bytes === original.bytes && (await this.#hash(source)) === (await this.#hash(target))
      if (isSame) return
      throw Object.assign(new Error(`There is another blob ${to.owner}/${to.id}`), { code: 'EEXIST' })
    }
    if (!(await copyObject(this.#client, this.#options.bucket, source, target))) throw noBlob(from.owner, from.id)
    const copy = await headObject(this.#client, target)
    if (copy?.bytes !== original.bytes)
      throw new StorageError(`The copy of blob ${from.owner}/${from.id} has ${copy?.bytes ?? 'no'} bytes`)
  }

  async get(owner: string, id: string, wrote?: WrittenBlob): Promise<Buffer> {
    const [key, damage] = [this.#keyOf(owner, id), this.#damageOf(owner, id)]
    for (let tries = 1; ; tries++) {
      const found = await this.#whole(key, damage, wrote)
      if (!found) throw noBlob(owner, id)
      if (wrote?.sha256 === undefined) return found
      if ((await digestOf('sha256', found)).toString('hex') === wrote.sha256) return found
      // Read again before it counts as damaged: the bytes may have changed on their way.
      if (tries === 2) throw damage(OTHER_BYTES)
    }
  }

  async head(owner: string, id: string, max: number, wrote?: Pick<WrittenBlob, 'bytes'>): Promise<Buffer> {
    const found = await readPiece(this.#client, this.#keyOf(owner, id), 0, max)
    if (!found) throw noBlob(owner, id)
    if (wrote) checkSize(found.total, this.#damageOf(owner, id), wrote)
    return found.body
  }

  async stream(owner: string, id: string, wrote?: WrittenBlob): ReturnType<Blobs['stream']> {
    const [key, damage] = [this.#keyOf(owner, id), this.#damageOf(owner, id)]
    for (let tries = 1; ; tries++) {
      const found = await this.#spool.fetch(key, wrote && ((bytes) => checkSize(bytes, damage, wrote)))
      if (!found) return undefined
      if (wrote?.sha256 === undefined || found.sha256 === wrote.sha256) return found.content()
      await found.close()
      if (tries === 2) throw damage(OTHER_BYTES)
    }
  }

  async read(owner: string, id: string): Promise<StoredBlob | undefined> {
    return stored(await this.#spool.fetch(this.#keyOf(owner, id)))
  }

  async size(owner: string, id: string): Promise<number | undefined> {
    return (await headObject(this.#client, this.#keyOf(owner, id)))?.bytes
  }

  override async *list(): AsyncGenerator<ListedBlob> {
    // Names begin with a letter or digit, and all of those come after "/": the trash is not listed.
    for await (const { key, changedAt } of listObjects(this.#client, this.#root, { after: `${this.#root}/` })) {
      const [owner = '', id = '', ...rest] = key.slice(this.#root.length).split('/')
      if (isName(owner) && isName(id) && rest.length === 0) yield { owner, id, changedAt, writtenAt: changedAt }
    }
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.moveToTrash(owner, id)
  }

  async discard(owner: string, id: string): Promise<void> {
    await deleteObject(this.#client, this.#keyOf(owner, id))
  }

  /** Interrupted between its two steps it leaves the blob in both places, as an orphan. */
  protected override async moveToTrash(owner: string, id: string): Promise<boolean> {
    const key = this.#keyOf(owner, id)
    const target = this.#inTrash(trashName(this.#options.clock.now(), owner, id))
    const isThere = await copyObject(this.#client, this.#options.bucket, key, target)
    if (isThere) await deleteObject(this.#client, key)
    return isThere
  }

  protected override async *listTrash(): AsyncGenerator<string> {
    const prefix = this.#inTrash('')
    for await (const { key } of listObjects(this.#client, prefix)) yield key.slice(prefix.length)
  }

  protected override async removeFromTrash(name: string): Promise<boolean> {
    await deleteObject(this.#client, this.#inTrash(name))
    return true
  }

  async findInTrash(wanted: ReadonlySet<string>): ReturnType<Blobs['findInTrash']> {
    const found: Awaited<ReturnType<Blobs['findInTrash']>> = new Map()
    for await (const name of this.listTrash()) {
      const { blob } = readTrashName(name)
      if (wanted.has(blob)) found.set(blob, async () => stored(await this.#spool.fetch(this.#inTrash(name))))
    }
    return found
  }

  protected override async tidy(now: number): Promise<void> {
    await abortAbandoned(this.#client, this.#root, now)
    await this.#spool.tidy(now)
  }

  close(): void {
    this.#client.close()
  }

  /** @returns undefined if there is no such object */
  async #whole(key: string, damage: DamageOf, wrote: WrittenBlob | undefined): Promise<Buffer | undefined> {
    let whole: Buffer | undefined
    let at = 0
    for await (const { body, total } of piecesOf(this.#client, key)) {
      if (!whole && wrote) checkSize(total, damage, wrote)
      if (body.length === total) return body
      whole ??= Buffer.allocUnsafeSlow(total)
      at += body.copy(whole, at)
    }
    return whole
  }

  async #hash(key: string): Promise<string | undefined> {
    const hash = createHash('sha256')
    let isThere = false
    for await (const { body } of piecesOf(this.#client, key)) {
      isThere = true
      await addTo(hash, body)
    }
    return isThere ? hash.digest('hex') : undefined
  }

  #keyOf(owner: string, id: string): string {
    return `${this.#root}${blobName(owner, id)}`
  }

  #inTrash(name: string): string {
    return `${this.#root}${TRASH}/${name}`
  }

  #damageOf(owner: string, id: string): DamageOf {
    return damageOf(owner, id, this.#options.onDamaged)
  }
}

function stored(found: Spooled | undefined): StoredBlob | undefined {
  return found && { bytes: found.bytes, content: found.content() }
}
