/** The places that the suite of blobs runs on; one that is added here is tested by all of it. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ManualClock } from '../../../src/lib/clock.js'
import { openBlobs, type BlobsOptions } from '../../../src/store/blobs/blobs.js'
import { S3Client } from '../../../src/store/blobs/s3/client.js'
import { listObjects, putSingle } from '../../../src/store/blobs/s3/objects.js'
import { createS3Blobs } from '../../../src/store/blobs/s3/s3-blobs.js'
import type { Blobs } from '../../../src/store/types.js'
import { peer } from '../../support/peers/peers.js'
import { makeBucket, startSwift, SWIFT, type Swift } from '../../support/peers/swift.js'

export interface Place {
  blobs: Blobs
  clock: ManualClock
  /** The same place again, as after a restart. */
  again(): Promise<Blobs>
  /** What is there besides blobs, from behind the blobs' back. */
  overwrite(name: string, data: Uint8Array): Promise<void>
  /** Names below the place: `<owner>/<id>`, `.trash/…`. */
  names(): Promise<string[]>
}

export interface Implementation {
  name: string
  options: { skip: string | false }
  /** An empty place. Its clock starts at the real time, because the age of a blob is the file system's or the server's. */
  open(t: Test, hooks?: Pick<BlobsOptions, 'onDamaged' | 'onSweep'>): Promise<Place>
  stop(): Promise<void>
}

const files: Implementation = {
  name: 'files',
  options: { skip: false },
  async open(t, hooks = {}) {
    const dir = join(t.testdir(), 'blobs')
    const clock = new ManualClock(Date.now())
    const again = (): Promise<Blobs> => openBlobs({ dir, clock, ...hooks })
    return {
      blobs: await again(),
      clock,
      again,
      overwrite: (name, data) => writeFile(join(dir, name), data),
      async names() {
        const entries = await readdir(dir, { recursive: true, withFileTypes: true })
        return entries
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1))
          .sort()
      },
    }
  },
  stop: async () => undefined,
}

let swift: Promise<Swift> | undefined
let buckets = 0

const s3: Implementation = {
  name: 'S3 (Swift)',
  options: peer('swift', SWIFT),
  async open(t, hooks = {}) {
    const server = await (swift ??= startSwift())
    const clock = new ManualClock(Date.now())
    const options = {
      ...server.bucket(`blobs-${++buckets}`),
      prefix: 'mail/large',
      localDir: t.testdir(),
      clock,
      ...hooks,
    }
    const client = new S3Client(options)
    await makeBucket(client)
    const root = `${options.prefix}/`
    // Parts of the least size, so that larger blobs of the suite have several.
    const again = async (): Promise<Blobs> => {
      const blobs = createS3Blobs({ ...options, partBytes: 1024 * 1024 })
      t.teardown(() => blobs.close())
      return blobs
    }
    t.teardown(() => client.close())
    return {
      blobs: await again(),
      clock,
      again,
      async overwrite(name, data) {
        await putSingle(client, root + name, data)
      },
      async names() {
        const names: string[] = []
        for await (const { key } of listObjects(client, root)) names.push(key.slice(root.length))
        return names.sort()
      },
    }
  },
  async stop() {
    await (await swift)?.stop()
  },
}

export const IMPLEMENTATIONS = [files, s3]
