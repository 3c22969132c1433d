/** One message, as FETCH shows it here and in Dovecot. */
import { binaryOf, binarySizeOf } from '../../../src/imap/message/binary.js'
import { envelopeOf } from '../../../src/imap/message/envelope.js'
import { sectionOf } from '../../../src/imap/message/section.js'
import { structureOf } from '../../../src/imap/message/structure.js'
import type { Part, SectionText } from '../../../src/imap/message/types.js'
import { headerLength } from '../../../src/mime/headers.js'
import { limits } from '../../mime/support.js'
import type { ImapValue } from '../../support/imap-reader.js'
import type { Dovecot } from '../../support/peers/dovecot.js'
import { envelopeList, structureList } from './lists.js'

export interface Difference {
  /** Of FETCH. */
  item: string
  ours: ImapValue
  theirs: ImapValue
}

const NAMES = ['subject', 'From', 'RECEIVED', 'X-Not-There']
const FIELD_LIST = `(${NAMES.join(' ').toUpperCase()})`
/** Max parts of a message whose sections are compared. */
const MAX_PATHS = 20

/** What differs. Sections of parts are compared when both see the same parts. */
export async function compare(dovecot: Dovecot, raw: Buffer): Promise<Difference[]> {
  await dovecot.keep(raw)
  const root = await structureOf(raw, limits)
  const ours = new Map<string, ImapValue>([
    ['RFC822.SIZE', String(raw.length)],
    ['ENVELOPE', envelopeList(envelopeOf(raw.subarray(0, headerLength(raw))))],
    ['BODYSTRUCTURE', structureList(root)],
  ])
  const section = (name: string, path: readonly number[], text: SectionText): void => {
    ours.set(`BODY[${name}]`, sectionOf(raw, root, { path, text }).toString('latin1'))
  }
  section('', [], { kind: 'whole' })
  section('HEADER', [], { kind: 'header' })
  section('TEXT', [], { kind: 'text' })
  section(`HEADER.FIELDS ${FIELD_LIST}`, [], { kind: 'fields', names: NAMES, not: false })
  section(`HEADER.FIELDS.NOT ${FIELD_LIST}`, [], { kind: 'fields', names: NAMES, not: true })
  const differences = await differing(dovecot, ours)
  if (differences.some(({ item }) => item === 'BODYSTRUCTURE')) return differences

  ours.clear()
  const paths = pathsIn(root).slice(0, MAX_PATHS)
  for (const { path, part } of paths) {
    const name = path.join('.')
    section(name, path, { kind: 'whole' })
    section(`${name}.MIME`, path, { kind: 'mime' })
    section(`${name}.HEADER`, path, { kind: 'header' })
    section(`${name}.TEXT`, path, { kind: 'text' })
    if (part.kind === 'message')
      section(`${name}.HEADER.FIELDS ${FIELD_LIST}`, path, { kind: 'fields', names: NAMES, not: false })
  }
  section(`${paths.length + 1}`, [paths.length + 1], { kind: 'whole' })
  differences.push(...(await differing(dovecot, ours)))
  // A part that can't be decoded fails its whole command.
  for (const { path, part } of paths)
    if (part.kind === 'text' || part.kind === 'basic')
      differences.push(...(await compareBinary(dovecot, raw, root, path)))
  return differences
}

/** @throws Error when the size is not that of the octets */
async function compareBinary(
  dovecot: Dovecot,
  raw: Buffer,
  root: Part,
  path: readonly number[],
): Promise<Difference[]> {
  const [ours, size] = [await binaryOf(raw, root, path), await binarySizeOf(raw, root, path)]
  const octets = ours.kind === 'decoded' ? ours.value.toString('latin1') : null
  if ((size.kind === 'decoded' ? size.value : undefined) !== octets?.length)
    throw new Error(`BINARY.SIZE is ${JSON.stringify(size)}, and not ${octets?.length}`)
  const [item, sizeItem] = [`BINARY[${path.join('.')}]`, `BINARY.SIZE[${path.join('.')}]`]
  const theirs = await dovecot.fetch([item.replace('[', '.PEEK['), sizeItem])
  const [theirOctets, theirSize] = [theirs?.get(item) ?? null, theirs?.get(sizeItem) ?? null]
  if (octets !== theirOctets) return [{ item, ours: octets, theirs: theirOctets }]
  const sizeOrNot = octets === null ? null : `${octets.length}`
  return sizeOrNot === theirSize ? [] : [{ item: sizeItem, ours: sizeOrNot, theirs: theirSize }]
}

async function differing(dovecot: Dovecot, ours: Map<string, ImapValue>): Promise<Difference[]> {
  const theirs = await dovecot.fetch([...ours.keys()].map((item) => item.replace(/^BODY\[/, 'BODY.PEEK[')))
  return differencesOf(ours, theirs ?? new Map())
}

function differencesOf(ours: Map<string, ImapValue>, theirs: Map<string, ImapValue>): Difference[] {
  const items = new Set([...ours.keys(), ...theirs.keys()])
  return [...items]
    .map((item) => ({ item, ours: comparable(item, ours.get(item)), theirs: comparable(item, theirs.get(item)) }))
    .filter((each) => JSON.stringify(each.ours) !== JSON.stringify(each.theirs))
}

/** Octets as they are; of structures, without what is left to the server. */
function comparable(item: string, value: ImapValue = null): ImapValue {
  return Array.isArray(value) && /^(?:ENVELOPE|BODYSTRUCTURE)$/.test(item) ? withoutChoices(value) : value
}

/**
 * Without: runs of white space, which Dovecot makes one space; the order of parameters; the case of the types that Dovecot keeps by their kind; and the words
 * it has in place of the mailbox or domain that an address lacks.
 */
function withoutChoices(value: ImapValue): ImapValue {
  if (value === null) return null
  if (Array.isArray(value)) {
    const list = value.map(withoutChoices)
    return list.length % 2 === 0 && list.every((each) => typeof each === 'string') ? sortedPairs(list) : list
  }
  if (/^(?:message|rfc822|text|plain|us-ascii)$/i.test(value)) return value.toLowerCase()
  return /^(?:MISSING_MAILBOX|MISSING_DOMAIN|SYNTAX_ERROR)$/.test(value) ? '' : value.replace(/[ \t]+/g, ' ').trim()
}

function sortedPairs(list: ImapValue[]): ImapValue[] {
  const pairs = list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? null]] : []))
  return pairs.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)).flat()
}

/** Numbers of all parts (RFC 9051 §6.4.5.1), counted by hand and not by the code under test. */
function pathsIn(message: Part, prefix: readonly number[] = []): { path: number[]; part: Part }[] {
  const parts = message.kind === 'multipart' ? message.parts : [message]
  return parts.flatMap((part, i) => {
    const path = [...prefix, i + 1]
    const inner =
      part.kind === 'multipart' ? pathsIn(part, path) : part.kind === 'message' ? pathsIn(part.message, path) : []
    return [{ path, part }, ...inner]
  })
}
