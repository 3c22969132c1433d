/**
 * What a PDF does, by the names in its objects (ISO 32000-1), without a reader's help: actions that run scripts or programs, and addresses on all pages.
 * Objects that are packed (§7.5.7) are unpacked, within a budget. In an encrypted file they can't be, and nothing is found there.
 */
import { constants, inflateSync } from 'node:zlib'
import { hasCode } from '../../lib/thrown.js'
import type { FileSign } from '../types.js'

const MAX_UNPACKED_BYTES = 16 * 1024 * 1024
const MAX_OBJECT_STREAMS = 500
/** Of a stream's dictionary, in front of its data. */
const DICTIONARY_BYTES = 1024
const MAX_LINKS = 100
const MAX_DETAIL_CHARS = 120

export interface PdfActions {
  signs: FileSign[]
  links: string[]
}

export function pdfActions(file: Buffer): PdfActions {
  const texts = [file.toString('latin1'), ...objectStreams(file)].map(plainNames)
  const links = new Set<string>()
  let script: string | undefined
  let launch: string | undefined
  for (const text of texts) {
    // §12.6.4.16: the script stands in the action, or in a stream.
    script ??= /\/S\s{0,5}\/JavaScript\b/.test(text) ? (/\/JS\s{0,5}\(([^]{1,120})/.exec(text)?.[1] ?? '') : undefined
    // §12.6.4.5: the file to open, or the program of Windows with its parameters.
    const at = /\/S\s{0,5}\/Launch\b/.exec(text)?.index
    if (at !== undefined) launch ??= targetNear(text, at)
    for (const [, uri = ''] of text.matchAll(/\/URI\s{0,5}\(((?:[^()\\]|\\[^]){1,2048})\)/g)) {
      if (links.size < MAX_LINKS) links.add(unescaped(uri))
    }
  }
  const signs: FileSign[] = []
  if (script !== undefined) signs.push({ code: 'script', detail: detailOf(script) })
  if (launch !== undefined) signs.push({ code: 'launches', detail: detailOf(launch) })
  return { signs, links: [...links] }
}

function* objectStreams(file: Buffer): Generator<string> {
  let left = MAX_UNPACKED_BYTES
  let at = 0
  for (let count = 0; count < MAX_OBJECT_STREAMS && left > 0; count++) {
    at = file.indexOf('/ObjStm', at)
    if (at === -1) return
    // The dictionary ends with `>>`, then the data begins after a line end (§7.3.8.1).
    const near = file.toString('latin1', at, at + DICTIONARY_BYTES)
    const begin = /stream\r?\n/.exec(near)
    at += begin ? begin.index + begin[0].length : '/ObjStm'.length
    if (!begin) continue
    const end = file.indexOf('endstream', at)
    const unpacked = inflated(file.subarray(at, end === -1 ? file.length : end), left)
    if (unpacked === 'too large') return
    left -= unpacked.length
    yield unpacked.toString('latin1')
  }
}

function inflated(packed: Buffer, most: number): Buffer | 'too large' {
  try {
    // What is cut or damaged at the end is read up to there.
    return inflateSync(packed, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return hasCode(error, 'ERR_BUFFER_TOO_LARGE') ? 'too large' : Buffer.alloc(0)
  }
}

/** §7.3.5: any character of a name may be written in hexadecimal. */
function plainNames(text: string): string {
  return text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

function targetNear(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - 300), at + 600)
  return /\/F\s{0,5}\(((?:[^()\\]|\\[^]){1,300})\)/.exec(near)?.[1] ?? ''
}

/** §7.3.4.2. */
const unescaped = (text: string): string => text.replace(/\\([()\\])/g, '$1')

const detailOf = (text: string): string =>
  text
    .replace(/[^ -~]+/g, ' ')
    .trim()
    .slice(0, MAX_DETAIL_CHARS)
