/** Small files that open or carry others: shortcuts ([MS-SHLLINK]), `.url` files, OneNote sections ([MS-ONESTORE]), ISO 9660 images (ECMA-119). */
import { isWindowsProgram, kindOf } from './kind.js'
import type { FileFacts, FileSign } from '../types.js'

/** Programs by which a shortcut or script runs other code. */
const RUNNERS =
  /\b(?:powershell|pwsh|cmd(?:\.exe)? ?\/[ckr]|mshta|wscript|cscript|rundll32|regsvr32|msiexec|certutil|bitsadmin|forfiles|conhost|curl|finger)\b/i
const MAX_STRING_CHARS = 1024

/** A shortcut's arguments and targets are strings in it, in one of two encodings: what it starts is told from these. */
export function shortcutFacts(file: Buffer): FileFacts {
  const start = file.subarray(0, 64 * 1024)
  const strings = [start.toString('latin1'), start.toString('utf16le'), start.subarray(1).toString('utf16le')]
  const signs: FileSign[] = []
  for (const text of strings) {
    const at = text.search(RUNNERS)
    if (at === -1) continue
    signs.push({ code: 'runs_command', detail: printable(text.slice(at, at + 120)) })
    break
  }
  const network = strings.map((text) => /\\\\[\w.-]{3,100}(?:@\w{1,10})?\\[\w$.-]{1,100}/.exec(text)?.[0]).find(Boolean)
  if (network !== undefined) signs.push({ code: 'network_target', detail: network })
  return { kind: 'shortcut', signs, links: [] }
}

/** An Internet shortcut: `URL=` under `[InternetShortcut]`. */
export function urlFileFacts(text: string): FileFacts {
  const target = /^URL\s*=\s*(\S{1,2048})/im.exec(text)?.[1]
  const signs: FileSign[] = []
  if (target !== undefined && /^(?:file:|\\\\|search-ms:|ms-[\w-]+:)/i.test(target))
    signs.push({ code: 'network_target', detail: target })
  return { signs, links: target === undefined ? [] : [target] }
}

/** [MS-ONESTORE] §2.6.13: `FileDataStoreObject`, whose length and 12 octets are before its data. */
const STORED_FILE = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
const MAX_STORED = 50

export function oneNoteFacts(file: Buffer): FileFacts {
  const signs: FileSign[] = []
  for (let at = file.indexOf(STORED_FILE), count = 0; at !== -1 && count < MAX_STORED; count++) {
    const data = file.subarray(at + 36, at + 36 + 33 * 1024)
    const what = runnableIn(data)
    if (what !== undefined) {
      signs.push({ code: 'embedded_program', detail: what })
      break
    }
    at = file.indexOf(STORED_FILE, at + 16)
  }
  return { kind: 'onenote', signs, links: [] }
}

function runnableIn(data: Buffer): string | undefined {
  const kind = kindOf(data)
  if (kind === 'program' || kind === 'shortcut' || kind === 'script' || isWindowsProgram(data)) return kind ?? 'program'
  const text = data.toString('latin1', 0, 4096)
  if (/<script\b|<hta:application/i.test(text)) return 'a script in HTML'
  if (/\b(?:CreateObject\s*\(|WScript\.|ActiveXObject|@echo off|powershell|mshta)/i.test(text)) return 'a script'
  return undefined
}

const SECTOR = 2048
const MAX_IMAGE_NAMES = 500
const MAX_IMAGE_RECORDS = 20_000

/**
 * Names in the root folder of an ISO 9660 image and in its folders, one level. The kept start of the image is searched; what lies behind is not listed.
 *
 * @returns undefined when it is no such image
 */
export function imageNames(file: Buffer): { names: string[]; partial: boolean } | undefined {
  const volume = 16 * SECTOR
  if (file.toString('latin1', volume + 1, volume + 6) !== 'CD001' || file.length < volume + SECTOR) return undefined
  const names: string[] = []
  // ECMA-119 §8.4.18: the record of the root folder.
  const folders = [volume + 156]
  let partial = false
  let records = 0
  for (const [level, record] of folders.entries()) {
    const start = file.readUInt32LE(record + 2) * SECTOR
    const end = start + file.readUInt32LE(record + 10)
    if (end > file.length) partial = true
    for (let at = start; at + 34 <= Math.min(end, file.length);) {
      const length = file[at] ?? 0
      if (length < 34) {
        // §6.8.1.1: a record does not cross sectors.
        at = (Math.floor(at / SECTOR) + 1) * SECTOR
        continue
      }
      if (names.length >= MAX_IMAGE_NAMES || ++records > MAX_IMAGE_RECORDS || at + length > file.length)
        return { names, partial: true }
      const name = file.toString('latin1', at + 33, at + 33 + Math.min(file[at + 32] ?? 0, length - 33))
      const isFolder = ((file[at + 25] ?? 0) & 2) === 2
      if (isFolder && level === 0 && name.length > 1) folders.push(at)
      if (!isFolder) names.push(name.replace(/;\d+$/, '').replace(/\.$/, ''))
      at += length
    }
  }
  return { names, partial }
}

function printable(text: string): string {
  return text.replace(/[^ -~]+/g, ' ').slice(0, MAX_STRING_CHARS)
}
