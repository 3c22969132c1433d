/** Room for a backup: mail is refused where too little is left, so a backup ends before that. */
import { stat, statfs } from 'node:fs/promises'
import { BackupError } from './format.js'

export interface Room {
  dataDir: string
  /** What stays free where the data folder is. */
  minFreeBytes: number
  freeBytes?: ((dir: string) => Promise<number>) | undefined
}

/** Between two looks at the disk. */
const LOOK_BYTES = 64 * 1024 * 1024

/** @throws BackupError when so much can't be written there, or would leave too little for mail */
export async function checkRoom(
  { dataDir, minFreeBytes, freeBytes = freeBytesOf }: Room,
  dir: string,
  bytes: number,
): Promise<void> {
  const free = await freeBytes(dir)
  const isSameDisk = (await stat(dir)).dev === (await stat(dataDir)).dev
  const kept = isSameDisk ? minFreeBytes : 0
  if (free - bytes >= kept) return
  throw new BackupError(
    `There is no room in ${dir}: about ${inMegabytes(bytes)} are needed${kept > 0 ? ` and ${inMegabytes(kept)} have to stay free (server.min_free_bytes)` : ''}, and there are ${inMegabytes(free)}. Nothing was written`,
  )
}

/** For a pipeline: ends it before mail would be refused for want of room. */
export function watchRoom({ dataDir, minFreeBytes, freeBytes = freeBytesOf }: Room) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const piece of source) {
      bytes += piece.length
      if (bytes >= LOOK_BYTES) {
        bytes = 0
        if ((await freeBytes(dataDir)) < minFreeBytes)
          throw new BackupError(
            `The disk of ${dataDir} has less than ${inMegabytes(minFreeBytes)} left (server.min_free_bytes), so the backup was ended. Nothing is left of it`,
          )
      }
      yield piece
    }
  }
}

/** Bytes that this user may still write there. */
export async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
