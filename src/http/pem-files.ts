/** A key pair as the files that uWebSockets.js asks for. They have no names by the time a key is in them, so no crash leaves one behind. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the open files of this process can be opened again. */
const OPEN_FILES = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'

/** @param use what reads them before it returns */
export function withPemFiles<T>(
  pair: { key: string; cert: string },
  use: (files: { key_file_name: string; cert_file_name: string }) => T,
): T {
  const opened: number[] = []
  const holding = (text: string): string => {
    const fd = openNameless()
    opened.push(fd)
    // At a place, so that the position stays at the beginning for a reader that shares it.
    writeSync(fd, text, 0)
    return `${OPEN_FILES}/${fd}`
  }
  try {
    return use({ key_file_name: holding(pair.key), cert_file_name: holding(pair.cert) })
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

function openNameless(): number {
  const dir = mkdtempSync(join(tmpdir(), 'restante-'))
  try {
    return openSync(join(dir, 'pem'), 'wx+', 0o600)
  } finally {
    rmSync(dir, { recursive: true })
  }
}
