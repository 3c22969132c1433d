/**
 * Chooses the text, the HTML and the attachments among the parts of a message (RFC 2046 §5.1, RFC 2183, RFC 2387).
 * Text is text/plain and text/html not marked as attachments. Of alternatives the last one that can be shown is chosen, for each of the two types.
 * All other leaves are attachments, a forwarded message as a whole: what it shows is read for the guard, as the text of a file.
 */
import { archiveBudget, watchArchive, type ArchiveBudget } from '../archive/archive.js'
import { fileBudget, watchFile, type FileBudget } from '../files/watch.js'
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeText, htmlCharset } from '../charset.js'
import type { Entity } from '../entity.js'
import { readFields, decodeWords } from '../fields.js'
import { safeFilename } from '../filename.js'
import { unflow } from './flowed.js'
import { decodedStart, eachDecodedPiece } from '../part.js'
import { htmlToText } from '../html/html.js'
import { findLinks } from '../html/links.js'
import { visibleText } from '../html/visible.js'
import { FORWARDED_LIMITS, headerOf, isMessage, MAX_FORWARDED_DEPTH, readStructure } from '../structure.js'
import {
  MAX_FILE_TEXT_CHARS,
  MAX_FILE_LINKS,
  MessageFormatError,
  type AttachmentInside,
  type FileSign,
  type ParsedAttachment,
} from '../types.js'

/** Max size of the text and of the HTML; a part that is cut is listed as an attachment too, so that nothing is lost. */
const MAX_TEXT_BYTES = 1024 * 1024
/** Alternative forms that mail programs don't show to people. */
const REDUNDANT = /^text\/(?:x-amp-html|watch-html)$/

export interface Body {
  text: string
  html: string | null
  attachments: ParsedAttachment[]
  /** True if there are parts that are neither shown nor attachments, such as other alternatives: some programs show these. */
  hasUnshownParts: boolean
  /** The parts of the text and the HTML, if each is one part. */
  parts: { text: Entity | undefined; html: Entity | undefined }
}

export async function readBody(root: Entity, budget: Budget = createBudget()): Promise<Body> {
  const shown: Shown = { text: [], html: [], attached: [] }
  select(root, root, shown)

  const attachments: ParsedAttachment[] = []
  const text = await readTexts(shown.text, attachments, budget)
  const html = await readTexts(shown.html, attachments, budget)
  for (const entity of shown.attached) {
    await nextTurn()
    if (!attachments.some((attachment) => attachment.part === entity.leaf))
      attachments.push(await describe(entity, budget))
  }
  const shownImages = imageIds(html)
  for (const attachment of attachments)
    if (attachment.contentId !== null && shownImages.has(attachment.contentId)) attachment.disposition = 'inline'
  return {
    text: text.filter((part) => part.trim() !== '').join('\n'),
    html: html.length === 0 ? null : html.join('\n'),
    attachments: attachments.sort((a, b) => a.part - b.part),
    hasUnshownParts: new Set([...shown.text, ...shown.html, ...shown.attached]).size < leavesOf(root),
    parts: { text: onlyOne(shown.text), html: onlyOne(shown.html) },
  }
}

const leavesOf = (entity: Entity): number =>
  entity.leaf === -1 ? entity.children.reduce((sum, child) => sum + leavesOf(child), 0) : 1

const onlyOne = (entities: Entity[]): Entity | undefined => (entities.length === 1 ? entities[0] : undefined)

/** Limits for all attachments of one message together. */
interface Budget {
  archives: ArchiveBudget
  files: FileBudget
  /** Forwarded messages that may still be opened. */
  messages: { left: number }
  /** How many messages this one is in. */
  depth: number
}

const MAX_FORWARDED = 8

const createBudget = (): Budget => ({
  archives: archiveBudget(),
  files: fileBudget(),
  messages: { left: MAX_FORWARDED },
  depth: 0,
})

interface Shown {
  text: Entity[]
  html: Entity[]
  attached: Entity[]
}

function select(entity: Entity, root: Entity, shown: Shown): void {
  if (entity.contentType === 'multipart/alternative' && entity.children.length > 0) {
    selectAlternative(entity, root, shown)
    return
  }
  if (entity.leaf === -1) {
    for (const child of entity.children) select(child, root, shown)
    return
  }
  const kind = shownAs(entity, root)
  if (kind === 'attachment') {
    shown.attached.push(entity)
    return
  }
  // The body may have a name; a further text with a name is a file that the sender chose to show inline.
  if (entity.filename !== '' && shown.text.length + shown.html.length > 0) shown.attached.push(entity)
  shown[kind].push(entity)
}

