/**
 * Cuts what a client sends into commands (RFC 9051 §2.2.1, §4.3; RFC 7888; RFC 3516 §4.4). Chunks go in by `push`, events come out of `next`.
 *
 * A command that breaks a limit or a rule of lines is read to its end and refused there, so that the next one is read from its beginning. Where
 * its end is follows from the octets alone: a line that ends with `{n+}` goes on after n octets (RFC 7888 §4), one that ends with `{n}` ends the
 * refused command, as the client waits for a continuation that does not come.
 */
import { LineBuffer, type LineDefect } from './line-buffer.js'
import { OctetBuffer } from './octet-buffer.js'
import { PendingInput } from './pending-input.js'
import type { ReaderLimits } from './reader-limits.js'
import type { Refusal } from './refusal.js'
import type { LiteralSegment, Segment } from './segments.js'
import { tagOf } from './tag.js'

export type ReaderEvent =
  | { kind: 'command'; segments: Segment[] }
  /** The line that `expectLine` asked for, without CRLF. */
  | { kind: 'line'; octets: Buffer }
  /** The line that `expectLine` asked for has a defect. */
  | { kind: 'bad-line'; text: string }
  /** The client waits for a continuation request (`+ OK`) before it sends a literal. */
  | { kind: 'continue' }
  /** A literal on which the owner decides, by `accept` or `refuse`, before the next call of `next`. It is the last of the segments so far. */
  | { kind: 'announced'; segments: readonly Segment[]; literal: LiteralSegment }
  /** A piece of a literal that was accepted as a stream: a view of a chunk. An empty literal gives one empty piece. */
  | { kind: 'piece'; octets: Buffer; isLast: boolean }
  /** The command was read and is not executed; pieces of it that were handed out are to be forgotten. */
  | { kind: 'refused'; tag: string | undefined; refusal: Refusal }
  /** The end of a refused command is too far away: say BYE and close. Nothing is read any more. */
  | { kind: 'fatal'; code: 'TOOBIG'; text: string }

interface Literal {
  segment: LiteralSegment
  isSynchronising: boolean
  remaining: number
  /** Undefined: streamed, or dropped. */
  kept: OctetBuffer | undefined
}

const LF = 0x0a
const ANNOUNCEMENT = /(~?)\{([0-9]+)(\+?)\}$/
/** The end of an announcement whose beginning is out of sight. */
const ENDLESS_ANNOUNCEMENT = /^[0-9]+\+?\}$/

export class CommandReader {
  readonly #input = new PendingInput()
  #limits: ReaderLimits
  #line: LineBuffer
  #segments: Segment[] = []
  #tag: string | undefined
  #literals = 0
  #commandBytes = 0
  #droppedBytes = 0
  #refusal: Refusal | undefined
  #literal: Literal | undefined
  #state: 'text' | 'raw line' | 'undecided' | 'literal' | 'closed' = 'text'

  /**
   * @param options `decides`: true if the owner decides on the literals of this command (upper case, e.g. `APPEND`); it gets an event
   *   `announced` for each of them. The others are kept, within the limits.
   */
  constructor(private readonly options: { limits: ReaderLimits; decides: (name: string) => boolean }) {
    this.#limits = options.limits
    this.#line = new LineBuffer(this.#limits.maxLineBytes)
  }

