/** The mark of the bucket (own-mark.ts) in a shared database, so that a data folder that is new there knows that the bucket is its own. */
import { join } from 'node:path'
import { readOwnMark, writeOwnMark } from '../../store/blobs/s3/own-mark.js'
import { decode, encode, key } from '../../store/keys.js'
import type { Store } from '../../store/types.js'

const PARTITION = 'blobs'
const MARK = key('mark')

interface SharedMark {
  id: string
  place: string
}

/** To be called before the bucket is opened. */
export async function takeSharedMark(store: Store, dataDir: string): Promise<void> {
  const localDir = join(dataDir, 'blobs.s3')
  const row = await store.read(PARTITION, (view) => view.get(MARK))
  if (!row || (await readOwnMark(localDir))?.isClaimed === true) return
  await writeOwnMark(localDir, { ...decode<SharedMark>(row), isClaimed: true })
}

/** To be called once the bucket belongs to the data folder. The row of the first one stays. */
export async function putSharedMark(store: Store, dataDir: string): Promise<void> {
  const mark = await readOwnMark(join(dataDir, 'blobs.s3'))
  if (mark?.isClaimed !== true) return
  const { id, place } = mark
  await store.write(PARTITION, async (tx) => {
    if (!(await tx.get(MARK))) tx.put(MARK, encode({ id, place } satisfies SharedMark))
  })
}