function selectAlternative(entity: Entity, root: Entity, shown: Shown): void {
  let text: Entity[] = []
  let html: Entity[] = []
  for (const child of entity.children) {
    const choice: Shown = { text: [], html: [], attached: [] }
    select(child, root, choice)
    // A form with both, such as HTML with a text footer, is no better text than the existing one.
    if (
      choice.text.length > 0 &&
      (text.length === 0 || choice.html.length === 0) &&
      !(text.length > 0 && isBlank(choice.text))
    )
      text = choice.text
    if (choice.html.length > 0 && !(html.length > 0 && isBlank(choice.html))) html = choice.html
    shown.attached.push(...choice.attached.filter((other) => !REDUNDANT.test(other.contentType)))
  }
  shown.text.push(...text)
  shown.html.push(...html)
}

function isBlank(entities: Entity[]): boolean {
  return entities.every(({ content }) => content.length < 64 && content.toString('latin1').trim() === '')
}

function shownAs(entity: Entity, root: Entity): 'text' | 'html' | 'attachment' {
  if (entity.disposition === 'attachment') return 'attachment'
  if (entity.contentType === 'text/plain') return 'text'
  if (entity.contentType === 'text/html') return 'html'
  // A message that is one text of an unknown type is read as plain text (RFC 2046 §4.1.4).
  return entity === root &&
    entity.contentType.startsWith('text/') &&
    entity.filename === '' &&
    entity.contentType !== 'text/calendar'
    ? 'text'
    : 'attachment'
}

async function readTexts(entities: Entity[], attachments: ParsedAttachment[], budget: Budget): Promise<string[]> {
  const texts: string[] = []
  let room = MAX_TEXT_BYTES
  for (const [i, entity] of entities.entries()) {
    if (i > 0) await nextTurn()
    const bytes = await firstBytes(entity, room + 1)
    if (bytes.length > room) attachments.push(await describe(entity, budget))
    texts.push(toText(bytes.subarray(0, room), entity))
    room -= Math.min(bytes.length, room)
  }
  return texts
}

function firstBytes(entity: Entity, wanted: number): Promise<Buffer> {
  return decodedStart(isPlain(entity) ? { ...entity, encoding: '' } : entity, wanted)
}

/** True for text declared as base64 that is words with spaces. */
function isPlain(entity: Entity): boolean {
  if (entity.encoding !== 'base64') return false
  const start = entity.content.toString('latin1', 0, 1000)
  return (start.match(/\S[ \t]+\S/g)?.length ?? 0) >= 10
}

function toText(bytes: Buffer, entity: Entity): string {
  const charset = entity.charset === '' && entity.contentType === 'text/html' ? htmlCharset(bytes) : entity.charset
  // String replacements are faster than one of a pattern.
  const text = decodeText(bytes, charset).replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\0', '')
  if (entity.contentType === 'text/enriched') return plainOfEnriched(text)
  return entity.flowed && entity.contentType === 'text/plain' ? unflow(text, entity.deleteSpace) : text
}

/** RFC 1896: commands in angle brackets, parameters that are not shown, and `<<` for a bracket. */
function plainOfEnriched(text: string): string {
  return text
    .replace(/<param>[^<]*<\/param>/gi, '')
    .replace(/<<|<\/?[a-z\d-]{1,60}>/gi, (command) => (command === '<<' ? '<' : ''))
    .replace(/\n(\n*)/g, (_, more: string) => (more === '' ? ' ' : more))
}

