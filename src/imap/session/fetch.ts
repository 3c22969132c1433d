/** FETCH (RFC 9051 §6.4.5). Flags, sizes and dates come from the folder alone; other items read messages, some at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '../../mailbox/folders/entries.js'
import { SEEN } from '../../mailbox/folders/flags.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import type { MessageState } from '../../mailbox/message.js'
import { headerLength } from '../../mime/headers.js'
import type { FetchItem } from '../grammar/fetch-items.js'
import type { MessageCommand } from '../grammar/messages.js'
import { type Section as GrammarSection, writeSection } from '../grammar/section.js'
import { binaryOf, binarySizeOf } from '../message/binary.js'
import { envelopeOf } from '../message/envelope.js'
import { headerSectionOf, sectionOf } from '../message/section.js'
import { structureOf } from '../message/structure.js'
import type { Part, SectionText } from '../message/types.js'
import type { ResponseLine } from '../wire/response.js'
import { hasNumber, type SequenceSet } from '../wire/sequence-set.js'
import { fetchEntries, textOf, type TextOf } from './fetch-entries.js'
import { tellVanished } from './select.js'
import { writeEnvelope, writeStructure } from './structure-lines.js'
import { type Completion, OK, Refused } from './completion.js'
import type { ImapSession } from './session.js'

type FetchCommand = MessageCommand & { name: 'FETCH' }

/** Messages whose rows are read at once. */
const STEP = 64
/** Headers that are read at once: 64 KiB each at most, and often one request to a bucket each. */
const TOGETHER = 8
/** Entries looked up between turns of the event loop. */
const LOOKED_UP = 8192
/** Octets of a response that are gathered before they are sent. */
const PIECE = 256 * 1024

export async function fetch(session: ImapSession, command: FetchCommand): Promise<Completion> {
  const selected = session.mustSelected()
  const { mailboxId } = session.mustUser()
  const { folders } = session.parts
  const items = [...withUid(command)]
  if (command.changedSince !== undefined || items.some(({ item }) => item === 'MODSEQ'))
    session.enabled.add('CONDSTORE')
  if (command.vanished && !session.qresync) throw new Refused({ status: 'BAD', text: 'ENABLE QRESYNC first' })
  const uids = selected.resolve(command.set, command.uid, session.saved)
  const marked = !selected.isReadOnly && items.some(setsSeen) && (await markSeen(session, uids))
  // RFC 9051 §6.4.5: what it sets is told with it; after a UID FETCH all news are.
  if (marked && !command.uid && !items.some(({ item }) => item === 'FLAGS')) items.push({ item: 'FLAGS' })
  const view = await folders.view(mailboxId, selected.number)
  if (!view) throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'the mailbox is gone' })
  if (command.vanished && command.changedSince !== undefined)
    await tellVanished(session, view, command.changedSince, asked(command.set, session.saved))
  const { changedSince = 0 } = command
  const wanted: Entry[] = []
  let missing = 0
  for (const [i, uid] of uids.entries()) {
    if (i % LOOKED_UP === LOOKED_UP - 1) await nextTurn()
    const entry = view.entry(uid)
    if (!entry) missing++
    else if (entry.modseq > changedSince) wanted.push(entry)
  }
  // What changes while it is answered is told with the new flags; those that were told here are known.
  const fetcher = new Fetcher(session, view, command.changedSince === undefined ? items : withModseq(items))
  const { failed, gone } = await fetcher.all(wanted)
  if (failed) return { status: 'NO', code: 'UNKNOWN-CTE', text: 'a part has an unknown encoding' }
  return missing + gone > 0 && !command.uid
    ? { status: 'NO', code: 'EXPUNGEISSUED', text: 'some of the messages are gone' }
    : OK
}

/** Fetches new messages of the selected folder, which nobody asked for just now (RFC 5465 §5.2); none becomes read by it. */
export async function fetchNew(
  session: ImapSession,
  view: FolderView,
  uids: readonly number[],
  items: readonly FetchItem[],
): Promise<void> {
  const entries = uids.map((uid) => view.entry(uid)).filter((entry) => entry !== undefined)
  await new Fetcher(session, view, items).all(entries)
}

