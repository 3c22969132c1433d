/** Free space for a backup, which ends before so little is left that mail is refused. */
import { stat, statfs } from 'node:fs/promises'
import { BackupError } from './format.js'

export interface Room {
  dataDir: string
  /** Space to keep free on the disk of the data folder. */
  minFreeBytes: number
  freeBytes?: ((dir: string) => Promise<number>) | undefined
}

/** Bytes written between two checks of the disk. */
const LOOK_BYTES = 64 * 1024 * 1024

/** @throws BackupError if there is not enough space, or too little would be left for mail */
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

/** For a pipeline: ends it before mail would be refused for lack of space. */
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
