/** Free space where mail is stored: bytes and, on file systems that count them, files. */
import { statfs } from 'node:fs/promises'
import { command, failed, ok, shellWord, skipped, warning } from './finding.js'
import type { Finding } from './types.js'

export interface Room {
  freeBytes: number
  /** 0 where files are not counted. */
  files: number
  freeFiles: number
}

export async function roomOf(dir: string): Promise<Room> {
  const { bavail, bsize, files, ffree } = await statfs(dir)
  return { freeBytes: bavail * bsize, files, freeFiles: ffree }
}

/** Warns below twice the minimum. */
export function checkSpace({ freeBytes }: Room, dir: string, minFreeBytes: number): Finding {
  const free = megabytes(freeBytes)
  const look = command(`du -xhd1 ${shellWord(dir)} | sort -h`)
  if (minFreeBytes === 0) return skipped(`${free} are free; server.min_free_bytes is 0: there is no minimum`)
  if (freeBytes < minFreeBytes)
    return failed(
      `${free} are free, less than the ${megabytes(minFreeBytes)} of server.min_free_bytes: mail is refused`,
      look,
    )
  if (freeBytes < 2 * minFreeBytes)
    return warning(`${free} are free; under ${megabytes(minFreeBytes)} (server.min_free_bytes) mail is refused`, look)
  return ok(`${free} are free`)
}

/** Each message is a file or two. */
export function checkInodes({ files, freeFiles }: Room, dir: string): Finding {
  if (files === 0) return skipped('this file system does not count files')
  const left = `${freeFiles} more files can be created (${Math.round((100 * freeFiles) / files)} %)`
  const look = command(`df -i ${shellWord(dir)}`)
  if (freeFiles < 1000) return failed(`${left}: mail can't be stored`, look)
  return freeFiles < files / 20 ? warning(left, look) : ok(left)
}

function megabytes(bytes: number): string {
  return bytes < 10 * 2 ** 30 ? `${Math.floor(bytes / 2 ** 20)} MiB` : `${Math.floor(bytes / 2 ** 30)} GiB`
}