/** UIDs that a set means, also those that the client does not know of. */
function asked(set: SequenceSet, saved: readonly number[]): (uid: number) => boolean {
  if (set.kind === 'numbers') return (uid) => hasNumber(set, uid)
  const uids = new Set(saved)
  return (uid) => uids.has(uid)
}

function withUid({ items, uid }: FetchCommand): FetchItem[] {
  return uid && !items.some(({ item }) => item === 'UID') ? [{ item: 'UID' }, ...items] : items
}

function withModseq(items: FetchItem[]): FetchItem[] {
  return items.some(({ item }) => item === 'MODSEQ') ? items : [...items, { item: 'MODSEQ' }]
}

function setsSeen(item: FetchItem): boolean {
  switch (item.item) {
    case 'SECTION':
    case 'BINARY':
      return !item.peek
    case 'RFC822':
    case 'RFC822.TEXT':
      return true
    default:
      return false
  }
}

/** @returns true if some were not */
async function markSeen(session: ImapSession, uids: readonly number[]): Promise<boolean> {
  const selected = session.mustSelected()
  const { mailboxId } = session.mustUser()
  const view = await session.parts.folders.view(mailboxId, selected.number)
  const unseen = uids.filter((uid) => ((view?.entry(uid)?.flags ?? SEEN) & SEEN) === 0)
  if (unseen.length === 0) return false
  await session.parts.folders.flag(mailboxId, selected.number, unseen, { mode: 'add', flags: SEEN, keywords: [] })
  return true
}

/** What a message's items need, read once. */
interface Content {
  state: MessageState | undefined
  raw: Buffer | undefined
  header: Buffer | undefined
  root: Part | undefined
}

class Fetcher {
  readonly #needsState: boolean
  /** The whole message, or its header alone. */
  readonly #needsRaw: boolean
  readonly #needsHeader: boolean
  readonly #needsStructure: boolean
  /** Of items that the folder has. */
  readonly #texts = new Map<FetchItem['item'], TextOf>()
  #failed = false
  /** Messages that were purged meanwhile. */
  #gone = 0

  constructor(
    private readonly session: ImapSession,
    private readonly view: FolderView,
    private readonly items: readonly FetchItem[],
  ) {
    this.#needsStructure = items.some(needsStructure)
    this.#needsRaw = this.#needsStructure || items.some(needsRaw)
    this.#needsHeader = !this.#needsRaw && items.some(needsHeader)
    this.#needsState = this.#needsRaw || this.#needsHeader || items.some(needsState)
  }

  /** @returns whether a part could not be decoded, and how many messages were purged meanwhile */
  async all(entries: readonly Entry[]): Promise<{ failed: boolean; gone: number }> {
    const { wire } = this.session
    if (!this.#needsState) {
      await fetchEntries(this.session, this.view, entries, this.items)
      return { failed: false, gone: 0 }
    }
    for (let at = 0; at < entries.length && !wire.isClosed; at += STEP) await this.#some(entries.slice(at, at + STEP))
    return { failed: this.#failed, gone: this.#gone }
  }

  async #some(entries: readonly Entry[]): Promise<void> {
    const { folders } = this.session.parts
    const { mailboxId } = this.session.mustUser()
    const states = await folders.messages(
      mailboxId,
      entries.map(({ place }) => place),
    )
    for (let at = 0; at < entries.length; at += TOGETHER) {
      const some = entries.slice(at, at + TOGETHER)
      const headers = this.#needsHeader ? await this.#headers(mailboxId, some, states.slice(at, at + TOGETHER)) : []
      for (const [i, entry] of some.entries()) await this.#one(entry, states[at + i], headers[i])
    }
    await nextTurn()
  }