/** Content ids that the HTML shows as images (RFC 2392), whatever their parts declare. */
function imageIds(html: string[]): Set<string> {
  const ids = new Set<string>()
  for (const text of html)
    for (const [, id = ''] of text.matchAll(/["'(=]cid:([^\s"'<>()]{1,998})/gi))
      // RFC 2392 §2: the id is percent-encoded in the URL.
      ids.add(id.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))
  return ids
}

/** Max bytes of a forwarded message that are read for its subject. */
const SUBJECT_BYTES = 64 * 1024

async function describe(entity: Entity, budget: Budget): Promise<ParsedAttachment> {
  const hash = createHash('sha256')
  const watch = watchArchive(budget.archives)
  const file = watchFile(entity, budget.files, budget.archives)
  let sizeBytes = 0
  await eachDecodedPiece(entity, (piece) => {
    hash.update(piece)
    watch.push(piece)
    file.push(piece)
    sizeBytes += piece.length
  })
  const isForwarded = isMessage(entity)
  const own = await file.end(await watch.end())
  // A program or archive stays one under the name of a message.
  const inside = isForwarded && own.file?.kind === undefined ? await forwardedInside(entity, budget) : own
  const filename = entity.filename === '' && isForwarded ? await subjectOf(entity) : entity.filename
  const inline = entity.disposition === 'inline' || (entity.disposition === '' && entity.contentId !== '')
  return {
    part: entity.leaf,
    filename: safeFilename(filename, entity.contentType, entity.leaf),
    contentType: withMethod(entity),
    sizeBytes,
    sha256: hash.digest('hex'),
    disposition: inline ? 'inline' : 'attachment',
    contentId: entity.contentId === '' ? null : entity.contentId,
    ...inside,
  }
}

/** An invitation differs from its cancellation (RFC 5546 §1.4) only by this parameter. */
function withMethod({ contentType, method }: Entity): string {
  return contentType === 'text/calendar' && /^[a-z-]{1,20}$/i.test(method)
    ? `${contentType}; method=${method.toUpperCase()}`
    : contentType
}

/** RFC 2046 §5.2.1 allows no encoding, so what has one is rare. */
const MAX_ENCODED_BYTES = 1024 * 1024

const notRead = (detail: string): AttachmentInside => ({ file: { signs: [{ code: 'not_read', detail }], links: [] } })
const NOT_READ: readonly FileSign[] = [{ code: 'not_read', detail: 'too large' }]

/** Text, links and attachments of a forwarded message: mail programs show them below the message, or at a click. */
async function forwardedInside(entity: Entity, budget: Budget): Promise<AttachmentInside> {
  const { messages, depth } = budget
  if (depth === MAX_FORWARDED_DEPTH) return notRead('a message in a message in a message in a message')
  if (messages.left === 0) return notRead('too many messages')
  messages.left--
  const raw = entity.encoding === '' ? entity.content : await firstBytes(entity, MAX_ENCODED_BYTES)
  const isCut = entity.encoding !== '' && raw.length >= MAX_ENCODED_BYTES
  const forwarded = await readForwarded(raw, { ...budget, depth: depth + 1 })
  if (!forwarded) return notRead('its parts or headers are beyond the limits')
  const { subject, text, html, attachments } = forwarded
  const files = attachments.flatMap(({ file }) => file ?? [])
  const words = [
    subject,
    visibleText(html === null ? text : htmlToText(html)),
    ...files.flatMap((file) => file.text ?? []),
  ]
  const links = [...findLinks(text, html), ...files.flatMap((file) => file.links)]
  const archives = attachments.flatMap(({ archive }) => archive ?? [])
  return {
    ...(attachments.length > 0 && {
      archive: {
        encrypted: archives.some(({ encrypted }) => encrypted),
        names: attachments.flatMap(({ filename, archive }) => [filename, ...(archive?.names ?? [])]),
        ...(archives.some(({ partial }) => partial) && { partial: true }),
      },
    }),
    file: {
      signs: [...files.flatMap(({ signs }) => signs), ...(isCut ? NOT_READ : [])],
      links: [...new Set(links)].slice(0, MAX_FILE_LINKS),
      text: words.join('\n').slice(0, MAX_FILE_TEXT_CHARS),
    },
  }
}

/** @returns undefined where its structure breaks the limits */
async function readForwarded(raw: Buffer, budget: Budget): Promise<(Body & { subject: string }) | undefined> {
  try {
    const root = readStructure(raw, FORWARDED_LIMITS)
    return { ...(await readBody(root, budget)), subject: decodeWords(readFields(root).first('subject')) }
  } catch (error) {
    if (error instanceof MessageFormatError) return undefined
    throw error
  }
}

async function subjectOf(entity: Entity): Promise<string> {
  const header = headerOf((await firstBytes(entity, SUBJECT_BYTES)).subarray(0, SUBJECT_BYTES))
  const subject = decodeWords(readFields(header).first('subject')).replace(/[/\\]/g, '_')
  return subject === '' ? '' : `${subject}.eml`
}