  push(chunk: Buffer): void {
    if (this.#state !== 'closed') this.#input.push(chunk)
  }

  /** Octets that were pushed and not read yet. An owner that does not ask for events stops reading the socket when they are many. */
  get pendingBytes(): number {
    return this.#input.bytes
  }

  /** Takes what was not read yet, right after an event: what is sent before the end of STARTTLS must not be executed after it (RFC 9051 §11.1). */
  takePending(): Buffer {
    return this.#input.takeAll()
  }

  /** New limits, from the next line on. */
  setLimits(limits: ReaderLimits): void {
    this.#limits = limits
    if (this.#line.size === 0) this.#line = new LineBuffer(limits.maxLineBytes)
  }

  /** The next line is no command: an answer of AUTHENTICATE or the end of IDLE. Called after the event of the command. */
  expectLine(): void {
    if (this.#state === 'text') this.#state = 'raw line'
  }

  /**
   * Accepts the announced literal.
   *
   * @param options `maxBytes`: a larger one is refused with TOOBIG; `stream`: its octets come as events `piece`, and are not kept
   */
  accept({ maxBytes, stream }: { maxBytes: number; stream: boolean }): void {
    const literal = this.#literal
    if (this.#state !== 'undecided' || !literal) throw new Error('no literal waits for a decision')
    if (literal.segment.size > maxBytes) {
      this.refuse(tooBig(literal.segment.size, maxBytes))
      return
    }
    literal.kept = stream ? undefined : new OctetBuffer(literal.segment.size)
    this.#state = 'literal'
  }

  /** Refuses the command of which a literal is announced or was begun. What is left of the command is dropped. */
  refuse(refusal: Refusal): void {
    if (this.#literals === 0) throw new Error('no command to refuse')
    this.#refusal ??= refusal
    this.#segments = []
    if (this.#literal) this.#state = 'literal'
  }

  /** The next event; undefined until more is pushed. */
  next(): ReaderEvent | undefined {
    for (;;) {
      const before = this.#input.bytes
      const state = this.#state
      const event = this.#step()
      if (event) return event
      if (this.#state === state && this.#input.bytes === before) return undefined
    }
  }

  #step(): ReaderEvent | undefined {
    switch (this.#state) {
      case 'closed':
        return undefined
      case 'undecided':
        throw new Error('a literal waits for a decision')
      case 'text':
      case 'raw line':
        return this.#readText()
      case 'literal':
        return this.#readLiteral()
    }
  }

  #readText(): ReaderEvent | undefined {
    const piece = this.#input.takeThrough(LF)
    if (!piece) return undefined
    const isComplete = this.#line.append(piece)
    const extra = this.#line.size - this.#limits.maxLineBytes
    if (extra > 0 && this.#droppedBytes + extra > this.#limits.maxDroppedBytes)
      return this.#close('the line has no end')
    if (!isComplete) return undefined
    const line = this.#line
    this.#line = new LineBuffer(this.#limits.maxLineBytes)
    if (this.#state === 'raw line') {
      this.#state = 'text'
      const { defect } = line
      return defect ? { kind: 'bad-line', text: this.#textOf(defect) } : { kind: 'line', octets: line.text() }
    }
    return this.#endLine(line)
  }

  #endLine(line: LineBuffer): ReaderEvent | undefined {
    if (this.#literals === 0) this.#tag = tagOf(line.text())
    if (line.defect) this.#refuseFor(line.defect)
    if (this.#refusal) this.#droppedBytes += line.size
    if (this.#droppedBytes > this.#limits.maxDroppedBytes) return this.#close('the refused command has no end')
    const tail = line.tail()
    const announcement = ANNOUNCEMENT.exec(tail)
    const isCut = line.size > tail.length + 2
    if (isCut && ENDLESS_ANNOUNCEMENT.test(tail)) return this.#close('the size of the literal has no end')
    const text = line.text()
    const octets = announcement ? text.subarray(0, text.length - announcement[0].length) : text
    this.#commandBytes += text.length
    if (this.#commandBytes > this.#limits.maxCommandBytes) this.#refusal ??= this.#commandTooBig()
    if (!this.#refusal) this.#segments.push({ kind: 'text', octets })
    if (!announcement) return this.#endCommand()
    const [, tilde, digits, plus] = announcement
    return this.#announce(Number(digits), tilde === '~', plus !== '+')
  }

  #announce(size: number, isLiteral8: boolean, isSynchronising: boolean): ReaderEvent | undefined {
    const segment: LiteralSegment = { kind: 'literal', size, isLiteral8, octets: undefined }
    this.#literal = { segment, isSynchronising, remaining: size, kept: undefined }
    this.#literals++
    this.#state = 'literal'
    if (this.#literals > this.#limits.maxLiterals)
      this.#refusal ??= { status: 'BAD', text: `more than ${this.#limits.maxLiterals} literals in a command` }
    if (this.#refusal) return undefined
    this.#segments.push(segment)
    if (this.options.decides(this.#name())) {
      this.#state = 'undecided'
      return { kind: 'announced', segments: this.#segments, literal: segment }
    }
    if (size > this.#limits.maxLiteralBytes) this.#refusal = tooBig(size, this.#limits.maxLiteralBytes)
    else if (this.#commandBytes + size > this.#limits.maxCommandBytes) this.#refusal = this.#commandTooBig()
    else {
      this.#commandBytes += size
      this.#literal.kept = new OctetBuffer(size)
    }
    return undefined
  }

  #readLiteral(): ReaderEvent | undefined {
    const literal = this.#literal
    if (!literal) throw new Error('no literal to read')
    if (literal.isSynchronising) {
      // RFC 9051 §4.3: without a continuation request the client sends no literal, and its command ends here.
      if (this.#refusal) return this.#endCommand()
      literal.isSynchronising = false
      return { kind: 'continue' }
    }
    if (this.#refusal && this.#droppedBytes + literal.remaining > this.#limits.maxDroppedBytes)
      return this.#close(`a literal of ${literal.remaining} octets is too large to be skipped`)
    const isEmpty = literal.segment.size === 0
    const octets = isEmpty ? Buffer.alloc(0) : this.#input.take(literal.remaining)
    if (!octets) return undefined
    literal.remaining -= octets.length
    const isLast = literal.remaining === 0
    if (isLast) {
      this.#literal = undefined
      this.#state = 'text'
    }
    if (this.#refusal) this.#droppedBytes += octets.length
    else if (!literal.kept) return { kind: 'piece', octets, isLast }
    else {
      literal.kept.append(octets)
      if (isLast) literal.segment.octets = literal.kept.octets()
    }
    return undefined
  }

  #endCommand(): ReaderEvent {
    const [segments, refusal, tag] = [this.#segments, this.#refusal, this.#tag]
    this.#segments = []
    this.#tag = undefined
    this.#literals = 0
    this.#commandBytes = 0
    this.#droppedBytes = 0
    this.#refusal = undefined
    this.#literal = undefined
    this.#state = 'text'
    return refusal ? { kind: 'refused', tag, refusal } : { kind: 'command', segments }
  }

  #close(text: string): ReaderEvent {
    this.#state = 'closed'
    this.#input.takeAll()
    this.#segments = []
    this.#line = new LineBuffer(0)
    this.#literal = undefined
    return { kind: 'fatal', code: 'TOOBIG', text }
  }

  #refuseFor(defect: LineDefect): void {
    this.#refusal ??= { status: 'BAD', text: this.#textOf(defect) }
    this.#segments = []
  }

  #commandTooBig(): Refusal {
    this.#segments = []
    return { status: 'BAD', code: 'TOOBIG', text: `the command has more than ${this.#limits.maxCommandBytes} octets` }
  }

  #textOf(defect: LineDefect): string {
    switch (defect) {
      case 'bare CR':
      case 'bare LF':
        return `${defect} in the command; lines end with CR LF`
      case 'NUL':
        return 'NUL in the command'
      case 'too long':
        return `the line has more than ${this.#limits.maxLineBytes} octets`
    }
  }

  /** The command's name in upper case. */
  #name(): string {
    const first = this.#segments[0]
    const words = first?.kind === 'text' ? first.octets.toString('latin1', 0, 200).split(' ', 2) : []
    return words[1]?.toUpperCase() ?? ''
  }
}

function tooBig(size: number, maxBytes: number): Refusal {
  return { status: 'NO', code: 'TOOBIG', text: `the literal of ${size} octets is larger than ${maxBytes} octets` }
}