  async #one(entry: Entry, state: MessageState | undefined, headerAlone: Buffer | undefined): Promise<void> {
    const draftId = this.view.drafts.get(entry.uid)
    const { mailboxId } = this.session.mustUser()
    const raw = this.#needsRaw ? await this.#raw(mailboxId, state, draftId) : undefined
    const header = headerAlone ?? raw?.subarray(0, headerLength(raw))
    // Purged meanwhile: its EXPUNGE follows.
    if (this.#needsRaw || this.#needsHeader ? !header : !state && draftId === undefined) {
      this.#gone++
      return
    }
    const root = raw && this.#needsStructure ? await structureOf(raw, this.session.parts.limits.parse) : undefined
    await this.#write(entry, { state, raw, header, root })
  }

  /** Where the header is all that is needed. */
  async #headers(
    mailboxId: string,
    entries: readonly Entry[],
    states: readonly (MessageState | undefined)[],
  ): Promise<(Buffer | undefined)[]> {
    const headers = await this.session.parts.folders.headers(mailboxId, states)
    for (const [i, { uid }] of entries.entries()) {
      if (states[i]) continue
      const draft = await this.#raw(mailboxId, undefined, this.view.drafts.get(uid))
      headers[i] = draft?.subarray(0, headerLength(draft))
    }
    return headers
  }

  async #raw(
    mailboxId: string,
    state: MessageState | undefined,
    draftId: string | undefined,
  ): Promise<Buffer | undefined> {
    const { folders } = this.session.parts
    if (state) return folders.raw(mailboxId, state)
    return draftId === undefined ? undefined : folders.draftRaw(mailboxId, draftId)
  }

  async #write(entry: Entry, content: Content): Promise<void> {
    const selected = this.session.mustSelected()
    const line = this.session.line().raw(`* ${selected.seqOf(entry.uid)} FETCH (`)
    for (const [i, item] of this.items.entries()) {
      if (i > 0) line.raw(' ')
      const writing = this.#writeItem(line, item, entry, content)
      if (writing) await writing
      // A client may ask for a large message many times over: no more than one is on its way.
      if (line.bytes > PIECE) await this.session.wire.output.write(line.take())
    }
    await this.session.send(line.raw(')'))
  }

  #textOf(item: FetchItem['item']): TextOf {
    const text = this.#texts.get(item) ?? textOf(item, this.view)
    this.#texts.set(item, text)
    return text
  }

  /** @returns a promise for an item that is decoded */
  #writeItem(line: ResponseLine, item: FetchItem, entry: Entry, content: Content): Promise<void> | undefined {
    const { state, raw = NOTHING, header = NOTHING, root } = content
    switch (item.item) {
      case 'UID':
      case 'FLAGS':
      case 'INTERNALDATE':
      case 'RFC822.SIZE':
      case 'MODSEQ':
        line.raw(this.#textOf(item.item)(entry))
        return undefined
      case 'EMAILID':
        line.raw(`EMAILID (${state?.id ?? this.view.drafts.get(entry.uid) ?? ''})`)
        return undefined
      case 'THREADID':
        line.raw(state ? `THREADID (${state.threadId})` : 'THREADID NIL')
        return undefined
      case 'SAVEDATE':
        line.raw('SAVEDATE ').dateTime(state?.createdAt ?? 1000 * entry.date)
        return undefined
      case 'PREVIEW':
        line.raw('PREVIEW ').nstring(state ? (state.shown?.preview ?? null) : null)
        return undefined
      case 'ENVELOPE':
        line.raw('ENVELOPE ')
        writeEnvelope(line, envelopeOf(header))
        return undefined
      case 'BODY':
      case 'BODYSTRUCTURE':
        line.raw(`${item.item} `)
        if (root) writeStructure(line, root, { extended: item.item === 'BODYSTRUCTURE', utf8: this.session.utf8 })
        return undefined
      case 'RFC822':
        line.raw('RFC822 ').string(raw)
        return undefined
      case 'RFC822.HEADER':
        line.raw('RFC822.HEADER ').string(header)
        return undefined
      case 'RFC822.TEXT':
        line.raw('RFC822.TEXT ').string(raw.subarray(header.length))
        return undefined
      case 'SECTION':
        line.raw('BODY')
        writeSection(line, item.section)
        line.raw(item.partial ? `<${item.partial.offset}> ` : ' ').string(this.#section(item, content))
        return undefined
      case 'BINARY':
        line.raw(`BINARY[${item.part.join('.')}]${item.partial ? `<${item.partial.offset}>` : ''} `)
        return this.#writeBinary(line, item, content)
      case 'BINARY.SIZE':
        return this.#writeBinarySize(line, item, content)
    }
  }

  async #writeBinarySize(
    line: ResponseLine,
    { part }: FetchItem & { item: 'BINARY.SIZE' },
    { raw = NOTHING, root }: Content,
  ): Promise<void> {
    line.raw(`BINARY.SIZE[${part.join('.')}] `)
    const size = root ? await binarySizeOf(raw, root, part) : { kind: 'decoded' as const, value: 0 }
    if (size.kind === 'unknown encoding') this.#failed = true
    line.number(size.kind === 'decoded' ? size.value : 0)
  }

  #section(item: FetchItem & { item: 'SECTION' }, { raw = NOTHING, header = NOTHING, root }: Content): Buffer {
    const { section, partial } = item
    const text = sectionTextOf(section)
    if (section.part.length === 0 && (text.kind === 'header' || text.kind === 'fields'))
      return headerSectionOf(header, text, partial)
    if (section.part.length === 0 && text.kind === 'whole' && !root)
      return partial ? raw.subarray(partial.offset, partial.offset + partial.length) : raw
    return root ? sectionOf(raw, root, { path: section.part, text }, partial) : NOTHING
  }

  async #writeBinary(
    line: ResponseLine,
    { part, partial }: FetchItem & { item: 'BINARY' },
    { raw = NOTHING, root }: Content,
  ): Promise<void> {
    const decoded = root ? await binaryOf(raw, root, part, partial) : undefined
    if (decoded?.kind === 'decoded') {
      if (decoded.value.includes(0)) line.literal8(decoded.value)
      else line.string(decoded.value)
      return
    }
    this.#failed = true
    line.nil()
  }
}

