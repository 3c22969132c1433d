/**
 * Active content of Office documents, by structure: macros and outside parts of OOXML (ECMA-376 part 2, relationships), streams of the older binary
 * form ([MS-CFB]), and fields that start programs.
 */
import { decodeReferences } from '../html/html.js'
import { MAX_FILE_LINKS, type FileFacts, type FileSign } from '../types.js'
import type { ZipEntry } from './zip-entries.js'

const MAX_RELATIONSHIPS = 64
const MAX_PART_BYTES = 128 * 1024
/** Parts that may hold fields. */
const TEXT_PART = /^(?:word\/(?:document|header\d*|footer\d*)|xl\/externalLinks\/externalLink\d+)\.xml$/
const DOCUMENT = 'word/document.xml'
/** Relationships whose target is loaded when the document is opened. */
const LOADED = /\/(?:attachedTemplate|oleObject|frame|subDocument|externalLinkPath|package)$/

export const isOffice = (names: readonly string[]): boolean => names.includes('[Content_Types].xml')

/** @returns the text too, '' for other than text documents */
export function officeFacts(entries: readonly ZipEntry[]): FileFacts & { text: string } {
  let text = ''
  const signs: FileSign[] = []
  const links: string[] = []
  if (entries.some(({ name }) => /(?:^|\/)vbaProject\.bin$/i.test(name))) signs.push({ code: 'macros', detail: 'VBA' })
  if (entries.some(({ name }) => /^xl\/macrosheets\//i.test(name)))
    signs.push({ code: 'macros', detail: 'a macro sheet of Excel 4.0' })
  const object = entries.find(({ name }) => /\/embeddings\/[^/]*\.bin$/i.test(name))
  if (object) signs.push({ code: 'embedded_object', detail: object.name })
  const parts = entries.filter(({ name }) => name.endsWith('.rels')).slice(0, MAX_RELATIONSHIPS)
  for (const part of parts) readRelationships(part.read()?.toString('utf8', 0, MAX_PART_BYTES) ?? '', signs, links)
  for (const part of entries.filter(({ name }) => TEXT_PART.test(name))) {
    const xml = part.read()?.toString('utf8', 0, 8 * MAX_PART_BYTES) ?? ''
    const command = fieldIn(xml)
    if (command !== undefined) signs.push({ code: 'command_field', detail: command })
    if (part.name === DOCUMENT) text = paragraphs(xml)
  }
  return { kind: 'zip', signs, links, text }
}

/** The paragraphs of a text document (ECMA-376 part 1 §17.3.1.22). */
function paragraphs(xml: string): string {
  const lines = xml.replace(/<\/w:p>|<w:(?:br|tab)\/>/g, '\n')
  return decodeReferences(lines.replace(/<w:instrText[^>]{0,200}>[^<]{0,2000}|<[^<>]{0,4000}>/g, ''))
}

/** ECMA-376 part 2 §9.3: each `Relationship` has a type, a target, and `TargetMode="External"` for targets elsewhere. */
function readRelationships(xml: string, signs: FileSign[], links: string[]): void {
  for (const [relationship] of xml.matchAll(/<(?:\w{1,20}:)?Relationship\s[^>]{1,4000}>/g)) {
    if (!/TargetMode\s*=\s*["']External["']/.test(relationship)) continue
    const target = decodeReferences(/\sTarget\s*=\s*["']([^"']{1,2048})/.exec(relationship)?.[1] ?? '')
    const type = /\sType\s*=\s*["']([^"']{1,200})/.exec(relationship)?.[1] ?? ''
    if (target === '') continue
    // A template on the author's own disk is left behind by Word itself.
    if (LOADED.test(type) && /^(?:https?:|ftp:|mhtml:|\\\\|file:\/\/(?!\/)|file:\/{5})/i.test(target))
      signs.push({ code: 'outside_part', detail: target })
    if (links.length < MAX_FILE_LINKS) links.push(target)
  }
}

/** ECMA-376 part 1 §17.16: instructions of fields may be split over runs. */
function fieldIn(xml: string): string | undefined {
  const instructions = [...xml.matchAll(/<w:instrText[^>]{0,200}>([^<]{0,2000})</g)]
    .map(([, text = '']) => text)
    .join('')
  const simple = [...xml.matchAll(/w:instr="([^"]{1,300})"/g)].map(([, text = '']) => text).join(' ')
  return /\bDDE(?:AUTO)?\s+\S[^\n]{0,100}/.exec(decodeReferences(`${instructions} ${simple}`))?.[0]
}

const SECTOR_LINKS_END = 0xfffffffe
const MAX_SECTORS = 256
const ENTRY_BYTES = 128

/** [MS-CFB] §2.6: names of the directory's entries, of which streams and storages of macros and embedded objects are known. */
export function oleFacts(file: Buffer): FileFacts {
  const names = new Set(directoryNames(file))
  const signs: FileSign[] = []
  if (names.has('_VBA_PROJECT') || names.has('VBA') || names.has('Macros'))
    signs.push({ code: 'macros', detail: 'VBA' })
  if (names.has('\u0001Ole10Native')) signs.push({ code: 'embedded_object', detail: 'a packaged file' })
  if (names.has('EncryptedPackage')) signs.push({ code: 'encrypted', detail: 'the whole document' })
  return { kind: 'ole', signs, links: [] }
}

function directoryNames(file: Buffer): string[] {
  if (file.length < 512) return []
  const size = 2 ** Math.min(12, file.readUInt16LE(30))
  const sectorAt = (sector: number): number => (sector + 1) * size
  const names: string[] = []
  let sector = file.readUInt32LE(48)
  for (let count = 0; count < MAX_SECTORS && sector < SECTOR_LINKS_END - 1; count++) {
    const at = sectorAt(sector)
    if (at + size > file.length) break
    for (let entry = at; entry + ENTRY_BYTES <= at + size; entry += ENTRY_BYTES) {
      const length = Math.min(64, file.readUInt16LE(entry + 64))
      if (length > 2) names.push(file.toString('utf16le', entry, entry + length - 2))
    }
    // [MS-CFB] §2.3, §2.5.1: the sector of the allocation table stands in the header for the first 109.
    const place = 76 + 4 * Math.floor((sector * 4) / size)
    if (place + 4 > 512) break
    const next = sectorAt(file.readUInt32LE(place)) + ((sector * 4) % size)
    if (next + 4 > file.length) break
    sector = file.readUInt32LE(next)
  }
  return names
}
