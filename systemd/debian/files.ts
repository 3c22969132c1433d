/** Putting files into the tree of a package. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Writes a file, with the folders that it is in. */
export function put(path: string, text: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

/** As Debian wants manuals and changelogs: without name and time, so that equal texts are equal files. */
export function putCompressed(path: string, text: string): void {
  put(path, gzipSync(text, { level: 9 }))
}

/** @param isWanted is asked for each file and folder below */
export function copy(from: string, to: string, isWanted: (path: string) => boolean = () => true): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, filter: isWanted })
}

/** Whether a file of the build is part of the package: what only those who change the code need is not. */
export function isInstalled(path: string): boolean {
  return !/\.(?:map|d\.ts|tsbuildinfo)$/.test(path)
}