const NOTHING = Buffer.alloc(0)

function sectionTextOf(section: GrammarSection): SectionText {
  switch (section.kind) {
    case 'all':
      return { kind: 'whole' }
    case 'HEADER':
      return { kind: 'header' }
    case 'TEXT':
      return { kind: 'text' }
    case 'MIME':
      return { kind: 'mime' }
    case 'HEADER.FIELDS':
    case 'HEADER.FIELDS.NOT':
      return { kind: 'fields', names: section.names, not: section.kind === 'HEADER.FIELDS.NOT' }
  }
}

function needsState({ item }: FetchItem): boolean {
  return item === 'EMAILID' || item === 'THREADID' || item === 'SAVEDATE' || item === 'PREVIEW'
}

function needsRaw(item: FetchItem): boolean {
  switch (item.item) {
    case 'RFC822':
    case 'RFC822.TEXT':
      return true
    case 'SECTION':
      return !needsHeader(item)
    default:
      return needsStructure(item)
  }
}

/** The header of the message is enough. */
function needsHeader(item: FetchItem): boolean {
  switch (item.item) {
    case 'ENVELOPE':
    case 'RFC822.HEADER':
      return true
    case 'SECTION':
      return item.section.part.length === 0 && item.section.kind.startsWith('HEADER')
    default:
      return false
  }
}

function needsStructure(item: FetchItem): boolean {
  switch (item.item) {
    case 'BODY':
    case 'BODYSTRUCTURE':
    case 'BINARY':
    case 'BINARY.SIZE':
      return true
    case 'SECTION': {
      const { section } = item
      return section.part.length > 0 || section.kind === 'TEXT'
    }
    default:
      return false
  }
}
